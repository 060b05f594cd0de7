import { styleText } from "node:util";
import type { Row } from "../contract/answer-text.ts";
import { csvRecord } from "../values/text/csv.ts";
import { displayText } from "../values/text/display-text.ts";
import type { Call } from "./command.ts";
import { layoutLines, type TableLayout } from "./get/table.ts";

const columnsUnknown = 80;

/**
 * Prints a value for programs as one line of JSON, or with `indent` in readable lines. Control characters are escaped, which does not
 * change values.
 */
export function printJson(call: Call, value: unknown, { indent = 0 } = {}): void {
  // JSON strings contain no raw line feeds, so the remaining ones only separate lines.
  call.out.line(JSON.stringify(value, null, indent).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped));
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Prints `value` if the call asks for JSON, else the lines. */
export function printResult(call: Call, value: unknown, lines: readonly string[]): void {
  if (call.has("json")) printJson(call, value);
  else for (const line of lines) call.out.line(line);
}

/** Prints `records` if the call asks for JSON, else a table of `rows`. */
export function printList(call: Call, records: readonly unknown[], ...table: [head: string[], rows: string[][]]): void {
  if (call.has("json")) printJson(call, records);
  else printTable(call, ...table);
}

/** Prints rows for people with aligned columns. */
export function printTable(call: Call, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    call.out.line(cells.join("  ").trimEnd());
  }
}

/** Returns the characters per line, infinite without a terminal. */
export function lineChars({ out: { isTerminal, columns } }: Pick<Call, "out">): number {
  return isTerminal ? columns || columnsUnknown : Number.POSITIVE_INFINITY;
}

/** Prints a table laid out for the terminal's width, with its notes. */
export function printLayout(call: Call, layout: TableLayout): void {
  printLines(call, layoutLines(layout, lineChars(call)), { hasHead: true });
}

/** Prints lines for people. On a terminal with colours the head is bold and negative amounts are red. */
export function printLines(call: Call, lines: readonly string[], { hasHead = false } = {}): void {
  for (const [index, line] of lines.entries()) {
    const amounts = line.replaceAll(/(?<=^|\s)-\$[0-9.]+/g, (amount) => painted(call, "red", amount));
    call.out.line(hasHead && index === 0 ? painted(call, "bold", line) : amounts);
  }
}

/** Returns whether a stream gets colours: a terminal without `NO_COLOR` (https://no-color.org) in the environment. */
export function wantsColour({ isTTY }: { isTTY?: boolean }, { NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return isTTY === true && (NO_COLOR ?? "") === "" && TERM !== "dumb";
}

/** Returns the text in a style if the output has colours, else unchanged. */
export function painted({ out }: Pick<Call, "out">, style: "bold" | "green" | "red", text: string): string {
  return out.hasColour === true ? styleText(style, text, { validateStream: false }) : text;
}

/** Prints rows as CSV: column names first, amounts in cents. */
export function printCsv(call: Call, columns: readonly string[], rows: readonly Row[], { hasHead = true } = {}): void {
  // The output adds the line feed.
  const print = (values: readonly unknown[]) => call.out.line(`${csvRecord(values)}\r`);
  if (hasHead) print(columns);
  for (const row of rows) print(columns.map((column) => row[column]));
}

/** Makes lines safe for a terminal: `?` replaces each unsafe character except line feeds and tabs. */
export function displayLines(text: string): string {
  return text.replace(/[^\n\t]+/g, (part) => displayText(part, Number.POSITIVE_INFINITY));
}
