import { displayText } from "../values/text/display-text.ts";

const replyCharsMax = 300;
/** A key as the service makes it, wherever it stands. */
const keyPattern = /itemtape_(?:live|pat)_[0-9A-Za-z]{6,}/;

/** Makes text of a server safe for a message: without control characters, bounded, without the key. */
export function displayReply(text: string, apiKey: string | null): string {
  return displayText(withoutKey(text, apiKey), replyCharsMax);
}

/** Returns the text with a mark in place of the key that was sent, in case the server repeats it. */
export function withoutKey(text: string, apiKey: string | null): string {
  return apiKey === null ? text : text.replaceAll(apiKey, "[key]");
}

/** Returns the code of `error` where compressed bytes cannot be decompressed; null where it is another one, such as their early end. */
export function decompressionFault(error: unknown): string | null {
  const { cause } = error as { cause?: { code?: unknown } };
  const code = String(cause?.code);
  return /^(?:Z_(?!BUF_ERROR$)|ERR__ERROR_)/.test(code) ? code : null;
}

/** Returns whether a text that is to be part of a URL holds a key. */
export function holdsKey(text: string, apiKey: string | null): boolean {
  return keyPattern.test(text) || (apiKey !== null && text.includes(apiKey));
}
