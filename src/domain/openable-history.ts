import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import { roiEveryMs, roiMethodology, type ValuationMode, valuationModeDefault } from "../roi/calculation.ts";
import type { OpenablesStore, RoiHistoryBucket, RoiSeries } from "../store/read/openables.ts";
import type { Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayMs, dayOf, hourMs } from "../values/time/calendar.ts";
import { missingPoints } from "../values/time/gaps.ts";
import type { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { type DayWindow, resolveSeriesWindow, windowTexts } from "../values/time/window.ts";
import { ObservationTimes } from "./observation-times.ts";
import { pageOf, type Read, windowIn } from "./paging.ts";

/** One page of a series. `nextMs` is its start (UTC ms). */
export type RoiHistoryQuery = { series: RoiSeries; window: DayWindow; nextMs: number; limit: number };

const operation = "getOpenableHistory";
const limitDefault = 1000;
const freshMs = 24 * hourMs;

/**
 * Returns the page for `params`.
 *
 * @throws {Failure} `unknown_methodology_version`, unless the caller has a Free plan, `invalid_cursor`, `cursor_mismatch`, or as
 * `resolveSeriesWindow` does.
 */
export function roiHistoryQuery(
  store: OpenablesStore,
  params: Params<"getOpenableHistory">,
  { cursors, at, caller }: { cursors: Cursors; at: number; caller: Pick<Caller, "plan"> },
): RoiHistoryQuery {
  const { slug, valuation_mode, granularity, methodology_version, from, to, limit = limitDefault, after } = params;
  if (after !== undefined) {
    const given = { slug, valuation_mode, granularity, methodology_version, from, to };
    const { key, filters } = cursors.read(after, operation, given);
    const series = {
      slug,
      valuationMode: filters.valuation_mode as ValuationMode,
      methodologyVersion: String(filters.methodology_version),
      granularity: filters.granularity as RoiSeries["granularity"],
    };
    return { series, window: windowIn(filters), nextMs: Number(key) + 1, limit };
  }
  const methodologyVersion = methodology_version ?? roiMethodology;
  if (caller.plan !== "free") refuseUnknownMethodology(store, { slug, methodologyVersion });
  const window = resolveSeriesWindow({ from, to }, dayOf(at));
  const valuationMode = valuation_mode ?? valuationModeDefault;
  const series = { slug, valuationMode, methodologyVersion, granularity: granularity ?? "day" };
  return { series, window, nextMs: window.from * dayMs, limit };
}

/** Returns the stored buckets of an existing container. Gaps are not filled. */
export function openableHistory(
  store: OpenablesStore,
  { series, window, nextMs, limit }: RoiHistoryQuery,
  { cursors, at, timestamps }: { cursors: Cursors; at: number; timestamps: TimestampTexts },
): Read<"getOpenableHistory"> {
  const endMs = (window.to + 1) * dayMs - 1;
  const rows = store.history({ ...series, from: nextMs, to: endMs, limit: limit + 1 });
  const { page, last } = pageOf(rows, limit);
  const starts = store.historyStarts({ ...series, from: window.from * dayMs, to: endMs });
  const times = new ObservationTimes();
  for (const { priceAsOf } of page) times.add(priceAsOf);
  return {
    data: page.map((row) => rowOf(row, series, timestamps)),
    meta: {
      ...windowTexts(window),
      resolution: series.granularity,
      missing_points: missing(series.granularity, window, starts, at),
      next_page: last && cursors.write({ operation, key: last.ts, filters: filtersOf(series, window) }),
      ...times.meta(freshMs, at),
    },
  };
}

/** Refuses a version without data in any mode. An unknown container is refused elsewhere. */
function refuseUnknownMethodology(
  store: OpenablesStore,
  { slug, methodologyVersion }: { slug: string; methodologyVersion: string },
): void {
  if (methodologyVersion === roiMethodology || !store.isVisible(slug)) return;
  if (store.hasHistoryOf({ slug, methodologyVersion })) return;
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
