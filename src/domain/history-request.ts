import type { Params, Schema } from "../contract/types.ts";
import type { Cursors } from "../values/cursor.ts";
import { type DayWindow, resolveWindow, type WindowRule, windowTexts } from "../values/time/window.ts";
import { windowIn } from "./paging.ts";
import type { Reference } from "./reference.ts";

type HistoryParams = Params<Operation>;

/** The last row of the page before: its day or hour since 1970 and its provider, "" for a marker, which comes first. */
export type HistoryKey = { readonly point: number; readonly provider: string };

/**
 * One page of a price history. `window` is resolved, `madeOn` the UTC day on which that was done: a default window stays
 * where it is over midnight. `provider` null: all of them. `after` null: the first page.
 */
export type HistoryQuery = {
  readonly itemId: number;
  readonly side: Schema<"QuoteSide">;
  readonly provider: string | null;
  readonly window: DayWindow;
  readonly madeOn: number;
  readonly after: HistoryKey | null;
  readonly limit: number;
};

type Operation = "getDailyPriceHistory" | "getHourlyPriceHistory";
type Rule = { window: WindowRule; limit: number; provider: string | null };

/**
 * Returns the page that `params` ask for; `rule` gives the defaults of what neither they nor a cursor name.
 *
 * @throws {Failure} `invalid_cursor`, `cursor_mismatch`, `unknown_provider`, or those of `resolveWindow`.
 */
export function historyQuery(
  operation: Operation,
  params: HistoryParams,
  rule: Rule,
  reference: Reference,
): HistoryQuery {
  const { item_id: itemId, side = "ask", limit = rule.limit, after } = params;
  if (after !== undefined) return { ...resumed(operation, params, after, reference.cursors), limit };
  const provider = reference.askedProvider(params.provider, "query parameter") ?? rule.provider;
  const window = resolveWindow(params, rule.window);
  return { itemId, side, provider, window, madeOn: rule.window.today, after: null, limit };
}

/** Encodes `meta.next_page` of a page that ends with `key`. */
export function nextPage(operation: Operation, query: HistoryQuery, key: HistoryKey, cursors: Cursors): string {
  const { itemId, side, provider, window, madeOn } = query;
  const filters = { item_id: itemId, side, ...(provider !== null && { provider }), ...windowTexts(window) };
  return cursors.write({ operation, key: [key.point, key.provider], filters: { ...filters, made_on: madeOn } });
}

function resumed(
  operation: Operation,
  { item_id, side, provider, from, to }: HistoryParams,
  after: string,
  cursors: Cursors,
): Omit<HistoryQuery, "limit"> {
  const { filters, key } = cursors.read(after, operation, { item_id, side, provider, from, to });
  const [point, lastProvider] = key as [number, string];
  return {
    itemId: item_id,
    side: filters.side as Schema<"QuoteSide">,
    provider: (filters.provider as string | undefined) ?? null,
    window: windowIn(filters),
    madeOn: Number(filters.made_on),
    after: { point, provider: lastProvider },
  };
}
