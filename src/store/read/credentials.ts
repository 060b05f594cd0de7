import { and, eq, gt, isNotNull, lte, ne, sql } from "drizzle-orm";
import { accounts, apiKeys, ledgerClock, snapshotLeases, usageMonths } from "../../../db/schema/access.ts";
import { marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";
import { arrayRows } from "../statement.ts";

type PlanColumn = (typeof accounts.$inferSelect)["plan"];
type KindColumn = (typeof apiKeys.$inferSelect)["kind"];

/** Id pattern of the two demo accounts. The demo numbers its ids instead of drawing them at random. */
const demoAccountGlob = "acc_000000000000*demo*";

/** Columns of `CredentialReads.byHash`, in the order of the query. `monthUsed` is null before the month's first unit. */
type CredentialRow = [
  keyId: string,
  accountId: string,
  kind: KindColumn,
  scopes: string,
  expiresAt: number,
  revokedAt: number | null,
  plan: PlanColumn,
  planEndsAt: number | null,
  disabledAt: number | null,
  monthUsed: number | null,
];

/** Reads key, account and month of a secret with one query. */
export class CredentialReads {
  /** Built by Drizzle but executed directly: it runs for every request, and mapping the row adds half of its cost. */
  readonly #byHash;

  constructor(database: Database) {
    const query = database
      .select({
        keyId: apiKeys.keyId,
        accountId: apiKeys.accountId,
        kind: apiKeys.kind,
        scopes: apiKeys.scopes,
        expiresAt: apiKeys.expiresAt,
        revokedAt: apiKeys.revokedAt,
        plan: accounts.plan,
        planEndsAt: accounts.planEndsAt,
        disabledAt: accounts.disabledAt,
        monthUsed: usageMonths.used,
      })
      .from(apiKeys)
      .innerJoin(accounts, eq(accounts.accountId, apiKeys.accountId))
      .leftJoin(
        usageMonths,
        and(eq(usageMonths.accountId, apiKeys.accountId), eq(usageMonths.month, sql.placeholder("month"))),
      )
      .where(eq(apiKeys.secretHash, sql.placeholder("secretHash")));
    this.#byHash = arrayRows<CredentialRow, [string, Buffer]>(database, query);
  }

  /** Finds a key by `secretHash`, the 32 bytes of SHA-256, with the usage of `month` (`YYYY-MM`). */
  byHash(secretHash: Buffer, month: string): CredentialRow | undefined {
    return this.#byHash.get(month, secretHash);
  }
}

/** Plan and monthly usage of an account. `monthUsed` is null before the month's first unit. */
type AccountStatus = {
  plan: PlanColumn;
  planEndsAt: number | null;
  disabledAt: number | null;
  monthUsed: number | null;
};

/** Reads accounts for pages. Pages have a session instead of a key, or neither if visitors may view the demo. */
export class PageCredentialReads {
  readonly #account;
  readonly #demoAccount;

  constructor(database: Database) {
    this.#account = database
      .select({
        plan: accounts.plan,
        planEndsAt: accounts.planEndsAt,
        disabledAt: accounts.disabledAt,
        monthUsed: usageMonths.used,
      })
      .from(accounts)
      .leftJoin(
        usageMonths,
        and(eq(usageMonths.accountId, accounts.accountId), eq(usageMonths.month, sql.placeholder("month"))),
      )
      .where(eq(accounts.accountId, sql.placeholder("accountId")))
      .prepare();
    this.#demoAccount = database
      .select({ accountId: accounts.accountId })
      .from(accounts)
      .innerJoin(marketState, isNotNull(marketState.demoAnchorAt))
      .where(and(sql`${accounts.accountId} GLOB ${demoAccountGlob}`, ne(accounts.plan, "free")))
      .orderBy(accounts.accountId)
      .limit(1)
      .prepare();
  }

  /** Returns the status of an account in `month` (`YYYY-MM`). */
  account(accountId: string, month: string): AccountStatus | undefined {
    return this.#account.get({ accountId, month });
  }

  /** Returns the demo's account with a paid plan. Returns null if the file is not a demo, or has imported data. */
  demoAccountId(): string | null {
    return this.#demoAccount.get()?.accountId ?? null;
  }
}

/** Reads the latest instant that the ledger has written. */
export class LedgerClockReads {
  readonly #highWater;

  constructor(database: Database) {
    this.#highWater = database.select({ at: ledgerClock.highWaterAt }).from(ledgerClock).prepare();
  }

  /** Returns the instant in UTC ms, or 0 before the first charge. */
  highWater(): number {
    return this.#highWater.get()?.at ?? 0;
  }
}

/** Matches leases that count as an export start. The export of a day never counts, even during the export. */
export const isStart = sql`${snapshotLeases.state} <> 'released' AND NOT (${snapshotLeases.state} = 'reserved' AND EXISTS (
  SELECT 1 FROM usage_events WHERE request_id = ${snapshotLeases.leaseId} AND operation = 'streamHistoryDay'))`;

type StartsUsed = { count: number; limitReachedAt: number | null };

/** Reads the usage of an account for `getUsage`. */
export class UsageReads {
  readonly #monthUsed;
  readonly #starts;
  readonly #nthNewestStart;

  constructor(database: Database) {
    this.#monthUsed = database
      .select({ used: usageMonths.used })
      .from(usageMonths)
      .where(
        and(eq(usageMonths.accountId, sql.placeholder("accountId")), eq(usageMonths.month, sql.placeholder("month"))),
      )
      .prepare();
    const counted = and(
      eq(snapshotLeases.accountId, sql.placeholder("accountId")),
      gt(snapshotLeases.admittedAt, sql.placeholder("after")),
      // Uses the later of both clocks, because the ledger never counts before its own clock.
      lte(
        snapshotLeases.admittedAt,
        sql`max(${sql.placeholder("at")}, (SELECT ${ledgerClock.highWaterAt} FROM ${ledgerClock}))`,
      ),
      isStart,
    );
    this.#starts = database.select({ count: sql<number>`count(*)` }).from(snapshotLeases).where(counted).prepare();
    this.#nthNewestStart = database
      .select({ admittedAt: snapshotLeases.admittedAt })
      .from(snapshotLeases)
      .where(counted)
      .orderBy(sql`${snapshotLeases.admittedAt} DESC`)
      .limit(1)
      .offset(sql.placeholder("offset"))
      .prepare();
  }

  monthUsed(accountId: string, month: string): number {
    return this.#monthUsed.get({ accountId, month })?.used ?? 0;
  }

  /**
   * Returns the number of counted export starts after `after`, until `at` or the ledger's clock if that is later. `limitReachedAt` is the
   * instant of the `limit`-th newest start, or null if there are fewer.
   */
  startsBetween(accountId: string, after: number, at: number, limit: number): StartsUsed {
    const count = this.#starts.get({ accountId, after, at })?.count ?? 0;
    const nth = limit < 1 ? undefined : this.#nthNewestStart.get({ accountId, after, at, offset: limit - 1 });
    return { count, limitReachedAt: nth?.admittedAt ?? null };
  }
}
