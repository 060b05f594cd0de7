import { and, asc, desc, eq, getTableColumns, gte, isNull, lt, lte, sql } from "drizzle-orm";
import { accounts, activity, apiKeys, usageEvents } from "../../../db/schema/access.ts";
import { ownerInvites, ownerSessions, owners } from "../../../db/schema/owners.ts";
import { portfolios } from "../../../db/schema/portfolios.ts";
import { requestIdFloor } from "../../values/ids.ts";
import type { Database } from "../database.ts";
import { valuesAt } from "./portfolios.ts";

const { placeholder } = sql;

/** Reads account data for each page of the dashboard. */
export class OwnerPageReads {
  readonly #session;
  readonly #invite;
  readonly #activity;
  readonly #portfolios;
  readonly #latest;
  readonly #valuations;

  constructor(database: Database) {
    this.#session = prepareSession(database);
    this.#invite = prepareInvite(database);
    this.#activity = database
      .select({ ...getTableColumns(activity), keyName: apiKeys.name })
      .from(activity)
      .leftJoin(apiKeys, eq(apiKeys.keyId, activity.keyId))
      .where(and(eq(activity.accountId, placeholder("accountId")), lt(activity.activityId, placeholder("beforeId"))))
      .orderBy(desc(activity.activityId))
      .limit(placeholder("limit"))
      .prepare();
    this.#portfolios = preparePortfolios(database);
    this.#latest = valuesAt(database, ({ day }) => lte(day, placeholder("toDay")))
      .orderBy(sql`day DESC`)
      .limit(1)
      .prepare();
    const isOwners = sql`EXISTS (SELECT 1 FROM portfolios AS p WHERE p.portfolio_id = ${placeholder("portfolioId")}
      AND p.account_id = ${placeholder("accountId")} AND p.deleted_at IS NULL)`;
    this.#valuations = valuesAt(
      database,
      ({ day }) => sql`${day} BETWEEN ${placeholder("fromDay")} AND ${placeholder("toDay")} AND ${isOwners}`,
    )
      .orderBy(sql`day`)
      .prepare();
  }

  /** Returns a session that has not ended by `at`. */
  session(sessionHash: Buffer, at: number) {
    const row = this.#session.get({ sessionHash });
    return row === undefined || at >= row.expiresAt ? undefined : row;
  }

  invite(tokenHash: Buffer) {
    return this.#invite.get({ tokenHash });
  }

  /** Returns activity before `beforeId`, newest first. `keyName` is null if it concerns no key. */
  activity(accountId: string, beforeId: number, limit: number) {
    return this.#activity.all({ accountId, beforeId, limit });
  }

  /** Returns the portfolios by name, then id. */
  portfolios(accountId: string) {
    return this.#portfolios.all({ accountId });
  }

  /**
   * Returns the last value up to a day, because a fast clock may have written later ones. Values recorded for an earlier owner are
   * excluded. `source` is the provider of the prices, or null for the portfolio's own.
   */
  latestValuation(accountId: string, portfolioId: string, source: string | null, toDay: number) {
    return this.#latest.get({ accountId, portfolioId, source, toDay });
  }

  /** Returns the rows from `fromDay` to `toDay` (inclusive), ascending. Returns none if the portfolio belongs to another account. */
  valuations(accountId: string, portfolioId: string, source: string | null, fromDay: number, toDay: number) {
    return this.#valuations.all({ accountId, portfolioId, source, fromDay, toDay });
  }
}

/** Units of an account on one UTC day (`YYYY-MM-DD`) by one operation. `pages` counts the units of the owner's pages, without a key. */
export type DailyUse = { day: string; operation: string; units: number; pages: number };

/** Units charged to one key. */
export type KeyUse = { keyId: string; units: number };

/** Scans the charges of all accounts in a window. Use it only on a thread that serves no requests. */
export class OwnerUsageReads {
  readonly #byDay;
  readonly #byKey;

  constructor(database: Database) {
    const day = sql<string>`date(${usageEvents.at} / 1000, 'unixepoch')`;
    const units = sql<number>`count(*)`;
    const pages = sql<number>`sum(substr(${usageEvents.keyId}, 1, 6) = 'pages_')`;
    const inWindow = and(
      gte(usageEvents.requestId, placeholder("fromId")),
      lt(usageEvents.requestId, placeholder("untilId")),
      eq(usageEvents.accountId, placeholder("accountId")),
      gte(usageEvents.at, placeholder("fromAt")),
      lt(usageEvents.at, placeholder("untilAt")),
    );
    this.#byDay = database
      .select({ day, operation: usageEvents.operation, units, pages })
      .from(usageEvents)
      .where(inWindow)
      .groupBy(sql`1`, sql`2`)
      .orderBy(sql`1`, sql`2`)
      .prepare();
    this.#byKey = database
      .select({ keyId: usageEvents.keyId, units })
      .from(usageEvents)
      .where(inWindow)
      .groupBy(usageEvents.keyId)
      .prepare();
  }

  /**
   * Returns the units by day, then operation, from `fromAt` until before `untilAt`. `skewMs` is the maximum difference between a charge's
   * instant and its request id.
   */
  byDay(accountId: string, fromAt: number, untilAt: number, skewMs: number): DailyUse[] {
    return this.#byDay.all(windowOf(accountId, fromAt, untilAt, skewMs));
  }

  /** Returns the units of each key with any, with the parameters of `byDay`. */
  byKey(accountId: string, fromAt: number, untilAt: number, skewMs: number): KeyUse[] {
    return this.#byKey.all(windowOf(accountId, fromAt, untilAt, skewMs));
  }
}

function windowOf(accountId: string, fromAt: number, untilAt: number, skewMs: number) {
  const fromId = requestIdFloor(fromAt - skewMs);
  const untilId = requestIdFloor(untilAt + skewMs);
  return { accountId, fromAt, untilAt, fromId, untilId };
}

function prepareSession(database: Database) {
  return database
    .select({
      accountId: ownerSessions.accountId,
      accountName: accounts.name,
      login: owners.login,
      signedInAt: ownerSessions.signedInAt,
      expiresAt: ownerSessions.expiresAt,
      disabledAt: accounts.disabledAt,
      byLink: ownerSessions.byLink,
    })
    .from(ownerSessions)
    .innerJoin(owners, eq(owners.accountId, ownerSessions.accountId))
    .innerJoin(accounts, eq(accounts.accountId, ownerSessions.accountId))
    .where(and(eq(ownerSessions.sessionHash, placeholder("sessionHash")), isNull(ownerSessions.endedAt)))
    .prepare();
}

function prepareInvite(database: Database) {
  return database
    .select({
      /** The owner's login after the link is used. */
      login: sql<string>`coalesce(${ownerInvites.login}, ${owners.login})`,
      accountName: accounts.name,
      expiresAt: ownerInvites.expiresAt,
      usedAt: ownerInvites.usedAt,
    })
    .from(ownerInvites)
    .innerJoin(owners, eq(owners.accountId, ownerInvites.accountId))
    .innerJoin(accounts, eq(accounts.accountId, ownerInvites.accountId))
    .where(and(eq(ownerInvites.tokenHash, placeholder("tokenHash")), eq(ownerInvites.signsIn, false)))
    .prepare();
}

function preparePortfolios(database: Database) {
  return database
    .select({
      portfolioId: portfolios.portfolioId,
      name: portfolios.name,
      displayCurrency: portfolios.displayCurrency,
      isPublic: portfolios.isPublic,
      priceSource: portfolios.priceSource,
      // Plain SQL, because Drizzle omits table names from columns in a query of one table.
      holdingCount: sql<number>`(SELECT count(*) FROM holdings AS lot WHERE lot.portfolio_id = portfolios.portfolio_id)`,
      createdAt: portfolios.createdAt,
      updatedAt: portfolios.updatedAt,
    })
    .from(portfolios)
    .where(and(eq(portfolios.accountId, placeholder("accountId")), isNull(portfolios.deletedAt)))
    .orderBy(asc(portfolios.name), asc(portfolios.portfolioId))
    .prepare();
}
