import { and, asc, desc, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { apiKeys, keyUses } from "../../../db/schema/access.ts";
import { keyPortfolios, portfolios } from "../../../db/schema/portfolios.ts";
import type { Database } from "../database.ts";
import { type KeyRow, keyColumns, usesOfKey } from "../write/accounts.ts";

const newestFirst = [desc(apiKeys.createdAt), desc(apiKeys.keyId)] as const;

/** Reads the keys of one account for its owner. Queries are rare, so statements are not cached. */
export class AccountKeyReads {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  key(accountId: string, keyId: string): KeyRow | undefined {
    const one = and(eq(apiKeys.keyId, keyId), eq(apiKeys.accountId, accountId));
    return this.#database.select(keyColumns).from(apiKeys).leftJoin(keyUses, usesOfKey).where(one).get();
  }

  /** Returns the newest key. */
  newest(accountId: string) {
    return this.#database
      .select({ keyId: apiKeys.keyId, name: apiKeys.name, createdAt: apiKeys.createdAt })
      .from(apiKeys)
      .where(eq(apiKeys.accountId, accountId))
      .orderBy(...newestFirst)
      .limit(1)
      .get();
  }

  /** Returns keys that are not revoked or expired at `at`, newest first. */
  live(accountId: string, at: number): KeyRow[] {
    return this.#database
      .select(keyColumns)
      .from(apiKeys)
      .leftJoin(keyUses, usesOfKey)
      .where(liveOf(accountId, at))
      .orderBy(...newestFirst)
      .all();
  }

  countLive(accountId: string, at: number): number {
    const count = sql<number>`count(*)`;
    return this.#database.select({ count }).from(apiKeys).where(liveOf(accountId, at)).get()?.count ?? 0;
  }

  /** Returns keys that are revoked or expired at `at`, newest first, after skipping `offset` keys. */
  ended(accountId: string, at: number, limit: number, offset: number): KeyRow[] {
    const hasEnded = or(isNotNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, at));
    return this.#database
      .select(keyColumns)
      .from(apiKeys)
      .leftJoin(keyUses, usesOfKey)
      .where(and(eq(apiKeys.accountId, accountId), hasEnded))
      .orderBy(...newestFirst)
      .limit(limit)
      .offset(offset)
      .all();
  }

  /** Returns the portfolios selected for a token, by portfolio. `name` is null if the portfolio was deleted or now has another owner. */
  selection(accountId: string, keyId: string) {
    const stillOwned = and(
      eq(portfolios.portfolioId, keyPortfolios.portfolioId),
      eq(portfolios.accountId, accountId),
      isNull(portfolios.deletedAt),
    );
    return this.#database
      .select({
        portfolioId: keyPortfolios.portfolioId,
        name: portfolios.name,
        consentedAt: keyPortfolios.consentedAt,
      })
      .from(keyPortfolios)
      .leftJoin(portfolios, stillOwned)
      .where(eq(keyPortfolios.keyId, keyId))
      .orderBy(asc(keyPortfolios.portfolioId))
      .all();
  }
}

function liveOf(accountId: string, at: number) {
  return and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt), gt(apiKeys.expiresAt, at));
}
