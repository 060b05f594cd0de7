import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts, apiKeys } from "./access.ts";
import { items } from "./catalog.ts";

/** Columns that are stored and never returned. */
const privateColumns = () => ({
  notes: text("notes"),
  externalAccountId: text("external_account_id"),
  integrationRef: text("integration_ref"),
});

/** A portfolio of one account. Money is in USD cents for every display currency. `notes` and references never leave the server. */
export const portfolios = sqliteTable(
  "portfolios",
  {
    portfolioId: text("portfolio_id").primaryKey(),
    /** Current owner. */
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    name: text("name").notNull(),
    displayCurrency: text("display_currency").notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    /** The provider of the daily asks that value it, or `lowest-ask`. */
    priceSource: text("price_source").notNull(),
    ...privateColumns(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    index("portfolios_by_account").on(table.accountId, table.portfolioId),
    check("portfolios_id", sql`portfolio_id GLOB 'pf_*' AND length(portfolio_id) BETWEEN 19 AND 35`),
    check("portfolios_flags", sql`is_public IN (0, 1) AND display_currency GLOB '[A-Z][A-Z][A-Z]'`),
  ],
);

/** Columns of a lot that remain in `removed_lots` after an import removes it. */
const lotColumns = () => ({
  portfolioId: text("portfolio_id")
    .notNull()
    .references(() => portfolios.portfolioId),
  holdingId: text("holding_id").notNull(),
  itemId: integer("item_id")
    .notNull()
    .references(() => items.itemId),
  /** USD cents per unit. Null if unknown, 0 if it was free. */
  unitCostCents: integer("unit_cost_cents"),
  costEstimated: integer("cost_estimated", { mode: "boolean" }).notNull(),
  acquiredDay: integer("acquired_day"),
  ...privateColumns(),
  createdAt: integer("created_at").notNull(),
});

const costCheck = (table: string) =>
  check(`${table}_cost`, sql`unit_cost_cents BETWEEN 0 AND 9007199254740991 AND cost_estimated IN (0, 1)`);

export const holdings = sqliteTable(
  "holdings",
  {
    ...lotColumns(),
    holdingId: lotColumns().holdingId.unique(),
    quantity: integer("quantity").notNull(),
    origin: text("origin", { enum: ["manual", "import", "transaction"] }).notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** `table`, `form` or `steam:GAME:CONTEXT:ACCOUNT`. Null if an earlier release wrote the row. Never returned. */
    source: text("source"),
  },
  (table) => [
    primaryKey({ columns: [table.portfolioId, table.holdingId] }),
    check("holdings_quantity", sql`quantity BETWEEN 1 AND 1000000000`),
    costCheck("holdings"),
    check("holdings_origin", sql`origin IN ('manual', 'import', 'transaction')`),
  ],
);

/** Fields that an owner entered for a lot that an import removed. Only later imports of the same owner restore them. */
export const removedLots = sqliteTable(
  "removed_lots",
  {
    ...lotColumns(),
    /** Owner of the portfolio when the lot was removed. */
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    integrationRef: privateColumns().integrationRef.notNull(),
    removedAt: integer("removed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.portfolioId, table.accountId, table.integrationRef] }),
    costCheck("removed_lots"),
  ],
);

/** The last import of a portfolio, stored while it can be undone. */
export const lastImports = sqliteTable("last_imports", {
  portfolioId: text("portfolio_id")
    .primaryKey()
    .references(() => portfolios.portfolioId),
  /** Owner of the portfolio at the import. */
  accountId: text("account_id")
    .notNull()
    .references(() => accounts.accountId),
  importedAt: integer("imported_at").notNull(),
  /** State of the portfolio after the import. The import can be undone only in this state. */
  state: text("state").notNull(),
  /** JSON: the ids of new lots and ledger rows, and the previous content of changed and removed lots. */
  before: text("before").notNull(),
});

/** One row of an owner's ledger. It belongs to that owner even after the portfolio moves to another account. */
export const portfolioTransactions = sqliteTable(
  "portfolio_transactions",
  {
    portfolioId: text("portfolio_id")
      .notNull()
      .references(() => portfolios.portfolioId),
    /** Owner of the portfolio when the row was recorded. Only this account reads it. */
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    occurredDay: integer("occurred_day").notNull(),
    transactionId: text("transaction_id").notNull().unique(),
    holdingId: text("holding_id"),
    kind: text("kind", { enum: ["buy", "sell", "transfer_in", "transfer_out", "adjustment"] }).notNull(),
    itemId: integer("item_id")
      .notNull()
      .references(() => items.itemId),
    quantity: integer("quantity").notNull(),
    unitAmountCents: integer("unit_amount_cents"),
    feeCents: integer("fee_cents"),
    totalAmountCents: integer("total_amount_cents"),
    costEstimated: integer("cost_estimated", { mode: "boolean" }).notNull(),
    provider: text("provider"),
    occurredAt: integer("occurred_at"),
    recordedAt: integer("recorded_at").notNull(),
    ...privateColumns(),
  },
  (table) => [
    primaryKey({ columns: [table.portfolioId, table.accountId, table.occurredDay, table.transactionId] }),
    check("portfolio_transactions_kind", sql`kind IN ('buy', 'sell', 'transfer_in', 'transfer_out', 'adjustment')`),
    check("portfolio_transactions_flags", sql`cost_estimated IN (0, 1) AND quantity <> 0`),
  ],
);

const valuationColumns = () => ({
  portfolioId: text("portfolio_id")
    .notNull()
    .references(() => portfolios.portfolioId),
  /** Owner of the portfolio when the row was recorded. Only this account reads it. */
  accountId: text("account_id")
    .notNull()
    .references(() => accounts.accountId),
  day: integer("day").notNull(),
  valueCents: integer("value_cents"),
  costBasisCents: integer("cost_basis_cents"),
  holdingCount: integer("holding_count").notNull(),
  pricedHoldingCount: integer("priced_holding_count").notNull(),
  priceSource: text("price_source"),
  priceAsOf: integer("price_as_of"),
  recordedAt: integer("recorded_at").notNull(),
  /** Revision of the sealed day that the prices were last compared with. Null if unknown. */
  dayRevision: integer("day_revision"),
  /**
   * Number of lots with a price and a cost, and their sums. Null if an earlier release wrote the row. The sums are also null without such
   * lots.
   */
  comparedCount: integer("compared_count"),
  comparedValueCents: integer("compared_value_cents"),
  comparedCostCents: integer("compared_cost_cents"),
  /** Providers of the prices in order, separated by commas. Null without a price, or if an earlier release wrote the row. */
  priceProviders: text("price_providers"),
});

/** Value of a portfolio for one owner at the end of one UTC day. `value_cents` is null if no lot had a price. */
export const portfolioValuations = sqliteTable("portfolio_valuations", valuationColumns(), (table) => [
  primaryKey({ columns: [table.portfolioId, table.accountId, table.day] }),
  check("portfolio_valuations_counts", sql`priced_holding_count BETWEEN 0 AND holding_count`),
  check("portfolio_valuations_value", sql`(value_cents IS NULL) = (priced_holding_count = 0)`),
]);

/** Value at the prices of the main platform, for portfolios with another price source. Owners on Free read it. */
export const mainValuations = sqliteTable("main_valuations", valuationColumns(), (table) => [
  primaryKey({ columns: [table.portfolioId, table.accountId, table.day] }),
  check("main_valuations_counts", sql`priced_holding_count BETWEEN 0 AND holding_count AND price_source IS NOT NULL`),
  check("main_valuations_value", sql`(value_cents IS NULL) = (priced_holding_count = 0)`),
]);

/** The portfolios that the owner selected for a personal token, and when they consented. Each request checks ownership again. */
export const keyPortfolios = sqliteTable(
  "key_portfolios",
  {
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.keyId),
    portfolioId: text("portfolio_id")
      .notNull()
      .references(() => portfolios.portfolioId),
    consentedAt: integer("consented_at").notNull(),
    /** Version of the text that the owner agreed to. */
    consentVersion: text("consent_version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.portfolioId] })],
);
