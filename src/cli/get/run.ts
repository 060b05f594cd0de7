import type { Itemtape, Params } from "../../client/index.ts";
import type { JsonOperationId } from "../../client/types.ts";
import { answerPaths } from "../../contract/answer-paths.ts";
import { isRow, type Plain, type Row } from "../../contract/answer-text.ts";
import { progressOn } from "../../values/progress.ts";
import { plural } from "../../values/text/counted.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { systemClock } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";
import { connect } from "../connect.ts";
import { lineChars, printCsv, printJson, printLayout, printLines } from "../print.ts";
import { type Allowance, dataText, metaText, nextOf } from "./answer-text.ts";
import { fieldsOf } from "./field-text.ts";
import { operationList, operationNamed, shortTermsOf, termsOf } from "./operations.ts";
import { checkParameters, readParameters, type Value } from "./parameters.ts";
import { refusalWithProviders } from "./refusal.ts";
import { layTable, wrapped } from "./table.ts";

/** The printed parts of a response. */
type PrintedAnswer = { data: Plain; meta: Row; allowance: Allowance };
type ReadRequest = {
  client: Itemtape;
  operationId: JsonOperationId;
  params: Record<string, Value>;
  /** Paths of the fields to print, null for all. */
  fields: readonly string[] | null;
};

/** `search` uses further requests to find out which words match; an operation is a single request. */
const fewerWords = "fewer words find more; `npx itemtape search` suggests some";
/** A list that reaches the minute limit waits for the next minute. */
const retry = { totalMs: 150 * secondMs };

/**
 * Requests one operation and prints its response.
 * @throws {OperatorError} with an exit code for each kind of refusal.
 */
export async function run(call: Call): Promise<void> {
  const [name, ...words] = call.operands;
  if (name === undefined) return printOperations(call);
  const { operationId, operation } = operationNamed(name);
  const params = readParameters(operationId, operation, words);
  if (call.has("json") && call.flag("fields") !== undefined)
    throw usageError("--fields: works only for tables; --json has all fields");
  if (call.has("json") && call.has("csv")) throw usageError("--csv and --json: give one of them");
  if (call.has("all") && operation.paging === null) throw usageError(`--all: ${operationId} has no pages`);
  const named = call.flag("fields");
  // Checked first, so that a misspelt word costs nothing.
  const fields = named === undefined ? null : fieldsOf(operation, named);
  checkParameters(operation, params, call.apiKey || null);
  const { client, base } = connect(call, operation.isProtected);
  try {
    const request = { client, operationId, params, fields };
    if (call.has("csv")) await printAsCsv(call, request, fields ?? answerPaths(operation));
    else if (!call.has("all")) printAnswer(call, await ask(request), request);
    else if (call.has("json")) await printRows(call, request);
    else await printAll(call, request);
  } catch (error) {
    throw await refusalWithProviders(error, operationId, { client, base }, String(params.provider));
  }
}

/** The parameters were checked by the table from which the types are derived. */
async function ask({ client, operationId, params }: ReadRequest): Promise<PrintedAnswer> {
  return (await client.call(operationId as "getItem", params as Params<"getItem">, {
    retry,
  })) as unknown as PrintedAnswer;
}

function pagesOf({ client, operationId, params }: ReadRequest): AsyncIterable<PrintedAnswer> {
  const pages = client.pages(operationId as "listItems", params as Params<"listItems">, { retry });
  return pages as unknown as AsyncIterable<PrintedAnswer>;
}

function printOperations(call: Call): void {
  const isJson = call.has("json");
  const rows = operationList().map(([operation, facts]) => {
    return { operation, terms: isJson ? termsOf(facts) : shortTermsOf(facts), summary: facts.summary };
  });
  if (isJson) for (const row of rows) printJson(call, row);
  else printLayout(call, layTable(["operation", "terms", "summary"], rows, lineChars(call), "--json has all"));
}

function printAnswer(call: Call, { data, meta, allowance }: PrintedAnswer, request: ReadRequest): void {
  if (call.has("json")) printJson(call, { data, meta }, { indent: call.out.isTerminal ? 2 : 0 });
  else printText(call, { data, meta, allowance }, { requests: 1, request });
}

/** Prints each row as soon as it arrives, because a list may be long. Reads no further page after the output is closed. */
async function printRows(call: Call, request: ReadRequest): Promise<void> {
  await follow(call, request, ({ data }) => {
    for (const row of data as readonly Plain[]) printJson(call, row);
  });
}

/**
 * Prints the rows of one or all pages, or a single record, as CSV. The next page and the quota are notes, because they are not part of the
 * table.
 */
async function printAsCsv(call: Call, request: ReadRequest, columns: readonly string[]): Promise<void> {
  let hasHead = true;
  const print = ({ data }: PrintedAnswer) => {
    const records = (Array.isArray(data) ? data : [data]) as readonly Row[];
    const rows = records.map((record) => cellsOf(record, columns));
    printCsv(call, columns, rows, { hasHead });
    hasHead = false;
  };
  if (call.has("all")) return void (await follow(call, request, print));
  const answer = await ask(request);
  print(answer);
  const next = nextOf(answer.meta);
  if (next !== null) call.out.note(`more rows follow: ${next}, or --all`);
}

/** Returns the values of a record at dotted paths. A list stays one value. */
function cellsOf(record: Row, columns: readonly string[]): Row {
  const valueAt = (path: string) =>
    path.split(".").reduce<Plain | undefined>((at, name) => (isRow(at) ? at[name] : null), record);
  return Object.fromEntries(columns.map((column) => [column, valueAt(column) ?? null]));
}

/** Prints all rows as one table, with columns as wide as the widest value. Charged rows are printed even if a later page fails. */
async function printAll(call: Call, request: ReadRequest): Promise<void> {
  const { fields } = request;
  const rows: Plain[] = [];
  const pages: PrintedAnswer[] = [];
  const progress = progressOn(process.stderr, systemClock);
  const onPage = (page: PrintedAnswer) => {
    rows.push(...(page.data as readonly Plain[]));
    pages[0] = page;
    if (process.stderr.isTTY) progress.phase(plural(rows.length, "row"));
  };
  const clear = () => {
    if (process.stderr.isTTY) progress.end();
  };
  const onFailure = () => {
    clear();
    printLines(call, dataText(rows, lineChars(call), fields), { hasHead: true });
  };
  const requests = await follow(call, request, onPage, onFailure);
  clear();
  if (pages[0] !== undefined) printText(call, { ...pages[0], data: rows }, { requests, request });
}

/** Requests the pages of a list until its end, or until the output closes. If a page fails, it reports the rows read. Returns the number of requests. */
async function follow(
  call: Call,
  request: ReadRequest,
  onPage: (page: PrintedAnswer) => void,
  onFailure: () => void = () => undefined,
): Promise<number> {
  let last: PrintedAnswer | null = null;
  let rows = 0;
  let requests = 0;
  try {
    for await (const page of pagesOf(request)) {
      last = page;
      rows += (page.data as readonly Plain[]).length;
      requests += 1;
      onPage(page);
      if (call.out.isDisconnected?.() === true) break;
    }
  } catch (error) {
    const next = last === null ? null : nextOf(last.meta);
    if (next !== null) {
      onFailure();
      call.out.note(`${request.operationId}: stopped after ${plural(rows, "row")}; go on with ${next}`);
    }
    throw error;
  }
  return requests;
}

type Shape = { requests: number; request: ReadRequest };

function printText(call: Call, { data, meta, allowance }: PrintedAnswer, { requests, request }: Shape): void {
  const width = lineChars(call);
  const isEmpty = Array.isArray(data) && data.length === 0;
  printLines(call, dataText(data, width, request.fields), { hasHead: Array.isArray(data) && !isEmpty });
  if (isEmpty && request.params.q !== undefined) call.out.line(fewerWords);
  const closing = metaText(meta, allowance, { requests, rows: Array.isArray(data) ? data.length : null }, data);
  if (closing.length > 0 && !isEmpty) call.out.line("");
  for (const line of closing.flatMap((one) => wrapped(one, width, true))) call.out.line(line);
}
