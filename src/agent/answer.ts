import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Allowance } from "../client/index.ts";
import {
  columnsOf,
  flattenRecord,
  isRow,
  isTable,
  joinTables,
  type Plain,
  type Row,
  summarizeMeta,
  tableRows,
} from "../contract/answer-text.ts";
import { emptyMeans } from "../contract/document.ts";
import { plural } from "../values/text/counted.ts";
import { displayText } from "../values/text/display-text.ts";
import type { Node } from "./contract-view.ts";
import { pageMeta, unitsText } from "./descriptions.ts";
import { cellCharsMax, listCharsMax, structuredBytesMax, textBytesMax } from "./limits.ts";
import { notStored, phaseNote, quoteLegend, quoteText } from "./quote-text.ts";
import type { AgentTool } from "./tools.ts";

/**
 * An API response to be shown to an agent. `allowance` is null if the response did not contain it. `mode`: valuation mode. `hidden`: names
 * of omitted fields. `units`: cost of the call.
 */
export type ToolAnswer = {
  data: unknown;
  meta: Node;
  requestId: string;
  allowance: Allowance | null;
  units: number;
  mode?: string | null;
  hidden?: readonly string[];
  notes?: readonly string[];
};

/** The part of a tool that a text needs: its name and its operation's facts. */
type ToolView = Pick<AgentTool, "view">;

/** Bytes reserved for the note about omitted lines. */
const cutBytes = 400;
/** Share of the rows that fit which the next call requests. The rest is reserved for the table's heading. */
const fittingShare = 0.9;
/** Maximum characters of a cursor: twice the contract's limit. */
const cursorCharsMax = 1024;
const metaCharsMax = 1000;
const hiddenNamesMax = 8;
/** Fields of `meta` that appear elsewhere in the text. */
const shownElsewhere = new Set(["request_id", "generated_at", "next_cursor", "next_page", "read_as"]);

/** Returns the structured response of the API, limited to whole rows, and the same as readable text. */
export function answerOf(tool: ToolView, answer: ToolAnswer): CallToolResult {
  const { data, left } = bounded(answer.data);
  const structuredContent = { data, meta: answer.meta, ...(left > 0 && { rows_left_out: left }) };
  return { content: [{ type: "text", text: textOf(tool, { ...answer, data }, left) }], structuredContent };
}

/** Returns as many whole rows of a list as fit, at least one. A single record is never cut. */
function bounded(data: unknown): { data: unknown; left: number } {
  if (!Array.isArray(data)) return { data, left: 0 };
  const rows = data.map((row) => JSON.stringify(row));
  const fit = Math.max(1, fitting(rows, structuredBytesMax).kept.length);
  return fit >= data.length ? { data, left: 0 } : { data: data.slice(0, fit), left: data.length - fit };
}

function textOf(tool: ToolView, answer: ToolAnswer, left: number): string {
  const { data, meta, notes = [], hidden = [], mode = null } = answer;
  const isList = Array.isArray(data);
  const rows = isList ? data.length : 0;
  const [summary, body] = isList
    ? listText(data as Row[], Date.parse(String(meta.generated_at)))
    : recordText(data as Row);
  const head = (next: readonly string[]) => [
    `${tool.view.operationId}${mode === null ? "" : ` (valuation_mode ${mode})`}: ${summary}`,
    ...metaText(meta as Row, data as Plain),
    ...(left > 0 ? [leftOutText(rows, left)] : []),
    ...next,
    ...readingText(tool, data),
    ...(isList && data.some(hasQuotes) ? [quoteLegend] : []),
    ...notes,
    ...(hidden.length === 0 || (rows + left === 0 && isList) ? [] : [`Not shown, see \`fields\`: ${namesOf(hidden)}.`]),
    costText(answer),
  ];
  const whole = [...head(left > 0 ? againText(tool, rows) : nextText(tool, meta)), ...body].join("\n");
  if (Buffer.byteLength(whole) <= textBytesMax) return whole;
  const used = Buffer.byteLength(head(nextText(tool, meta)).join("\n")) + cutBytes;
  const { kept, left: linesLeft } = fitting(body, textBytesMax - used);
  const rowsFitting = Math.max(1, Math.floor((rows * fittingShare * kept.length) / body.length));
  // A single row cannot be requested in parts.
  const next = rows + left > 1 ? againText(tool, rowsFitting) : nextText(tool, meta);
  return [...head(next), ...kept, moreLines(linesLeft)].join("\n");
}

function namesOf(hidden: readonly string[]): string {
  const more = hidden.length - hiddenNamesMax;
  return more < 2 ? hidden.join(", ") : `${hidden.slice(0, hiddenNamesMax).join(", ")} and ${more} more`;
}

function listText(records: readonly Row[], nowMs: number): [summary: string, body: string[]] {
  if (records.length === 0) return ["no rows. Nothing is stored or observed for this; that is not a zero.", []];
  const flats = records.map((record) => flattenRecord(record));
  for (const flat of flats) nameQuotes(flat, nowMs);
  const rows = flats.map(({ row }) => row);
  return [
    `${plural(rows.length, "row")}.`,
    [
      ...countLines(rows),
      ...tableLines(rows),
      ...joinTables(flats).flatMap(([name, inner]) => namedTable(name, inner)),
    ],
  ];
}

function recordText(record: Row): [summary: string, body: string[]] {
  const { row, tables } = flattenRecord(record);
  const fields = Object.entries(row).filter(([name]) => !tables.some(([path]) => path === name));
  const nulls = fields.some(([, value]) => value === null) ? ["null is unknown or absent, never 0."] : [];
  const inner = tables.flatMap(([name, rows]) => {
    const [title, ...lines] = namedTable(name, tableRows(name, rows));
    return [title!, ...countLines(tableRows(name, rows)), ...lines];
  });
  return ["one record.", [...nulls, ...fields.map(([name, value]) => `${name}: ${cell(name, value)}`), ...inner]];
}

function namedTable(name: string, rows: readonly Row[]): string[] {
  return [`${name}: ${rows.length} rows.`, ...tableLines(rows)];
}

function metaText(meta: Row, data: Plain): string[] {
  const summary = summarizeMeta(meta, data);
  const rest = Object.entries(meta).filter(([name]) => !summary.described.has(name) && !shownElsewhere.has(name));
  const lines = [
    ...summary.lines,
    ...cautions(meta),
    rest.map(([name, value]) => `${name}=${String(value)}`).join(", "),
  ];
  return lines.filter((line) => line !== "").map((line) => displayText(line, metaCharsMax));
}

/** Limits the meaning of the lines about age and gaps, because models overinterpret them. */
function cautions(meta: Row): string[] {
  const { cache_recently_checked: isChecked, missing_points: missing = "none" } = meta;
  return [
    isChecked === undefined ? "" : "A check asks the source for news; a quote's `as_of` gives its age.",
    missing === "none" ? "" : "A missing point is not a zero.",
  ];
}

function leftOutText(kept: number, left: number): string {
  return `The answer was too large: its last ${left} of ${plural(kept + left, "row")} are left out. Read them in smaller calls, which cost more units.`;
}

/** Describes the call for the rows that were cut. The cursor would skip them. */
function againText({ view: { facts, operationId } }: ToolView, rowsFitting: number): string[] {
  if (facts.paging === null) return [];
  return [
    `Not every row fits here: call ${operationId} again with the same arguments and limit=${rowsFitting} before the next page.`,
  ];
}

/** Describes the call for the next page, or the end of the list. */
function nextText({ view: { facts, operationId } }: ToolView, meta: Node): string[] {
  const { paging } = facts;
  if (paging === null) return [];
  const next = meta[pageMeta[paging]];
  if (next === null || next === undefined) return ["No rows follow: this is the last page."];
  const cursor = displayText(String(next), cursorCharsMax);
  return [`More rows follow: call ${operationId} again with the same arguments and ${paging}=${cursor}`];
}

/** Returns the meaning of a response's figures, by the contract. */
function readingText({ view }: ToolView, data: unknown): string[] {
  const isOfOffers = /not completed sales|price fields|observed asks/.test(view.description);
  const isOfModel = view.arguments.some(({ name }) => name === "valuation_mode");
  const rows = Array.isArray(data) ? data : [data];
  return [
    ...(isOfOffers ? [`Prices are observed offers and buy orders in USD cents. ${notStored}`] : []),
    ...(isOfModel ? ["Returns and chances are modelled on stored asks, not on real openings."] : []),
    ...(view.operationId === "getUsage" ? ["`getMarketPricesBatch` reads the prices of 100 items for one unit."] : []),
    ...(isOfOffers && rows.some((row) => isRow(row) && typeof row.phase === "string") ? [phaseNote] : []),
  ];
}

/** Returns a text with the whole lines of `body` that fit, and the number of omitted lines. */
export function fittingText(head: readonly string[], body: readonly string[]): string {
  const whole = [...head, ...body].join("\n");
  if (Buffer.byteLength(whole) <= textBytesMax) return whole;
  const { kept, left } = fitting(body, textBytesMax - Buffer.byteLength(head.join("\n")) - cutBytes);
  return [...head, ...kept, moreLines(left)].join("\n");
}

function moreLines(count: number): string {
  return `… ${count} more lines do not fit here; structuredContent holds them.`;
}

/** Returns one line with the cost of a call, the remaining units and the request id. */
export function costText(answer: Pick<ToolAnswer, "allowance" | "units" | "requestId">): string {
  const { allowance, units, requestId } = answer;
  const cost = units === 0 ? "Cost nothing" : `Cost ${unitsText(units)}`;
  const request = `request_id ${displayText(requestId)}`;
  if (allowance === null) return `${cost}; \`getUsage\` shows the rest; ${request}`;
  const { quotaRemaining, remainingInMinute } = allowance;
  const left = [
    ...(quotaRemaining === null ? [] : [`${plural(quotaRemaining, "unit")} of the month`]),
    ...(remainingInMinute === null ? [] : [`${remainingInMinute} calls of this minute`]),
  ];
  return `${cost}; ${left.length === 0 ? "" : `left: ${left.join(", ")}; `}${request}`;
}

/**
 * Replaces the quotes in a list's row by text, best first, such as `northgate 2874 (18 min)`. So a reader does not need to join tables.
 * Quotes with further fields stay a table.
 */
function nameQuotes({ row, tables }: ReturnType<typeof flattenRecord>, nowMs: number): void {
  for (const side of ["asks", "bids"]) {
    const index = tables.findIndex(([path]) => path === side);
    if (index < 0) continue;
    const quotes = tableRows(side, tables[index]![1]);
    if (!quotes.every(isWorded)) continue;
    row[side] = quotes.map((quote) => quoteText(quote, nowMs));
    tables.splice(index, 1);
  }
}

function hasQuotes(row: unknown): boolean {
  return isRow(row) && [row.asks, row.bids].some((quotes) => isTable(quotes) && quotes.every(isWorded));
}

/** Returns whether the text of a quote would contain all its fields. `fields` may have omitted some; that is not the same as unknown. */
function isWorded(quote: Row): boolean {
  return wordedFields.every((name) => name in quote) && Object.keys(quote).every((name) => quoteFields.has(name));
}

/** Required and possible fields in the text of a quote. */
const wordedFields = ["provider", "amount", "as_of"];
const quoteFields = new Set(["provider", "amount", "quantity", "as_of", "currency", "minor_units"]);

/** Columns that explain why a value is present or missing. Their values are counted, so that gaps are not overlooked. */
const countedColumns = new Set(["availability", "status", "complete", "ambiguous", "in_catalog"]);

/** Returns one value as text on one line: `null` for an unknown or absent value. */
function cell(column: string, value: Plain | undefined): string {
  if (Array.isArray(value)) return displayText(value.join(", ") || (emptyMeans[column] ?? "none"), listCharsMax);
  return typeof value === "string" ? displayText(value, cellCharsMax) : String(value ?? null);
}

/** Formats rows as lines: common values once, then the column names, then a tab-separated line per row. */
function tableLines(rows: readonly Row[]): string[] {
  const columns = columnsOf(rows);
  const cells = rows.map((row) => columns.map((column) => cell(column, row[column])));
  const isConstant = columns.map(
    (_, index) => rows.length > 1 && cells.every((row) => row[index] === cells[0]![index]),
  );
  const constant = columns.flatMap((column, index) => (isConstant[index] ? [`${column}=${cells[0]![index]}`] : []));
  const varying = (row: readonly string[]) => row.filter((_, index) => !isConstant[index]).join("\t");
  return [
    ...(constant.length === 0 ? [] : [`In every row: ${constant.join(", ")}`]),
    ...(constant.length === columns.length ? [] : [columns, ...cells].map(varying)),
  ];
}

/** Counts the states of rows, and their nulls by column. */
function countLines(rows: readonly Row[]): string[] {
  const columns = columnsOf(rows);
  const counted = columns.filter((column) => countedColumns.has(column.split(".").at(-1)!));
  const states = counted.map((column) => {
    const alike = Map.groupBy(rows, (row) => String(row[column]));
    return `${column}: ${Array.from(alike, ([value, { length }]) => `${displayText(value)} ${length}`).join(", ")}.`;
  });
  const nulls = columns.flatMap((column) => {
    const count = rows.filter((row) => (row[column] ?? null) === null).length;
    return count === 0 ? [] : [`${column} ${count} of ${rows.length}`];
  });
  return nulls.length === 0 ? states : [...states, `null (unknown or absent; never 0): ${nulls.join(", ")}.`];
}

/** Returns the lines that fit into `bytesMax`, and the number of the others. */
function fitting(lines: readonly string[], bytesMax: number): { kept: string[]; left: number } {
  let bytes = 0;
  const kept: string[] = [];
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > bytesMax) break;
    kept.push(line);
  }
  return { kept, left: lines.length - kept.length };
}
