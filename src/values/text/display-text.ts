const displayCharsMax = 120;
/** Characters that a terminal obeys, that hide from a reader, or that turn the direction of a line. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Makes text from outside safe for a terminal, a log or an agent: `?` for each unsafe character, cut after `charsMax`. */
export function displayText(text: string, charsMax = displayCharsMax): string {
  const safe = text.replace(unsafe, "?");
  return safe.length > charsMax ? `${safe.slice(0, charsMax)}…` : safe;
}
