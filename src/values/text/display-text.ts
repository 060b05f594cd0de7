const displayCharsMax = 120;
/** Characters that control a terminal, are invisible, or change the text direction. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Makes external text safe for a terminal, a log or an agent. Replaces each unsafe character by `?` and cuts after `charsMax`. */
export function displayText(text: string, charsMax = displayCharsMax): string {
  const safe = text.replace(unsafe, "?");
  return safe.length > charsMax ? `${safe.slice(0, charsMax)}…` : safe;
}
