import type { Caller } from "../access/credentials.ts";
import type { ReadsUsage } from "../access/usage.ts";
import type { Schema } from "../contract/types.ts";
import { type MaybePromise, whenReady } from "../values/maybe-promise.ts";
import { type Clock, toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";

/** Reads the usage of the caller's account over all its keys. */
export class Usage {
  readonly #reader: ReadsUsage;
  readonly #clock: Pick<Clock, "now">;

  constructor(reader: ReadsUsage, clock: Pick<Clock, "now">) {
    this.#reader = reader;
    this.#clock = clock;
  }

  read(caller: Caller): MaybePromise<{ data: Schema<"Usage"> }> {
    return whenReady(this.#reader.read(caller, this.#clock.now()), (usage) => ({
      data: {
        plan: usage.plan,
        plan_ends_at: toTimestampOrNull(usage.planEndsAt),
        month_starts_at: toTimestamp(usage.monthStartsAt),
        month_ends_at: toTimestamp(usage.monthEndsAt),
        monthly_limit: usage.monthlyLimit,
        monthly_used: usage.monthlyUsed,
        monthly_remaining: usage.monthlyRemaining,
        minute_limit: usage.minuteLimit,
        snapshot_starts_used: usage.snapshotStartsUsed,
        snapshot_starts_limit: usage.snapshotStartsLimit,
        snapshot_next_start_at: toTimestampOrNull(usage.snapshotNextStartAt),
      },
    }));
  }
}
