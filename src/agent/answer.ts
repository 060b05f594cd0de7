import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Allowance } from "../client/index.ts";
import { displayText } from "../values/display-text.ts";
import { isNode, type Node } from "./contract-view.ts";
import { pageMeta } from "./descriptions.ts";
import { structuredBytesMax, textBytesMax } from "./limits.ts";
import { countLines, metaLines } from "./meta-summary.ts";
import { cell, type FlatRow, fitting, flatten, type SubRows, tableLines } from "./text.ts";
import type { AgentTool } from "./tools.ts";

/** An answer of the API as a tool tells it. `allowance` null: the answer did not say. */
export type ToolAnswer = {
  data: unknown;
  meta: Node;
  requestId: string;
  allowance: Allowance | null;
  notes?: readonly string[];
};

/** Said of a list that does not fit the text; its length is reserved. */
const cutBytes = 400;
/** Of the rows that seem to fit, asked for next: the heading of a table takes room too. */
const fittingShare = 0.9;
/** Twice what the contract allows a cursor. */
const cursorCharsMax = 1024;

/** The structured answer of the API, bounded by whole rows, and the same as text for reading. */
export function answerOf(tool: AgentTool, answer: ToolAnswer): CallToolResult {
  const { data, left } = bounded(answer.data);
  const structuredContent = { data, meta: answer.meta, ...(left > 0 && { rows_left_out: left }) };
  return { content: [{ type: "text", text: textOf(tool, { ...answer, data }, left) }], structuredContent };
}

/** Whole rows of a list as far as they fit, at least one; a single record is never cut. */
function bounded(data: unknown): { data: unknown; left: number } {
  if (!Array.isArray(data)) return { data, left: 0 };
  const rows = data.map((row) => JSON.stringify(row));
  const fit = Math.max(1, fitting(rows, structuredBytesMax).kept.length);
  return fit >= data.length ? { data, left: 0 } : { data: data.slice(0, fit), left: data.length - fit };
}

function textOf(tool: AgentTool, answer: ToolAnswer, left: number): string {
  const { data, meta } = answer;
  const [summary, body] = Array.isArray(data) ? listText(data as Node[]) : recordText(data as Node);
  const rows = Array.isArray(data) ? data.length : 0;
  const head = (goOn: readonly string[]) => [
    `${tool.view.operationId}: ${summary}`,
    ...metaLines(meta),
    ...(left > 0 ? [leftOut(rows, left)] : []),
    ...goOn,
    ...offersNote(tool),
    ...(answer.notes ?? []),
    `${allowanceText(answer.allowance)} request_id ${displayText(answer.requestId)}`,
  ];
  const whole = [...head(left > 0 ? again(tool, rows) : nextPage(tool, meta)), ...body].join("\n");
  if (Buffer.byteLength(whole) <= textBytesMax) return whole;
  const used = Buffer.byteLength(head(nextPage(tool, meta)).join("\n")) + cutBytes;
  const { kept, left: linesLeft } = fitting(body, textBytesMax - used);
  const rowsFitting = Math.max(1, Math.floor((rows * fittingShare * kept.length) / body.length));
  // A single row cannot be asked for in parts.
  const goOn = rows + left > 1 ? again(tool, rowsFitting) : nextPage(tool, meta);
  const cut = `… ${linesLeft} more lines do not fit here; structuredContent holds them.`;
  return [...head(goOn), ...kept, cut].join("\n");
}

function listText(rows: readonly Node[]): [string, string[]] {
  if (rows.length === 0) return ["no rows. Nothing is stored or observed for this; that is not a zero.", []];
  const parts = rows.map(flatten);
  const names = [...new Set(parts.flatMap(({ lists }) => lists.map(({ name }) => name)))];
  // Of a list within a row, the row itself says how long it is.
  const flat = parts.map((part) => ({ ...part.flat, ...lengths(names, part.lists) }));
  const nested = names.flatMap((name) => nestedLines(name, parts));
  return [
    `${rows.length} ${rows.length === 1 ? "row" : "rows"}.`,
    [...countLines(flat), ...tableLines(flat), ...nested],
  ];
}

function lengths(names: readonly string[], lists: readonly SubRows[]): FlatRow {
  return Object.fromEntries(names.map((name) => [name, lists.find((list) => list.name === name)?.rows.length ?? 0]));
}

/** One table for the lists that several records hold under one name, each row with its owner. */
function nestedLines(name: string, parts: readonly { flat: FlatRow; lists: SubRows[] }[]): string[] {
  const rows = parts.flatMap(({ flat, lists }) => {
    const [owner = "row"] = Object.keys(flat);
    const found = lists.find((list) => list.name === name)?.rows ?? [];
    return found.map((row) => ({ [owner]: flat[owner] ?? null, ...flatten(row).flat }));
  });
  return [`${name}: ${rows.length} rows.`, ...tableLines(rows)];
}

function recordText(record: Node): [string, string[]] {
  const { flat, lists } = flatten(record);
  const facts = Object.entries(flat).map(([name, value]) => `${name}: ${cell(value)}`);
  const nulls = Object.values(flat).includes(null) ? ["null is unknown or absent, never 0."] : [];
  const tables = lists.flatMap(({ name, rows }) => {
    const inside = rows.filter(isNode).map((row) => flatten(row).flat);
    return [`${name}: ${rows.length} rows.`, ...countLines(inside), ...tableLines(inside)];
  });
  return ["one record.", [...nulls, ...facts, ...tables]];
}

function leftOut(kept: number, left: number): string {
  return `The answer was too large: its last ${left} of ${kept + left} rows are left out. Ask for them in smaller calls, which cost units of their own.`;
}

/** How to see the rows that this answer does not show: the cursor would skip them. */
function again({ view: { facts, operationId } }: AgentTool, rowsFitting: number): string[] {
  if (facts.paging === null) return [];
  return [
    `Not every row fits here: call ${operationId} again with the same arguments and limit=${rowsFitting} before going on to the next page.`,
  ];
}

/** Whether rows follow, and how to go on. */
function nextPage({ view }: AgentTool, meta: Node): string[] {
  const { paging } = view.facts;
  if (paging === null) return [];
  const next = meta[pageMeta[paging]];
  if (next === null || next === undefined) return ["No rows follow: this is the last page."];
  return [
    `More rows follow: call ${view.operationId} again with the same arguments and ${paging}=${displayText(String(next), cursorCharsMax)}`,
  ];
}

/** Where the contract says so of the operation. */
function offersNote({ view }: AgentTool): string[] {
  const speaksOfOffers = /not completed sales|price fields|observed asks/.test(view.description);
  return speaksOfOffers ? ["Prices are observed offers and buy orders in USD cents, not sales."] : [];
}

function allowanceText(allowance: Allowance | null): string {
  if (allowance === null) return "`getUsage` tells what is left of the allowance;";
  const { quotaRemaining, remainingInMinute } = allowance;
  const parts = [
    ...(quotaRemaining === null ? [] : [`${quotaRemaining} units of the month`]),
    ...(remainingInMinute === null ? [] : [`${remainingInMinute} calls of this minute`]),
  ];
  return parts.length === 0 ? "Cost nothing;" : `Left after this call: ${parts.join(", ")};`;
}
