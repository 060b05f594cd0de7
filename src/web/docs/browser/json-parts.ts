const marks = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Splits JSON text into names, texts, words, numbers and the text between them. `kind` is the style class of a part, null for the text
 * between.
 */
export function jsonParts(text: string): { text: string; kind: "jn" | "js" | "jw" | "jd" | null }[] {
  const parts: ReturnType<typeof jsonParts> = [];
  let end = 0;
  for (const { 0: token, 1: colon, index } of text.matchAll(marks)) {
    const isQuoted = token.startsWith('"');
    const kind = isQuoted ? (colon === undefined ? "js" : "jn") : /^[tfn]/.test(token) ? "jw" : "jd";
    parts.push({ text: text.slice(end, index), kind: null }, { text: token, kind });
    end = index + token.length;
  }
  return [...parts, { text: text.slice(end), kind: null }];
}
