import { type ImportParts, importing } from "../../import/run-import.ts";
import type { Database } from "../../store/database.ts";
import { runBatches } from "../../store/write/batches.ts";
import { freeBytes, type Prunable, pruneHoursInBatches, readPrunable } from "../../store/write/prune-hours.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { silent } from "../../values/progress.ts";
import { dayOf, dayText } from "../../values/time/calendar.ts";

/** The result of pruning. `freeBytes` counts the unused bytes of the file after pruning, or now in a dry run. */
export type PruneReport = Prunable & { freeBytes: number; lockHeldMsMax: number };

/**
 * Removes the hourly detail of the days before `before` (days since 1970) from our file, also beside a running server. A dry run only
 * reports.
 * @throws {OperatorError} when some of the days have not ended.
 * @throws {StoreRefusal} when the file cannot be used, or an import is running.
 */
export async function pruneHours(
  databasePath: string,
  before: number,
  { dryRun }: { dryRun: boolean },
  { clock, progress = silent, pause }: ImportParts,
): Promise<PruneReport> {
  const today = dayOf(clock.now());
  if (before > today)
    throw new OperatorError(
      `${dayText(before)} is in the future; only past days can be pruned, so ${dayText(today)} is the last valid date`,
      exitCodes.usage,
    );
  const work = async (database: Database): Promise<PruneReport> => {
    progress.phase("reading");
    const prunable = readPrunable(database, before);
    if (dryRun || prunable.days.length === 0) return { ...prunable, freeBytes: freeBytes(database), lockHeldMsMax: 0 };
    const { lockHeldMsMax } = await runBatches(pruneHoursInBatches(database, prunable.days, clock, progress), pause);
    return { ...prunable, freeBytes: freeBytes(database), lockHeldMsMax };
  };
  try {
    return await importing(databasePath, work, { dryRun, marksReal: false });
  } finally {
    progress.end();
  }
}
