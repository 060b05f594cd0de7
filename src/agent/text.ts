import { emptyMeans } from "../contract/empty-lists.ts";
import { displayText } from "../values/display-text.ts";
import { isNode, type Node } from "./contract-view.ts";
import { cellCharsMax } from "./limits.ts";

export type Scalar = string | number | boolean | null;
/** A record without nesting: `current.cost_cents` is a field of its own. */
export type FlatRow = Readonly<Record<string, Scalar>>;
/** A list of records inside a record, with what names its owner in a table of many. */
export type SubRows = { name: string; rows: readonly Node[] };

/** Takes a record apart: its scalars by dotted name, and the lists of records in it. */
export function flatten(record: Node): { flat: FlatRow; lists: SubRows[] } {
  const flat: Record<string, Scalar> = {};
  const lists: SubRows[] = [];
  const add = (name: string, value: unknown) => {
    if (isNode(value)) for (const [key, one] of Object.entries(value)) add(`${name}.${key}`, one);
    else if (!Array.isArray(value)) flat[name] = value as Scalar;
    else if (value.length > 0 && value.every(isNode)) lists.push({ name, rows: inOrder(name, value) });
    else flat[name] = value.length === 0 ? (emptyMeans[name] ?? "none") : value.join(", ");
  };
  for (const [key, value] of Object.entries(record)) add(key, value);
  return { flat, lists };
}

/** The best offer first, which the service leaves to its clients. */
function inOrder(name: string, rows: readonly Node[]): readonly Node[] {
  const list = name.split(".").at(-1);
  if (list !== "asks" && list !== "bids") return rows;
  const sign = list === "asks" ? 1 : -1;
  return [...rows].sort((a, b) => sign * (Number(a.amount) - Number(b.amount)));
}

/**
 * Rows as lines: what is the same in all of them once, the names of the columns once, then a line for each row with tabs between
 * the values.
 */
export function tableLines(rows: readonly FlatRow[]): string[] {
  const columns = columnsOf(rows);
  const isConstant = (column: string) => rows.length > 1 && rows.every((row) => row[column] === rows[0]![column]);
  const constant = columns.filter(isConstant);
  const varying = columns.filter((column) => !constant.includes(column));
  const lines = rows.map((row) => varying.map((column) => cell(row[column])).join("\t"));
  return [
    ...(constant.length === 0
      ? []
      : [`In every row: ${constant.map((column) => `${column}=${cell(rows[0]![column])}`).join(", ")}`]),
    ...(varying.length === 0 ? [] : [varying.join("\t"), ...lines]),
  ];
}

/** A field whose value is null in one row and a record in another is told by the record's fields. */
export function columnsOf(rows: readonly FlatRow[]): string[] {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return all.filter((column) => !all.some((other) => other.startsWith(`${column}.`)));
}

/** Returns one value as text on one line: `null` for what is unknown or absent. */
export function cell(value: Scalar | undefined): string {
  return typeof value === "string" ? displayText(value, cellCharsMax) : String(value ?? null);
}

/** The lines that fit into `bytesMax`, and how many do not. */
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
