import { runSteps } from "../../import/run-import.ts";
import { closeDatabase, type Database, deferCheckpoints, openWriter } from "../../store/database.ts";
import { holdLock } from "../../store/lock.ts";
import { type Held, importBusyMs } from "../../store/write/batches.ts";
import { DamagedDays, settleDaysSteps } from "../../store/write/finalize-days.ts";
import { dayOf } from "../../values/calendar.ts";
import { type Valuation, type ValuationOptions, type ValuationParts, valuePortfoliosSteps } from "./valuation.ts";

export type FileValuationOptions = ValuationOptions & {
  /** Stores the daily prices of completed days first, and keeps other imports out meanwhile. */
  settle: boolean;
};

/** `damaged`: days that cannot be settled, so that portfolios wait for them. */
export type FileValuation = { valuations: Valuation[]; damaged: DamagedDays | null };

/**
 * Runs the valuation job on our file at `databasePath`. What it writes is made from what is there: a demo stays one. Throws
 * `StoreRefusal`, of the kind `in_use` while an import runs and days are to be settled.
 */
export async function valueFile(
  databasePath: string,
  parts: ValuationParts & { pause?: (held: Held) => Promise<void> },
  { settle, ...options }: FileValuationOptions,
): Promise<FileValuation> {
  const lock = settle ? holdLock(databasePath, "import") : null;
  try {
    const database = openWriter(databasePath, importBusyMs);
    try {
      deferCheckpoints(database);
      const damaged = settle ? await settleDays(database, parts) : null;
      const { value: valuations } = await runSteps(valuePortfoliosSteps(database, parts, options), parts.pause);
      return { valuations, damaged };
    } finally {
      closeDatabase(database);
    }
  } finally {
    lock?.release();
  }
}

/** Damage of some days keeps no other day from being valued. */
async function settleDays(database: Database, parts: Parameters<typeof valueFile>[1]): Promise<DamagedDays | null> {
  const { clock, progress, pause } = parts;
  try {
    await runSteps(
      settleDaysSteps(database, dayOf(clock.now()), clock, progress === undefined ? {} : { progress }),
      pause,
    );
    return null;
  } catch (error) {
    if (error instanceof DamagedDays) return error;
    throw error;
  }
}
