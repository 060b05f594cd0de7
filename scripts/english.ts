/** Counts patterns that make English hard to read, and sentences over 25 words, in the texts that people read. `--list` prints each. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { tokensOf } from "./support/texts.ts";

const patterns: Record<string, RegExp> = {
  "1 what": /\b(what(ever)?|whose|whom|whoever|whichever)\b|(?<=^|[.;:,] |\b(if|of|by|for|and|to|than) )who\b/gi,
  "2 those":
    /\b(those|such|the ones?|all|one|that) (that|of which|which|who|whom|a one)\b|\b(those|that) of\b|\bthose (in|with|at|to)\b|\bthe one\b/gi,
  "3 where": /\bwhere\b/gi,
  "4 nobody": /\b(nobody|somebody|anybody|everybody|someone|each one|no one|nothing (else|of))\b/gi,
  "5 colon": /\b(null|undefined|true|false|empty|none|zero|0|-1|absent|left out): [a-z]/gi,
  "6 stands": /\b(st(ands?|ood)|lies?|comes?|came|tells?|told|says?|said|takes?)\b/gi,
  "7 is no": /\b(is|are|was|were|be|been|of|as) (no|none)\b(?! (longer|more))/gi,
};

function* textsOf(file: string, source: string): Generator<{ kind: string; index: number; text: string }> {
  if (file.endsWith(".md")) {
    const prose = source.replace(/```[\s\S]*?```/g, (block) => block.replace(/./g, " ")).replace(/`[^`\n]*`/g, "X");
    const part = /(?:^(?:- |\d+\. |\|).+\n(?: +\S.*\n)*)|(?:^.+\n?)+?(?=^(?:- |\d+\. |\|)|^\s*$|(?![\s\S]))/gm;
    for (const { 0: text, index } of prose.matchAll(part))
      yield { kind: "guide", index, text: text.replace(/\|/g, "\n\n") };
    return;
  }
  for (const { kind, index, text } of tokensOf(source)) {
    const comment = text.replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, " ").replace(/`[^`]*`/g, "X");
    if (kind === "comment") yield { kind, index, text: comment };
    if (kind === "comment") continue;
    const isTitle = /\b(it|itLong|describe)(\.\w+)?\(\s*$/.test(source.slice(Math.max(0, index - 60), index));
    const isMessage = !file.startsWith("test/") && /[a-z]+ [a-z]+ [a-z]+/i.test(text) && !/\b[A-Z]{4,} /.test(text);
    if (isTitle || isMessage) yield { kind: isTitle ? "title" : "message", index, text };
  }
}

const options = { list: { type: "boolean" }, in: { type: "string", default: "." } } as const;
const { values: flags, positionals } = parseArgs({ options, allowPositionals: true });
const named = positionals.length > 0 ? positionals : ["src", "scripts", "db", "test", "README.md"];
const files = execFileSync("git", ["ls-files", "--", ...named], { cwd: flags.in, encoding: "utf8" }).split("\n");
const counts: Record<string, Record<string, number>> = {};
for (const file of files.filter((name) => /\.(ts|md)$/.test(name))) {
  const source = readFileSync(`${flags.in}/${file}`, "utf8");
  for (const { kind, index, text } of textsOf(file, source)) {
    const sentences = text.split(/(?<=[.!?:;])\s+|\n\s*\n/).filter((sentence) => /\w/.test(sentence));
    const long = sentences.filter((sentence) => (sentence.match(/\S*\w\S*/g) ?? []).length > 25).map(() => "over 25");
    const found = Object.entries(patterns).flatMap(([name, pattern]) =>
      (text.match(pattern) ?? []).map((word) => [name, word]),
    );
    const names = ["texts", ...sentences.map(() => "sentences"), ...found.map(([name]) => name!), ...long];
    counts[kind] ??= {};
    for (const name of names) counts[kind][name] = (counts[kind][name] ?? 0) + 1;
    const marks = [...found.map((one) => one.join(": ")), ...long].join(", ");
    const line = `${file}:${source.slice(0, index).split("\n").length}`;
    if (flags.list && marks !== "") console.log(`${line}: ${kind} [${marks}] ${text.replace(/\s+/g, " ").trim()}`);
  }
}
console.table(counts);
