import { type Database, writeTransaction } from "../../store/database.ts";
import { PoolWriter } from "../../store/write/openables.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { dayOf, dayText } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { knownPool } from "./pool-publisher.ts";

/** A retired pool. `retiredDay` is in days since 1970. If `wasActive` is false, the pool was already retired and keeps its day. */
type Retired = { slug: string; wasActive: boolean; retiredDay: number | null };

/**
 * Retires a published pool from `day` on (default: today). It stays readable and is still calculated.
 *
 * @throws {OperatorError} when the pool does not exist or was never published, or `day` is in the future or before its release.
 */
export function retirePool(database: Database, slug: string, parts: { clock: Clock; day?: number }): Retired {
  const rows = new PoolWriter(database);
  return writeTransaction(database, () => {
    const { openable } = knownPool(rows, slug);
    if (openable === null) throw new OperatorError(`${slug}: an unpublished container cannot be retired`);
    if (openable.state === "retired") return { slug, wasActive: false, retiredDay: openable.retiredDay };
    const now = parts.clock.now();
    const today = dayOf(now);
    const retiredDay = parts.day ?? today;
    if (retiredDay > today)
      throw new OperatorError(`${slug}: ${dayText(retiredDay)} is after today, ${dayText(today)}`);
    if (openable.releasedDay !== null && retiredDay < openable.releasedDay) {
      throw new OperatorError(
        `${slug}: ${dayText(retiredDay)} is before its release on ${dayText(openable.releasedDay)}`,
      );
    }
    rows.putOpenable({ ...openable, state: "retired", retiredDay, changedAt: now });
    return { slug, wasActive: true, retiredDay };
  });
}
