import { createHash } from "node:crypto";
import type { Ask } from "../../roi/asks.ts";
import {
  type CalculationKey,
  type CalculationNumbers,
  type LedgerEntry,
  roiMethodology,
  valuationModes,
} from "../../roi/calculation.ts";
import { OddsError } from "../../roi/odds.ts";
import { calculationNumbers, type PricedOutcome, type PublicationGate, unmetGates } from "../../roi/valuation.ts";
import {
  type CalculationWithoutChecksum,
  calculationChecksum,
  historyChecksum,
} from "../../store/codec/calculation-checksum.ts";
import {
  checkpoint,
  closeDatabase,
  type Database,
  deferCheckpoints,
  openWriter,
  setCacheKib,
  writeTransaction,
} from "../../store/database.ts";
import { importBusyMs, inShortTransactions, runAtOnce } from "../../store/write/batches.ts";
import {
  type CalculationRow,
  CalculationWriter,
  type HistoryKey,
  type HistoryRow,
} from "../../store/write/calculations.ts";
import { spanKeeper } from "../../store/write/known-since.ts";
import { type Failpoints, noFailpoints } from "../../values/failpoints.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayMs, hourMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { type RoiInput, type RoiInputs, readInputs, type Skipped } from "./read-inputs.ts";

export type RoiParts = {
  clock: Clock;
  /** Slugs to calculate. Absent for every container with a pool in force. */
  only?: readonly string[] | undefined;
  progress?: Progress;
  failpoints?: Failpoints;
};

/** Result of a run. It can be sent to another thread. */
export type RoiRun = {
  /** UTC ms. The run uses the prices published at this time. */
  calculatedAt: number;
  /** Null before the first publication of prices. */
  generationId: number | null;
  /** Calculations with new numbers. `unchanged` lists the calculations with the same numbers as before. */
  published: CalculationKey[];
  unchanged: CalculationKey[];
  /** Calculations that are not published, because a part of their cost is unknown. */
  withheld: (CalculationKey & { reason: string })[];
  /** Calculations without a point estimate, with the gates that they fail. */
  withoutPoint: (CalculationKey & { gates: readonly PublicationGate[] })[];
  skipped: Skipped[];
  lockHeldMs: number;
};

/** The rows of one calculation, ready to be written. `gates` lists the unmet gates; empty if the point estimate is published. */
type Prepared = {
  calculation: CalculationRow;
  history: readonly HistoryRow[];
  gates: readonly PublicationGate[];
};

const buckets = [
  ["day", dayMs],
  ["hour", hourMs],
] as const;
/** Larger than the changes of one run: a page flushed early would be written under the lock. */
const cacheKib = 64 * 1024;
const unpricedContainer = "the container itself has no ask";
const changed = { kind: "changed", reason: "its pool changed while it was calculated; run it again" } as const;

/** Opens the file at `path` for a run of the ROI model. Checkpoints the log after the run, when no writer waits. */
export async function onFile<T>(path: string, work: (database: Database) => T | Promise<T>): Promise<T> {
  const database = openWriter(path, importBusyMs, { keeps: "market" });
  try {
    deferCheckpoints(database);
    setCacheKib(database, cacheKib);
    const done = await work(database);
    checkpoint(database);
    return done;
  } finally {
    closeDatabase(database);
  }
}

/** Runs the model once, like `calculateRoiInBatches`. */
export function calculateRoi(database: Database, parts: RoiParts): RoiRun {
  return runAtOnce(calculateRoiInBatches(database, parts));
}

/**
 * Calculates the return of every container with a pool in force, in each valuation mode, from the prices of one generation. Slow work is
 * done first. One short transaction at the end writes all results, so a crash leaves the earlier calculations intact. Yields after each
 * small step outside that transaction, so that the caller can pause or stop. The caller holds the roi lock. A partial run (`only`) is not
 * recorded as a finished run.
 *
 * @throws {OperatorError} when `only` names a slug without a published pool.
 */
export function* calculateRoiInBatches(database: Database, parts: RoiParts): Generator<void, RoiRun> {
  const { clock, only, progress = silent, failpoints = noFailpoints } = parts;
  const calculatedAt = clock.now();
  const read = yield* readInputs(database, { at: calculatedAt, only, progress });
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
  const prepared = yield* prepareAll(read, run, progress);
  progress.phase("writing");
  const withheld = read.inputs.filter(({ container }) => container === null);
  // A file without pools needs no record of the run.
  const isNoted = only === undefined && read.pools > 0;
  const rows = new CalculationWriter(database);
  const keepSpan = spanKeeper(database, calculatedAt);
  // Prices newer than this run show that its clock is behind. Such a run must not remove history.
  const isAfterPrices = read.ingestedAt !== null && read.ingestedAt <= calculatedAt;
  if (only === undefined && isAfterPrices)
    yield* removeLaterRows(database, { rows, at: calculatedAt, clock, keepSpan });
  failpoints.hit("roi.write.before");
  readPages(rows, prepared);
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    keepSpan(clock.now());
    write(rows, { prepared, withheld, run, isNoted });
    failpoints.hit("roi.write.inside");
  });
  run.lockHeldMs = clock.monotonicMs() - startedMs;
  return run;
}

/** Calculates all inputs. A pool that cannot be calculated is skipped with the reason. */
function* prepareAll({ inputs }: RoiInputs, run: RoiRun, progress: Progress): Generator<void, Prepared[]> {
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
    yield;
  }
  return prepared;
}

/**
 * Calculates one container in one mode and encodes the rows.
 *
 * @throws {OddsError|RangeError} as `calculationNumbers` does.
 */
export function prepareCalculation(input: RoiInput & { container: Ask }, calculatedAt: number): Prepared {
  const { pool, valuationMode, container, outcomes } = input;
  const { cents: containerCents, provider, asOf } = container;
  const { keyCents, oddsSource, slug, revisionId } = pool;
  const cost = { containerCents, keyCents, provider, asOf };
  const denominator = BigInt(pool.denominator);
  const { numbers, priceAsOf } = calculationNumbers({ outcomes, denominator, cost, oddsSource, valuationMode });
  const ledger = JSON.stringify(outcomes.map(entryOf));
  const key = { slug, valuationMode, methodologyVersion: roiMethodology, revisionId };
  const causes = JSON.stringify([...Object.values(key), oddsSource, pool.denominator, Object.values(cost)]);
  const inputDigest = createHash("sha256").update(causes).update(ledger).digest();
  const row = { ...key, calculatedAt, priceAsOf, inputDigest, numbers: JSON.stringify(numbers), ledger };
  return {
    calculation: { ...row, checksum: calculationChecksum(row) },
    history: [historyRow("day", dayMs, row, numbers), historyRow("hour", hourMs, row, numbers)],
    gates: unmetGates(outcomes, numbers),
  };
}

function entryOf({
  valueCents,
  valueProvider,
  valueAsOf,
  recentHighCents,
  ...outcome
}: PricedOutcome): LedgerEntry | 0 {
  const { aboveCeilingCents = null } = outcome;
  if (aboveCeilingCents !== null) return [valueCents, valueProvider, valueAsOf, recentHighCents, aboveCeilingCents];
  if (valueCents === null && recentHighCents === null) return 0;
  return [valueCents, valueProvider, valueAsOf, recentHighCents];
}

function historyRow(
  granularity: "hour" | "day",
  bucketMs: number,
  { slug, valuationMode, methodologyVersion, revisionId, calculatedAt, priceAsOf }: CalculationWithoutChecksum,
  numbers: CalculationNumbers,
): HistoryRow {
  const row = {
    slug,
    valuationMode,
    methodologyVersion,
    granularity,
    ts: calculatedAt - (calculatedAt % bucketMs),
    recordedAt: calculatedAt,
    revisionId,
    costCents: numbers.cost_cents,
    expectedValueCents: numbers.expected_value_cents,
    expectedProfitCents: numbers.expected_profit_cents,
    returnPct: numbers.return_pct,
    profitChancePct: numbers.profit_chance_pct,
    pricedProbabilityMassPct: numbers.priced_probability_mass_pct,
    priceAsOf,
  };
  return { ...row, checksum: historyChecksum(row) };
}

function keyOf({ pool, valuationMode }: RoiInput): CalculationKey {
  return { slug: pool.slug, valuationMode };
}

/** Reads all pages that will change before the lock is acquired, because disk reads are slow. */
function readPages(rows: CalculationWriter, prepared: readonly Prepared[]): void {
  for (const { calculation, history } of prepared) {
    rows.readPages(calculation);
    for (const row of history) rows.hasHistoryAfter(row);
  }
}

type Writes = { prepared: readonly Prepared[]; withheld: readonly RoiInput[]; run: RoiRun; isNoted: boolean };

/** Writes the results of a run. The next run handles pools that changed meanwhile. */
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

type RemovalParts = { rows: CalculationWriter; at: number; clock: Clock; keepSpan: ReturnType<typeof spanKeeper> };

/**
 * Removes history after `at`, which runs with a clock ahead left behind. Otherwise it would later be served as true history. Covers all
 * containers in force. Uses short transactions, and no transaction without such rows.
 */
function* removeLaterRows(database: Database, { rows, at, clock, keepSpan }: RemovalParts): Generator<void, void> {
  const removals: (() => void)[] = [];
  for (const slug of rows.revisionsInForce().keys()) {
    for (const series of seriesOf(slug, at))
      if (rows.hasHistoryAfter(series)) removals.push(() => rows.removeHistoryAfter(series, at));
    yield;
  }
  if (rows.hasRunsAfter(roiMethodology, at)) removals.push(() => rows.removeRunsAfter(roiMethodology, at));
  const finish = () => keepSpan(clock.now());
  for (const _ of inShortTransactions(database, clock, removals, (remove) => remove(), undefined, finish)) yield;
}

function seriesOf(slug: string, at: number): HistoryKey[] {
  return valuationModes.flatMap((valuationMode) =>
    buckets.map(([granularity, bucketMs]) => {
      return { slug, valuationMode, methodologyVersion: roiMethodology, granularity, ts: at - (at % bucketMs) };
    }),
  );
}
