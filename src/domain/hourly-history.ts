import type { Params, ReadMeta } from "../contract/types.ts";
import { decodeSegment } from "../store/codec/frame-segment.ts";
import type { CatalogStore } from "../store/read/catalog.ts";
import type { FeedDay, FramesStore, RecordedFeedDay } from "../store/read/frames.ts";
import type { KnownFramesStore } from "../store/read/known-frames.ts";
import type { ProvidersStore } from "../store/read/providers.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { hourOf, hoursOfDay } from "../values/time/calendar.ts";
import { missingPoints, removedDays, retractedHours } from "../values/time/gaps.ts";
import { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { type DayWindow, windowTexts } from "../values/time/window.ts";
import { HourlyPriceEncoder } from "../wire/hourly-price.ts";
import { itemNotFound } from "./catalog.ts";
import { FrameCoverage, type Recorded, type StoredHours } from "./frame-coverage.ts";
import { FrameProviderNames } from "./frame-provider-names.ts";
import { FrameTimesOfDays, noFrames } from "./frame-times.ts";
import { type HistoryAsked, type HistoryQuery, historyQuery, nextPage } from "./history-request.ts";
import { type FeedOfDay, HourlyPage, HourlyRows } from "./hourly-rows.ts";
import { knownAtText, notKnownBefore } from "./known-at.ts";
import { KnownHours } from "./known-frames.ts";
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
  readonly #past: KnownFramesStore;
  readonly #reference: Reference;
  readonly #parts: ConstructorParameters<typeof HourlyRows>[1];
  readonly #encoder = new HourlyPriceEncoder();

  constructor(parts: {
    catalog: CatalogStore;
    frames: FramesStore;
    past: KnownFramesStore;
    providers: ProvidersStore;
    reference: Reference;
  }) {
    this.#catalog = parts.catalog;
    this.#frames = parts.frames;
    this.#providers = parts.providers;
    this.#past = parts.past;
    this.#reference = parts.reference;
    const times = new FrameTimesOfDays(parts.frames, new TimestampTexts());
    this.#parts = { names: new FrameProviderNames(parts.frames), times };
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_cursor`, `cursor_mismatch`, `unknown_provider`, `invalid_parameter`, `invalid_range`, `window_too_large`
   * or `plan_upgrade_required`.
   */
  prepare(params: Params<"getHourlyPriceHistory">, asked: HistoryAsked): HistoryQuery {
    const window = (today: number) => {
      return { defaultFrom: today - windowDaysMax + 1, defaultTo: today, daysMax: windowDaysMax, today };
    };
    const rule = { window, limit: limitDefault, provider: null, needsFrame: true };
    const query = historyQuery(operation, params, rule, asked);
    if (query.knownAt !== null) this.#requireKnown(query.window, query.knownAt);
    return query;
  }

  /** Refuses an instant before the hours of a day of the window were removed. */
  #requireKnown({ from, to }: DayWindow, knownAt: number): void {
    const removed = this.#past.removedDays(from, to, knownAt);
    if (removed.length > 0) throw notKnownBefore(Math.max(...removed.map(({ prunedAt }) => prunedAt)));
  }

  /**
   * Returns one page of rows in ascending hour and provider, markers first.
   *
   * @throws {Failure} `item_not_found`.
   */
  read(query: HistoryQuery, at: number): { data: Encoded; meta: Meta } {
    const { itemId, window, knownAt } = query;
    const known = knownAt === null ? null : this.#reference.moments.effective(knownAt);
    const naming = known === null ? this.#catalog.naming(itemId) : this.#catalog.namingAt(itemId, known);
    if (naming === null) throw itemNotFound(itemId);
    const feed = query.provider === null ? null : this.#providers.feedOf(query.provider);
    const now = knownAt ?? at;
    const currentHour = hourOf(now);
    this.#parts.times.refresh();
    // A frame is recorded at one instant, also beside a command with several transactions.
    const recorded = this.#recordedBy(knownAt);
    const rows = recorded.frames.feedDays(window.from, window.to);
    const ofFeed = rows.filter((row) => query.provider === null || row.feed === feed);
    const stored = storedHours(
      ofFeed.filter(({ isPruned }) => !isPruned),
      currentHour,
    );
    const coverage = new FrameCoverage({ itemId, naming, provider: query.provider }, recorded);
    const covered = coverage.hours(stored);
    const causes = { pruned: prunedDays(ofFeed), retracted: coverage.retractedHours(stored) };
    const basis: Buffer[] = [];
    const page = this.#pageOf(query, { recorded, stored, covered, coverage }, basis);
    const next = page.nextAfter;
    const { list, returnBuffer } = page.take();
    return {
      data: encoded(list, Buffer.concat(basis), returnBuffer),
      meta: {
        ...windowTexts(window),
        resolution: "hour",
        missing_points: missing(window, covered, causes, currentHour),
        next_page: next === null ? null : nextPage(operation, query, next, this.#reference.cursors),
        ...page.times.meta(quotesFreshMs, now),
        ...knownAtText(knownAt),
      },
    };
  }

  /** Returns the frames as known at an instant, UTC ms, or null for now. */
  #recordedBy(at: number | null): Recorded {
    const { times } = this.#parts;
    if (at === null) return { frames: this.#frames, times };
    const known = new KnownHours({ frames: this.#frames, past: this.#past, times }, at);
    return { frames: known, times: known };
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

  #feedsOf(day: number, { recorded, stored, covered, coverage }: Hours, itemId: number, basis: Buffer[]): FeedOfDay[] {
    const segments = new Map(recorded.frames.segments(day, itemId).map(({ feed, changes }) => [feed, changes]));
    const storedOf = stored.get(day)!;
    const times = recorded.times.ofDay(day, storedOf);
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
type Hours = { recorded: Recorded; stored: StoredHours; covered: StoredHours; coverage: FrameCoverage };

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
