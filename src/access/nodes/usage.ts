import { Failure } from "../../values/failure/failure.ts";
import { monthBounds } from "../../values/time/calendar.ts";
import type { Caller } from "../credentials.ts";
import { plans } from "../plans.ts";
import { type ReadsUsage, type Usage, usageOf } from "../usage.ts";

/** Reads the usage of an account in PostgreSQL, by the database's clock. */
export class NodesUsage implements ReadsUsage {
  readonly #read: (accountId: string) => Promise<{ month: string; used: number | null; starts: number[] | null }>;

  constructor(read: (accountId: string) => Promise<{ month: string; used: number | null; starts: number[] | null }>) {
    this.#read = read;
  }

  /** @throws {Failure} `service_unavailable` when the database is unreachable. */
  async read(caller: Pick<Caller, "accountId" | "plan" | "planEndsAt">): Promise<Usage> {
    const row = await this.#read(caller.accountId).catch(() => {
      throw new Failure("service_unavailable", { retryAfterS: 1 });
    });
    const starts = (row.starts ?? []).map(Number);
    const limitReachedAt = starts[plans[caller.plan].snapshotStartsPerDay - 1] ?? null;
    return usageOf(caller, monthBounds(row.month), row.used ?? 0, { count: starts.length, limitReachedAt });
  }
}
