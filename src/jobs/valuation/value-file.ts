import { closeDatabase, type Database, deferCheckpoints, openWriter } from "../../store/database.ts";
import { holdLock } from "../../store/file/lock.ts";
import { type BatchStats, importBusyMs, runBatches } from "../../store/write/batches.ts";
import { DamagedDays } from "../../store/write/finalize-days.ts";
import { finishDaysInBatches } from "../../store/write/seal-days.ts";
import { dayOf } from "../../values/time/calendar.ts";
import { type Valuation, type ValuationOptions, type ValuationParts, valuePortfoliosInBatches } from "./valuation.ts";

type FileValuationOptions = ValuationOptions & {
  /** Stores the daily prices of completed days first, under the import lock. */
  finalize: boolean;
};

/** `damaged` lists days that cannot be finalized. Portfolios wait for them. */
export type FileValuation = { valuations: Valuation[]; damaged: DamagedDays | null };

/**
 * Runs the valuation job on our file at `databasePath`. All results derive from stored data, so a demo stays a demo.
 * @throws {StoreRefusal} when the file cannot be opened. The kind is `in_use` when days must be finalized while an import runs.
 */
export async function valueFile(
  databasePath: string,
  parts: ValuationParts & { pause?: (batch: BatchStats) => Promise<void> },
  { finalize, ...options }: FileValuationOptions,
): Promise<FileValuation> {
  const lock = finalize ? holdLock(databasePath, "import") : null;
  try {
    const database = openWriter(databasePath, importBusyMs);
    try {
      deferCheckpoints(database);
      const damaged = finalize ? await finalizeDays(database, parts) : null;
      const { value: valuations } = await runBatches(valuePortfoliosInBatches(database, parts, options), parts.pause);
      return { valuations, damaged };
    } finally {
      closeDatabase(database);
    }
  } finally {
    lock?.release();
  }
}

/** Damaged days do not block the valuation of other days. */
async function finalizeDays(database: Database, parts: Parameters<typeof valueFile>[1]): Promise<DamagedDays | null> {
  const { clock, progress, pause } = parts;
  const today = dayOf(clock.now());
  const shown = progress === undefined ? {} : { progress };
  try {
    await runBatches(finishDaysInBatches(database, today, clock, shown), pause);
    return null;
  } catch (error) {
    if (error instanceof DamagedDays) return error;
    throw error;
  }
}
