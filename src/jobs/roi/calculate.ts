import { type CalculationKey, roiMethodology, valuationModes } from "../../roi/calculation.ts";
import { OddsError } from "../../roi/odds.ts";
import type { PublicationGate } from "../../roi/valuation.ts";
import { type Database, writeTransaction } from "../../store/database.ts";
import { inShortTransactions, runAtOnce } from "../../store/write/batches.ts";
import { CalculationWriter, type HistoryKey } from "../../store/write/calculations.ts";
import { dayMs, hourMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import { type Failpoints, noFailpoints } from "../../values/failpoints.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type Prepared, prepareCalculation } from "./prepare-calculation.ts";
import { type RoiInput, type RoiInputs, readInputs, type Skipped } from "./read-inputs.ts";
import { Slices } from "./slices.ts";

export type RoiParts = {
  clock: Clock;
  /** Slugs to calculate; absent: every container whose pool is in force. */
  only?: readonly string[] | undefined;
  progress?: Progress;
  failpoints?: Failpoints;
};

/** Result of a run. Everything in it can be sent to another thread. */
export type RoiRun = {
  /** UTC ms: the prices are those that were published then. */
  calculatedAt: number;
  /** Null: no price was ever published. */
  generationId: number | null;
  /** Calculations with new numbers; in `unchanged`, those with the same numbers as before. */
  published: CalculationKey[];
  unchanged: CalculationKey[];
  /** Calculations that are not published, since a part of their cost is unknown. */
  withheld: (CalculationKey & { reason: string })[];
  /** Calculated without a point, with the gates that they fail. */
  withoutPoint: (CalculationKey & { gates: readonly PublicationGate[] })[];
  /** Calculations that were left as they were. */
  skipped: Skipped[];
  /** Time for which the writer's lock was held. */
  lockHeldMs: number;
};

const buckets = [
  ["day", dayMs],
  ["hour", hourMs],
] as const;
const unpricedContainer = "nobody asks for the container itself";
const changed = { kind: "changed", reason: "its pool changed while it was calculated; run it again" } as const;

/** Runs the model once: see `calculateRoiInBatches`. */
export function calculateRoi(database: Database, parts: RoiParts): RoiRun {
  return runAtOnce(calculateRoiInBatches(database, parts));
}

/**
 * Calculates the return of every container whose pool is in force, in each valuation mode, from the prices of one generation. The
 * slow work comes first; the run writes all results in one short transaction at its end, so that a crash anywhere leaves the
 * earlier calculations whole. Yields every few milliseconds outside that transaction, where the caller may pause or stop. The caller
 * holds the roi lock. A run of a part (`only`) is not recorded among the finished runs.
 *
 * @throws {OperatorError} when `only` names a slug without a published pool.
 */
export function* calculateRoiInBatches(database: Database, parts: RoiParts): Generator<void, RoiRun> {
  const { clock, only, progress = silent, failpoints = noFailpoints } = parts;
  const calculatedAt = clock.now();
  const slices = new Slices(clock);
  const read = yield* readInputs(database, { at: calculatedAt, only, slices, progress });
  const run: RoiRun = {
    calculatedAt,
    generationId: read.generationId,
    published: [],
    unchanged: [],
    withheld: [],
    withoutPoint: [],
    skipped: read.skipped,
    lockHeldMs: 0,
  };
  const prepared = yield* prepareAll(read, run, slices, progress);
  progress.phase("writing");
  const withheld = read.inputs.filter(({ container }) => container === null);
  // A file without a pool needs no record of a run.
  const isNoted = only === undefined && read.pools > 0;
  const rows = new CalculationWriter(database);
  // Prices newer than this run show that its clock is behind: such a run must not remove history.
  const isAfterPrices = read.ingestedAt !== null && read.ingestedAt <= calculatedAt;
  if (only === undefined && isAfterPrices) yield* removeLaterRows(database, { rows, at: calculatedAt, clock, slices });
  failpoints.hit("roi.write.before");
  readPages(rows, prepared);
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    write(rows, { prepared, withheld, run, isNoted });
    failpoints.hit("roi.write.inside");
  });
  run.lockHeldMs = clock.monotonicMs() - startedMs;
  return run;
}

/** Calculates all inputs. Skips a pool that cannot be calculated, with the reason. */
function* prepareAll(
  { inputs }: RoiInputs,
  run: RoiRun,
  slices: Slices,
  progress: Progress,
): Generator<void, Prepared[]> {
  const prepared: Prepared[] = [];
  progress.phase("calculating openables", inputs.length);
  for (const input of inputs) {
    const { container } = input;
    if (container !== null) {
      try {
        prepared.push(prepareCalculation({ ...input, container }, run.calculatedAt));
      } catch (error) {
        if (!(error instanceof OddsError || error instanceof RangeError)) throw error;
        run.skipped.push({ ...keyOf(input), kind: "damaged", reason: error.message });
      }
    }
    progress.advance(1);
    yield* slices.cut();
  }
  return prepared;
}

function keyOf({ pool, valuationMode }: RoiInput): CalculationKey {
  return { slug: pool.slug, valuationMode };
}

/** Has every page that is going to change in memory before the lock is taken: from a disk they come slowly. */
function readPages(rows: CalculationWriter, prepared: readonly Prepared[]): void {
  for (const { calculation, history } of prepared) {
    rows.readPages(calculation);
    for (const row of history) rows.hasHistoryAfter(row);
  }
}

type Writes = { prepared: readonly Prepared[]; withheld: readonly RoiInput[]; run: RoiRun; isNoted: boolean };

/** Everything that a run writes. Pools that changed since they were read are left to the next run. */
function write(rows: CalculationWriter, { prepared, withheld, run, isNoted }: Writes): void {
  const inForce = rows.revisionsInForce();
  for (const { calculation, history, gates } of prepared) {
    const { slug, valuationMode, revisionId } = calculation;
    const key = { slug, valuationMode };
    if (inForce.get(slug) !== revisionId) {
      run.skipped.push({ ...key, ...changed });
      continue;
    }
    if (rows.touch(calculation)) run.unchanged.push(key);
    else {
      rows.put(calculation);
      run.published.push(key);
    }
    for (const row of history) rows.putHistory(row);
    if (gates.length > 0) run.withoutPoint.push({ ...key, gates });
  }
  for (const input of withheld) {
    const key = keyOf(input);
    if (inForce.get(key.slug) !== input.pool.revisionId) {
      run.skipped.push({ ...key, ...changed });
      continue;
    }
    rows.remove({ ...key, methodologyVersion: roiMethodology });
    run.withheld.push({ ...key, reason: unpricedContainer });
  }
  if (!isNoted) return;
  rows.addRun({
    calculatedAt: run.calculatedAt,
    methodologyVersion: roiMethodology,
    generationId: run.generationId,
    published: run.published.length,
    unchanged: run.unchanged.length,
    withheld: run.withheld.length,
  });
}

type RemovalParts = { rows: CalculationWriter; at: number; clock: Clock; slices: Slices };

/**
 * Removes history after `at` that runs with a clock ahead left in the series of every container in force; it would later be served
 * as true history. Writes in short transactions, and in none where there is nothing to remove.
 */
function* removeLaterRows(database: Database, { rows, at, clock, slices }: RemovalParts): Generator<void, void> {
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
