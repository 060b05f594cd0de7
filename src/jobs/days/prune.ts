import { type ImportParts, importing } from "../../import/run-import.ts";
import type { Database } from "../../store/database.ts";
import { type BatchStats, runBatches } from "../../store/write/batches.ts";
import { freeBytes, type Prunable, pruneHoursInBatches, readPrunable } from "../../store/write/prune-hours.ts";
import { type PrunablePast, prunePastInBatches, readPrunablePast } from "../../store/write/prune-past.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { silent } from "../../values/progress.ts";
import { dayMs, dayOf, dayText } from "../../values/time/calendar.ts";

/** The result of pruning. `freeBytes` counts the unused bytes of the file after pruning, or now in a dry run. */
type Pruned<Found> = Found & { freeBytes: number };
export type PruneReport = Pruned<Prunable>;
export type PrunePastReport = Pruned<PrunablePast>;

type Options = { dryRun: boolean };
/** `batches` prunes what `read` found. It is null if there is nothing to prune. */
type Work<Found> = {
  read: (database: Database) => Found;
  batches: (database: Database, found: Found) => Generator<BatchStats> | null;
};

/**
 * Removes the hourly detail of the days before `before` (days since 1970) from our file, also beside a running server. A dry run only
 * reports.
 * @throws {OperatorError} when some of the days have not ended.
 * @throws {StoreRefusal} when the file cannot be used, or an import is running.
 */
export function pruneHours(path: string, before: number, options: Options, parts: ImportParts): Promise<PruneReport> {
  const { clock, progress } = parts;
  return prune(path, before, options, parts, {
    read: (database) => readPrunable(database, before),
    batches: (database, { days }) => (days.length === 0 ? null : pruneHoursInBatches(database, days, clock, progress)),
  });
}

/**
 * Removes the rows that were replaced before the day `before` (days since 1970). No earlier state can be read back afterwards. A dry run
 * only reports.
 * @throws {OperatorError} when the day is in the future.
 * @throws {StoreRefusal} when the file cannot be used, or an import is running.
 */
export function prunePast(
  path: string,
  before: number,
  options: Options,
  parts: ImportParts,
): Promise<PrunePastReport> {
  const { clock, progress } = parts;
  const at = before * dayMs;
  return prune(path, before, options, parts, {
    read: (database) => readPrunablePast(database, at),
    batches: (database) => prunePastInBatches(database, at, clock, progress),
  });
}

async function prune<Found>(
  path: string,
  before: number,
  { dryRun }: Options,
  { clock, progress = silent, pause }: ImportParts,
  { read, batches }: Work<Found>,
): Promise<Pruned<Found>> {
  const today = dayOf(clock.now());
  if (before > today)
    throw new OperatorError(
      `${dayText(before)} is in the future; only past days can be pruned, so ${dayText(today)} is the last valid date`,
      exitCodes.usage,
    );
  const work = async (database: Database): Promise<Pruned<Found>> => {
    progress.phase("reading");
    const found = read(database);
    const pruning = dryRun ? null : batches(database, found);
    if (pruning !== null) await runBatches(pruning, pause);
    return { ...found, freeBytes: freeBytes(database) };
  };
  try {
    return await importing(path, work, { dryRun, marksReal: false });
  } finally {
    progress.end();
  }
}
