import { sql } from "drizzle-orm";
import { blob, check, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { providers } from "./prices.ts";

/** A price index over the daily asks of one provider. */
export const indexes = sqliteTable(
  "indexes",
  {
    indexId: text("index_id").primaryKey(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    provider: text("provider")
      .notNull()
      .references(() => providers.provider),
    weighting: text("weighting", { enum: ["equal", "capitalization"] }).notNull(),
    /** Methodology of the levels that are calculated from now on. Levels of other versions remain readable. */
    methodologyVersion: text("methodology_version").notNull(),
    baseDay: integer("base_day").notNull(),
    baseValue: text("base_value").notNull(),
    active: integer("active", { mode: "boolean" }).notNull(),
    definedAt: integer("defined_at").notNull(),
    /** When the engine last processed the index, even if no level changed. */
    calculatedAt: integer("calculated_at"),
  },
  () => [
    check(
      "indexes_slug",
      sql`index_id GLOB '[a-z0-9]*' AND index_id NOT GLOB '*[^a-z0-9-]*' AND length(index_id) <= 60`,
    ),
    check("indexes_weighting", sql`weighting IN ('equal', 'capitalization')`),
    check("indexes_active", sql`active IN (0, 1)`),
  ],
);

/** A version of an index's members, in force from `effective_day` until the next version. */
export const indexMemberships = sqliteTable(
  "index_memberships",
  {
    indexId: text("index_id")
      .notNull()
      .references(() => indexes.indexId),
    membershipVersion: integer("membership_version").notNull(),
    effectiveDay: integer("effective_day").notNull(),
    recordedAt: integer("recorded_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.indexId, table.membershipVersion] }),
    uniqueIndex("index_memberships_by_day").on(table.indexId, table.effectiveDay),
    check("index_memberships_version", sql`membership_version >= 1`),
  ],
);

/** `units` is the factor of an ask in the capitalization. */
export const indexMembers = sqliteTable(
  "index_members",
  {
    indexId: text("index_id").notNull(),
    membershipVersion: integer("membership_version").notNull(),
    itemId: integer("item_id").notNull(),
    units: integer("units").notNull(),
    /** First day of the item's current unbroken membership. */
    addedDay: integer("added_day").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.indexId, table.membershipVersion, table.itemId] }),
    check("index_members_units", sql`units BETWEEN 1 AND 9007199254740991`),
  ],
);

/** Columns of a level of an index on one UTC day under one methodology. */
const levelColumns = {
  indexId: text("index_id")
    .notNull()
    .references(() => indexes.indexId),
  methodologyVersion: text("methodology_version").notNull(),
  day: integer("day").notNull(),
  /** Four decimals. Null if too few constituents had a price. The next level chains on `exact`. */
  value: text("value"),
  exact: text("exact"),
  capitalizationCents: text("capitalization_cents"),
  constituentCount: integer("constituent_count").notNull(),
  pricedConstituentCount: integer("priced_constituent_count").notNull(),
  coveragePct: text("coverage_pct").notNull(),
  membershipVersion: integer("membership_version").notNull(),
  asOf: integer("as_of"),
  recordedAt: integer("recorded_at").notNull(),
  /** Number of the revision of this day's level, from 1. */
  revision: integer("revision").notNull().default(1),
  /** SHA-256 of the prices and the previous level that it was calculated from. Null if an earlier release calculated it. */
  pricesDigest: blob("prices_digest", { mode: "buffer" }),
};

const levelChecks = (table: string) => [
  check(`${table}_value`, sql`(value IS NULL) = (exact IS NULL)`),
  check(`${table}_counts`, sql`priced_constituent_count BETWEEN 0 AND constituent_count`),
];

/** The levels in force. */
export const indexLevels = sqliteTable("index_levels", levelColumns, (table) => [
  primaryKey({ columns: [table.indexId, table.methodologyVersion, table.day] }),
  ...levelChecks("index_levels"),
]);

/** Replaced levels. They were in force from `recorded_at` until just before `superseded_at`. */
export const indexLevelsPast = sqliteTable(
  "index_levels_past",
  { ...levelColumns, supersededAt: integer("superseded_at").notNull() },
  (table) => [
    primaryKey({ columns: [table.indexId, table.methodologyVersion, table.day, table.revision] }),
    ...levelChecks("index_levels_past"),
  ],
);

/** Days (since 1970) with possibly changed prices since the index last processed them. A trigger adds a day when it must be sealed. */
export const indexDaysChanged = sqliteTable(
  "index_days_changed",
  {
    indexId: text("index_id")
      .notNull()
      .references(() => indexes.indexId),
    day: integer("day").notNull(),
  },
  (table) => [primaryKey({ columns: [table.indexId, table.day] })],
);
