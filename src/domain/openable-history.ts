import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import { roiEveryMs, roiMethodology, type ValuationMode, valuationModeDefault } from "../roi/calculation.ts";
import type { KnownMoments } from "../store/read/known-moments.ts";
import type { KnownReturnsStore } from "../store/read/known-returns.ts";
import type { OpenablesStore, RoiHistoryBucket, RoiSeries } from "../store/read/openables.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayMs, dayOf, hourMs } from "../values/time/calendar.ts";
import { missingPoints } from "../values/time/gaps.ts";
import type { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { type DayWindow, resolveSeriesWindow, windowTexts } from "../values/time/window.ts";
import { knownAtText, resolveKnownAt } from "./known-at.ts";
import { ObservationTimes } from "./observation-times.ts";
import { pageOf, type Read, windowIn } from "./paging.ts";
import type { Reference } from "./reference.ts";

/** One page of a series. `nextMs` is its start, `knownAt` the requested instant of the past, or null for the current data. Both are UTC ms. */
export type RoiHistoryQuery = {
  series: RoiSeries;
  window: DayWindow;
  nextMs: number;
  limit: number;
  knownAt: number | null;
};

/** Reads of containers: the current rows, and the history as known at an instant. */
export type ReturnsParts = { store: OpenablesStore; past: KnownReturnsStore };

const operation = "getOpenableHistory";
const limitDefault = 1000;
const freshMs = 24 * hourMs;

/**
 * Returns the page for `params`.
 *
 * @throws {Failure} `unknown_methodology_version`, unless the caller has a Free plan, `invalid_cursor`, `cursor_mismatch`, or as
 * `resolveSeriesWindow` and `resolveKnownAt` do.
 */
export function roiHistoryQuery(
  parts: ReturnsParts,
  params: Params<"getOpenableHistory">,
  { reference, at, caller }: { reference: Reference; at: number; caller: Pick<Caller, "plan"> },
): RoiHistoryQuery {
  const { slug, valuation_mode, granularity, methodology_version, from, to, limit = limitDefault, after } = params;
  const { cursors, moments } = reference;
  const asked = { caller, at, moments };
  const knownAt = resolveKnownAt(params.known_at, asked);
  if (after !== undefined) {
    const given = { slug, valuation_mode, granularity, methodology_version, from, to, ...knownAtText(knownAt) };
    const { key, filters } = cursors.read(after, operation, given);
    const series = {
      slug,
      valuationMode: filters.valuation_mode as ValuationMode,
      methodologyVersion: String(filters.methodology_version),
      granularity: filters.granularity as RoiSeries["granularity"],
    };
    const position = { window: windowIn(filters), nextMs: Number(key) + 1 };
    return { series, ...position, limit, knownAt: resolveKnownAt(filters.known_at as string | undefined, asked) };
  }
  const methodologyVersion = methodology_version ?? roiMethodology;
  if (caller.plan !== "free")
    refuseUnknownMethodology(parts, { slug, methodologyVersion }, effective(knownAt, moments));
  const window = resolveSeriesWindow({ from, to }, dayOf(knownAt ?? at));
  const valuationMode = valuation_mode ?? valuationModeDefault;
  const series = { slug, valuationMode, methodologyVersion, granularity: granularity ?? "day" };
  return { series, window, nextMs: window.from * dayMs, limit, knownAt };
}

/** Returns the buckets of a container, or null if it does not exist. Gaps are not filled. */
export function openableHistory(
  parts: ReturnsParts,
  { series, window, nextMs, limit, knownAt }: RoiHistoryQuery,
  { reference, at, timestamps }: { reference: Reference; at: number; timestamps: TimestampTexts },
): Read<"getOpenableHistory"> | null {
  const { cursors, moments } = reference;
  const known = effective(knownAt, moments);
  if (!isVisible(parts, series.slug, known)) return null;
  const { rows, starts } = bucketsOf(parts, { series, window, nextMs, limit }, known);
  const { page, last } = pageOf(rows, limit);
  const times = new ObservationTimes();
  for (const { priceAsOf } of page) times.add(priceAsOf);
  const filters = { ...filtersOf(series, window), ...knownAtText(knownAt) };
  return {
    data: page.map((row) => rowOf(row, series, timestamps)),
    meta: {
      ...windowTexts(window),
      resolution: series.granularity,
      missing_points: missing(series.granularity, window, starts, knownAt ?? at),
      next_page: last && cursors.write({ operation, key: last.ts, filters }),
      ...times.meta(freshMs, knownAt ?? at),
      ...knownAtText(knownAt),
    },
  };
}

/** Returns the instant to read for a requested one, or null for the current data. */
function effective(knownAt: number | null, moments: KnownMoments): number | null {
  return knownAt === null ? null : moments.effective(knownAt);
}

function isVisible({ store, past }: ReturnsParts, slug: string, known: number | null): boolean {
  return store.isVisible(slug) && (known === null || past.isVisible(slug, known));
}

/** Returns the buckets from `nextMs` on, at least one more than `limit` if a page follows. `starts` are of the whole window. */
function bucketsOf(
  { store, past }: ReturnsParts,
  { series, window, nextMs, limit }: Omit<RoiHistoryQuery, "knownAt">,
  known: number | null,
): { rows: RoiHistoryBucket[]; starts: number[] } {
  const span = { from: window.from * dayMs, to: (window.to + 1) * dayMs - 1 };
  if (known === null) {
    const rows = store.history({ ...series, ...span, from: nextMs, limit: limit + 1 });
    return { rows, starts: store.historyStarts({ ...series, ...span }) };
  }
  const all = past.history(series, { ...span, at: known });
  return { rows: all.filter(({ ts }) => ts >= nextMs), starts: all.map(({ ts }) => ts) };
}

/** Refuses a version without data in any mode. An unknown container is refused elsewhere. */
function refuseUnknownMethodology(
  parts: ReturnsParts,
  { slug, methodologyVersion }: { slug: string; methodologyVersion: string },
  known: number | null,
): void {
  if (methodologyVersion === roiMethodology || !isVisible(parts, slug, known)) return;
  const key = { slug, methodologyVersion };
  if (known === null ? parts.store.hasHistoryOf(key) : parts.past.hasHistoryOf(key, known)) return;
  throw new Failure("unknown_methodology_version", {
    detail: "query parameter `methodology_version`: no calculation of this openable has this version",
  });
}

function filtersOf({ slug, valuationMode, granularity, methodologyVersion }: RoiSeries, window: DayWindow) {
  return {
    slug,
    valuation_mode: valuationMode,
    granularity,
    methodology_version: methodologyVersion,
    ...windowTexts(window),
  };
}

/** Describes the days or past scheduled hours of the window without a bucket. A bucket at another hour does not fill a gap. */
function missing(granularity: RoiSeries["granularity"], window: DayWindow, starts: readonly number[], at: number) {
  const [stepMs, unitMs] = granularity === "day" ? [dayMs, dayMs] : [roiEveryMs, hourMs];
  const endMs = Math.min((window.to + 1) * dayMs - 1, at);
  const stored = new Set(starts);
  const points: number[] = [];
  for (let start = window.from * dayMs; start <= endMs; start += stepMs) points.push(start);
  const absent = points.filter((start) => !stored.has(start)).map((start) => start / unitMs);
  return missingPoints(granularity, points.length, absent, stepMs / unitMs);
}

function rowOf(row: RoiHistoryBucket, series: RoiSeries, timestamps: TimestampTexts): Schema<"RoiHistoryRow"> {
  return {
    kind: "model_snapshot",
    ts: timestamps.of(row.ts),
    recorded_at: timestamps.of(row.recordedAt),
    revision_id: row.revisionId,
    revision_number: row.revisionNumber,
    methodology_version: series.methodologyVersion,
    provenance: "not_recorded",
    valuation_mode: series.valuationMode,
    granularity: series.granularity,
    cost_cents: row.costCents,
    expected_value_cents: row.expectedValueCents,
    expected_profit_cents: row.expectedProfitCents,
    return_pct: row.returnPct,
    profit_chance_pct: row.profitChancePct,
    priced_probability_mass_pct: row.pricedProbabilityMassPct,
    price_as_of: row.priceAsOf === null ? null : timestamps.of(row.priceAsOf),
    currency: "USD",
    minor_units: 2,
  };
}
