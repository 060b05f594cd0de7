import { createHash } from "node:crypto";
import type { OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { BrokenJson, isObject, type Json, NumberText, readJson } from "../../values/text/strict-json.ts";
import { type FeedFile, fileText, refusedFile } from "../feed-file.ts";
import { amountNames, type ColumnName, columnNames, columns, isColumn } from "./columns.ts";
import { BrokenCsv, type CsvRecord, csvRecords } from "./csv.ts";
import type { Faults } from "./faults.ts";
import { steamInventory } from "./steam-inventory.ts";

/** The text of a field as it was written, and its line. */
type Field = { text: string; line: number };

/** One record of a file before validation. A field that is empty, or null, is absent. */
export type ParsedRow = { line: number; fields: ReadonlyMap<ColumnName, Field> };

/** All or nothing is one transaction, and requests that are charged meanwhile wait for it: this bounds how long. */
const portfolioRowsMax = 5000;

/** What a file holds. `cutOff`: what it says that it leaves out, null: nothing. */
type ParsedFile = { rows: ParsedRow[]; cutOff: string | null };

/** Reader of one shape of file. What cannot be read goes to `faults`. It throws `OperatorError` at the first row too many. */
type RowReader = (body: FeedFile, faults: Faults) => ParsedFile;

export const portfolioAdapters = {
  csv: (body, faults) => ({ rows: csvRows(body, faults), cutOff: null }),
  ndjson: (body, faults) => ({ rows: ndjsonRows(body, faults), cutOff: null }),
  "steam-inventory": (body, faults) => steamInventory(body, faults, portfolioRowsMax),
} as const satisfies Record<string, RowReader>;
export type PortfolioAdapterName = keyof typeof portfolioAdapters;

/** Names that people give to columns in lists of their own. */
const otherNames: Readonly<Record<string, ColumnName>> = {
  name: "market_hash_name",
  item: "market_hash_name",
  qty: "quantity",
  count: "quantity",
  price: "unit_cost_usd",
  cost: "unit_cost_usd",
  date: "acquired_on",
};

const plainColumns = "a plain list has name,quantity,price";

function csvRows(body: FeedFile, faults: Faults): ParsedRow[] {
  const records = recordsOf(body, faults);
  const [header, ...rest] = records;
  const names = header === undefined ? null : namesOf(header, faults);
  if (header === undefined && faults.count === 0)
    faults.add(1, null, "a header line with the names of the columns is missing");
  if (names === null) return [];
  const rows = rest.flatMap((record) => {
    const { line, fields, lines } = record;
    if (fields.length !== names.length) {
      faults.add(line, null, () => `${fields.length} fields, where the header has ${names.length}`);
      return [];
    }
    const filled = names.flatMap((name, place): [ColumnName, Field][] => {
      const text = fields[place]!;
      return text === "" ? [] : [[name, { text, line: lines[place]! }]];
    });
    return [{ line, fields: new Map(filled) }];
  });
  return names.includes("record") ? rows : asLots(rows, names);
}

/** A list without `record` is one of lots. Without references a row's content is its name: the same rows are known again. */
function asLots(
  rows: readonly { line: number; fields: Map<ColumnName, Field> }[],
  names: readonly ColumnName[],
): ParsedRow[] {
  const seen = new Map<string, number>();
  return rows.map(({ line, fields }) => {
    const content = JSON.stringify([...fields].map(([name, { text }]) => [name, text]).sort());
    fields.set("record", { text: "lot", line });
    if (names.includes("integration_ref")) return { line, fields };
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 24);
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    return { line, fields: fields.set("integration_ref", { text: `row:${digest}:${count}`, line }) };
  });
}

function recordsOf(body: FeedFile, faults: Faults): CsvRecord[] {
  const records: CsvRecord[] = [];
  const text = fileText(body);
  if (/^\s*</.test(text))
    throw refusedFile(
      body.name,
      "a web page (HTML), not a list: save what the address itself answers, not a page about it",
    );
  try {
    for (const record of csvRecords(text, columnNames.length)) {
      // The header is one more.
      if (records.length > portfolioRowsMax) throw tooManyRows(body);
      records.push(record);
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    faults.add(error.line, null, `character ${error.character}: ${error.message}; the file was not read further`);
  }
  return records;
}

function tooManyRows(body: FeedFile): OperatorError {
  return refusedFile(body.name, `more than ${portfolioRowsMax} rows; a file has at most so many, so split it`);
}

function columnNamed(field: string): ColumnName | null {
  const name = field.trim().toLowerCase();
  return isColumn(name) ? name : Object.hasOwn(otherNames, name) ? otherNames[name]! : null;
}

/** Returns the columns of a header; null where it cannot be used. */
function namesOf({ line, fields }: CsvRecord, faults: Faults): ColumnName[] | null {
  const before = faults.count;
  const known = fields.map(columnNamed);
  const names = known.filter((name) => name !== null);
  const [only = ""] = fields;
  const other = fields.length === 1 ? /[;\t]/.exec(only)?.[0] : undefined;
  if (other !== undefined) {
    const between = other === ";" ? "semicolons" : "tabs";
    faults.add(
      line,
      null,
      `has ${between} between its columns, where commas belong: save it with commas; ${plainColumns}`,
    );
    return null;
  }
  const there = `there are ${columnNames.join(", ")}; ${plainColumns}`;
  for (const name of fields.filter((_, place) => known[place] === null))
    faults.add(line, null, () => `there is no column \`${displayText(name)}\`; ${there}`);
  for (const name of names.filter((one, place) => names.indexOf(one) !== place))
    faults.add(line, name, "the header names it twice");
  for (const amount of amountNames) {
    if (names.includes(`${amount}_cents`) && names.includes(`${amount}_usd`))
      faults.add(line, `${amount}_usd`, `a file has either ${amount}_cents or ${amount}_usd, never both`);
  }
  return faults.count === before ? names : null;
}

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
    faults.add(line, null, () => `there is no column \`${displayText(name)}\`; there are ${columnNames.join(", ")}`);
    return;
  }
  if (value === null || value === "") return;
  const text = textOf(value, columns[name].json);
  if (text === null) faults.add(line, name, `must be a ${columns[name].json}`);
  else fields.set(name, { text, line });
}

/** A number may be written as a string of its digits, too; no text as a number. */
function textOf(value: Json, wanted: "string" | "number" | "boolean"): string | null {
  if (typeof value === "string") return wanted === "boolean" ? null : value;
  if (value instanceof NumberText) return wanted === "number" ? value.text : null;
  return typeof value === "boolean" && wanted === "boolean" ? String(value) : null;
}
