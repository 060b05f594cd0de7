import { UsageReads } from "../store/credentials.ts";
import type { Database } from "../store/database.ts";
import { dayMs } from "../values/calendar.ts";
import type { Caller } from "./credentials.ts";
import { LedgerTime } from "./ledger/months.ts";
import { type Plan, plans } from "./plans.ts";

/** Units that an account has used and may still use. Instants are UTC ms; `snapshotNextStartAt` null: nothing to wait for. */
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
export class UsageReader {
  readonly #reads: UsageReads;
  readonly #ledgerTime: LedgerTime;

  /** `database` may be read-only. */
  constructor(database: Database) {
    this.#reads = new UsageReads(database);
    this.#ledgerTime = new LedgerTime(database);
  }

  /** Reads what the ledger counts for a request of `at` (UTC ms), also where the clock stands behind the ledger. */
  read(caller: Pick<Caller, "accountId" | "plan" | "planEndsAt">, at: number): Usage {
    const { accountId, plan, planEndsAt } = caller;
    const limits = plans[plan];
    const month = this.#ledgerTime.month(at);
    const used = this.#reads.monthUsed(accountId, month.month);
    const starts = this.#reads.startsBetween(
      accountId,
      this.#ledgerTime.instant(at) - dayMs,
      at,
      limits.snapshotStartsPerDay,
    );
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
}
