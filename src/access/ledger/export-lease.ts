import type { Clock } from "../../values/clock.ts";
import type { LeaseEnd, Ledger } from "./ledger.ts";

/**
 * An export's slot, held by the stream that runs on it. The holder stops at `deadlineMonotonicMs`, before the ledger gives
 * the place to another.
 */
export type SnapshotLease = {
  readonly leaseId: string;
  readonly deadlineMonotonicMs: number;
  /** The stream began, however it ended: the start counts. */
  finish(): Promise<void>;
  /** Nothing was sent: the start is given back, the monthly unit is not. */
  release(): Promise<void>;
};

/**
 * A lease that the ledger has reserved. It ends once: whatever is called first counts, and neither call ever rejects, because
 * a lease that could not be ended ends by itself.
 */
export function holdLease(ledger: Ledger, clock: Clock, leaseId: string, deadlineMonotonicMs: number): SnapshotLease {
  let ended: Promise<void> | null = null;
  const end = (how: LeaseEnd) => {
    ended ??= ledger.endLease(leaseId, how, clock.now()).catch(() => {});
    return ended;
  };
  return { leaseId, deadlineMonotonicMs, finish: () => end("finished"), release: () => end("released") };
}
