import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta } from "../contract/types.ts";
import type { CatalogStore } from "../store/catalog.ts";
import type { DailyPriceRow, DailyPricesStore } from "../store/daily-prices.ts";
import type { FramesStore } from "../store/frames.ts";
import { dayOf, dayText, hourMs } from "../values/calendar.ts";
import type { Cursors } from "../values/cursor.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure.ts";
import { missingPoints } from "../values/gaps.ts";
import { TimestampTexts } from "../values/timestamp-texts.ts";
import { windowTexts } from "../values/window.ts";
import { encodeDailyPrices } from "../wire/daily-price.ts";
import { itemNotFound } from "./catalog.ts";
import { FrameProviderNames } from "./frame-provider-names.ts";
import { type HistoryQuery, historyQuery, nextPage } from "./history-request.ts";
import { ObservationTimes } from "./observation-times.ts";
import type { Reference } from "./reference.ts";
import { unfinalizedRows } from "./unfinalized-days.ts";

type Meta = ReadMeta<"getDailyPriceHistory">;
type Asked = { readonly caller: Pick<Caller, "plan">; readonly at: number; readonly reference: Reference };

const operation = "getDailyPriceHistory";
const limitDefault = 366;
const windowDaysMax = 366;
const daysDefault = 30;
const freshMs = 48 * hourMs;

/** Reads the prices of an item per provider and UTC day: stored daily prices, and the frames of days that are not finalized yet. */
export class DailyHistory {
  readonly #catalog: CatalogStore;
  readonly #prices: DailyPricesStore;
  readonly #frames: FramesStore;
  readonly #cursors: Cursors;
  readonly #names: FrameProviderNames;
  readonly #timestamps = new TimestampTexts();

  constructor(parts: { catalog: CatalogStore; prices: DailyPricesStore; frames: FramesStore; cursors: Cursors }) {
    this.#catalog = parts.catalog;
    this.#prices = parts.prices;
    this.#frames = parts.frames;
    this.#cursors = parts.cursors;
    this.#names = new FrameProviderNames(parts.frames);
  }

  /**
   * On the Free plan the main platform is chosen.
   *
   * @throws {Failure} `invalid_cursor`, `cursor_mismatch`, `unknown_provider`, `invalid_parameter`, `invalid_range`,
   * `window_too_large`, or `plan_upgrade_required` for what a Free plan does not show.
   */
  prepare(params: Params<"getDailyPriceHistory">, { caller, at, reference }: Asked): HistoryQuery {
    const today = dayOf(at);
    const isFree = caller.plan === "free";
    // Where no feed named a main platform yet there is nothing that the Free plan shows: no provider has an empty slug.
    const own = isFree ? (reference.mainProvider() ?? "") : null;
    const window = { defaultFrom: today - daysDefault, defaultTo: today - 1, daysMax: windowDaysMax, today };
    const query = historyQuery(operation, params, { window, limit: limitDefault, provider: own }, reference);
    if (isFree) requireFreeScope(query, own, today);
    return query;
  }

  /**
   * Returns one page of rows in ascending day and provider.
   *
   * @throws {Failure} `item_not_found`.
   */
  read(query: HistoryQuery, at: number): { data: Encoded; meta: Meta } {
    const { itemId, window, after, limit } = query;
    if (!this.#catalog.exists(itemId)) throw itemNotFound(itemId);
    const derived = unfinalizedRows(this.#frames, this.#names, query, window);
    const start = after === null ? { day: window.from, provider: "" } : { day: after.point, provider: after.provider };
    const stored = this.#prices.page(query, { ...window, after: start, limit: limit + 1 });
    const rows = this.#merged(
      stored,
      derived.filter((row) => compare(row, start) > 0),
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasNext = rows.length > limit && last !== undefined;
    const times = new ObservationTimes();
    for (const { sourceObservedAt } of page) times.add(sourceObservedAt);
    const known = [...page, ...derived].map(({ day }) => day);
    return {
      data: encoded(encodeDailyPrices(page, { side: query.side, today: dayOf(at), timestamps: this.#timestamps })),
      meta: {
        ...windowTexts(window),
        resolution: "day",
        missing_points: this.#missing(query, known, after === null && !hasNext),
        next_page: hasNext
          ? nextPage(operation, query, { point: last.day, provider: last.provider }, this.#cursors)
          : null,
        ...times.meta(freshMs, at),
      },
    };
  }

  /** Merges both in ascending key. Of rows with the same key it takes the derived, newer one, unless an import replaces it. */
  #merged(stored: readonly DailyPriceRow[], derived: readonly DailyPriceRow[]): readonly DailyPriceRow[] {
    if (derived.length === 0) return stored;
    const rows: DailyPriceRow[] = [];
    let next = 0;
    for (const row of derived) {
      for (; next < stored.length && compare(stored[next]!, row) < 0; next += 1) rows.push(stored[next]!);
      const met = next < stored.length && compare(stored[next]!, row) === 0 ? stored[next]! : null;
      if (met !== null) next += 1;
      const isReplaced = met !== null && met.importId !== null && this.#prices.isReplacing(met.importId);
      rows.push(isReplaced ? met : row);
    }
    return rows.concat(stored.slice(next));
  }

  /** Returns the days of the window without a row. `known` are some that have one, all of them if `isAll`. */
  #missing(query: HistoryQuery, known: readonly number[], isAll: boolean): string {
    const { from, to } = query.window;
    const present = new Set(known);
    const open = daysOf(from, to).filter((day) => !present.has(day));
    const found = new Set(isAll || open.length === 0 ? [] : this.#prices.daysWithRows(query, open));
    return missingPoints(
      "day",
      to - from + 1,
      open.filter((day) => !found.has(day)),
    );
  }
}

/** The Free plan shows the asks of the main platform in the 30 days that were complete when the first page was asked for. */
function requireFreeScope({ side, provider, window, madeOn }: HistoryQuery, own: string | null, today: number): void {
  // A walk may pass midnight; a cursor that is kept for longer shows no older days for that.
  const asOf = Math.max(madeOn, today - 1);
  const refuse = (detail: string) => new Failure("plan_upgrade_required", { detail: `the Free plan ${detail}` });
  if (provider !== own) throw refuse("shows the daily prices of the main platform only");
  if (side !== "ask") throw refuse("shows daily asks only");
  if (window.from < asOf - daysDefault || window.to >= asOf) {
    const [first, last] = [dayText(asOf - daysDefault), dayText(asOf - 1)];
    throw refuse(`shows the last ${daysDefault} completed days only, ${first} to ${last}`);
  }
}

type Key = { day: number; provider: string };

function compare(a: Key, b: Key): number {
  if (a.day !== b.day) return a.day - b.day;
  return a.provider === b.provider ? 0 : a.provider < b.provider ? -1 : 1;
}

function daysOf(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
