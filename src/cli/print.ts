import type { Call } from "./command.ts";

/**
 * Prints an object for programs as one line of JSON, or with `indent` in lines that a person can read. Control characters are escaped, which
 * changes no value.
 */
export function printJson(call: Call, value: unknown, { indent = 0 } = {}): void {
  // A text of JSON holds no end of line itself: those that are there part the lines.
  call.out.line(JSON.stringify(value, null, indent).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped));
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Prints rows for people with aligned columns. */
export function printTable(call: Call, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows]) {
    call.out.line(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
