// The same marks as in `reference/json-html.ts`, which colours the examples.
const marks = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Returns JSON with its names, texts, numbers and words coloured.
 * @param {string} text
 */
export function colouredJson(text) {
  const made = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, quoted, colon] = match;
    const token = quoted ?? whole;
    const part = document.createElement("span");
    part.className = kindOf(token, colon);
    part.textContent = token;
    made.append(text.slice(end, match.index), part, colon ?? "");
    end = match.index + whole.length;
  }
  made.append(text.slice(end));
  return made;
}

/** @param {string} token @param {string | undefined} colon */
function kindOf(token, colon) {
  if (token.startsWith('"')) return colon === undefined ? "js" : "jn";
  return /^[tfn]/.test(token) ? "jw" : "jd";
}
