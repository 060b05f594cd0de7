import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { accounts, activity, apiKeys, keyUses, purchases } from "../../../db/schema/access.ts";
import { keyPortfolios, portfolios } from "../../../db/schema/portfolios.ts";
import { lazy } from "../../values/lazy.ts";
import type { Database } from "../database.ts";
import { RowChecksums } from "./row-checksums.ts";

export type AccountRow = typeof accounts.$inferSelect;
/**
 * A key without the hash of its secret. `lastUsedDay` is the UTC day of its latest charge (days since 1970), or null if it was never
 * charged.
 */
export type KeyRow = Omit<typeof apiKeys.$inferSelect, "secretHash"> & { lastUsedDay: number | null };
export type NewKeyRow = typeof apiKeys.$inferInsert;
type PurchaseRow = typeof purchases.$inferInsert;
export type ActivityRow = typeof activity.$inferSelect;
export type ActivityKind =
  | "account_created"
  | "account_disabled"
  | "account_enabled"
  | "plan_changed"
  | "plan_purchased"
  | "account_renamed"
  | "owner_changed"
  | "key_created"
  | "key_rotated"
  | "key_revoked";
type SelectionRow = typeof keyPortfolios.$inferSelect;
type NewActivity = {
  accountId: string;
  keyId: string | null;
  kind: ActivityKind;
  at: number;
  detail: string | null;
};

/** The columns of `KeyRow`, for keys joined with their uses by `usesOfKey`. */
export const keyColumns = {
  keyId: apiKeys.keyId,
  accountId: apiKeys.accountId,
  kind: apiKeys.kind,
  name: apiKeys.name,
  displayPrefix: apiKeys.displayPrefix,
  lastFour: apiKeys.lastFour,
  scopes: apiKeys.scopes,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  rotatedAt: apiKeys.rotatedAt,
  revokedAt: apiKeys.revokedAt,
  lastUsedDay: keyUses.day,
};

export const usesOfKey = eq(keyUses.keyId, apiKeys.keyId);

/** Reads and writes accounts, keys and their activity for operators. Statements that a single change runs twice are cached. */
export class AccountStore {
  readonly #database: Database;
  readonly #checksums: RowChecksums;
  readonly #account;
  readonly #key;
  readonly #selection;
  readonly #addActivity;

  constructor(database: Database) {
    this.#database = database;
    this.#checksums = new RowChecksums(database);
    this.#account = lazy(() => prepareAccount(database));
    this.#key = lazy(() => prepareKey(database));
    this.#selection = lazy(() => prepareSelection(database));
    this.#addActivity = lazy(() => prepareActivity(database));
  }

  account(accountId: string): AccountRow | undefined {
    return this.#account().get({ accountId });
  }

  addAccount(row: AccountRow): void {
    this.#database.insert(accounts).values(row).run();
    this.#checksums.record("accounts", row.accountId);
  }

  changeAccount(
    accountId: string,
    change: Partial<Pick<AccountRow, "name" | "plan" | "planEndsAt" | "disabledAt">>,
  ): void {
    this.#database.update(accounts).set(change).where(eq(accounts.accountId, accountId)).run();
    this.#checksums.record("accounts", accountId);
  }

  addPurchase(row: PurchaseRow): void {
    const { lastInsertRowid } = this.#database.insert(purchases).values(row).run();
    this.#checksums.record("purchases", Number(lastInsertRowid));
  }

  key(keyId: string): KeyRow | undefined {
    return this.#key().get({ keyId });
  }

  /** Returns the keys of an account, oldest first. */
  keys(accountId: string): KeyRow[] {
    return this.#database
      .select(keyColumns)
      .from(apiKeys)
      .leftJoin(keyUses, usesOfKey)
      .where(eq(apiKeys.accountId, accountId))
      .orderBy(asc(apiKeys.createdAt), asc(apiKeys.keyId))
      .all();
  }

  countKeys(accountId: string): number {
    const counted = this.#database
      .select({ count: sql<number>`count(*)` })
      .from(apiKeys)
      .where(eq(apiKeys.accountId, accountId))
      .get();
    return counted?.count ?? 0;
  }

  addKey(row: NewKeyRow): void {
    this.#database.insert(apiKeys).values(row).run();
    this.#checksums.record("api_keys", row.keyId);
  }

  changeKey(
    keyId: string,
    change: Partial<Pick<NewKeyRow, "secretHash" | "displayPrefix" | "lastFour" | "rotatedAt" | "revokedAt">>,
  ): void {
    this.#database.update(apiKeys).set(change).where(eq(apiKeys.keyId, keyId)).run();
    this.#checksums.record("api_keys", keyId);
  }

  /** Returns the `portfolioIds` that the account owns now. */
  ownedPortfolios(accountId: string, portfolioIds: readonly string[]): string[] {
    const owned = and(
      inArray(portfolios.portfolioId, [...portfolioIds]),
      eq(portfolios.accountId, accountId),
      isNull(portfolios.deletedAt),
    );
    const rows = this.#database.select({ portfolioId: portfolios.portfolioId }).from(portfolios).where(owned).all();
    return rows.map(({ portfolioId }) => portfolioId);
  }

  addSelection(rows: readonly SelectionRow[]): void {
    this.#database
      .insert(keyPortfolios)
      .values([...rows])
      .run();
  }

  /** Returns the ids of the portfolios selected for a personal token, in ascending order. */
  selection(keyId: string): string[] {
    const rows = this.#selection().all({ keyId });
    return rows.map(({ portfolioId }) => portfolioId);
  }

  addActivity(row: NewActivity): void {
    this.#addActivity().run(row);
  }

  /** Returns activity, newest first, at most `limit` entries. */
  activity(accountId: string, limit: number): ActivityRow[] {
    return this.#database
      .select()
      .from(activity)
      .where(eq(activity.accountId, accountId))
      .orderBy(desc(activity.activityId))
      .limit(limit)
      .all();
  }
}

function prepareAccount(database: Database) {
  return database
    .select()
    .from(accounts)
    .where(eq(accounts.accountId, sql.placeholder("accountId")))
    .prepare();
}

function prepareKey(database: Database) {
  const keys = database.select(keyColumns).from(apiKeys).leftJoin(keyUses, usesOfKey);
  return keys.where(eq(apiKeys.keyId, sql.placeholder("keyId"))).prepare();
}

function prepareSelection(database: Database) {
  return database
    .select({ portfolioId: keyPortfolios.portfolioId })
    .from(keyPortfolios)
    .where(eq(keyPortfolios.keyId, sql.placeholder("keyId")))
    .orderBy(asc(keyPortfolios.portfolioId))
    .prepare();
}

function prepareActivity(database: Database) {
  const of = (name: keyof NewActivity) => sql.placeholder(name);
  const row = { accountId: of("accountId"), keyId: of("keyId"), kind: of("kind"), at: of("at"), detail: of("detail") };
  return database.insert(activity).values(row).prepare();
}
