import { sql } from "drizzle-orm";
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const accounts = sqliteTable(
  "accounts",
  {
    accountId: text("account_id").primaryKey(),
    name: text("name").notNull(),
    plan: text("plan", { enum: ["free", "builder", "trader", "quant"] }).notNull(),
    /** End of the plan; the account is on Free afterwards. Null for Free, or for a plan without end. */
    planEndsAt: integer("plan_ends_at"),
    disabledAt: integer("disabled_at"),
    createdAt: integer("created_at").notNull(),
  },
  () => [check("accounts_plan", sql`plan IN ('free', 'builder', 'trader', 'quant')`)],
);

export const purchases = sqliteTable(
  "purchases",
  {
    purchaseId: integer("purchase_id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    plan: text("plan", { enum: ["builder", "trader", "quant"] }).notNull(),
    purchasedAt: integer("purchased_at").notNull(),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [
    index("purchases_by_account").on(table.accountId, table.purchasedAt),
    check("purchases_plan", sql`plan IN ('builder', 'trader', 'quant')`),
    check("purchases_period", sql`ends_at > starts_at`),
  ],
);

/** A credential. Only the hash of its secret is stored. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    keyId: text("key_id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    kind: text("kind", { enum: ["project", "personal"] }).notNull(),
    name: text("name").notNull(),
    displayPrefix: text("display_prefix").notNull(),
    lastFour: text("last_four").notNull(),
    secretHash: blob("secret_hash", { mode: "buffer" }).notNull().unique(),
    /** Separated by spaces, in a fixed order. */
    scopes: text("scopes").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    rotatedAt: integer("rotated_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    index("api_keys_by_account").on(table.accountId, table.createdAt),
    // An owner may create and revoke any number of keys. This index finds the active ones without reading the revoked ones.
    index("api_keys_unrevoked").on(table.accountId, table.createdAt).where(sql`revoked_at IS NULL`),
    check("api_keys_kind", sql`kind IN ('project', 'personal')`),
    check("api_keys_scopes", sql`scopes IN ('market:read', 'portfolio:read', 'market:read portfolio:read')`),
    check("api_keys_hash", sql`length(secret_hash) = 32`),
  ],
);

/** Changes of keys and of account access. Never holds a secret or a hash. */
export const activity = sqliteTable(
  "activity",
  {
    activityId: integer("activity_id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.accountId),
    keyId: text("key_id"),
    kind: text("kind").notNull(),
    at: integer("at").notNull(),
    detail: text("detail"),
  },
  (table) => [
    index("activity_by_account").on(table.accountId, table.activityId),
    check(
      "activity_kind",
      sql`kind IN ('account_created', 'account_disabled', 'account_enabled', 'plan_changed', 'plan_purchased', 'account_renamed', 'owner_changed', 'key_created', 'key_rotated', 'key_revoked')`,
    ),
  ],
);

/** Charged units of one account in one UTC month (`YYYY-MM`). A trigger forbids decreases and deletions. */
export const usageMonths = sqliteTable(
  "usage_months",
  {
    accountId: text("account_id").notNull(),
    month: text("month").notNull(),
    used: integer("used").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.month] }), check("usage_months_used", sql`used >= 0`)],
);

/** One charged unit. Request ids increase with time, so rows are appended. */
export const usageEvents = sqliteTable("usage_events", {
  requestId: text("request_id").primaryKey(),
  accountId: text("account_id").notNull(),
  keyId: text("key_id").notNull(),
  operation: text("operation").notNull(),
  month: text("month").notNull(),
  at: integer("at").notNull(),
});

/** The UTC day (days since 1970) of the latest charge of each key. The first charge of a day writes it in its own transaction. */
export const keyUses = sqliteTable("key_uses", {
  keyId: text("key_id").primaryKey(),
  day: integer("day").notNull(),
});

/**
 * One admitted export. A live lease (`reserved`, not yet expired) occupies the account's only export permit and one of the service's slots.
 */
export const snapshotLeases = sqliteTable(
  "snapshot_leases",
  {
    /** The request's id. */
    leaseId: text("lease_id").primaryKey(),
    accountId: text("account_id").notNull(),
    slot: integer("slot").notNull(),
    state: text("state", { enum: ["reserved", "finished", "released", "expired"] }).notNull(),
    admittedAt: integer("admitted_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    endedAt: integer("ended_at"),
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

/** One row with the latest instant that the ledger has written. It detects a clock that was set back. */
export const ledgerClock = sqliteTable(
  "ledger_clock",
  {
    one: integer("one").primaryKey(),
    highWaterAt: integer("high_water_at").notNull(),
    /** Sum of the CRC-32 of all charged units, modulo 2^32. `db check` uses it to find a changed unit. */
    unitsChecksum: integer("units_checksum").notNull().default(0),
  },
  () => [check("ledger_clock_one", sql`one = 1`)],
);

/**
 * CRC-32 of each row of private tables, written together with the row. `db check` uses it to find rows that another program changed, added
 * or removed. `row_key` is the row's primary key as text.
 */
export const rowChecksums = sqliteTable(
  "row_checksums",
  {
    tableName: text("table_name").notNull(),
    rowKey: text("row_key").notNull(),
    checksum: integer("checksum").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tableName, table.rowKey] })],
);
