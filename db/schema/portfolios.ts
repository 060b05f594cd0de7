import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts, apiKeys } from "./access.ts";
import { items } from "./catalog.ts";

/** What is stored and never returned. */
const privateColumns = () => ({
  notes: text("notes"),
  externalAccountId: text("external_account_id"),
  integrationRef: text("integration_ref"),
});

/** A portfolio of one account. Money is USD cents whatever its display currency. `notes` and references never leave the server. */
export const portfolios = sqliteTable(
  "portfolios",
  {
    portfolioId: text("portfolio_id").primaryKey(),
    /** Who owns it now. */
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    name: text("name").notNull(),
    displayCurrency: text("display_currency").notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    /** The provider whose daily asks value it, or `lowest-ask`. */
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

/** What is kept of a lot that an import removes. */
const lotColumns = () => ({
  portfolioId: text("portfolio_id")
    .notNull()
    .references(() => portfolios.portfolioId),
  holdingId: text("holding_id").notNull(),
  itemId: integer("item_id")
    .notNull()
    .references(() => items.itemId),
  /** Per unit in USD cents; null: unknown, 0: really free. */
  unitCostCents: integer("unit_cost_cents"),
  costEstimated: integer("cost_estimated", { mode: "boolean" }).notNull(),
  acquiredDay: integer("acquired_day"),
  ...privateColumns(),
  createdAt: integer("created_at").notNull(),
});

const costCheck = (table: string) =>
  check(`${table}_cost`, sql`unit_cost_cents BETWEEN 0 AND 9007199254740991 AND cost_estimated IN (0, 1)`);

/** One lot. */
export const holdings = sqliteTable(
  "holdings",
  {
    ...lotColumns(),
    holdingId: lotColumns().holdingId.unique(),
    quantity: integer("quantity").notNull(),
    origin: text("origin", { enum: ["manual", "import", "transaction"] }).notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** `table`, `form` or `steam:GAME:CONTEXT:ACCOUNT`; null: from an earlier release. Never returned. */
    source: text("source"),
  },
  (table) => [
    primaryKey({ columns: [table.portfolioId, table.holdingId] }),
    check("holdings_quantity", sql`quantity BETWEEN 1 AND 1000000000`),
    costCheck("holdings"),
    check("holdings_origin", sql`origin IN ('manual', 'import', 'transaction')`),
  ],
);

/** What an owner typed about a lot that an import removed. Only that owner's imports find it again. */
export const removedLots = sqliteTable(
  "removed_lots",
  {
    ...lotColumns(),
    /** Who owned the portfolio when the lot was removed. */
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

/** The last import of a portfolio, as long as it can be taken back. */
export const lastImports = sqliteTable("last_imports", {
  portfolioId: text("portfolio_id")
    .primaryKey()
    .references(() => portfolios.portfolioId),
  /** Who owned the portfolio. */
  accountId: text("account_id")
    .notNull()
    .references(() => accounts.accountId),
  importedAt: integer("imported_at").notNull(),
  /** The portfolio's state after it; in any other one it cannot be taken back. */
  state: text("state").notNull(),
  /** JSON: the ids of new lots and ledger rows, and changed and removed lots as they were. */
  before: text("before").notNull(),
});

/** One row of an owner's ledger. It stays that owner's when the portfolio moves. */
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
  /** Revision of the sealed day that the prices were last compared with; null if unknown. */
  dayRevision: integer("day_revision"),
  /** Lots with a price and a cost, and their sums. Null: an earlier release wrote the row; of the sums also: there are none. */
  comparedCount: integer("compared_count"),
  comparedValueCents: integer("compared_value_cents"),
  comparedCostCents: integer("compared_cost_cents"),
  /** Providers of the prices in order, with commas between them; null: there is no price, or an earlier release wrote the row. */
  priceProviders: text("price_providers"),
});

/** What a portfolio was worth to one owner at the end of one UTC day. `value_cents` null: no lot had a price. */
export const portfolioValuations = sqliteTable("portfolio_valuations", valuationColumns(), (table) => [
  primaryKey({ columns: [table.portfolioId, table.accountId, table.day] }),
  check("portfolio_valuations_counts", sql`priced_holding_count BETWEEN 0 AND holding_count`),
  check("portfolio_valuations_value", sql`(value_cents IS NULL) = (priced_holding_count = 0)`),
]);

/** The same at the main platform, of portfolios that are valued elsewhere: owners on Free read it. */
export const mainValuations = sqliteTable("main_valuations", valuationColumns(), (table) => [
  primaryKey({ columns: [table.portfolioId, table.accountId, table.day] }),
  check("main_valuations_counts", sql`priced_holding_count BETWEEN 0 AND holding_count AND price_source IS NOT NULL`),
  check("main_valuations_value", sql`(value_cents IS NULL) = (priced_holding_count = 0)`),
]);

/** What the owner selected for a personal token, and when they consented. Ownership is asked anew at each request. */
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
    /** The version of the text that was agreed to. */
    consentVersion: text("consent_version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.portfolioId] })],
);
