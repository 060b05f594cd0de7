import type { Params, ReadMeta } from "../contract/types.ts";
import { decodeSegment } from "../store/codec/frame-segment.ts";
import type { CatalogStore } from "../store/read/catalog.ts";
import type { FeedDay, FramesStore, RecordedFeedDay } from "../store/read/frames.ts";
import type { ProvidersStore } from "../store/read/providers.ts";
import type { Cursors } from "../values/cursor.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { dayOf, hourOf, hoursOfDay } from "../values/time/calendar.ts";
import { missingPoints, removedDays, retractedHours } from "../values/time/gaps.ts";
import { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { type DayWindow, windowTexts } from "../values/time/window.ts";
import { HourlyPriceEncoder } from "../wire/hourly-price.ts";
import { itemNotFound } from "./catalog.ts";
import { FrameCoverage, type StoredHours } from "./frame-coverage.ts";
import { FrameProviderNames } from "./frame-provider-names.ts";
import { FrameTimesOfDays, noFrames } from "./frame-times.ts";
import { type HistoryQuery, historyQuery, nextPage } from "./history-request.ts";
import { type FeedOfDay, HourlyPage, HourlyRows } from "./hourly-rows.ts";
import { quotesFreshMs } from "./quotes.ts";
import type { Reference } from "./reference.ts";

type Meta = ReadMeta<"getHourlyPriceHistory">;

const operation = "getHourlyPriceHistory";
const limitDefault = 500;
const noBytes = Buffer.alloc(0);
const windowDaysMax = 31;

/** Reads the quotes of an item in each hour with a recorded frame that covers it. */
export class HourlyHistory {
  readonly #catalog: CatalogStore;
  readonly #frames: FramesStore;
  readonly #providers: ProvidersStore;
  readonly #cursors: Cursors;
  readonly #parts: ConstructorParameters<typeof HourlyRows>[1];
  readonly #encoder = new HourlyPriceEncoder();

  constructor(parts: { catalog: CatalogStore; frames: FramesStore; providers: ProvidersStore; cursors: Cursors }) {
    this.#catalog = parts.catalog;
    this.#frames = parts.frames;
    this.#providers = parts.providers;
    this.#cursors = parts.cursors;
    const times = new FrameTimesOfDays(parts.frames, new TimestampTexts());
    this.#parts = { names: new FrameProviderNames(parts.frames), times };
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_cursor`, `cursor_mismatch`, `unknown_provider`, `invalid_parameter`, `invalid_range` or
   * `window_too_large`.
   */
  prepare(
    params: Params<"getHourlyPriceHistory">,
    { at, reference }: { readonly at: number; readonly reference: Reference },
  ): HistoryQuery {
    const today = dayOf(at);
    const window = { defaultFrom: today - windowDaysMax + 1, defaultTo: today, daysMax: windowDaysMax, today };
    return historyQuery(operation, params, { window, limit: limitDefault, provider: null }, reference);
  }

  /**
   * Returns one page of rows in ascending hour and provider, markers first.
   *
   * @throws {Failure} `item_not_found`.
   */
  read(query: HistoryQuery, at: number): { data: Encoded; meta: Meta } {
    const { itemId, window } = query;
    const naming = this.#catalog.naming(itemId);
    if (naming === null) throw itemNotFound(itemId);
    const feed = query.provider === null ? null : this.#providers.feedOf(query.provider);
    const currentHour = hourOf(at);
    this.#parts.times.refresh();
    const rows = this.#frames.feedDays(window.from, window.to);
    const ofFeed = rows.filter((row) => query.provider === null || row.feed === feed);
    const stored = storedHours(
      ofFeed.filter(({ isPruned }) => !isPruned),
      currentHour,
    );
    const coverage = new FrameCoverage(
      { itemId, naming, provider: query.provider },
      { frames: this.#frames, times: this.#parts.times },
    );
    const covered = coverage.hours(stored);
    const causes = { pruned: prunedDays(ofFeed), retracted: coverage.retractedHours(stored) };
    const basis: Buffer[] = [];
    const page = this.#pageOf(query, { stored, covered, coverage }, basis);
    const next = page.nextAfter;
    const { list, returnBuffer } = page.take();
    return {
      data: encoded(list, Buffer.concat(basis), returnBuffer),
      meta: {
        ...windowTexts(window),
        resolution: "hour",
        missing_points: missing(window, covered, causes, currentHour),
        next_page: next === null ? null : nextPage(operation, query, next, this.#cursors),
        ...page.times.meta(quotesFreshMs, at),
      },
    };
  }

  /** Adds everything that the rows depend on to `basis`, except the request itself. */
  #pageOf(query: HistoryQuery, hours: Hours, basis: Buffer[]): HourlyPage {
    const { itemId, after, limit } = query;
    const page = new HourlyPage({ after, limit }, this.#encoder);
    const rows = new HourlyRows(query, this.#parts);
    for (const day of hours.covered.keys()) {
      if (after !== null && day < Math.floor(after.point / hoursOfDay)) continue;
      // Each day here has a row, so the next page exists without reading the day.
      if (page.isFull) {
        page.markNext();
        break;
      }
      rows.addDay(page, day, this.#feedsOf(day, hours, itemId, basis));
    }
    return page;
  }

  #feedsOf(day: number, { stored, covered, coverage }: Hours, itemId: number, basis: Buffer[]): FeedOfDay[] {
    const segments = new Map(this.#frames.segments(day, itemId).map(({ feed, changes }) => [feed, changes]));
    const storedOf = stored.get(day)!;
    const times = this.#parts.times.ofDay(day, storedOf);
    return Array.from(covered.get(day)!, ([feed, hours]) => {
      const segment = segments.get(feed);
      const known = times.get(feed) ?? noFrames();
      const bits = { stored: storedOf.get(feed)!, covered: hours, named: coverage.namedHours(day, feed, known) };
      const text = JSON.stringify([day, feed, bits, known.basis, segment?.length ?? null]);
      basis.push(Buffer.from(text), segment ?? noBytes);
      return {
        times: known,
        hours: bits,
        changes: segment === undefined ? [] : decodeSegment(segment),
      };
    });
  }
}

/** `stored`: hours of the window with a frame. `covered`: the hours among them with a row. */
type Hours = { stored: StoredHours; covered: StoredHours; coverage: FrameCoverage };

/** Groups stored hours by day and feed. Future hours, which a clock set back leaves, are excluded. */
function storedHours(rows: readonly FeedDay[], currentHour: number): StoredHours {
  const stored = new Map<number, Map<string, number>>();
  for (const { day, feed, hours: all } of rows) {
    const begun = Math.max(0, Math.min(hoursOfDay, currentHour - day * hoursOfDay + 1));
    const hours = all & (2 ** begun - 1);
    if (hours === 0) continue;
    const ofDay = stored.get(day);
    if (ofDay === undefined) stored.set(day, new Map([[feed, hours]]));
    else ofDay.set(feed, hours);
  }
  return stored;
}

/** Returns the days with hours that were recorded and later removed, ascending. */
function prunedDays(rows: readonly RecordedFeedDay[]): number[] {
  return [...new Set(rows.filter(({ isPruned }) => isPruned).map(({ day }) => day))];
}

/** Describes the past and current hours of the window without a row. */
function missing(
  { from, to }: DayWindow,
  covered: StoredHours,
  { pruned, retracted }: { pruned: readonly number[]; retracted: readonly number[] },
  currentHour: number,
): string {
  const first = from * hoursOfDay;
  const total = Math.max(0, Math.min((to + 1) * hoursOfDay - 1, currentHour) - first + 1);
  const absent: number[] = [];
  for (let hour = first; hour < first + total; hour += 1) {
    let bits = 0;
    for (const hours of covered.get(Math.floor(hour / hoursOfDay))?.values() ?? []) bits |= hours;
    if (((bits >> (hour % hoursOfDay)) & 1) === 0) absent.push(hour);
  }
  const gaps = retracted.filter((hour) => absent.includes(hour));
  return missingPoints("hour", total, absent) + removedDays(pruned) + retractedHours(gaps, pruned.length > 0);
}
