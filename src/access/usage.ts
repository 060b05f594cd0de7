import type { Database } from "../store/database.ts";
import { UsageReads } from "../store/read/credentials.ts";
import type { MaybePromise } from "../values/maybe-promise.ts";
import { dayMs } from "../values/time/calendar.ts";
import type { Caller } from "./credentials.ts";
import { LedgerTime } from "./ledger/months.ts";
import { type Plan, plans } from "./plans.ts";

/** Units that an account has used and has left. Instants are UTC ms. `snapshotNextStartAt` is null if an export can start now. */
export type Usage = {
  plan: Plan;
  planEndsAt: number | null;
  monthStartsAt: number;
  monthEndsAt: number;
  monthlyLimit: number;
  monthlyUsed: number;
  monthlyRemaining: number;
  minuteLimit: number;
  snapshotStartsUsed: number;
  snapshotStartsLimit: number;
  snapshotNextStartAt: number | null;
};

/** Reads the usage of a caller's account. */
export class UsageReader implements ReadsUsage {
  readonly #reads: UsageReads;
  readonly #ledgerTime: LedgerTime;

  /** `database` may be read-only. */
  constructor(database: Database) {
    this.#reads = new UsageReads(database);
    this.#ledgerTime = new LedgerTime(database);
  }

  /** Reads the ledger's counts for a request at `at` (UTC ms), even if the clock is behind the ledger. */
  read(caller: Pick<Caller, "accountId" | "plan" | "planEndsAt">, at: number): Usage {
    const { accountId, plan } = caller;
    const month = this.#ledgerTime.month(at);
    const used = this.#reads.monthUsed(accountId, month.month);
    const starts = this.#reads.startsBetween(
      accountId,
      this.#ledgerTime.instant(at) - dayMs,
      at,
      plans[plan].snapshotStartsPerDay,
    );
    return usageOf(caller, month, used, starts);
  }
}

/** Reads the usage of an account. */
export interface ReadsUsage {
  read(caller: Pick<Caller, "accountId" | "plan" | "planEndsAt">, at: number): MaybePromise<Usage>;
}

/** Returns the usage of an account with `used` units in `month`, given its export starts of the last 24 hours. */
export function usageOf(
  { plan, planEndsAt }: Pick<Caller, "plan" | "planEndsAt">,
  month: { startsAt: number; endsAt: number },
  used: number,
  starts: { count: number; limitReachedAt: number | null },
): Usage {
  const limits = plans[plan];
  return {
    plan,
    planEndsAt,
    monthStartsAt: month.startsAt,
    monthEndsAt: month.endsAt,
    monthlyLimit: limits.requestsPerMonth,
    monthlyUsed: used,
    monthlyRemaining: Math.max(0, limits.requestsPerMonth - used),
    minuteLimit: limits.requestsPerMinute,
    snapshotStartsUsed: starts.count,
    snapshotStartsLimit: limits.snapshotStartsPerDay,
    snapshotNextStartAt: starts.limitReachedAt === null ? null : starts.limitReachedAt + dayMs,
  };
}
