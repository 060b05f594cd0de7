import { and, asc, eq, gt, gte, isNull, lt, sql } from "drizzle-orm";
import { accounts, apiKeys, usageEvents, usageMonths } from "../../../db/schema/access.ts";
import { owners } from "../../../db/schema/owners.ts";
import { requestIdFloor } from "../../values/ids.ts";
import type { Database } from "../database.ts";

/**
 * An account and its usage. `keys` counts keys that are not revoked or expired; `used` counts units of the requested month. `login` is null
 * without an owner.
 */
export type ListedAccountRow = typeof accounts.$inferSelect & { login: string | null; keys: number; used: number };

/** Units charged to an account in one UTC month. */
export type MonthUseRow = { accountId: string; name: string; units: number };

/** Units of one account on one UTC day (`YYYY-MM-DD`) by one operation and key. */
export type DayUseRow = { day: string; operation: string; keyId: string; units: number };

/** Reads accounts for operators' lists. Queries are rare, so statements are not cached. */
export class AccountReads {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns all accounts at `at` (UTC ms), oldest first, with the units of `month` (`YYYY-MM`). */
  list(at: number, month: string): ListedAccountRow[] {
    const isLive = and(isNull(apiKeys.revokedAt), gt(apiKeys.expiresAt, at));
    const live = this.#database
      .select({ accountId: apiKeys.accountId, keys: sql<number>`count(*)`.as("keys") })
      .from(apiKeys)
      .where(isLive)
      .groupBy(apiKeys.accountId)
      .as("live");
    const ofMonth = and(eq(usageMonths.accountId, accounts.accountId), eq(usageMonths.month, month));
    return this.#database
      .select({
        accountId: accounts.accountId,
        name: accounts.name,
        plan: accounts.plan,
        planEndsAt: accounts.planEndsAt,
        disabledAt: accounts.disabledAt,
        createdAt: accounts.createdAt,
        login: owners.login,
        keys: sql<number>`coalesce(${live.keys}, 0)`,
        used: sql<number>`coalesce(${usageMonths.used}, 0)`,
      })
      .from(accounts)
      .leftJoin(live, eq(live.accountId, accounts.accountId))
      .leftJoin(owners, eq(owners.accountId, accounts.accountId))
      .leftJoin(usageMonths, ofMonth)
      .orderBy(asc(accounts.createdAt), asc(accounts.accountId))
      .all();
  }

  /** Returns the accounts that have or had a key with an id beginning with `start`. */
  withKey(start: string): string[] {
    const begins = sql`substr(${apiKeys.keyId}, 1, ${start.length}) = ${start}`;
    const rows = this.#database.selectDistinct({ accountId: apiKeys.accountId }).from(apiKeys).where(begins).all();
    return rows.map(({ accountId }) => accountId);
  }

  /** Returns the accounts with charges in `month` (`YYYY-MM`), by id. */
  monthUse(month: string): MonthUseRow[] {
    return this.#database
      .select({ accountId: usageMonths.accountId, name: accounts.name, units: usageMonths.used })
      .from(usageMonths)
      .innerJoin(accounts, eq(accounts.accountId, usageMonths.accountId))
      .where(eq(usageMonths.month, month))
      .orderBy(asc(usageMonths.accountId))
      .all();
  }

  /**
   * Returns the units of an account in a month by day, operation and key. Scans the month's charges of all accounts. `startsAt` and
   * `endsAt` are the bounds of the month. `skewMs` is the maximum difference between a charge's instant and its request id.
   */
  dayUse(
    accountId: string,
    { month, startsAt, endsAt }: { month: string; startsAt: number; endsAt: number },
    skewMs: number,
  ): DayUseRow[] {
    const { requestId, operation, keyId, at } = usageEvents;
    return this.#database
      .select({
        day: sql<string>`date(${at} / 1000, 'unixepoch')`,
        operation,
        keyId,
        units: sql<number>`count(*)`,
      })
      .from(usageEvents)
      .where(
        and(
          gte(requestId, requestIdFloor(startsAt - skewMs)),
          lt(requestId, requestIdFloor(endsAt + skewMs)),
          eq(usageEvents.accountId, accountId),
          eq(usageEvents.month, month),
        ),
      )
      .groupBy(sql`1`, sql`2`, sql`3`)
      .orderBy(sql`1`, sql`2`, sql`3`)
      .all();
  }
}
