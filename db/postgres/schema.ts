import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  index,
  integer,
  pgSchema,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";

/** The private tables that several nodes share. Columns have the names and meanings of the private SQLite tables in `db/schema`. */
export const itemtape = pgSchema("itemtape");

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** A column of instants (UTC ms) or amounts (USD cents), read as a JavaScript number. */
const whole = (name: string) => bigint(name, { mode: "number" });

export const accounts = itemtape.table(
  "accounts",
  {
    accountId: text("account_id").primaryKey(),
    name: text("name").notNull(),
    plan: text("plan", { enum: ["free", "builder", "trader", "quant"] }).notNull(),
    planEndsAt: whole("plan_ends_at"),
    disabledAt: whole("disabled_at"),
    createdAt: whole("created_at").notNull(),
  },
  () => [check("accounts_plan", sql`plan IN ('free', 'builder', 'trader', 'quant')`)],
);

const account = () => text("account_id").references(() => accounts.accountId);

export const purchases = itemtape.table(
  "purchases",
  {
    purchaseId: bigserial("purchase_id", { mode: "number" }).primaryKey(),
    accountId: account().notNull(),
    plan: text("plan", { enum: ["builder", "trader", "quant"] }).notNull(),
    purchasedAt: whole("purchased_at").notNull(),
    startsAt: whole("starts_at").notNull(),
    endsAt: whole("ends_at").notNull(),
  },
  (table) => [
    index("purchases_by_account").on(table.accountId, table.purchasedAt),
    check("purchases_plan", sql`plan IN ('builder', 'trader', 'quant')`),
    check("purchases_period", sql`ends_at > starts_at`),
  ],
);

/** A credential. Only the hash of its secret is stored. */
export const apiKeys = itemtape.table(
  "api_keys",
  {
    keyId: text("key_id").primaryKey(),
    accountId: account().notNull(),
    kind: text("kind", { enum: ["project", "personal"] }).notNull(),
    name: text("name").notNull(),
    displayPrefix: text("display_prefix").notNull(),
    lastFour: text("last_four").notNull(),
    secretHash: bytes("secret_hash").notNull().unique(),
    scopes: text("scopes").notNull(),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    rotatedAt: whole("rotated_at"),
    revokedAt: whole("revoked_at"),
  },
  (table) => [
    index("api_keys_by_account").on(table.accountId, table.createdAt),
    check("api_keys_kind", sql`kind IN ('project', 'personal')`),
    check("api_keys_scopes", sql`scopes IN ('market:read', 'portfolio:read', 'market:read portfolio:read')`),
    check("api_keys_hash", sql`length(secret_hash) = 32`),
  ],
);

/** Changes of keys and of account access. Never holds a secret or a hash. */
export const activity = itemtape.table(
  "activity",
  {
    activityId: bigserial("activity_id", { mode: "number" }).primaryKey(),
    accountId: account().notNull(),
    keyId: text("key_id"),
    kind: text("kind").notNull(),
    at: whole("at").notNull(),
    detail: text("detail"),
  },
  (table) => [index("activity_by_account").on(table.accountId, table.activityId)],
);

/** Charged units of one account in one UTC month (`YYYY-MM`) of the database's clock. */
export const usageMonths = itemtape.table(
  "usage_months",
  {
    accountId: text("account_id").notNull(),
    month: text("month").notNull(),
    used: whole("used").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.month] }), check("usage_months_used", sql`used >= 0`)],
);

/** One charged unit. `at` is the database's clock. */
export const usageEvents = itemtape.table(
  "usage_events",
  {
    requestId: text("request_id").primaryKey(),
    accountId: text("account_id").notNull(),
    keyId: text("key_id").notNull(),
    operation: text("operation").notNull(),
    month: text("month").notNull(),
    at: whole("at").notNull(),
  },
  (table) => [index("usage_events_by_account").on(table.accountId, table.month)],
);

/** The UTC day (days since 1970) of the latest charge of each key. */
export const keyUses = itemtape.table("key_uses", {
  keyId: text("key_id").primaryKey(),
  day: integer("day").notNull(),
});

/** Requests of one account over all nodes and keys in one UTC minute (minutes since 1970) of the database's clock. */
export const minuteUses = itemtape.table(
  "minute_uses",
  {
    accountId: text("account_id").primaryKey(),
    minute: whole("minute").notNull(),
    used: integer("used").notNull(),
  },
  () => [check("minute_uses_used", sql`used >= 0`)],
);

/**
 * One admitted export. A live lease (`reserved`, not yet expired) occupies the account's only export permit and one of the service's slots.
 */
export const snapshotLeases = itemtape.table(
  "snapshot_leases",
  {
    leaseId: text("lease_id").primaryKey(),
    accountId: text("account_id").notNull(),
    slot: smallint("slot").notNull(),
    state: text("state", { enum: ["reserved", "finished", "released", "expired"] }).notNull(),
    admittedAt: whole("admitted_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    endedAt: whole("ended_at"),
  },
  (table) => [
    uniqueIndex("snapshot_leases_live_account").on(table.accountId).where(sql`state = 'reserved'`),
    uniqueIndex("snapshot_leases_live_slot").on(table.slot).where(sql`state = 'reserved'`),
    index("snapshot_leases_by_account").on(table.accountId, table.admittedAt),
    check("snapshot_leases_state", sql`state IN ('reserved', 'finished', 'released', 'expired')`),
    check("snapshot_leases_slot", sql`slot BETWEEN 1 AND 8`),
    check("snapshot_leases_period", sql`expires_at > admitted_at`),
  ],
);

/** One row. A transaction that changes export slots or permits of change streams locks it first. */
export const exportSlots = itemtape.table("export_slots", { one: smallint("one").primaryKey() }, () => [
  check("export_slots_one", sql`one = 1`),
]);

/**
 * Permits of long requests other than exports: streams of changes, and waits for a generation. A permit that was not removed stops counting
 * when it expires.
 */
export const requestPlaces = itemtape.table(
  "request_places",
  {
    requestId: text("request_id").primaryKey(),
    kind: text("kind", { enum: ["changes", "waiting"] }).notNull(),
    accountId: text("account_id").notNull(),
    takenAt: whole("taken_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
  },
  (table) => [
    index("request_places_by_account").on(table.accountId),
    uniqueIndex("request_places_changes").on(table.accountId).where(sql`kind = 'changes'`),
    check("request_places_kind", sql`kind IN ('changes', 'waiting')`),
    check("request_places_period", sql`expires_at > taken_at`),
  ],
);

/** The last batch that each process of a node has committed. A node reads it when the response to a commit was lost. */
export const ledgerNodes = itemtape.table("ledger_nodes", {
  epoch: text("epoch").primaryKey(),
  node: text("node").notNull(),
  startedAt: whole("started_at").notNull(),
  batch: whole("batch").notNull(),
});

/** The person who may sign in for an account. */
export const owners = itemtape.table("owners", {
  accountId: account().primaryKey(),
  login: text("login").notNull().unique(),
  passwordHash: text("password_hash"),
  passwordSetAt: whole("password_set_at"),
  createdAt: whole("created_at").notNull(),
});

/** A one-time link to set a password. */
export const ownerInvites = itemtape.table("owner_invites", {
  tokenHash: bytes("token_hash").primaryKey(),
  accountId: account().notNull(),
  login: text("login"),
  createdAt: whole("created_at").notNull(),
  expiresAt: whole("expires_at").notNull(),
  usedAt: whole("used_at"),
  signsIn: boolean("signs_in").notNull().default(false),
});

/** A browser that is signed in. Only the hash of its cookie is stored. */
export const ownerSessions = itemtape.table(
  "owner_sessions",
  {
    sessionHash: bytes("session_hash").primaryKey(),
    accountId: account().notNull(),
    signedInAt: whole("signed_in_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    endedAt: whole("ended_at"),
    byLink: boolean("by_link").notNull().default(false),
  },
  (table) => [index("owner_sessions_by_account").on(table.accountId)],
);

const notes = () => ({
  notes: text("notes"),
  externalAccountId: text("external_account_id"),
  integrationRef: text("integration_ref"),
});

/** A portfolio of one account. Its lots refer to items of the market file, which is the same on every node. */
export const portfolios = itemtape.table(
  "portfolios",
  {
    portfolioId: text("portfolio_id").primaryKey(),
    accountId: account().notNull(),
    name: text("name").notNull(),
    displayCurrency: text("display_currency").notNull(),
    isPublic: boolean("is_public").notNull(),
    priceSource: text("price_source").notNull(),
    ...notes(),
    createdAt: whole("created_at").notNull(),
    updatedAt: whole("updated_at").notNull(),
    deletedAt: whole("deleted_at"),
  },
  (table) => [index("portfolios_by_account").on(table.accountId, table.portfolioId)],
);

const portfolio = () => text("portfolio_id").references(() => portfolios.portfolioId);

export const holdings = itemtape.table(
  "holdings",
  {
    portfolioId: portfolio().notNull(),
    holdingId: text("holding_id").notNull().unique(),
    itemId: integer("item_id").notNull(),
    quantity: whole("quantity").notNull(),
    unitCostCents: whole("unit_cost_cents"),
    costEstimated: boolean("cost_estimated").notNull(),
    acquiredDay: integer("acquired_day"),
    origin: text("origin", { enum: ["manual", "import", "transaction"] }).notNull(),
    ...notes(),
    createdAt: whole("created_at").notNull(),
    updatedAt: whole("updated_at").notNull(),
    source: text("source"),
  },
  (table) => [primaryKey({ columns: [table.portfolioId, table.holdingId] })],
);

/** Fields that an owner entered for a lot that an import removed. Only later imports of the same owner restore them. */
export const removedLots = itemtape.table(
  "removed_lots",
  {
    portfolioId: portfolio().notNull(),
    accountId: account().notNull(),
    integrationRef: text("integration_ref").notNull(),
    holdingId: text("holding_id").notNull(),
    itemId: integer("item_id").notNull(),
    unitCostCents: whole("unit_cost_cents"),
    costEstimated: boolean("cost_estimated").notNull(),
    acquiredDay: integer("acquired_day"),
    notes: text("notes"),
    externalAccountId: text("external_account_id"),
    createdAt: whole("created_at").notNull(),
    removedAt: whole("removed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.portfolioId, table.accountId, table.integrationRef] })],
);

/** The last import of a portfolio, stored while it can be undone. */
export const lastImports = itemtape.table("last_imports", {
  portfolioId: portfolio().primaryKey(),
  accountId: account().notNull(),
  importedAt: whole("imported_at").notNull(),
  state: text("state").notNull(),
  before: text("before").notNull(),
});

/** One row of an owner's ledger. It belongs to that owner even after the portfolio moves to another account. */
export const portfolioTransactions = itemtape.table(
  "portfolio_transactions",
  {
    portfolioId: portfolio().notNull(),
    accountId: account().notNull(),
    occurredDay: integer("occurred_day").notNull(),
    transactionId: text("transaction_id").notNull().unique(),
    holdingId: text("holding_id"),
    kind: text("kind", { enum: ["buy", "sell", "transfer_in", "transfer_out", "adjustment"] }).notNull(),
    itemId: integer("item_id").notNull(),
    quantity: whole("quantity").notNull(),
    unitAmountCents: whole("unit_amount_cents"),
    feeCents: whole("fee_cents"),
    totalAmountCents: whole("total_amount_cents"),
    costEstimated: boolean("cost_estimated").notNull(),
    provider: text("provider"),
    occurredAt: whole("occurred_at"),
    recordedAt: whole("recorded_at").notNull(),
    ...notes(),
  },
  (table) => [primaryKey({ columns: [table.portfolioId, table.accountId, table.occurredDay, table.transactionId] })],
);

const valuationColumns = () => ({
  portfolioId: portfolio().notNull(),
  accountId: account().notNull(),
  day: integer("day").notNull(),
  valueCents: whole("value_cents"),
  costBasisCents: whole("cost_basis_cents"),
  holdingCount: integer("holding_count").notNull(),
  pricedHoldingCount: integer("priced_holding_count").notNull(),
  priceSource: text("price_source"),
  priceAsOf: whole("price_as_of"),
  recordedAt: whole("recorded_at").notNull(),
  dayRevision: integer("day_revision"),
  comparedCount: integer("compared_count"),
  comparedValueCents: whole("compared_value_cents"),
  comparedCostCents: whole("compared_cost_cents"),
  priceProviders: text("price_providers"),
});

/** Value of a portfolio for one owner at the end of one UTC day. */
export const portfolioValuations = itemtape.table("portfolio_valuations", valuationColumns(), (table) => [
  primaryKey({ columns: [table.portfolioId, table.accountId, table.day] }),
]);

/** Value at the prices of the main platform, for portfolios with another price source. */
export const mainValuations = itemtape.table("main_valuations", valuationColumns(), (table) => [
  primaryKey({ columns: [table.portfolioId, table.accountId, table.day] }),
]);

/** One row of secrets that all nodes share. */
export const nodeSecrets = itemtape.table(
  "node_secrets",
  { one: smallint("one").primaryKey(), cursorKey: bytes("cursor_key").notNull() },
  () => [check("node_secrets_one", sql`one = 1`), check("node_secrets_cursor_key", sql`length(cursor_key) = 32`)],
);

/**
 * Wrong passwords over all nodes, by login and client address and by address alone. Keys are SHA-256. The oldest rows of a kind are
 * removed.
 */
export const signInCounts = itemtape.table(
  "sign_in_counts",
  {
    keyHash: bytes("key_hash").primaryKey(),
    kind: text("kind", { enum: ["logins", "addresses", "known"] }).notNull(),
    failures: integer("failures").notNull(),
    lastAt: whole("last_at").notNull(),
  },
  (table) => [index("sign_in_counts_by_age").on(table.kind, table.lastAt)],
);

/** The portfolios that the owner selected for a personal token, and when they consented. */
export const keyPortfolios = itemtape.table(
  "key_portfolios",
  {
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.keyId),
    portfolioId: portfolio().notNull(),
    consentedAt: whole("consented_at").notNull(),
    consentVersion: text("consent_version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.portfolioId] })],
);
