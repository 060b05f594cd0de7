import { and, eq, gt, isNotNull, lte, ne, sql } from "drizzle-orm";
import { accounts, apiKeys, ledgerClock, snapshotLeases, usageMonths } from "../../../db/schema/access.ts";
import { marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";
import { bareRows } from "../statement.ts";

type PlanColumn = (typeof accounts.$inferSelect)["plan"];
type KindColumn = (typeof apiKeys.$inferSelect)["kind"];

/** A demo has two accounts; the ids of its making are counted instead of drawn. */
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

/** Key, account and month of a secret in one read. */
export class CredentialReads {
  /** Built by Drizzle and run bare: this read is on the way of every request, and mapping the row costs half as much again. */
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
    this.#byHash = bareRows<CredentialRow, [string, Buffer]>(database, query);
  }

  /** `month` is `YYYY-MM`; `secretHash` the 32 bytes of SHA-256. */
  byHash(secretHash: Buffer, month: string): CredentialRow | undefined {
    return this.#byHash.get(month, secretHash);
  }
}

/** Plan and month of an account. `monthUsed` is null before the month's first unit. */
type AccountStatus = {
  plan: PlanColumn;
  planEndsAt: number | null;
  disabledAt: number | null;
  monthUsed: number | null;
};

/** Reads accounts for the pages, which come with a session instead of a key, or with neither where a demo may be looked at. */
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

  /** `month` is `YYYY-MM`. */
  account(accountId: string, month: string): AccountStatus | undefined {
    return this.#account.get({ accountId, month });
  }

  /** Returns the demo's account with a paid plan; null: the file is no demo, or something was imported into it. */
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

  /** UTC ms; 0 before the first charge. */
  highWater(): number {
    return this.#highWater.get()?.at ?? 0;
  }
}

/** Holds for a lease that counts as an export start: the export of a day is none, also while it holds its place. */
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
      // As far as the ledger itself would count now: it never goes back behind its own clock.
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
   * Returns the number of export starts that count, after the instant `after` and until `at` or the ledger's clock, whichever is later; and when the
   * `limit`-th newest of them was (null: there are fewer).
   */
  startsBetween(accountId: string, after: number, at: number, limit: number): StartsUsed {
    const count = this.#starts.get({ accountId, after, at })?.count ?? 0;
    const nth = limit < 1 ? undefined : this.#nthNewestStart.get({ accountId, after, at, offset: limit - 1 });
    return { count, limitReachedAt: nth?.admittedAt ?? null };
  }
}
