import { and, eq, type SQL, sql } from "drizzle-orm";
import { exchangeRates } from "../../../db/schema/exchange-rates.ts";
import type { Database } from "../database.ts";
import { bound } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** Units of a currency per US dollar on one UTC day (since 1970), as one source publishes or implies it. */
export type RateRow = {
  currency: string;
  source: string;
  day: number;
  ratePerUsd: string;
  methodologyVersion: string;
  asOf: number | null;
  recordedAt: number;
};

/** The latest rate of a source for a currency. */
export type LatestRate = RateRow & { currencyMinorUnits: number };

/** One series. Rates of two sources or of two methodology versions are never mixed. */
export type RateSeries = { source: string; methodologyVersion: string };

/** Identifies the stored rate that a row was converted with. */
export type DayRate = Pick<RateRow, "ratePerUsd" | "source">;
type SourceRate = Pick<RateRow, "source" | "day" | "ratePerUsd">;

/** UTC days since 1970, inclusive. */
type Days = { from: number; to: number };
type Then = { currency: string; at: number };

// Not built by Drizzle, which has no recursive queries.
const columns = `rate.currency, rate.source, rate.day, rate.rate_per_usd AS ratePerUsd,
  rate.methodology_version AS methodologyVersion, rate.as_of AS asOf, rate.recorded_at AS recordedAt`;

/** Days without a rate after which a currency has ended, if its source continues with others. */
const endedDays = 30;

/**
 * Returns SQL for the latest rate of each source, for the current currencies that `asked` selects. Currencies that ended at a source are
 * excluded. Sources and their last days are found by index seeks, so the cost does not grow with the stored years.
 */
const latestOf = (asked: string) => `
  WITH RECURSIVE
    quoted(currency, minor_units, source) AS (
      SELECT currency, minor_units, (SELECT min(source) FROM exchange_rates WHERE currency = currencies.currency) FROM currencies
      UNION ALL
      SELECT currency, minor_units,
        (SELECT min(source) FROM exchange_rates WHERE currency = quoted.currency AND source > quoted.source)
      FROM quoted WHERE source IS NOT NULL
    ),
    last AS MATERIALIZED (
      SELECT currency, minor_units, source,
        (SELECT max(day) FROM exchange_rates WHERE currency = quoted.currency AND source = quoted.source) AS day
      FROM quoted WHERE source IS NOT NULL
    ),
    live AS MATERIALIZED (
      SELECT currency, minor_units, source, day FROM last
      WHERE day >= (SELECT max(day) FROM last AS other WHERE other.source = last.source) - ${endedDays}
    )
  SELECT ${columns}, live.minor_units AS currencyMinorUnits
  FROM live CROSS JOIN exchange_rates AS rate ON rate.currency = live.currency AND rate.source = live.source AND rate.day = live.day
  WHERE live.currency IN (SELECT DISTINCT currency FROM live ${asked})
  ORDER BY rate.currency, rate.source`;

const inForce = (table: string) => `SELECT ${columns} FROM quoted CROSS JOIN ${table} AS rate
    ON rate.currency = @currency AND rate.source = quoted.source AND rate.day BETWEEN @from AND @to
  WHERE rate.recorded_at <= @at`;

/** Rates of all sources of a currency on these days that were in force at an instant, by source and day. */
const ratesSql = `
  WITH RECURSIVE quoted(source) AS (
    SELECT min(source) FROM exchange_rates WHERE currency = @currency
    UNION ALL
    SELECT (SELECT min(source) FROM exchange_rates WHERE currency = @currency AND source > quoted.source)
    FROM quoted WHERE source IS NOT NULL
  )
  ${inForce("exchange_rates")} UNION ALL ${inForce("exchange_rates_past")} AND rate.superseded_at > @at ORDER BY 2, 3`;

/** Finds a rate of a currency that was recorded by an instant. */
const quotedSql = `SELECT 1 FROM exchange_rates WHERE currency = @currency AND recorded_at <= @at
  UNION ALL SELECT 1 FROM exchange_rates_past WHERE currency = @currency AND recorded_at <= @at LIMIT 1`;

/** Reads exchange rates as recorded. Each read is one statement with its own limit. */
export class ExchangeRatesStore {
  readonly #shared: SharedReadTransaction | undefined;
  readonly #ratesOfAll;
  readonly #latest;
  readonly #latestOfOne;
  readonly #rates;
  readonly #quoted;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    const { $client } = database;
    this.#shared = shared;
    this.#ratesOfAll = ratesOfAll(database);
    this.#latest = $client.prepare<[{ after: string; limit: number }], LatestRate>(
      latestOf("WHERE currency > @after ORDER BY currency LIMIT @limit"),
    );
    this.#latestOfOne = $client.prepare<[{ currency: string }], LatestRate>(latestOf("WHERE currency = @currency"));
    this.#rates = $client.prepare<[Days & Then], RateRow>(ratesSql);
    this.#quoted = $client.prepare<[Then]>(quotedSql);
  }

  /** Returns whether any source had a rate of the currency at `at` (UTC ms), or has one now. */
  isCurrency(currency: string, at: number | null): boolean {
    this.#shared?.join();
    return this.#quoted.get({ currency, at: at ?? Number.MAX_SAFE_INTEGER }) !== undefined;
  }

  /** Returns the latest rate of each source for the `limit` current currencies after `after`, in ascending order of currency. */
  latest(after: string, limit: number): LatestRate[] {
    this.#shared?.join();
    return this.#latest.all({ after, limit });
  }

  /** Returns the latest rate of each source of one currency. Returns none if the currency ended. */
  latestOf(currency: string): LatestRate[] {
    this.#shared?.join();
    return this.#latestOfOne.all({ currency });
  }

  /** Returns the rates of all sources on the days, by source and day, as known at `at` (UTC ms), or as known now. */
  rates(currency: string, { from, to }: Days, at: number | null): RateRow[] {
    this.#shared?.join();
    return this.#rates.all({ currency, from, to, at: at ?? Number.MAX_SAFE_INTEGER });
  }

  /** Returns all rates of the currency on the days, of all sources and methodology versions, in no particular order. */
  ratesOfAll(currency: string, { from, to }: Days): SourceRate[] {
    return this.#ratesOfAll.all({ currency, from, to });
  }
}

function ratesOfAll(database: Database) {
  const { currency, source, day, ratePerUsd } = exchangeRates;
  const onDays: SQL = sql`${day} BETWEEN ${bound("from")} AND ${bound("to")}`;
  return database
    .select({ source, day, ratePerUsd })
    .from(exchangeRates)
    .where(and(eq(currency, bound("currency")), onDays))
    .prepare();
}
