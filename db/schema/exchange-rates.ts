import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A currency named by at least one source of rates. */
export const currencies = sqliteTable(
  "currencies",
  { currency: text("currency").primaryKey(), minorUnits: integer("minor_units").notNull() },
  () => [
    check("currencies_code", sql`currency GLOB '[A-Z][A-Z][A-Z]'`),
    check("currencies_minor_units", sql`minor_units BETWEEN 0 AND 4`),
  ],
);

/** Columns of a rate in units of a currency per US dollar on one UTC day. */
const rateColumns = {
  currency: text("currency")
    .notNull()
    .references(() => currencies.currency),
  source: text("source").notNull(),
  day: integer("day").notNull(),
  /** A plain decimal without an exponent. */
  ratePerUsd: text("rate_per_usd").notNull(),
  methodologyVersion: text("methodology_version").notNull(),
  asOf: integer("as_of"),
  recordedAt: integer("recorded_at").notNull(),
};

const rateChecks = () => [
  check("exchange_rates_rate", sql`rate_per_usd GLOB '[0-9]*' AND rate_per_usd NOT GLOB '*[^0-9.]*'`),
];

/** Rates as sources publish or imply them. No rate is carried forward to later days. */
export const exchangeRates = sqliteTable("exchange_rates", rateColumns, (table) => [
  primaryKey({ columns: [table.currency, table.source, table.day] }),
  ...rateChecks(),
]);

/** Replaced rates. They were in force from `recorded_at` until just before `superseded_at`. */
export const exchangeRatesPast = sqliteTable(
  "exchange_rates_past",
  {
    ...rateColumns,
    supersededAt: integer("superseded_at").notNull(),
    /** CRC-32 of the other columns. */
    checksum: integer("seal").notNull(),
  },
  (table) => [primaryKey({ columns: [table.currency, table.source, table.day, table.supersededAt] }), ...rateChecks()],
);
