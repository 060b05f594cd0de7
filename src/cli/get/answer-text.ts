import {
  columnsOf,
  flattenRecord,
  isRow,
  joinTables,
  type Plain,
  type Row,
  tableRows,
} from "../../contract/answer-text.ts";
import { fieldText, titleOf } from "./field-text.ts";
import { type Laid, layTable, wrapped } from "./table.ts";

const indent = "  ";

/**
 * Writes `data` of an answer for people: lists as tables, one record as a list of its fields. With `fields`, paths that the contract
 * has, these alone, even where they do not fit.
 */
export function dataText(data: Plain, width: number, fields: readonly string[] | null = null): string[] {
  if (Array.isArray(data)) return listText(data.filter(isRow), width, fields);
  return isRow(data) ? recordText(data, width, fields) : [fieldText("", data).text];
}

function listText(rows: readonly Row[], width: number, fields: readonly string[] | null): string[] {
  if (rows.length === 0) return ["no rows"];
  // Asked for by name, each field is shown.
  const flats = rows.map((row) => flattenRecord(row, fields === null ? keepBesideDollars : undefined));
  const rowsShown = flats.map(({ row }) => row);
  if (fields !== null) return layTable(fields, rowsShown, Number.POSITIVE_INFINITY).lines;
  const joined = joinTables(flats, keepBesideDollars).flatMap(([name, inner]) => tableText(name, inner, width));
  return [...tableLines(layTable(columnsOf(rowsShown), rowsShown, width), width), ...joined];
}

function tableLines({ lines, notes }: Laid, width: number): string[] {
  return [...lines, ...notes.flatMap((note) => wrapped(`(${note})`, width))];
}

function recordText(record: Row, width: number, fields: readonly string[] | null): string[] {
  const { row, tables } = flattenRecord(record, fields === null ? keepBesideDollars : undefined);
  const isList = (path: string) => tables.some(([one]) => one === path);
  const paths = (fields ?? Object.keys(row)).filter((path) => !isList(path));
  const titles = paths.map(titleOf);
  const titleChars = Math.max(0, ...titles.map(({ length }) => length));
  const lines = paths.map((path, index) => `${titles[index]!.padEnd(titleChars)}  ${fieldText(path, row[path]).text}`);
  const shownTables = tables.filter(([path]) => fields?.includes(path) !== false);
  return [
    ...lines,
    ...shownTables.flatMap(([path, rows]) => tableText(path, tableRows(path, rows, keepBesideDollars), width)),
  ];
}

function tableText(name: string, rows: readonly Row[], width: number): string[] {
  const room = width - indent.length;
  const lines = tableLines(layTable(columnsOf(rows), rows, room), room);
  return ["", `${titleOf(name)}:`, ...lines.map((line) => indent + line)];
}

/** Leaves out what an amount in dollars tells as well. */
function keepBesideDollars(record: Row, name: string): boolean {
  const isDollars = record.currency === "USD" && record.minor_units === 2;
  return !isDollars || (name !== "currency" && name !== "minor_units");
}
