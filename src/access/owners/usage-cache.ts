import type { DailyUse, KeyUse } from "../../store/read/owner-reads.ts";
import { secondMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { LazyThread } from "../../worker/thread.ts";
import { busyRefusal } from "./owner-refusal.ts";
import type { UsageCounts, UsageRequest } from "./usage-worker.ts";

/** Maximum age of a cached count. */
export const usageCacheMs = 30 * secondMs;
/** Maximum concurrent counts. Each reads the charges of all accounts. */
const runningMax = 8;
/** Maximum cached counts. Each has a row per day and operation. */
const keptMax = 64;

/** `countedMs` is on the monotonic clock, null while the count runs. */
type Count = { use: Promise<DailyUse[] | KeyUse[]>; countedMs: number | null };

export interface CountsUsage {
  ask(request: UsageRequest): Promise<DailyUse[] | KeyUse[]>;
  close(): Promise<void>;
}

/** Returns a counter of the units in a file. It runs in a read-only thread that starts with the first request. */
export function countsOfFile(databasePath: string): CountsUsage {
  return new LazyThread<UsageRequest, DailyUse[] | KeyUse[]>({
    entry: "src/access/owners/usage-worker.ts",
    setup: { databasePath },
  });
}

/** Counts an account's units by day and caches the counts for 30 s. Changes of owners never wait for a count. */
export class UsageCache {
  readonly #counter: CountsUsage;
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #counts = new Map<string, Count>();
  #inProgress = 0;
  #isClosed = false;

  constructor(counter: CountsUsage, clock: Clock) {
    this.#counter = counter;
    this.#clock = clock;
  }

  /**
   * Returns the units from `fromAt` to before `untilAt` (UTC ms), by day, then operation. Days without use are absent. All equal requests
   * within 30 s share one count.
   * @throws {OwnerRefusal} `busy` when too many counts run, or this is closed.
   */
  byDay(accountId: string, fromAt: number, untilAt: number): Promise<readonly DailyUse[]> {
    return this.#count("day", accountId, fromAt, untilAt);
  }

  /** Returns the units of each key with units, cached as in `byDay`. */
  byKey(accountId: string, fromAt: number, untilAt: number): Promise<readonly KeyUse[]> {
    return this.#count("key", accountId, fromAt, untilAt);
  }

  #count<By extends keyof UsageCounts>(
    by: By,
    accountId: string,
    fromAt: number,
    untilAt: number,
  ): Promise<UsageCounts[By]> {
    const key = `${by} ${accountId} ${fromAt} ${untilAt}`;
    this.#forgetOld();
    const known = this.#counts.get(key);
    if (known !== undefined) return known.use as Promise<UsageCounts[By]>;
    if (this.#isClosed || this.#inProgress >= runningMax) return Promise.reject(busyRefusal());
    this.#inProgress += 1;
    const count: Count = { use: this.#counter.ask({ by, accountId, fromAt, untilAt }), countedMs: null };
    this.#counts.set(key, count);
    count.use
      .then(
        () => {
          count.countedMs = this.#clock.monotonicMs();
        },
        () => this.#counts.delete(key),
      )
      .finally(() => {
        this.#inProgress -= 1;
      });
    return count.use as Promise<UsageCounts[By]>;
  }

  /** Waits for running counts and closes the counter. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#counter.close();
  }

  #forgetOld(): void {
    const nowMs = this.#clock.monotonicMs();
    let over = this.#counts.size - this.#inProgress - keptMax;
    for (const [key, { countedMs }] of this.#counts) {
      if (countedMs === null || (over <= 0 && nowMs - countedMs < usageCacheMs)) continue;
      this.#counts.delete(key);
      over -= 1;
    }
  }
}
