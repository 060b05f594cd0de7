import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
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
    /** Of the levels that are calculated from now on; levels of other versions stay readable. */
    methodologyVersion: text("methodology_version").notNull(),
    baseDay: integer("base_day").notNull(),
    baseValue: text("base_value").notNull(),
    active: integer("active", { mode: "boolean" }).notNull(),
    definedAt: integer("defined_at").notNull(),
    /** When the engine last went over it, whether a level changed or not. */
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

/** A version of an index's members, true from `effective_day` on until the next one. */
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

/** `units`: what an ask is multiplied with in the capitalization. */
export const indexMembers = sqliteTable(
  "index_members",
  {
    indexId: text("index_id").notNull(),
    membershipVersion: integer("membership_version").notNull(),
    itemId: integer("item_id").notNull(),
    units: integer("units").notNull(),
    /** Since when, without a break, the item is a member. */
    addedDay: integer("added_day").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.indexId, table.membershipVersion, table.itemId] }),
    check("index_members_units", sql`units BETWEEN 1 AND 9007199254740991`),
  ],
);

/** The level of an index on one UTC day under one methodology. */
export const indexLevels = sqliteTable(
  "index_levels",
  {
    indexId: text("index_id")
      .notNull()
      .references(() => indexes.indexId),
    methodologyVersion: text("methodology_version").notNull(),
    day: integer("day").notNull(),
    /** Four decimals; null: too few constituents had a price. `exact` is what the next level chains on. */
    value: text("value"),
    exact: text("exact"),
    capitalizationCents: text("capitalization_cents"),
    constituentCount: integer("constituent_count").notNull(),
    pricedConstituentCount: integer("priced_constituent_count").notNull(),
    coveragePct: text("coverage_pct").notNull(),
    membershipVersion: integer("membership_version").notNull(),
    asOf: integer("as_of"),
    recordedAt: integer("recorded_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.indexId, table.methodologyVersion, table.day] }),
    check("index_levels_value", sql`(value IS NULL) = (exact IS NULL)`),
    check("index_levels_counts", sql`priced_constituent_count BETWEEN 0 AND constituent_count`),
  ],
);
