/** Prints the texts of `src` that people read, one line each: place, kind and text, separated by tabs. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { tokensOf } from "./support/texts.ts";

/** Kinds by the code before a text, in order. */
const kinds: readonly (readonly [kind: string, before: RegExp])[] = [
  ["page", /\bhtml$/],
  ["help", /\b(description|examples|flags|explain|usage)\b[^;]*$/],
  ["log", /\b(log|logger)\b[\w.?]*\([^;]*$/],
  ["error", /\b(throw|reject|\w*[eE]rror|\w*[rR]efus\w*|\w*[fF]ail\w*|\w*Fault)\b[^;]*$/],
];
/** Kinds of the other texts, by folder or file. */
const placeKinds: readonly (readonly [place: string, kind: string])[] = [
  ["src/agent/", "agent"],
  ["src/api/problems.ts", "problem"],
  ["src/cli/", "command"],
  ["src/config/", "help"],
  ["src/import/", "import"],
  ["src/log/", "log"],
  ["src/web/problem-pages.ts", "problem"],
  ["src/web/", "page"],
];
/** Characters of code before a text that are searched for its kind. */
const charsBefore = 160;
const isText = /[A-Za-z]{2}\S* \S*[A-Za-z]{2}|^[A-Z][a-z]+$/;
const isCode =
  /\b[A-Z]{4,} [^a-z]*[a-z_]+\b(?!.*[.;] )|^\s*[A-Z]{4,}\b|^\s*(?:on|set|as|from|where|and) [a-z_.]+ ?[=(]/;

/** Returns the visible text of HTML. */
function shown(text: string): string {
  const attributes = [...text.matchAll(/\b(?:aria-label|placeholder|title|alt)="([^"]+)"/g)].map((match) => match[1]!);
  const words = text.replace(/<(style|script)[\s\S]*?<\/\1>/g, " ").replace(/<[^>]*>?/g, " | ");
  return [words, ...attributes]
    .join(" | ")
    .replace(/(\s*\|\s*)+/g, " | ")
    .replace(/^ \| | \| $/g, "");
}

const { positionals } = parseArgs({ allowPositionals: true });
const named = positionals.length > 0 ? positionals : ["src"];
const files = execFileSync("git", ["ls-files", "--", ...named], { encoding: "utf8" }).split("\n");
for (const file of files.filter((name) => name.endsWith(".ts"))) {
  const source = readFileSync(file, "utf8");
  for (const { kind: token, index, text } of tokensOf(source)) {
    const before = source.slice(Math.max(0, index - charsBefore), index);
    const isWord = !text.includes(" ") && !file.startsWith("src/web/");
    if (token === "comment" || isWord || !isText.test(text) || /\b(from|import)\s*\(?$/.test(before)) continue;
    const kind = kinds.find(([, pattern]) => pattern.test(before))?.[0];
    const ofPlace = placeKinds.find(([place]) => file.startsWith(place))?.[1] ?? "other";
    const words = (/<\w/.test(text) ? shown(text) : text).replace(/\\n|\s+/g, " ").trim();
    if (isCode.test(text) || !/[a-z]{2}/i.test(words)) continue;
    console.log([`${file}:${source.slice(0, index).split("\n").length}`, kind ?? ofPlace, words].join("\t"));
  }
}
