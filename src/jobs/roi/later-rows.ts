import { roiMethodology, valuationModes } from "../../roi/calculation.ts";
import type { Database } from "../../store/database.ts";
import { inShortTransactions } from "../../store/write/batches.ts";
import type { HistoryKey, RoiRows } from "../../store/write/calculations.ts";
import { dayMs, hourMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import type { Slices } from "./slices.ts";

const buckets = [
  ["day", dayMs],
  ["hour", hourMs],
] as const;

type Parts = { rows: RoiRows; at: number; clock: Clock; slices: Slices };

/**
 * Removes what runs of a clock that was ahead left of times after `at`, in the series of every container in force: it would be told as
 * history once these times have come. In short transactions; where nothing was left, which is nearly always, in none.
 */
export function* removeLaterRows(database: Database, { rows, at, clock, slices }: Parts): Generator<void, void> {
  const removals: (() => void)[] = [];
  for (const slug of rows.revisionsInForce().keys()) {
    for (const series of seriesOf(slug, at))
      if (rows.hasHistoryAfter(series)) removals.push(() => rows.removeHistoryAfter(series));
    yield* slices.cut();
  }
  if (rows.hasRunsAfter(roiMethodology, at)) removals.push(() => rows.removeRunsAfter(roiMethodology, at));
  for (const _ of inShortTransactions(database, clock, removals, (remove) => remove())) yield;
}

function seriesOf(slug: string, at: number): HistoryKey[] {
  return valuationModes.flatMap((valuationMode) =>
    buckets.map(([granularity, bucketMs]) => {
      return { slug, valuationMode, methodologyVersion: roiMethodology, granularity, ts: at - (at % bucketMs) };
    }),
  );
}
