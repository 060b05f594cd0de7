import { clientOperations } from "../../../generated/client-operations.ts";
import { searchItems, suggestSearches } from "../../client/find-items.ts";
import type { Itemtape, Params } from "../../client/index.ts";
import type { Row } from "../../client/types.ts";
import { answerPaths } from "../../contract/answer-paths.ts";
import { type Plain, partlyKnownText } from "../../contract/answer-text.ts";
import { plural } from "../../values/text/counted.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayOf, dayText } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { roundAge } from "../../values/time/time-text.ts";
import { type Call, usageError, wholeNumberFlag } from "../command.ts";
import { connect } from "../connect.ts";
import { dollars } from "../get/field-text.ts";
import { refusalWithProviders } from "../get/refusal.ts";
import { layTable } from "../get/table.ts";
import { lineChars, printCsv, printJson, printLayout, printLines } from "../print.ts";
import {
  ambiguous,
  bestFirst,
  type Candidates,
  idOrCandidates,
  itemOf,
  nameOf,
  type Quote,
  type Quotes,
} from "./item.ts";
import { sparkLines } from "./spark-line.ts";

const searchColumns = ["item_id", "market_hash_name", "phase", "best_ask_cents", "best_ask_provider"];
const priceColumns = ["provider", "ask_cents", "bid_cents", "quantity", "as_of"];
/** An ask that the plan hides looks like a missing ask. */
const noPrices = "(no asks: these items have none, or the Free plan of the key hides them)";
/** Maximum items that `price` lists if several match. */
const candidatesMax = 20;
const daysDefault = 30;
const daysMax = 366;

/**
 * Prints the items that match all words, best first.
 * @throws {OperatorError} when the service refuses.
 */
export function search(call: Call): Promise<void> {
  return asking(call, "search", async (client, text) => {
    const { items, hasMore, readAs } = await searchItems(client, text);
    const more = `(the best of the first ${items.length} by id; more follow: name more words)`;
    if (call.has("json") || call.has("csv")) {
      if (call.has("csv")) printCsv(call, searchColumns, items);
      else for (const item of items) printJson(call, item);
      if (readAs !== null) call.out.note(readAsText(readAs));
      if (hasMore) call.out.note(more);
      return;
    }
    if (items.length === 0) {
      call.out.line("no item name has all of these words");
      for (const line of await suggestSearches(client, text)) call.out.line(displayText(line));
    } else {
      if (readAs !== null) call.out.line(readAsText(readAs));
      printRows(call, searchColumns, items);
      if (items.every(({ best_ask_cents }) => best_ask_cents === null)) call.out.line(noPrices);
    }
    if (hasMore) call.out.line(more);
  });
}

function readAsText(readAs: string): string {
  return `(no item name has all of these words; read as \`${displayText(readAs)}\`)`;
}

/**
 * Prints the price of an item at each provider, now or at the instant of the flag.
 * @throws {OperatorError} when no item or more than one matches, or the service refuses.
 */
export function price(call: Call): Promise<void> {
  const knownAt = instantOf(call.flag("known-at"));
  return asking(call, "price", async (client, text) => {
    const found = await idOrCandidates(client, text);
    if (typeof found !== "number") return printCandidates(call, client, text, found);
    if (knownAt !== null) return printKnown(call, client, found, toTimestamp(knownAt));
    const { data, meta } = await client.getMarketPrices({ item_id: found });
    if (!printQuotes(call, { data, meta }, data, `${nameOf(data)} (${data.item_id})`, meta.generated_at)) return;
    const at = call.out.isTerminal ? `${ageOf(data.ingested_at, meta.generated_at)} ago` : (data.ingested_at ?? "-");
    const freshness = partlyKnownText(data as unknown as Plain) ?? `freshness ${meta.freshness}`;
    const checked = meta.cache_recently_checked ? "" : "; not checked at the sources within 15 min";
    call.out.line(displayText(`(generation ${data.generation ?? "-"}, published ${at}${checked}; ${freshness})`));
  });
}

/** Prints the prices of an item as the service knew them at an instant. */
async function printKnown(call: Call, client: Itemtape, itemId: number, known_at: string): Promise<void> {
  const { data, meta } = await client.getMarketPricesKnownAt({ known_at, item_ids: [itemId] });
  const entry = data.items[0]!;
  const title = `item ${itemId}, as known at ${known_at}`;
  if (!printQuotes(call, { data, meta }, entry, title, known_at)) return;
  const frames = data.frames.map(({ feed, checked_at }) => `${displayText(feed)} ${checked_at}`).join(", ") || "none";
  call.out.line(`(frames: ${frames}; freshness ${meta.freshness})`);
}

/** Prints quotes with a title, as JSON or as CSV. Returns whether a person reads them. `at`: instant of the ages, RFC 3339. */
function printQuotes(call: Call, answer: object, given: Quotes, title: string, at: string): boolean {
  if (call.has("json")) {
    printJson(call, answer, { indent: call.out.isTerminal ? 2 : 0 });
    return false;
  }
  const quotes = bestFirst(given);
  if (call.has("csv")) {
    printCsv(call, priceColumns, rowsOf(quotes));
    return false;
  }
  const [ask, bid] = [quotes.asks[0], quotes.bids[0]];
  call.out.line(title);
  if (ask === undefined && bid === undefined) call.out.line("no provider has a quote of it");
  else {
    call.out.line(`lowest ask ${quoteText(ask)}, highest bid ${quoteText(bid)}`);
    printPrices(call, rowsOf(quotes), at);
  }
  return true;
}

/**
 * Prints the matching items with their lowest asks, best first, for one unit.
 * @throws {OperatorError} for program output, which must be about one item.
 */
async function printCandidates(call: Call, client: Itemtape, text: string, found: Candidates): Promise<void> {
  if (call.has("json") || call.has("csv")) throw ambiguous(text, found);
  const ids = found.items.slice(0, candidatesMax).map(({ item_id }) => item_id);
  const { data } = await client.listItems({ item_ids: ids, limit: candidatesMax });
  printRows(
    call,
    searchColumns,
    data.toSorted((a, b) => ids.indexOf(a.item_id) - ids.indexOf(b.item_id)),
  );
  const others = found.items.length - ids.length;
  const more = others > 0 || found.hasMore ? `; ${found.hasMore ? "more than " : ""}${others} others` : "";
  call.out.line(`(several items have these words: name one by its id${more})`);
}

/**
 * Prints the daily prices of an item as a line of characters, with a gap for a day without a price.
 * @throws {OperatorError} when no item or more than one matches, or the service refuses.
 */
export function history(call: Call): Promise<void> {
  const days = wholeNumberFlag(call, "days", [1, daysMax]) ?? daysDefault;
  const provider = call.flag("provider");
  const side = sideOf(call.flag("side"));
  const knownAt = instantOf(call.flag("known-at"));
  return asking(call, "history", async (client, text) => {
    const item = await itemOf(client, text);
    const today = knownAt === null ? item.day : dayOf(knownAt);
    const [from, to] = [dayText(today - days), dayText(today - 1)];
    const asked: Params<"getDailyPriceHistory"> = {
      item_id: item.item_id,
      side,
      from,
      to,
      limit: daysMax,
      ...(provider !== undefined && { provider }),
      ...(knownAt !== null && { known_at: toTimestamp(knownAt) }),
    };
    const rows: DailyRow[] = [];
    for await (const { data } of client.pages("getDailyPriceHistory", asked)) rows.push(...data);
    if (call.has("csv")) return printCsv(call, answerPaths(clientOperations.getDailyPriceHistory), rows);
    if (call.has("json")) {
      for (const row of rows) printJson(call, row);
      return;
    }
    const known = knownAt === null ? "" : `, as known at ${toTimestamp(knownAt)}`;
    call.out.line(`${nameOf(item)} (${item.item_id}), daily ${side}s, ${from} to ${to}${known}`);
    if (rows.length === 0) call.out.line("none of these days has a price");
    printLines(call, linesOf(rows, today - days, days, lineChars(call)));
  });
}

/** Returns UTC ms, or null without the flag. */
function instantOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (/^\d{4}-\d{2}-\d{2}T.+Z$/.test(text) && !Number.isNaN(at)) return at;
  throw usageError(`--known-at: must be an instant such as 2026-01-14T18:00:00Z, not \`${displayText(text)}\``);
}

type DailyRow = Row<"getDailyPriceHistory">;

/** Returns the lines of each provider: its prices as characters, and their figures. */
function linesOf(rows: readonly DailyRow[], first: number, days: number, width: number): string[] {
  return [...Map.groupBy(rows, ({ provider }) => provider)].flatMap(([provider, own]) => {
    const amounts = new Array<number | null>(days).fill(null);
    for (const { date, amount } of own) amounts[dayOf(Date.parse(date)) - first] = amount;
    const known = amounts.filter((amount) => amount !== null);
    const [low, high, last] = [Math.min(...known), Math.max(...known), known.at(-1)!].map(dollars);
    const figures = `low ${low}, high ${high}, last ${last}, ${known.length} of ${plural(days, "day")}`;
    return [...sparkLines(amounts, width), `${displayText(provider)}: ${figures}`];
  });
}

/** Runs `ask` with a client and the words of the call as one text. Refusals name `command`. */
async function asking(
  call: Call,
  command: string,
  ask: (client: Itemtape, text: string) => Promise<void>,
): Promise<void> {
  if (call.has("csv") && call.has("json")) throw usageError("--csv and --json: give one of them");
  const { client, base } = connect(call, true);
  try {
    await ask(client, call.operands.join(" "));
  } catch (error) {
    throw await refusalWithProviders(error, command, { client, base }, call.flag("provider") ?? "");
  }
}

/** Returns a row for each provider, in the order of the asks. */
function rowsOf({ asks, bids }: Quotes) {
  const bidOf = new Map(bids.map((bid) => [bid.provider, bid]));
  const withAsk = new Set(asks.map(({ provider }) => provider));
  const bidOnly = bids.filter(({ provider }) => !withAsk.has(provider));
  return [
    ...asks.map((ask) => rowOf(ask.provider, ask, bidOf.get(ask.provider))),
    ...bidOnly.map((bid) => rowOf(bid.provider, undefined, bid)),
  ];
}

function rowOf(provider: string, ask: Quote | undefined, bid: Quote | undefined) {
  return {
    provider,
    ask_cents: ask?.amount ?? null,
    bid_cents: bid?.amount ?? null,
    quantity: ask?.quantity ?? null,
    as_of: oldestOf([ask, bid]),
  };
}

/** Returns the older observation time of the quotes, null if one is unknown. */
function oldestOf(quotes: readonly (Quote | undefined)[]): string | null {
  const times = quotes.filter((quote) => quote !== undefined).map(({ as_of }) => as_of);
  return times.includes(null) ? null : (times.toSorted()[0] ?? null);
}

function quoteText(quote: Quote | undefined): string {
  return quote === undefined ? "-" : `${dollars(quote.amount)} (${displayText(quote.provider)})`;
}

/** Prints the quotes of an item. For people, they include ages at the time of the response. */
function printPrices(call: Call, rows: ReturnType<typeof rowsOf>, at: string): void {
  const withAges = rows.map(({ as_of, ...rest }) => ({ ...rest, age: ageOf(as_of, at) }));
  if (call.out.isTerminal) printRows(call, [...priceColumns.filter((name) => name !== "as_of"), "age"], withAges);
  else printRows(call, priceColumns, rows);
}

function ageOf(since: string | null, at: string): string {
  return since === null ? "-" : roundAge(Date.parse(at) - Date.parse(since));
}

function printRows(call: Call, columns: readonly string[], rows: readonly object[]): void {
  printLayout(call, layTable(columns, rows as Parameters<typeof layTable>[1], lineChars(call), "--json has all"));
}

function sideOf(text = "ask"): "ask" | "bid" {
  if (text === "ask" || text === "bid") return text;
  throw usageError("--side: must be ask or bid");
}
