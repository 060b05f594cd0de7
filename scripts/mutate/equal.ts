import { readFileSync } from "node:fs";
import type { Mutant } from "./mutants.ts";

const listPath = new URL("./equal.txt", import.meta.url);

/** Mutants that are left out, each with a reason: a line `file | operator | from -> to | reason` of `equal.txt`. */
export function readEqual(): { has(mutant: Mutant): boolean } {
  const rows = readFileSync(listPath, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line, index) => {
      const [file, operator, change, reason] = line.split(" | ");
      if (!file || !operator || !change || !reason) throw new Error(`equal.txt: row ${index + 1} has no four parts`);
      return `${file} | ${operator} | ${change}`;
    });
  const known = new Set(rows);
  return { has: ({ file, operator, from, to }) => known.has(`${file} | ${operator} | ${flat(from)} -> ${flat(to)}`) };
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
