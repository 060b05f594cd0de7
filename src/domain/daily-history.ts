import { hash } from "node:crypto";
import type { Params, ReadMeta } from "../contract/types.ts";
import type { CatalogStore } from "../store/read/catalog.ts";
import { type DailyPriceRow, type DailyPricesStore, dailyRowsOf } from "../store/read/daily-prices.ts";
import type { FramesStore } from "../store/read/frames.ts";
import type { KnownFramesStore } from "../store/read/known-frames.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayOf, dayText, hourMs } from "../values/time/calendar.ts";
import { type DayWindow, windowTexts } from "../values/time/window.ts";
import { DailyPriceEncoder } from "../wire/daily-price.ts";
import { itemNotFound } from "./catalog.ts";
import { FrameProviderNames } from "./frame-provider-names.ts";
import { type HistoryAsked, type HistoryQuery, historyQuery, nextPage } from "./history-request.ts";
import { knownAtText, notKnownBefore } from "./known-at.ts";
import { KnownFrames } from "./known-frames.ts";
import { ObservationTimes } from "./observation-times.ts";
import { daysOf, missingDays, pageOf } from "./paging.ts";
import type { Reference } from "./reference.ts";
import { ResponseCache } from "./response-cache.ts";
import { derivedRows, unfinalizedRows } from "./unfinalized-days.ts";

/**
 * Further facts of a page. `last`: key of its last row if another page follows, else null. `times`: source times of its rows. `missing`:
 * the missing days in words, null if they must be looked up. `days`: days that are known to have a row.
 */
type PageFacts = {
  readonly last: Key | null;
  readonly times: ObservationTimes;
  readonly missing: string | null;
  readonly days: readonly number[];
};

/** Parts of a page. `stored` is the text of the rows after `start`. `basis` is a hash of everything that the rows depend on. */
type PageParts = {
  readonly today: number;
  readonly derived: readonly DailyPriceRow[];
  readonly start: Key;
  readonly stored: string;
  readonly asked: string;
  readonly basis: string;
};

type Meta = ReadMeta<"getDailyPriceHistory">;

const operation = "getDailyPriceHistory";
const limitDefault = 366;
const windowDaysMax = 366;
const daysDefault = 30;
const freshMs = 48 * hourMs;
/** Enough for about 140 years of one provider. */
const pagesBytesMax = 16 * 1024 * 1024;

/** Reads the prices of an item per provider and UTC day: stored daily prices, and frames of days that are not finalized yet. */
export class DailyHistory {
  readonly #catalog: CatalogStore;
  readonly #prices: DailyPricesStore;
  readonly #frames: FramesStore;
  readonly #past: KnownFramesStore;
  readonly #reference: Reference;
  readonly #names: FrameProviderNames;
  readonly #encoder = new DailyPriceEncoder();
  /** Complete windows, by the request and a hash of their rows. */
  readonly #pages = new ResponseCache<PageFacts>(pagesBytesMax);

  constructor(parts: {
    catalog: CatalogStore;
    prices: DailyPricesStore;
    frames: FramesStore;
    past: KnownFramesStore;
    reference: Reference;
  }) {
    this.#catalog = parts.catalog;
    this.#prices = parts.prices;
    this.#frames = parts.frames;
    this.#past = parts.past;
    this.#reference = parts.reference;
    this.#names = new FrameProviderNames(parts.frames);
  }

  /**
   * Resolves the parameters. The Free plan gets the main platform.
   *
   * @throws {Failure} `invalid_cursor`, `cursor_mismatch`, `unknown_provider`, `invalid_parameter`, `invalid_range`, `window_too_large`, or
   * `plan_upgrade_required` for a request beyond a Free plan.
   */
  prepare(params: Params<"getDailyPriceHistory">, asked: HistoryAsked): HistoryQuery {
    const isFree = asked.caller.plan === "free";
    // Without a main platform the Free plan sees nothing, because no provider has an empty slug.
    const own = isFree ? (asked.reference.mainProvider() ?? "") : null;
    const window = (today: number) => {
      return { defaultFrom: today - daysDefault, defaultTo: today - 1, daysMax: windowDaysMax, today };
    };
    const query = historyQuery(operation, params, { window, limit: limitDefault, provider: own }, asked);
    if (isFree) requireFreeScope(query, own, dayOf(asked.at));
    if (query.knownAt !== null) this.#requireKnown(query.window, query.knownAt);
    return query;
  }

  /**
   * Returns one page of rows in ascending day and provider.
   *
   * @throws {Failure} `item_not_found`.
   */
  read(query: HistoryQuery, at: number): { data: Encoded; meta: Meta } {
    const { itemId, window, after, limit, knownAt } = query;
    // Frames are recorded beside calculations, but never beside an import.
    const known = knownAt === null ? null : this.#reference.moments.effective(knownAt, "imports");
    const exists = known === null ? this.#catalog.exists(itemId) : this.#catalog.namingAt(itemId, known) !== null;
    if (!exists) throw itemNotFound(itemId);
    const now = knownAt ?? at;
    // Limited by the window, so that the response and the tag of a past window do not change.
    const today = Math.min(dayOf(now), window.to + 1);
    const derived =
      known === null ? unfinalizedRows(this.#frames, this.#names, query, window) : this.#changedSince(query, known);
    const start = after === null ? { day: window.from, provider: "" } : { day: after.point, provider: after.provider };
    const stored = this.#prices.pageText(query, { ...window, after: start, limit: limit + 1 }, known);
    const basis = hash("sha256", `${today} ${JSON.stringify(derived)} ${stored}`, "base64url");
    const { side, provider } = query;
    const { cursors } = this.#reference;
    const asked = JSON.stringify([itemId, side, provider, window.from, window.to, limit, start, basis]);
    const page = this.#pages.get(asked, "") ?? this.#page(query, { today, derived, start, stored, asked, basis });
    const { last, times, days, missing } = page.facts;
    return {
      data: page.data,
      meta: {
        ...windowTexts(window),
        resolution: "day",
        missing_points: missing ?? this.#missingBeside(query, days, known),
        next_page: last && nextPage(operation, query, { point: last.day, provider: last.provider }, cursors),
        ...times.meta(freshMs, now),
        ...knownAtText(knownAt),
      },
    };
  }

  /** Returns the rows in force at `at` of days with changes after it: rows replaced since, and rows derived from the frames of then. */
  #changedSince(query: HistoryQuery, at: number): readonly DailyPriceRow[] {
    const { from, to } = query.window;
    const frames = new KnownFrames({ frames: this.#frames, past: this.#past }, at);
    const replaced = this.#prices.replacedAfter(query, { from, to, at });
    const past = replaced.filter(({ recordedAt }) => recordedAt <= at);
    const changed = [...this.#prices.addedAfter(query, { from, to, at }), ...replaced];
    const days = new Set([
      ...this.#daysToDerive(changed, past, at),
      ...this.#frames.unfinalized(from, to).map(({ day }) => day),
      ...frames.correctedDays(from, to),
    ]);
    const ordered = [...days].sort((a, b) => a - b);
    const starts = ordered.filter((day) => !days.has(day - 1));
    const ends = ordered.filter((day) => !days.has(day + 1));
    const feedDays = starts
      .flatMap((start, index) => this.#frames.feedDays(start, ends[index]!))
      .filter(({ isPruned }) => !isPruned);
    const derived = derivedRows(frames, this.#names, query, feedDays);
    return this.#merged(past, derived);
  }

  /** Returns the days with a changed row, except days with a past row that already contains every frame of then. */
  #daysToDerive(changed: readonly Key[], past: readonly DailyPriceRow[], at: number): number[] {
    const [derived, imported] = [
      past.filter((row) => row.importId === null),
      past.filter((row) => row.importId !== null),
    ];
    const outdated = new Set(this.#past.outdated(derived, at));
    const settled = [
      ...derived.filter((row) => !outdated.has(row)),
      ...imported.filter((row) => this.#prices.isReplacing(row.importId!)),
    ];
    const keys = new Set(settled.map(({ day, provider }) => `${day} ${provider}`));
    return changed.filter(({ day, provider }) => !keys.has(`${day} ${provider}`)).map(({ day }) => day);
  }

  /** Refuses an instant at which a day of the window had some of its frames, if their prices were removed since. */
  #requireKnown({ from, to }: DayWindow, knownAt: number): void {
    const growing = this.#past.removedDays(from, to, knownAt).filter(({ changedAt }) => changedAt > knownAt);
    if (growing.length > 0) throw notKnownBefore(Math.max(...growing.map(({ changedAt }) => changedAt)));
  }

  /** Builds a page, to be cached under `asked`. */
  #page(query: HistoryQuery, { today, derived, start, stored, asked, basis }: PageParts) {
    const { limit } = query;
    const rows = this.#merged(
      dailyRowsOf(stored),
      derived.filter((row) => compare(row, start) > 0),
    );
    const { page, last } = pageOf(rows, limit);
    const times = new ObservationTimes();
    for (const { sourceObservedAt } of page) times.add(sourceObservedAt);
    const days = [...page, ...derived].map(({ day }) => day);
    const content = this.#encoder.encode(page, { side: query.side, today });
    // A part of a window is not cached, because its missing days depend on other pages.
    if (query.after !== null || last !== null)
      return { data: encoded(content, basis), facts: { last, times, days, missing: null } };
    const missing = missingDays(query.window, days);
    return this.#pages.add(asked, content, { last, times, days: [], missing }, basis);
  }

  /** Merges both in ascending key. For equal keys the derived row is newer and wins, unless an import replaces it. */
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

  /** Returns the days of the window without a row, for a page of several. `days` have a row on the page or are derived. */
  #missingBeside(query: HistoryQuery, days: readonly number[], knownAt: number | null): string {
    const present = new Set(days);
    const open = daysOf(query.window).filter((day) => !present.has(day));
    const found = open.length === 0 ? [] : this.#prices.daysWithRows(query, open, knownAt);
    return missingDays(query.window, [...days, ...found]);
  }
}

/** Refuses a Free plan more than the asks of the main platform in the 30 days that were complete at the first page. */
function requireFreeScope({ side, provider, window, madeOn }: HistoryQuery, own: string | null, today: number): void {
  // Paging may pass midnight by one day; an older cursor does not extend the window.
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
