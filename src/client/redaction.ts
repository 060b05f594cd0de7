import { displayText } from "../values/text/display-text.ts";

const replyCharsMax = 300;
/** Matches an API key anywhere in a text. */
const keyPattern = /itemtape_(?:live|pat)_[0-9A-Za-z]{6,}/;

/** Makes text from a server safe for a message: no control characters, limited length, without the key. */
export function displayReply(text: string, apiKey: string | null): string {
  return displayText(withoutKey(text, apiKey), replyCharsMax);
}

/** Replaces the sent key in a text by a mark, in case the server repeats it. */
export function withoutKey(text: string, apiKey: string | null): string {
  return apiKey === null ? text : text.replaceAll(apiKey, "[key]");
}

/** Returns the error code if compressed bytes cannot be decompressed. Returns null for other errors, such as truncated bytes. */
export function decompressionFault(error: unknown): string | null {
  const { cause } = error as { cause?: { code?: unknown } };
  const code = String(cause?.code);
  return /^(?:Z_(?!BUF_ERROR$)|ERR__ERROR_)/.test(code) ? code : null;
}

/** Returns whether a text for a URL contains a key. */
export function holdsKey(text: string, apiKey: string | null): boolean {
  return keyPattern.test(text) || (apiKey !== null && text.includes(apiKey));
}
