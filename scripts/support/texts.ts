/** Returns the pattern of the code in `${…}` of a template literal, with nested templates to a depth. */
function codePattern(depth: number): string {
  const nested = depth === 0 ? "" : `|\\{${codePattern(depth - 1)}\\}|${templatePattern(depth - 1)}`;
  return `(?:[^\`{}"']|"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'${nested})*`;
}

function templatePattern(depth: number): string {
  return `\`(?:[^\`\\\\$]|\\\\[\\s\\S]|\\$(?!\\{)|\\$\\{${codePattern(depth)}\\})*\``;
}

const depthMost = 5;
const comment = String.raw`(?<comment>\/\/.*(?:\n\s*\/\/.*)*|\/\*[\s\S]*?\*\/)`;
const text = String.raw`(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|${templatePattern(depthMost)})`;
const regex = String.raw`(?<=[(,=:[!&|?{};\n>]\s*)\/(?![*\/])(?:[^\/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`;
const tokens = new RegExp(`${comment}|${text}|${regex}`, "g");
const inserted = new RegExp(`\\$\\{(${codePattern(depthMost)})\\}`, "g");

/** A comment or string of TypeScript. `text` of a string has no quotes, and `X` for inserted values. */
type Token = { kind: "comment" | "text"; index: number; text: string };

/** Yields the comments and strings of TypeScript, including strings inside templates. Skips regular expressions. */
export function* tokensOf(source: string, start = 0): Generator<Token> {
  for (const { groups, index } of source.matchAll(tokens)) {
    const at = start + index;
    if (groups?.comment !== undefined) yield { kind: "comment", index: at, text: groups.comment };
    if (groups?.text === undefined) continue;
    const inner = groups.text.slice(1, -1);
    const isTemplate = groups.text.startsWith("`");
    yield { kind: "text", index: at, text: isTemplate ? inner.replace(inserted, "X") : inner };
    if (!isTemplate) continue;
    for (const code of inner.matchAll(inserted)) yield* tokensOf(code[1]!, at + code.index + 3);
  }
}
