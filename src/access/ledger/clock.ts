import { type Database, writeTransaction } from "../../store/database.ts";
import { LeaseStore } from "../../store/write/leases.ts";
import { LedgerStore } from "../../store/write/ledger.ts";
import { leaseMs } from "./ledger.ts";

/** The result of accepting an earlier clock: how far ahead the ledger was, and the number of export leases ended. */
type AcceptedClock = { aheadMs: number; leasesEnded: number };

/**
 * Resets the ledger's clock to `at`, after a clock that ran ahead made the ledger refuse every charge. Units charged in that future month
 * stay charged there.
 */
export function acceptClock(database: Database, at: number): AcceptedClock {
  return writeTransaction(database, () => {
    const ledger = new LedgerStore(database);
    const aheadMs = Math.max(0, ledger.highWater() - at);
    if (aheadMs === 0) return { aheadMs, leasesEnded: 0 };
    ledger.setHighWater(at);
    return { aheadMs, leasesEnded: new LeaseStore(database).expireBeyond(at + leaseMs) };
  });
}
