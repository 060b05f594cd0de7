import { type Node, node } from "../document.ts";

/** Sample text of each format. */
const formatted: Readonly<Record<string, string>> = {
  date: "2026-01-15",
  "date-time": "2026-01-15T12:00:00.000Z",
  time: "12:00:00Z",
  uuid: "00000000-0000-4000-8000-000000000000",
  uri: "https://a.example/",
  "uri-reference": "/a",
  email: "a@a.example",
  hostname: "a.example",
  ipv4: "127.0.0.1",
  ipv6: "::1",
};
const repeatsMax = 20_000;

/** Returns a text that fits simple patterns, formats and bounds of a schema. It has `size` characters if given. */
export function textOf(form: Node, size?: number): string {
  const examples = Array.isArray(form.examples) ? form.examples : [form.example];
  const known = examples.find((example) => typeof example === "string" && isWithin(form, example));
  if (known !== undefined && size === undefined) return known;
  const least = size ?? Number(form.minLength ?? 1);
  if (typeof form.pattern === "string") return patterned(form.pattern, least);
  const text = formatted[String(form.format)];
  if (text !== undefined && size === undefined) return text;
  return "a".repeat(Math.min(least, repeatsMax));
}

/** Returns whether an example fits the pattern and the lengths of its schema, which may have changed. */
function isWithin({ pattern, minLength = 0, maxLength = repeatsMax }: Node, example: string): boolean {
  if (example.length < Number(minLength) || example.length > Number(maxLength)) return false;
  return typeof pattern !== "string" || new RegExp(pattern).test(example);
}

/** Returns the maximum length of a text that matches the pattern. Returns null for groups, alternatives or an open end. */
export function longestOf(pattern: string): number | null {
  if (!/^\^[^|()]*\$$/.test(pattern)) return null;
  const { pieces } = piecesOf(pattern.slice(1, -1), 0);
  const most = pieces.reduce((sum, piece) => sum + piece.text.length * piece.most, 0);
  return Number.isFinite(most) ? most : null;
}

/** Part of a pattern: the text of one repetition, and the bounds of repetitions. */
type Piece = { text: string; least: number; most: number };

/** Returns a text that matches the pattern. It has at least `size` characters if the pattern has a repeated part. */
function patterned(pattern: string, size: number): string {
  const { pieces } = piecesOf(pattern.replace(/^\^/, "").replace(/\$$/, ""), 0);
  const counts = pieces.map(({ least }) => least);
  const length = () => pieces.reduce((sum, { text }, index) => sum + text.length * (counts[index] ?? 0), 0);
  for (const [index, { text, most }] of pieces.entries()) {
    if (text.length === 0) continue;
    const missing = Math.ceil((size - length()) / text.length);
    if (missing > 0) counts[index] = Math.min(most, (counts[index] ?? 0) + missing);
  }
  const text = pieces.map((piece, index) => piece.text.repeat(Math.min(counts[index] ?? 0, repeatsMax))).join("");
  return /(^|[^\\])\$\W*$/.test(pattern) ? text : text.padEnd(size, "a");
}

/** Parses the first alternative of a pattern, up to its end or its closing bracket. */
function piecesOf(pattern: string, start: number): { pieces: Piece[]; end: number } {
  const pieces: Piece[] = [];
  let isFirst = true;
  let at = start;
  while (at < pattern.length && pattern[at] !== ")") {
    if (pattern[at] === "|") {
      isFirst = false;
      at += 1;
      continue;
    }
    const { text, end } = atomOf(pattern, at);
    const { least, most, next } = countOf(pattern, end);
    if (isFirst) pieces.push({ text, least, most });
    at = next;
  }
  return { pieces, end: at };
}

function atomOf(pattern: string, at: number): { text: string; end: number } {
  const sign = pattern[at] ?? "";
  if (sign === "(") {
    const inner = /^\(\?[:=!<]*/.exec(pattern.slice(at))?.[0].length ?? 1;
    const { pieces, end } = piecesOf(pattern, at + inner);
    return { text: pieces.map(({ text, least }) => text.repeat(least)).join(""), end: end + 1 };
  }
  if (sign === "[") {
    const closed = pattern.indexOf("]", at + 2);
    return { text: memberOf(pattern.slice(at + 1, closed)), end: closed + 1 };
  }
  if (sign === "\\") return { text: escapedOf(pattern[at + 1] ?? ""), end: at + 2 };
  if (sign === "^" || sign === "$") return { text: "", end: at + 1 };
  return { text: sign === "." ? "a" : sign, end: at + 1 };
}

function escapedOf(letter: string): string {
  return node({ d: "1", w: "a", s: " ", D: "a", W: "-", S: "a", b: "" })[letter]?.toString() ?? letter;
}

function memberOf(members: string): string {
  const isNegated = members.startsWith("^");
  if (isNegated) return ["a", "1", " ", "-"].find((sign) => !new RegExp(`[${members.slice(1)}]`).test(sign)) ?? "a";
  return members.startsWith("\\") ? escapedOf(members[1] ?? "") : (members[0] ?? "");
}

function countOf(pattern: string, at: number): { least: number; most: number; next: number } {
  const sign = pattern[at];
  const many = Number.POSITIVE_INFINITY;
  if (sign === "?") return { least: 0, most: 1, next: at + 1 };
  if (sign === "*") return { least: 0, most: many, next: at + 1 };
  if (sign === "+") return { least: 1, most: many, next: at + 1 };
  const braces = /^\{(\d+)(,(\d*))?\}/.exec(pattern.slice(at));
  if (braces === null) return { least: 1, most: 1, next: at };
  const least = Number(braces[1]);
  const most = braces[2] === undefined ? least : braces[3] === "" ? many : Number(braces[3]);
  return { least, most, next: at + braces[0].length };
}
