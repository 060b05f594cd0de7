import type { Params, Schema } from "../contract/types.ts";
import type { Cursors } from "../values/cursor.ts";
import { type DayWindow, resolveWindow, type WindowRule, windowTexts } from "../values/time/window.ts";
import { windowIn } from "./paging.ts";
import type { Reference } from "./reference.ts";

type HistoryParams = Params<Operation>;

/** Last row of the previous page: its day or hour since 1970 and its provider. A marker has the provider "" and sorts first. */
export type HistoryKey = { readonly point: number; readonly provider: string };

/**
 * One page of a price history. `window` is resolved; `madeOn` is the UTC day of that, so that a default window does not move at midnight.
 * `provider` is null for all providers. `after` is null for the first page.
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
 * Returns the page for `params`. `rule` gives the defaults for values missing in `params` and the cursor.
 *
 * @throws {Failure} `invalid_cursor`, `cursor_mismatch`, `unknown_provider`, or as `resolveWindow` does.
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
