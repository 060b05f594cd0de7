import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import type { Cursors } from "../values/cursor.ts";
import { dayOf } from "../values/time/calendar.ts";
import { type DayWindow, resolveWindow, type WindowRule, windowTexts } from "../values/time/window.ts";
import { knownAtText, resolveKnownAt } from "./known-at.ts";
import { windowIn } from "./paging.ts";
import type { Reference } from "./reference.ts";

type HistoryParams = Params<Operation>;

/** Last row of the previous page: its day or hour since 1970 and its provider. A marker has the provider "" and sorts first. */
export type HistoryKey = { readonly point: number; readonly provider: string };

/**
 * One page of a price history. `window` is resolved; `madeOn` is the UTC day of that, so that a default window does not move at midnight.
 * `provider` is null for all providers. `after` is null for the first page. `knownAt` is the requested instant, UTC ms, null for now.
 */
export type HistoryQuery = {
  readonly itemId: number;
  readonly side: Schema<"QuoteSide">;
  readonly provider: string | null;
  readonly window: DayWindow;
  readonly madeOn: number;
  readonly after: HistoryKey | null;
  readonly limit: number;
  readonly knownAt: number | null;
};

type Operation = "getDailyPriceHistory" | "getHourlyPriceHistory";
/** Defaults for values missing in a request. `window` gives the rule for the current day. */
type Rule = { window: (today: number) => WindowRule; limit: number; provider: string | null; needsFrame?: boolean };
/** The caller, the instant of the request in UTC ms, and facts for its checks. */
export type HistoryAsked = {
  readonly caller: Pick<Caller, "plan">;
  readonly at: number;
  readonly reference: Reference;
};

/**
 * Returns the page for `params`. `rule` gives the defaults for values missing in `params` and the cursor.
 *
 * @throws {Failure} `invalid_cursor`, `cursor_mismatch`, `unknown_provider`, or as `resolveKnownAt` and `resolveWindow` do.
 */
export function historyQuery(
  operation: Operation,
  params: HistoryParams,
  rule: Rule,
  { caller, at, reference }: HistoryAsked,
): HistoryQuery {
  const { item_id: itemId, side = "ask", limit = rule.limit, after } = params;
  const { cursors, moments } = reference;
  const known = (text: string | undefined) =>
    resolveKnownAt(text, { caller, at, moments, needsFrame: rule.needsFrame ?? false });
  const knownAt = known(params.known_at);
  if (after !== undefined) {
    const page = resumed(operation, { ...params, ...knownAtText(knownAt) }, after, cursors);
    return { ...page, limit, knownAt: knownAt ?? known(page.knownAt) };
  }
  const provider = reference.askedProvider(params.provider, "query parameter") ?? rule.provider;
  const today = dayOf(knownAt ?? at);
  const window = resolveWindow(params, rule.window(today));
  return { itemId, side, provider, window, madeOn: today, after: null, limit, knownAt };
}

/** Encodes `meta.next_page` of a page that ends with `key`. */
export function nextPage(operation: Operation, query: HistoryQuery, key: HistoryKey, cursors: Cursors): string {
  const { itemId, side, provider, window, madeOn, knownAt } = query;
  const filters = {
    item_id: itemId,
    side,
    ...(provider !== null && { provider }),
    ...windowTexts(window),
    made_on: madeOn,
    ...knownAtText(knownAt),
  };
  return cursors.write({ operation, key: [key.point, key.provider], filters });
}

function resumed(
  operation: Operation,
  { item_id, side, provider, from, to, known_at }: HistoryParams,
  after: string,
  cursors: Cursors,
): Omit<HistoryQuery, "limit" | "knownAt"> & { knownAt: string | undefined } {
  const { filters, key } = cursors.read(after, operation, { item_id, side, provider, from, to, known_at });
  const [point, lastProvider] = key as [number, string];
  return {
    itemId: item_id,
    side: filters.side as Schema<"QuoteSide">,
    provider: (filters.provider as string | undefined) ?? null,
    window: windowIn(filters),
    madeOn: Number(filters.made_on),
    after: { point, provider: lastProvider },
    knownAt: filters.known_at as string | undefined,
  };
}
