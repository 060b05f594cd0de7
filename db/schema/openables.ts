import { sql } from "drizzle-orm";
import { blob, check, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { items } from "./catalog.ts";

const isSlug = sql`slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*' AND length(slug) <= 120`;

/** A published container that users open. */
export const openables = sqliteTable(
  "openables",
  {
    slug: text("slug").primaryKey(),
    /** The item of the container itself. */
    itemId: integer("item_id")
      .notNull()
      .unique()
      .references(() => items.itemId),
    state: text("state", { enum: ["active", "retired"] }).notNull(),
    type: text("type", { enum: ["case", "souvenir_package", "capsule", "other"] }).notNull(),
    releasedDay: integer("released_day"),
    retiredDay: integer("retired_day"),
    requiresKey: integer("requires_key", { mode: "boolean" }).notNull(),
    /** Fixed store price of its key in USD cents. 0 if it needs none. */
    keyCostCents: integer("key_cost_cents").notNull(),
    /** The revision in force, which the columns above describe. */
    revisionId: text("revision_id").notNull(),
    createdAt: integer("created_at").notNull(),
    changedAt: integer("changed_at").notNull(),
  },
  () => [
    check("openables_state", sql`state IN ('active', 'retired')`),
    check("openables_type", sql`type IN ('case', 'souvenir_package', 'capsule', 'other')`),
    check(
      "openables_key",
      sql`requires_key IN (0, 1) AND key_cost_cents >= 0 AND (requires_key = 1 OR key_cost_cents = 0)`,
    ),
    check("openables_slug", isSlug),
  ],
);

/**
 * The definition to publish next, of a published container or a new one. Publication removes the row. A trigger refuses the slug or the item
 * of another published container.
 */
export const openableDrafts = sqliteTable(
  "openable_drafts",
  {
    slug: text("slug").primaryKey(),
    /** The item of the container itself. */
    itemId: integer("item_id")
      .notNull()
      .unique()
      .references(() => items.itemId),
    /** A pool definition as JSON, the format of `itemtape openables draft`. */
    definition: text("definition").notNull(),
    /** Source, file name and SHA-256 of the file that it was read from, as JSON. */
    provenance: text("provenance").notNull(),
    draftedAt: integer("drafted_at").notNull(),
  },
  () => [check("openable_drafts_slug", isSlug)],
);

/**
 * A published definition. A trigger forbids changes and deletion. `revision_id` is `pr_` and 24 hex digits of the SHA-256 of the other
 * columns and the outcomes. It lets `db check` find a flipped bit.
 */
export const poolRevisions = sqliteTable(
  "pool_revisions",
  {
    revisionId: text("revision_id").primaryKey(),
    slug: text("slug")
      .notNull()
      .references(() => openables.slug),
    revisionNumber: integer("revision_number").notNull(),
    definition: text("definition").notNull(),
    provenance: text("provenance").notNull(),
    oddsSource: text("odds_source", { enum: ["published", "community", "inferred"] }).notNull(),
    wearModel: text("wear_model").notNull(),
    /** JSON in the order of the definition: `[{tier, weight, itemCount, addedCount?}]`. */
    tiers: text("tiers").notNull(),
    /** Common denominator of the outcomes, as a digit string. */
    denominator: text("denominator").notNull(),
    /** Number of outcomes with a probability above 0. */
    outcomeCount: integer("outcome_count").notNull(),
    publishedAt: integer("published_at").notNull(),
  },
  (table) => [
    uniqueIndex("pool_revisions_by_number").on(table.slug, table.revisionNumber),
    check("pool_revisions_number", sql`revision_number >= 1 AND outcome_count >= 1`),
    check("pool_revisions_odds_source", sql`odds_source IN ('published', 'community', 'inferred')`),
  ],
);

/** One possible exact item of a revision, by position in the pool. Numerator `0` means that the wear model gives the item no chance. */
export const poolOutcomes = sqliteTable(
  "pool_outcomes",
  {
    revisionId: text("revision_id")
      .notNull()
      .references(() => poolRevisions.revisionId),
    position: integer("position").notNull(),
    itemId: integer("item_id")
      .notNull()
      .references(() => items.itemId),
    tier: text("tier").notNull(),
    numerator: text("numerator").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.revisionId, table.position] }),
    uniqueIndex("pool_outcomes_by_item").on(table.revisionId, table.itemId),
    check("pool_outcomes_numerator", sql`position >= 0 AND numerator NOT GLOB '*[^0-9]*' AND numerator <> ''`),
  ],
);

/** The calculation in force of one openable, mode and methodology. Without a row, none is published. */
export const roiCalculations = sqliteTable(
  "roi_calculations",
  {
    slug: text("slug")
      .notNull()
      .references(() => openables.slug),
    valuationMode: text("valuation_mode", { enum: ["steam_gross", "cash_ask"] }).notNull(),
    methodologyVersion: text("methodology_version").notNull(),
    revisionId: text("revision_id")
      .notNull()
      .references(() => poolRevisions.revisionId),
    /** When the worker last confirmed these numbers. Identical inputs change no other column. */
    calculatedAt: integer("calculated_at").notNull(),
    /** Oldest source time among the values and the cost. Null if one of them has none. */
    priceAsOf: integer("price_as_of"),
    /** SHA-256 of all inputs of the numbers. */
    inputDigest: blob("input_digest", { mode: "buffer" }).notNull(),
    /** The other fields that a read returns: `CalculationNumbers` as JSON. */
    numbers: text("numbers").notNull(),
    /**
     * JSON with one entry per outcome in pool order: `[value_cents, value_provider, value_as_of, recent_high_cents]`. An outcome without a
     * value and a recent high has the entry 0.
     */
    ledger: text("ledger").notNull(),
    /** CRC-32 of the other columns. `db check` uses it to find a flipped bit. */
    checksum: integer("seal").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.slug, table.valuationMode, table.methodologyVersion] }),
    check("roi_calculations_mode", sql`valuation_mode IN ('steam_gross', 'cash_ask')`),
    check("roi_calculations_digest", sql`length(input_digest) = 32`),
  ],
);

/** Columns of the result of the model's last run in one UTC hour or day. */
const bucketFacts = {
  slug: text("slug")
    .notNull()
    .references(() => openables.slug),
  valuationMode: text("valuation_mode", { enum: ["steam_gross", "cash_ask"] }).notNull(),
  methodologyVersion: text("methodology_version").notNull(),
  granularity: text("granularity", { enum: ["hour", "day"] }).notNull(),
  /** Start of the bucket, UTC ms. */
  ts: integer("ts").notNull(),
  recordedAt: integer("recorded_at").notNull(),
  revisionId: text("revision_id")
    .notNull()
    .references(() => poolRevisions.revisionId),
  costCents: integer("cost_cents").notNull(),
  expectedValueCents: integer("expected_value_cents"),
  expectedProfitCents: integer("expected_profit_cents"),
  returnPct: text("return_pct"),
  profitChancePct: text("profit_chance_pct"),
  pricedProbabilityMassPct: text("priced_probability_mass_pct").notNull(),
  priceAsOf: integer("price_as_of"),
};

/** CRC-32 of the other columns. */
const checksum = integer("seal").notNull();

const bucketChecks = () => [
  check("roi_history_mode", sql`valuation_mode IN ('steam_gross', 'cash_ask')`),
  check("roi_history_granularity", sql`granularity IN ('hour', 'day')`),
  check("roi_history_bucket", sql`ts % (CASE granularity WHEN 'hour' THEN 3600000 ELSE 86400000 END) = 0`),
  check("roi_history_point", sql`(expected_value_cents IS NULL) = (return_pct IS NULL) AND cost_cents >= 0`),
];

/** Results by hour and day. */
export const roiHistory = sqliteTable("roi_history", { ...bucketFacts, checksum }, (table) => [
  primaryKey({ columns: [table.slug, table.valuationMode, table.methodologyVersion, table.granularity, table.ts] }),
  ...bucketChecks(),
]);

/**
 * Replaced and removed results of hours. They were in force from `recorded_at` until just before `superseded_at`. The results of a day
 * follow from those of its hours.
 */
export const roiHistoryPast = sqliteTable(
  "roi_history_past",
  { ...bucketFacts, supersededAt: integer("superseded_at").notNull(), checksum },
  (table) => [
    primaryKey({
      columns: [
        table.slug,
        table.valuationMode,
        table.methodologyVersion,
        table.granularity,
        table.ts,
        table.supersededAt,
      ],
    }),
    ...bucketChecks(),
    check("roi_history_past_hours", sql`granularity = 'hour'`),
  ],
);

/** All finished runs of the model. A schedule uses them to find missed runs. */
export const roiRuns = sqliteTable(
  "roi_runs",
  {
    runId: integer("run_id").primaryKey({ autoIncrement: true }),
    calculatedAt: integer("calculated_at").notNull(),
    methodologyVersion: text("methodology_version").notNull(),
    /** The generation that supplied the prices. Null without a generation. */
    generationId: integer("generation_id"),
    /** Number of calculations by result: new numbers, unchanged numbers, or none because a cost is unknown. */
    published: integer("published").notNull(),
    unchanged: integer("unchanged").notNull(),
    withheld: integer("withheld").notNull(),
  },
  () => [check("roi_runs_counts", sql`published >= 0 AND unchanged >= 0 AND withheld >= 0`)],
);

/**
 * One row that counts changes of the data in lists of containers. Readers compare it to know when to reload. Triggers raise it in the
 * transaction of the change.
 */
export const openableChanges = sqliteTable(
  "openable_changes",
  { one: integer("one").primaryKey(), changes: integer("changes").notNull() },
  () => [check("openable_changes_one", sql`one = 1`)],
);
