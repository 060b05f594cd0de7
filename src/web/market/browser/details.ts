import type { Data } from "../../../client/types.ts";
import { addDays } from "../../../values/time/time-text.ts";
import type { Api, ItemtapeError } from "../../browser/api.ts";
import { changeOver } from "./changes.ts";
import { bestRows } from "./points.ts";
import type { ListedItem, Row } from "./types.ts";

/** Number of days in the change and the sparkline. */
const days = 7;

/** A price in cents and the slug of its provider. */
export type Best = { amount: number; provider: string };
/**
 * Prices of an item, in addition to the prices in the list. `asks` is the lowest ask per provider slug. `change` is the change of the lowest ask
 * over seven days, with `share` as a fraction. `line` is the lowest ask of each day in cents, oldest first, null for a day without one.
 */
export type Details = {
  ask: Best | null;
  bid: Best | null;
  spread: number | null;
  markets: number | null;
  asks: ReadonlyMap<string, number>;
  change: { share: number; from: number; to: number; providers: readonly string[] } | null;
  line: readonly (number | null)[];
};
/** A row of the market list. `details` is null until it is loaded. */
export type MarketRow = { item: ListedItem; details: Details | null };

type Read = "listItems" | "getMarketPricesBatch" | "getDailyPriceHistory";
type Prices = Data<"getMarketPricesBatch">[number];
/** `today` is `YYYY-MM-DD`. `isListed` also reads the items themselves. */
type Wanted = { today: string; isFree: boolean; isListed: boolean };

/**
 * Reads the prices of items, and their last days if the access permits combined reads. Returns `items` in the order of `ids`; empty unless
 * `isListed`.
 * @param ids At most 100.
 * @throws {ItemtapeError | TransportError} if the service does not answer.
 */
export async function readDetails(
  api: Api,
  ids: readonly number[],
  { today, isFree, isListed }: Wanted,
  signal: AbortSignal,
) {
  // The Free plan only includes completed days, and no current prices.
  const to = isFree ? addDays(today, -1) : today;
  const window = { side: "ask", from: addDays(to, -days), to, limit: 1000 } as const;
  const parts = [
    ...(isListed ? [["listItems", { item_ids: [...ids], limit: ids.length }] as const] : []),
    ...(isFree ? [] : [["getMarketPricesBatch", { item_ids: [...ids] }] as const]),
    ...(api.isPageRead ? ids.map((id) => ["getDailyPriceHistory", { item_id: id, ...window }] as const) : []),
  ];
  const results = parts.length === 0 ? [] : await api.readBatch<readonly Read[]>(parts as never, signal);
  const list = isListed ? results.shift() : undefined;
  if (list?.refusal) throw list.refusal;
  const items = new Map(rowsOf<ListedItem>(list).map((item) => [item.item_id, item]));
  const prices = isFree ? [] : rowsOf<Prices>(results.shift());
  const details = ids.map((id, index): [number, Details] => {
    const own = prices.find(({ item_id }) => item_id === id) ?? null;
    return [id, detailsOf(own, rowsOf<Row>(results[index]), to)];
  });
  return { items: ids.flatMap((id) => items.get(id) ?? []), details: new Map(details) };
}

/** Returns the rows of a response; none for a refused part. */
function rowsOf<Of>(
  part: { answer: { data: unknown } | null; refusal: ItemtapeError | null } | undefined,
): readonly Of[] {
  return (part?.answer?.data ?? []) as readonly Of[];
}

/**
 * Computes the details of an item.
 * @param prices Its current quotes; null if the plan excludes them.
 * @param rows Daily asks until `lastDay`.
 */
export function detailsOf(
  prices: Pick<Prices, "asks" | "bids"> | null,
  rows: readonly Row[],
  lastDay: string,
): Details {
  const asks = new Map<string, number>();
  for (const { provider, amount } of prices?.asks ?? [])
    asks.set(provider, Math.min(amount, asks.get(provider) ?? amount));
  const bids = (prices?.bids ?? []).toSorted((a, b) => b.amount - a.amount);
  const slugs = new Set([...asks.keys(), ...bids.map(({ provider }) => provider)]);
  const ask = lowest(asks) ?? (prices === null ? lastAsk(rows) : null);
  const bid = bids[0] === undefined ? null : { amount: bids[0].amount, provider: bids[0].provider };
  const change = changeOver(rows, lastDay, days);
  const compared = change === null ? rows : rows.filter(({ provider }) => change.providers.includes(provider ?? ""));
  const byDay = new Map(bestRows(compared, "ask").map(({ date, amount }) => [date, amount]));
  return {
    ask,
    bid,
    spread: prices === null || ask === null || bid === null ? null : ask.amount - bid.amount,
    markets: prices === null ? null : slugs.size,
    asks,
    change: change && { ...change, share: change.to / change.from - 1 },
    line: Array.from({ length: days + 1 }, (_, index) => byDay.get(addDays(lastDay, index - days)) ?? null),
  };
}

function lowest(asks: ReadonlyMap<string, number>): Best | null {
  const [first] = [...asks].sort(([, a], [, b]) => a - b);
  return first === undefined ? null : { provider: first[0], amount: first[1] };
}

function lastAsk(rows: readonly Row[]): Best | null {
  const last = bestRows(rows, "ask").findLast(({ amount }) => amount !== null);
  if (last === undefined || last.amount === null || last.provider === null) return null;
  return { amount: last.amount, provider: last.provider };
}
