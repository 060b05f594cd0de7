import { columnsOf, type Plain, type Row } from "../contract/answer-text.ts";
import { emptyMeans } from "../contract/document.ts";
import { displayText } from "../values/display-text.ts";
import { cellCharsMax } from "./limits.ts";

/** Columns whose values give the reason why something is there or not: counted, so that gaps are not overlooked. */
const countedColumns = new Set(["availability", "status", "complete", "ambiguous", "in_catalog"]);

/** Returns one value as text on one line: `null` for what is unknown or absent. */
export function cell(column: string, value: Plain | undefined): string {
  if (Array.isArray(value)) return displayText(value.join(", ") || (emptyMeans[column] ?? "none"), cellCharsMax);
  return typeof value === "string" ? displayText(value, cellCharsMax) : String(value ?? null);
}

/** Writes rows as lines: what is the same in all of them once, then the names of the columns, then a line for each row, with tabs. */
export function tableLines(rows: readonly Row[]): string[] {
  const columns = columnsOf(rows);
  const cells = rows.map((row) => columns.map((column) => cell(column, row[column])));
  const isConstant = (index: number) => rows.length > 1 && cells.every((row) => row[index] === cells[0]![index]);
  const constant = columns.flatMap((column, index) => (isConstant(index) ? [`${column}=${cells[0]![index]}`] : []));
  const varying = (row: readonly string[]) => row.filter((_, index) => !isConstant(index)).join("\t");
  return [
    ...(constant.length === 0 ? [] : [`In every row: ${constant.join(", ")}`]),
    ...(constant.length === columns.length ? [] : [columns, ...cells].map(varying)),
  ];
}

/** Counts the states that rows are in, and their nulls by column. */
export function countLines(rows: readonly Row[]): string[] {
  const columns = columnsOf(rows);
  const states = columns
    .filter((column) => countedColumns.has(column.split(".").at(-1)!))
    .map((column) => {
      const counts = new Map<string, number>();
      for (const row of rows) counts.set(String(row[column]), (counts.get(String(row[column])) ?? 0) + 1);
      return `${column}: ${[...counts].map(([value, count]) => `${displayText(value)} ${count}`).join(", ")}.`;
    });
  const nulls = columns.flatMap((column) => {
    const count = rows.filter((row) => (row[column] ?? null) === null).length;
    return count === 0 ? [] : [`${column} ${count} of ${rows.length}`];
  });
  return nulls.length === 0 ? states : [...states, `null (unknown or absent; never 0): ${nulls.join(", ")}.`];
}

/** Returns the lines that fit into `bytesMax`, and how many do not. */
export function fitting(lines: readonly string[], bytesMax: number): { kept: string[]; left: number } {
  let bytes = 0;
  const kept: string[] = [];
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > bytesMax) break;
    kept.push(line);
  }
  return { kept, left: lines.length - kept.length };
}
