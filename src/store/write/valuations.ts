import { and, asc, between, eq, getTableName, isNotNull, isNull, max, notInArray, sql } from "drizzle-orm";
import { dailyPrices, feedDays, sealedDays, unsealedDays } from "../../../db/schema/history.ts";
import {
  holdings,
  mainValuations,
  portfolios,
  portfolioTransactions,
  portfolioValuations,
} from "../../../db/schema/portfolios.ts";
import { providers } from "../../../db/schema/prices.ts";
import { lowestAsk } from "../../values/price-source.ts";
import type { Database } from "../database.ts";

export type ValuedPortfolio = Pick<
  typeof portfolios.$inferSelect,
  "portfolioId" | "accountId" | "priceSource" | "createdAt"
>;
export type Lot = Pick<
  typeof holdings.$inferSelect,
  "holdingId" | "itemId" | "quantity" | "unitCostCents" | "acquiredDay" | "createdAt" | "updatedAt"
>;
export type ValuationRecord = typeof portfolioValuations.$inferSelect;

type ValuationTable = typeof portfolioValuations | typeof mainValuations;

/** `[day, ask in cents, source's observation time, provider]` of one item. */
type AskRow = [day: number, amount: number, observedAt: number | null, provider: string];

type Days = { from: number; to: number };

/** Reads and writes valuations for their job. Days are counted since 1970. */
export class ValuationWriter {
  /** Values at the portfolio's own price source. */
  readonly own: ValueRows;
  /** Values at the main platform, for portfolios with another price source. */
  readonly main: ValueRows;
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
    this.own = new ValueRows(database, portfolioValuations);
    this.main = new ValueRows(database, mainValuations);
  }

  /** Returns all undeleted portfolios in ascending id. */
  portfolios(): ValuedPortfolio[] {
    const { portfolioId, accountId, priceSource, createdAt } = portfolios;
    return this.#database
      .select({ portfolioId, accountId, priceSource, createdAt })
      .from(portfolios)
      .where(isNull(portfolios.deletedAt))
      .orderBy(asc(portfolioId))
      .all();
  }

  lots(portfolioId: string): Lot[] {
    return this.#statements.lots.all({ portfolioId });
  }

  /** Returns the last day with a lot that left by the owner's ledger, or 0 without one. */
  lastDeparture(portfolioId: string, accountId: string): number {
    return this.#statements.lastDeparture.get({ portfolioId, accountId })?.day ?? 0;
  }

  /** Returns the days without final daily prices of this source. */
  unfinalized(provider: string, { from, to }: Days): number[] {
    return this.#statements.unfinalized.all({ provider, from, to }).map(({ day }) => day);
  }

  /** Returns the days without any frame of this provider's feed, in ascending order. */
  frameless(provider: string, { from, to }: Days): number[] {
    const framed = new Set(this.#statements.framed.all({ provider, from, to }).map(({ day }) => day));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index).filter(
      (day) => !framed.has(day),
    );
  }

  /** Returns the revision in force of each sealed day that has not changed since. */
  revisions(days: Days): Map<number, number> {
    return new Map(this.#statements.revisions.all(days).map(({ day, revision }) => [day, revision]));
  }

  /**
   * Returns the daily asks of one item at a price source. For `lowest-ask`, returns the lowest ask of each day; equal asks resolve to the
   * first slug.
   */
  asks(itemId: number, priceSource: string, { from, to }: Days): AskRow[] {
    if (priceSource !== lowestAsk) return this.#statements.asks.all(itemId, from, to, priceSource);
    const lowest = new Map<number, AskRow>();
    for (const row of this.#statements.allAsks.all(itemId, from, to)) {
      const before = lowest.get(row[0]);
      if (before === undefined || row[1] < before[1] || (row[1] === before[1] && row[3] < before[3]))
        lowest.set(row[0], row);
    }
    return [...lowest.values()];
  }
}

/** Reads and writes the rows of one table of valuations. */
export class ValueRows {
  readonly #statements: ReturnType<typeof prepareRows>;

  constructor(database: Database, table: ValuationTable) {
    this.#statements = prepareRows(database, table);
  }

  /** Returns the stored valuations by day, including earlier owners. If a day has several, the valuation of `accountId` is returned. */
  stored(key: { portfolioId: string; accountId: string } & Days): Map<number, ValuationRecord> {
    const rows = this.#statements.stored.all(key);
    const own = rows.filter(({ accountId }) => accountId === key.accountId);
    return new Map([...rows, ...own].map((row) => [row.day, row]));
  }

  /**
   * Writes a valuation unless its portfolio was deleted or transferred meanwhile. With `replace` it overwrites an existing one. Returns
   * whether it was written.
   */
  put(record: ValuationRecord, replace: boolean): boolean {
    const { put, overwrite } = this.#statements;
    return (replace ? overwrite : put).run(record).changes > 0;
  }
}

/**
 * Returns the instant (UTC ms) of the file's last publication, verification or import, or null without one. For days that end later,
 * missing prices cannot be detected.
 */
export function marketAt(database: Database): number | null {
  // Not built by Drizzle: one row from three queries.
  const text = `SELECT max(at) FROM (SELECT max(checked_at) AS at FROM feeds UNION ALL SELECT max(checked_at) FROM frames
    UNION ALL SELECT max(imported_at) FROM daily_imports)`;
  return database.$client.prepare<[], number | null>(text).pluck().get() ?? null;
}

const columns = [
  "portfolio_id",
  "account_id",
  "day",
  "value_cents",
  "cost_basis_cents",
  "holding_count",
  "priced_holding_count",
  "price_source",
  "price_as_of",
  "recorded_at",
  "day_revision",
  "compared_count",
  "compared_value_cents",
  "compared_cost_cents",
  "price_providers",
];

function prepare(database: Database) {
  const { placeholder } = sql;
  const { holdingId, itemId, quantity, unitCostCents, acquiredDay, createdAt, updatedAt } = holdings;
  const { portfolioId: ledgerOf, accountId, occurredDay, kind } = portfolioTransactions;
  return {
    lots: database
      .select({ holdingId, itemId, quantity, unitCostCents, acquiredDay, createdAt, updatedAt })
      .from(holdings)
      .where(eq(holdings.portfolioId, placeholder("portfolioId")))
      .orderBy(asc(holdingId))
      .prepare(),
    lastDeparture: database
      .select({ day: max(occurredDay) })
      .from(portfolioTransactions)
      .where(
        and(
          eq(ledgerOf, placeholder("portfolioId")),
          eq(accountId, placeholder("accountId")),
          isNotNull(portfolioTransactions.holdingId),
          sql`(${kind} IN ('sell', 'transfer_out') OR (${kind} = 'adjustment' AND ${portfolioTransactions.quantity} < 0))`,
        ),
      )
      .prepare(),
    ...preparePrices(database),
  };
}

function preparePrices(database: Database) {
  const { placeholder } = sql;
  const { day, amount, sourceObservedAt: observedAt, provider } = dailyPrices;
  const ofItem = and(
    eq(dailyPrices.itemId, placeholder("")),
    eq(dailyPrices.side, sql`'ask'`),
    between(day, placeholder(""), placeholder("")),
  );
  const allAsks = database.select({ day, amount, observedAt, provider }).from(dailyPrices);
  const asks = database
    .select({ day, amount, observedAt, provider })
    .from(dailyPrices)
    .where(and(ofItem, eq(provider, placeholder(""))));
  const ofSource = sql`${placeholder("provider")} IN (${providers.provider}, ${sql.raw(`'${lowestAsk}'`)})`;
  return {
    unfinalized: database
      .select({ day: feedDays.day })
      .from(feedDays)
      .innerJoin(providers, eq(providers.feed, feedDays.feed))
      .where(and(ofSource, isNull(feedDays.finalizedAt), between(feedDays.day, placeholder("from"), placeholder("to"))))
      .orderBy(asc(feedDays.day))
      .prepare(),
    framed: database
      .select({ day: feedDays.day })
      .from(feedDays)
      .innerJoin(providers, eq(providers.feed, feedDays.feed))
      .where(and(ofSource, between(feedDays.day, placeholder("from"), placeholder("to"))))
      .prepare(),
    revisions: database
      .select({ day: sealedDays.day, revision: sealedDays.revision })
      .from(sealedDays)
      .where(
        and(
          between(sealedDays.day, placeholder("from"), placeholder("to")),
          isNull(sealedDays.supersededAt),
          notInArray(sealedDays.day, database.select({ day: unsealedDays.day }).from(unsealedDays)),
        ),
      )
      .prepare(),
    // Built by Drizzle but executed directly, because it returns as many rows as items and days.
    asks: database.$client.prepare<[number, number, number, string], AskRow>(asks.toSQL().sql).raw(true),
    allAsks: database.$client.prepare<[number, number, number], AskRow>(allAsks.where(ofItem).toSQL().sql).raw(true),
  };
}

function prepareRows(database: Database, table: ValuationTable) {
  const { placeholder } = sql;
  const insert = `INSERT INTO ${getTableName(table)} (${columns.join(", ")})
    SELECT portfolio_id, account_id, @day, @valueCents, @costBasisCents, @holdingCount, @pricedHoldingCount, @priceSource, @priceAsOf, @recordedAt,
      @dayRevision, @comparedCount, @comparedValueCents, @comparedCostCents, @priceProviders
    FROM portfolios WHERE portfolio_id = @portfolioId AND account_id = @accountId AND deleted_at IS NULL
    ON CONFLICT (portfolio_id, account_id, day)`;
  const updates = columns.slice(3).map((column) => `${column} = excluded.${column}`);
  const ofDays = between(table.day, placeholder("from"), placeholder("to"));
  return {
    stored: database
      .select()
      .from(table)
      .where(and(eq(table.portfolioId, placeholder("portfolioId")), ofDays))
      .prepare(),
    put: database.$client.prepare<[ValuationRecord]>(`${insert} DO NOTHING`),
    overwrite: database.$client.prepare<[ValuationRecord]>(`${insert} DO UPDATE SET ${updates.join(", ")}`),
  };
}
