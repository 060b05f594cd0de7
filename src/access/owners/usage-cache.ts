import type { DailyUse } from "../../store/owner-reads.ts";
import { secondMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import { OwnerRefusal } from "./owner-refusal.ts";
import { busyRetryS, DeskThread } from "./worker-client.ts";
import type { DeskSetup } from "./worker-messages.ts";

/** How long a count is shown before it is made again. */
export const usageKeptMs = 30 * secondMs;
/** Counts under way at once: each walks over what all accounts were charged. */
const underWayMax = 8;
/** Counts that are kept: each has a row for each day and operation. */
const keptMax = 64;

type Use = readonly DailyUse[];
/** `countedMs` null: under way. */
type Count = { use: Promise<Use>; countedMs: number | null };

/** Counts an account's units by day in a thread that writes nothing, so that no wish of an owner waits for it. */
export class UsageDesk {
  readonly #thread: DeskThread;
  readonly #clock: Clock;
  readonly #counts = new Map<string, Count>();
  #underWay = 0;

  constructor({ databasePath }: DeskSetup, clock: Clock) {
    this.#thread = new DeskThread({ databasePath, role: "usage" }, clock);
    this.#clock = clock;
  }

  /** One count serves all who ask for the same until 30 s after it. Rejects with OwnerRefusal `busy` when too many are under way. */
  byDay(accountId: string, fromAt: number, untilAt: number): Promise<Use> {
    const name = `${accountId} ${fromAt} ${untilAt}`;
    this.#forgetOld();
    const known = this.#counts.get(name);
    if (known !== undefined) return known.use;
    if (this.#underWay >= underWayMax) return Promise.reject(new OwnerRefusal("busy", undefined, busyRetryS));
    const count: Count = { use: this.#thread.ask("usageByDay", accountId, fromAt, untilAt), countedMs: null };
    this.#counts.set(name, count);
    this.#underWay += 1;
    void this.#follow(name, count);
    return count.use;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #follow(name: string, count: Count): Promise<void> {
    try {
      await count.use;
      count.countedMs = this.#clock.monotonicMs();
    } catch {
      // Whoever asked is told; the next one asks anew.
      this.#counts.delete(name);
    } finally {
      this.#underWay -= 1;
    }
  }

  /** The map holds the oldest first. */
  #forgetOld(): void {
    const nowMs = this.#clock.monotonicMs();
    let over = this.#counts.size - this.#underWay - keptMax;
    for (const [name, { countedMs }] of this.#counts) {
      if (countedMs === null || (over <= 0 && nowMs - countedMs < usageKeptMs)) continue;
      this.#counts.delete(name);
      over -= 1;
    }
  }
}
