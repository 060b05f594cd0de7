import { displayText } from "../../values/text/display-text.ts";
import { BrokenJson, isObject, type Json, NumberText, readJson } from "../../values/text/strict-json.ts";
import { type FeedFile, fileText } from "../feed-file.ts";
import { type ColumnName, columnNames, columns, isColumn } from "./columns.ts";
import type { Faults } from "./faults.ts";
import { type Field, type ParsedRow, portfolioRowsMax, tooManyRows } from "./rows.ts";
import { sheetRows } from "./sheet.ts";
import { type InventoryPage, steamInventory } from "./steam-inventory.ts";

/** Rows of a file. `pages` holds the totals in each page of an inventory. */
export type ParsedFile = { rows: ParsedRow[]; pages: readonly InventoryPage[] };

/** Reads one file format. Invalid values are added to `faults`. Throws `OperatorError` if there are too many rows. */
type RowReader = (body: FeedFile, faults: Faults) => ParsedFile;

export const portfolioAdapters = {
  csv: (body, faults) => ({ rows: sheetRows(body, faults), pages: [] }),
  ndjson: (body, faults) => ({ rows: ndjsonRows(body, faults), pages: [] }),
  "steam-inventory": (body, faults) => steamInventory(body, faults, portfolioRowsMax),
} as const satisfies Record<string, RowReader>;
export type PortfolioAdapterName = keyof typeof portfolioAdapters;

function ndjsonRows(body: FeedFile, faults: Faults): ParsedRow[] {
  const rows: ParsedRow[] = [];
  let count = 0;
  for (const { line, text } of linesOf(fileText(body))) {
    if (text.trim() === "") continue;
    count += 1;
    if (count > portfolioRowsMax) throw tooManyRows(body);
    const value = jsonIn(text, line, faults);
    if (value === null) continue;
    const fields = new Map<ColumnName, Field>();
    for (const [name, one] of value) addField(fields, name, one, line, faults);
    rows.push({ line, fields });
  }
  return rows;
}

function* linesOf(text: string): Generator<{ line: number; text: string }> {
  for (let line = 1, start = 0; start < text.length; line += 1) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    yield { line, text: text.slice(start, end) };
    start = end + 1;
  }
}

function jsonIn(text: string, line: number, faults: Faults): ReadonlyMap<string, Json> | null {
  try {
    const value = readJson(text);
    if (isObject(value)) return value;
    faults.add(line, null, "not a JSON object");
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    faults.add(line, null, `character ${error.offset + 1}: not JSON to be trusted: ${error.message}`);
  }
  return null;
}

function addField(fields: Map<ColumnName, Field>, name: string, value: Json, line: number, faults: Faults): void {
  if (!isColumn(name)) {
    faults.add(line, null, () => `unknown column \`${displayText(name)}\`; the columns are ${columnNames.join(", ")}`);
    return;
  }
  if (value === null || value === "") return;
  const text = textOf(value, columns[name].json);
  if (text === null) faults.add(line, name, `must be a ${columns[name].json}`);
  else fields.set(name, { text, line });
}

/** A number may also be a string of its digits. A text must not be a number. */
function textOf(value: Json, wanted: "string" | "number" | "boolean"): string | null {
  if (typeof value === "string") return wanted === "boolean" ? null : value;
  if (value instanceof NumberText) return wanted === "number" ? value.text : null;
  return typeof value === "boolean" && wanted === "boolean" ? String(value) : null;
}
