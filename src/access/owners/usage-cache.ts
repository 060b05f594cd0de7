import type { DailyUse, KeyUse } from "../../store/read/owner-reads.ts";
import { secondMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { LazyThread } from "../../worker/thread.ts";
import { busyRefusal } from "./owner-refusal.ts";
import type { UsageCounts, UsageRequest } from "./usage-worker.ts";

/** Maximum age of a count that is shown. */
export const usageKeptMs = 30 * secondMs;
/** Maximum counts under way: each walks over what all accounts were charged. */
const underWayMax = 8;
/** Maximum counts kept: each has a row for each day and operation. */
const keptMax = 64;

/** `countedMs`, on the monotonic clock, null: under way. */
type Count = { use: Promise<DailyUse[] | KeyUse[]>; countedMs: number | null };

/** What counts units. */
export interface CountsUsage {
  ask(request: UsageRequest): Promise<DailyUse[] | KeyUse[]>;
  close(): Promise<void>;
}

/** Returns what counts the units of a file, in a thread that only reads, which is started with the first request. */
export function countsOfFile(databasePath: string): CountsUsage {
  return new LazyThread<UsageRequest, DailyUse[] | KeyUse[]>({
    entry: "src/access/owners/usage-worker.ts",
    setup: { databasePath },
  });
}

/** Counts an account's units by day and keeps the counts for 30 s. No change of an owner waits for it. */
export class UsageCache {
  readonly #counter: CountsUsage;
  readonly #clock: Clock;
  /** The oldest first. */
  readonly #counts = new Map<string, Count>();
  #underWay = 0;
  #isClosed = false;

  constructor(counter: CountsUsage, clock: Clock) {
    this.#counter = counter;
    this.#clock = clock;
  }

  /**
   * Returns the units from `fromAt` until before `untilAt`, UTC ms, by day, then operation; days without use are absent. One count
   * serves all who ask for the same until 30 s after it.
   * @throws {OwnerRefusal} `busy` when too many are under way, or this is closed.
   */
  byDay(accountId: string, fromAt: number, untilAt: number): Promise<readonly DailyUse[]> {
    return this.#count("day", accountId, fromAt, untilAt);
  }

  /** Returns the units of each key that has any, as `byDay` does. */
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
    if (this.#isClosed || this.#underWay >= underWayMax) return Promise.reject(busyRefusal());
    this.#underWay += 1;
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
        this.#underWay -= 1;
      });
    return count.use as Promise<UsageCounts[By]>;
  }

  /** Finishes what is under way and ends what counts. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#counter.close();
  }

  #forgetOld(): void {
    const nowMs = this.#clock.monotonicMs();
    let over = this.#counts.size - this.#underWay - keptMax;
    for (const [key, { countedMs }] of this.#counts) {
      if (countedMs === null || (over <= 0 && nowMs - countedMs < usageKeptMs)) continue;
      this.#counts.delete(key);
      over -= 1;
    }
  }
}
