import { searchItems, whatWouldMatch } from "../../client/find-items.ts";
import type { Itemtape, Params } from "../../client/index.ts";
import type { Row } from "../../client/types.ts";
import type { Schema } from "../../contract/types.ts";
import { dayMs, dayText } from "../../values/calendar.ts";
import { displayText } from "../../values/display-text.ts";
import { type Call, usageError } from "../command.ts";
import { connect } from "../connect.ts";
import { dollars } from "../get/field-text.ts";
import { refusalOf } from "../get/refusal.ts";
import { layTable, wrapped } from "../get/table.ts";
import { printJson } from "../print.ts";
import { itemIdOf, itemOf, nameOf } from "./item.ts";
import { sparkLine } from "./spark-line.ts";

const columnsUnknown = 80;
const daysDefault = 30;
const daysMax = 366;

/**
 * Prints the items that have all words, best first.
 * @throws {OperatorError} when the service refuses.
 */
export function search(call: Call): Promise<number> {
  return asking(call, "search", async (client, text) => {
    const { items, hasMore } = await searchItems(client, text);
    const more = `(the best of the first ${items.length} by id; more follow: name more words)`;
    if (call.has("json")) {
      for (const item of items) printJson(call, item);
      if (hasMore) call.out.note(more);
      return;
    }
    if (items.length === 0) {
      call.out.line("no item has all of these words in one of its names");
      for (const line of (await whatWouldMatch(client, text)).lines) call.out.line(displayText(line));
    } else printRows(call, ["item_id", "market_hash_name", "phase", "best_ask_cents", "best_ask_provider"], items);
    if (hasMore) call.out.line(more);
  });
}

/**
 * Prints what an item costs now, provider by provider.
 * @throws {OperatorError} when no or more than one item is meant, or the service refuses.
 */
export function price(call: Call): Promise<number> {
  return asking(call, "price", async (client, text) => {
    const { data, meta } = await client.getMarketPrices({ item_id: await itemIdOf(client, text) });
    if (call.has("json")) return printJson(call, { data, meta }, { indent: call.out.isTerminal ? 2 : 0 });
    const quotes = bestFirst(data);
    const [ask, bid] = [quotes.asks[0], quotes.bids[0]];
    call.out.line(`${nameOf(data)} (${data.item_id})`);
    if (ask === undefined && bid === undefined) call.out.line("no provider has a quote of it");
    else {
      call.out.line(`lowest ask ${quoteText(ask)}, highest bid ${quoteText(bid)}`);
      printRows(call, ["provider", "ask_cents", "bid_cents", "quantity", "as_of"], rowsOf(quotes));
    }
    const [generation, at] = [displayText(data.generation ?? "-"), displayText(data.ingested_at ?? "-")];
    call.out.line(`(generation ${generation} of ${at}; freshness ${displayText(meta.freshness)})`);
  });
}

/**
 * Prints the daily prices of an item as a line of signs, a gap where a day has none.
 * @throws {OperatorError} when no or more than one item is meant, or the service refuses.
 */
export function history(call: Call): Promise<number> {
  const days = daysOf(call.flag("days"));
  const provider = call.flag("provider");
  const side = sideOf(call.flag("side"));
  return asking(call, "history", async (client, text) => {
    const item = await itemOf(client, text);
    const { day: today } = item;
    const [from, to] = [dayText(today - days), dayText(today - 1)];
    const named = provider === undefined ? {} : { provider };
    const asked: Params<"getDailyPriceHistory"> = { item_id: item.item_id, side, from, to, limit: daysMax, ...named };
    const rows: DailyRow[] = [];
    for await (const { data } of client.pages("getDailyPriceHistory", asked)) rows.push(...data);
    if (call.has("json")) {
      for (const row of rows) printJson(call, row);
      return;
    }
    call.out.line(`${nameOf(item)} (${item.item_id}), daily ${side}s, ${from} to ${to}`);
    if (rows.length === 0) call.out.line("no day of these has a price");
    for (const line of linesOf(rows, today - days, days, call.out.isTerminal ? widthOf(call) : days))
      call.out.line(line);
  });
}

type DailyRow = Row<"getDailyPriceHistory">;

/** Returns two lines for each provider: its prices as signs, and their figures. */
function linesOf(rows: readonly DailyRow[], first: number, days: number, width: number): string[] {
  const ofProviders = new Map<string, (number | null)[]>();
  for (const { provider, date, amount } of rows) {
    const amounts = ofProviders.get(provider) ?? new Array<null>(days).fill(null);
    amounts[Math.floor(Date.parse(date) / dayMs) - first] = amount;
    ofProviders.set(provider, amounts);
  }
  return [...ofProviders].flatMap(([provider, amounts]) => {
    const known = amounts.filter((amount) => amount !== null);
    const [low, high, last] = [Math.min(...known), Math.max(...known), known.at(-1)!].map(dollars);
    const figures = `low ${low}, high ${high}, last ${last}, ${known.length} of ${days} days`;
    return [sparkLine(amounts, Math.min(days, width)), `${displayText(provider)}: ${figures}`];
  });
}

/** Runs `ask` with a client and the words of the call as one text. A refusal of any of its requests is one of `command`. */
async function asking(
  call: Call,
  command: string,
  ask: (client: Itemtape, text: string) => Promise<void>,
): Promise<number> {
  const { client, base } = connect(call, true);
  try {
    await ask(client, call.operands.join(" "));
    return 0;
  } catch (error) {
    throw refusalOf(error, command, base);
  }
}

type Quotes = Pick<Schema<"MarketPrices">, "asks" | "bids">;

/** Returns the lowest asks and the highest bids first: the contract promises no order. */
function bestFirst({ asks, bids }: Quotes): Quotes {
  return { asks: asks.toSorted((a, b) => a.amount - b.amount), bids: bids.toSorted((a, b) => b.amount - a.amount) };
}

/** Returns a row for each provider, in the order of the asks. */
function rowsOf({ asks, bids }: Quotes) {
  const bidOf = new Map(bids.map((bid) => [bid.provider, bid]));
  const both = asks.map((ask) => ({ provider: ask.provider, ask, bid: bidOf.get(ask.provider) }));
  const withAsk = new Set(asks.map(({ provider }) => provider));
  const bidOnly = bids.filter(({ provider }) => !withAsk.has(provider));
  return [...both, ...bidOnly.map((bid) => ({ provider: bid.provider, ask: undefined, bid }))].map(
    ({ provider, ask, bid }) => ({
      provider,
      ask_cents: ask?.amount ?? null,
      bid_cents: bid?.amount ?? null,
      quantity: ask?.quantity ?? null,
      as_of: (ask ?? bid)?.as_of ?? null,
    }),
  );
}

function quoteText(quote: Quotes["asks"][number] | undefined): string {
  return quote === undefined ? "-" : `${dollars(quote.amount)} (${displayText(quote.provider)})`;
}

function printRows(call: Call, columns: readonly string[], rows: readonly object[]): void {
  const width = call.out.isTerminal ? widthOf(call) : Number.POSITIVE_INFINITY;
  const { lines, notes } = layTable(columns, rows as Parameters<typeof layTable>[1], width, "--json has all");
  for (const line of [...lines, ...notes.flatMap((note) => wrapped(`(${note})`, width))]) call.out.line(line);
}

function widthOf({ out: { columns } }: Call): number {
  return columns || columnsUnknown;
}

function daysOf(text = String(daysDefault)): number {
  if (/^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= daysMax) return Number(text);
  throw usageError(`--days: takes a whole number from 1 to ${daysMax}`);
}

function sideOf(text = "ask"): "ask" | "bid" {
  if (text === "ask" || text === "bid") return text;
  throw usageError("--side: takes ask or bid");
}
