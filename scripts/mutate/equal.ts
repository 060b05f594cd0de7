// Reads the list of mutants that nothing can tell from the program, apart from those who run mutants.
import { readFileSync } from "node:fs";
import type { Mutant } from "./mutants.ts";

const listPath = new URL("./equal.txt", import.meta.url);

/**
 * Mutants that are left out, each with a reason: a line `file | operator | from -> to | reason` of `equal.txt`. A change that is equal
 * in one place only names the whole line of the source: `from -> to in LINE`.
 */
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
  return {
    has({ file, line, operator, from, to }) {
      const change = flat(`${file} | ${operator} | ${flat(from)} -> ${flat(to)}`);
      if (known.has(change)) return true;
      const text = readFileSync(file, "utf8").split("\n")[line - 1] ?? "";
      return known.has(`${change} in ${flat(text)}`);
    },
  };
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
