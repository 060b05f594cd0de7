import type { Itemtape, Params } from "../../client/index.ts";
import { progressOn } from "../../ingest/progress.ts";
import { secondMs } from "../../values/calendar.ts";
import { systemClock } from "../../values/clock.ts";
import { exitCodes } from "../../values/operator-error.ts";
import { type Call, usageError } from "../command.ts";
import { printJson } from "../open.ts";
import { dataText } from "./answer-text.ts";
import type { Plain, Row } from "./cells.ts";
import { connect } from "./connect.ts";
import { type Allowance, metaText } from "./meta-text.ts";
import { type JsonOperationId, operationList, operationNamed, termsOf } from "./operations.ts";
import { readParameters, type Value } from "./parameters.ts";
import { refusalOf } from "./refusal.ts";
import { layTable } from "./table.ts";

/** As much of an answer as is printed. */
type Told = { data: Plain; meta: Row; allowance: Allowance };
type Question = { client: Itemtape; operationId: JsonOperationId; params: Record<string, Value> };

const columnsUnknown = 80;
/** A list that meets the minute limit waits for the next minute. */
const retry = { totalMs: 150 * secondMs };

/** Asks one operation and prints what it says. Throws `OperatorError`, with an exit code for each kind of refusal. */
export async function run(call: Call): Promise<number> {
  const [name, ...words] = call.operands;
  if (name === undefined) return printOperations(call);
  const { operationId, operation } = operationNamed(name);
  const params = readParameters(operationId, operation, words);
  if (call.has("json") && call.flag("fields") !== undefined)
    throw usageError("--fields: is for tables, --json has all");
  if (call.has("all") && operation.paging === null) throw usageError(`--all: ${operationId} has no pages`);
  const { client, base } = connect(call, operation.isProtected);
  try {
    const question = { client, operationId, params };
    if (!call.has("all")) printAnswer(call, await ask(question));
    else if (call.has("json")) await printRows(call, question);
    else await printAll(call, question);
    return exitCodes.ok;
  } catch (error) {
    throw refusalOf(error, operationId, base);
  }
}

/** The parameters were read by the table that the types are made of. */
async function ask({ client, operationId, params }: Question): Promise<Told> {
  return (await client.call(operationId as "getItem", params as Params<"getItem">, { retry })) as unknown as Told;
}

function pagesOf({ client, operationId, params }: Question): AsyncIterable<Told> {
  const pages = client.pages(operationId as "listItems", params as Params<"listItems">, { retry });
  return pages as unknown as AsyncIterable<Told>;
}

function printOperations(call: Call): number {
  const rows = operationList().map(([operation, facts]) => {
    return { operation, terms: termsOf(facts), summary: facts.summary };
  });
  if (call.has("json")) for (const row of rows) printJson(call, row);
  else for (const line of layTable(["operation", "terms", "summary"], rows, widthOf(call)).lines) call.out.line(line);
  return exitCodes.ok;
}

function printAnswer(call: Call, { data, meta, allowance }: Told): void {
  if (call.has("json")) printJson(call, { data, meta });
  else printText(call, { data, meta, allowance }, 1);
}

/** A line as soon as its row is there: a list may be long. No page is paid for that nobody reads. */
async function printRows(call: Call, question: Question): Promise<void> {
  for await (const { data } of pagesOf(question)) {
    for (const row of data as readonly Plain[]) printJson(call, row);
    if (call.out.isGone?.() === true) return;
  }
}

/** One table: its columns are as wide as the widest of all rows. */
async function printAll(call: Call, question: Question): Promise<void> {
  const rows: Plain[] = [];
  let last: Told | null = null;
  let requests = 0;
  const progress = progressOn(process.stderr, systemClock);
  try {
    for await (const page of pagesOf(question)) {
      rows.push(...(page.data as readonly Plain[]));
      last = page;
      requests += 1;
      if (process.stderr.isTTY) progress.phase(`${rows.length} rows`);
    }
  } finally {
    if (process.stderr.isTTY) progress.end();
  }
  if (last !== null) printText(call, { ...last, data: rows }, requests);
}

function printText(call: Call, { data, meta, allowance }: Told, requests: number): void {
  for (const line of dataText(data, widthOf(call), call.flag("fields")?.split(",") ?? null)) call.out.line(line);
  const closing = metaText(meta, allowance, { requests, rows: Array.isArray(data) ? data.length : null });
  if (closing.length > 0) call.out.line("");
  for (const line of closing) call.out.line(line);
}

/** Where no terminal is, nothing has to fit. */
function widthOf({ out: { isTerminal, columns } }: Call): number {
  return isTerminal ? columns || columnsUnknown : Number.POSITIVE_INFINITY;
}
