import {
  columnsOf,
  flattenRecord,
  isRow,
  joinTables,
  type Plain,
  type Row,
  summarizeMeta,
  tableRows,
} from "../../contract/answer-text.ts";
import { plural } from "../../values/text/counted.ts";
import { displayText } from "../../values/text/display-text.ts";
import { fieldText, titleOf } from "./field-text.ts";
import { layoutLines, layTable } from "./table.ts";

const indent = "  ";

/**
 * Formats `data` of a response for people: lists as tables, a record as a list of its fields. With `fields` (paths of the contract) it
 * shows only these, even if they do not fit.
 */
export function dataText(data: Plain, width: number, fields: readonly string[] | null = null): string[] {
  if (Array.isArray(data)) return listText(data.filter(isRow), width, fields);
  return isRow(data) ? recordText(data, width, fields) : [fieldText("", data).text];
}

function listText(rows: readonly Row[], width: number, fields: readonly string[] | null): string[] {
  if (rows.length === 0) return ["no rows"];
  // Fields requested by name are all shown.
  const flats = rows.map((row) => flattenRecord(row, fields === null ? keepBesideDollars : undefined));
  const rowsShown = flats.map(({ row }) => row);
  if (fields !== null) return layTable(fields, rowsShown, Number.POSITIVE_INFINITY).lines;
  const joined = joinTables(flats, keepBesideDollars).flatMap(([name, inner]) => tableText(name, inner, width));
  return [...layoutLines(layTable(columnsOf(rowsShown), rowsShown, width), width), ...joined];
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
  const lines = layoutLines(layTable(columnsOf(rows), rows, room), room);
  return ["", `${titleOf(name)}:`, ...lines.map((line) => indent + line)];
}

/** Omits fields that an amount in dollars already implies. */
function keepBesideDollars(record: Row, name: string): boolean {
  const isDollars = record.currency === "USD" && record.minor_units === 2;
  return !isDollars || (name !== "currency" && name !== "minor_units");
}

/** The caller's allowance as reported by the server. Null if it was not reported. */
export type Allowance = {
  limitPerMinute: number | null;
  remainingInMinute: number | null;
  quotaRemaining: number | null;
};

/** `rows` is null if the response is not a list. */
type Counted = { rows: number | null; requests: number };

const metaCharsMax = 1200;

/** Returns the closing lines of a response: age, gaps, next page, remaining quota. `data`: the response's data. */
export function metaText(meta: Row, allowance: Allowance, counted: Counted, data: Plain = null): string[] {
  const lines = [
    countText(counted),
    ...summarizeMeta(meta, data).lines.map(line),
    pageText(meta),
    allowanceText(allowance),
  ];
  return lines.filter((line) => line !== "");
}

function countText({ rows, requests }: Counted): string {
  // An empty list is already reported in the first line.
  if (rows === null || rows === 0) return "";
  return `${plural(rows, "row")}${requests > 1 ? ` of ${plural(requests, "request")}` : ""}`;
}

function pageText(meta: Row): string {
  const next = nextOf(meta);
  return next === null ? "" : line(`more rows follow: ${next}, or --all`);
}

/** Returns the parameter that requests the next page, null after the last page. */
export function nextOf({ next_cursor, next_page }: Row): string | null {
  if (typeof next_cursor === "number") return `cursor=${next_cursor}`;
  return typeof next_page === "string" ? `after=${displayText(next_page, metaCharsMax)}` : null;
}

function allowanceText({ limitPerMinute, remainingInMinute, quotaRemaining }: Allowance): string {
  const left = [
    ...(remainingInMinute === null ? [] : [`${remainingInMinute} of ${limitPerMinute ?? "?"} requests this minute`]),
    ...(quotaRemaining === null ? [] : [`${plural(quotaRemaining, "unit")} this month`]),
  ];
  return left.length === 0 ? "" : `left: ${left.join(", ")}`;
}

function line(text: string): string {
  return displayText(text, metaCharsMax);
}
