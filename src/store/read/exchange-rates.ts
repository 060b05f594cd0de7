import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { currencies, exchangeRates } from "../../../db/schema/exchange-rates.ts";
import type { Database } from "../database.ts";
import { bound, boundLimit } from "../statement.ts";
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

/** Selects each source with a rate on these days, with the methodology version of its last rate there. */
const seriesSql = `
  WITH RECURSIVE quoted(source) AS (
    SELECT min(source) FROM exchange_rates WHERE currency = @currency
    UNION ALL
    SELECT (SELECT min(source) FROM exchange_rates WHERE currency = @currency AND source > quoted.source)
    FROM quoted WHERE source IS NOT NULL
  )
  SELECT rate.source, rate.methodology_version AS methodologyVersion
  FROM quoted CROSS JOIN exchange_rates AS rate ON rate.currency = @currency AND rate.source = quoted.source
    AND rate.day = (SELECT max(day) FROM exchange_rates
      WHERE currency = @currency AND source = quoted.source AND day BETWEEN @from AND @to)
  ORDER BY rate.source`;

/** Reads exchange rates as recorded. Each read is one statement with its own limit. */
export class ExchangeRatesStore {
  readonly #shared: SharedReadTransaction | undefined;
  readonly #plain: ReturnType<typeof prepare>;
  readonly #latest;
  readonly #latestOfOne;
  readonly #series;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    const { $client } = database;
    this.#shared = shared;
    this.#plain = prepare(database);
    this.#latest = $client.prepare<[{ after: string; limit: number }], LatestRate>(
      latestOf("WHERE currency > @after ORDER BY currency LIMIT @limit"),
    );
    this.#latestOfOne = $client.prepare<[{ currency: string }], LatestRate>(latestOf("WHERE currency = @currency"));
    this.#series = $client.prepare<[Days & { currency: string }], RateSeries>(seriesSql);
  }

  /** Returns whether any source has named the currency. */
  isCurrency(currency: string): boolean {
    this.#shared?.join();
    return this.#plain.currency.get({ currency }) !== undefined;
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

  /** Returns the series with a rate on one of the days, one per source. */
  series(currency: string, { from, to }: Days): RateSeries[] {
    this.#shared?.join();
    return this.#series.all({ currency, from, to });
  }

  /** Returns at most `limit` rates of a series in ascending day. */
  rates(currency: string, { source, methodologyVersion }: RateSeries, { from, to }: Days, limit: number): RateRow[] {
    this.#shared?.join();
    return this.#plain.rates.all({ currency, source, methodologyVersion, from, to, limit });
  }

  /** Returns all rates of the currency on the days, of all sources and methodology versions, in no particular order. */
  ratesOfAll(currency: string, { from, to }: Days): SourceRate[] {
    return this.#plain.ratesOfAll.all({ currency, from, to });
  }

  /** Returns the days with a rate of the series, ascending. */
  days(currency: string, { source, methodologyVersion }: RateSeries, { from, to }: Days): number[] {
    this.#shared?.join();
    return this.#plain.days.all({ currency, source, methodologyVersion, from, to }).map(({ day }) => day);
  }
}

function prepare(database: Database) {
  const { currency, source, day, ratePerUsd, methodologyVersion } = exchangeRates;
  const onDays: SQL = sql`${day} BETWEEN ${bound("from")} AND ${bound("to")}`;
  const ofCurrency = and(eq(currency, bound("currency")), onDays);
  const ofSeries = and(ofCurrency, eq(source, bound("source")), eq(methodologyVersion, bound("methodologyVersion")));
  return {
    currency: database
      .select({ currency: currencies.currency })
      .from(currencies)
      .where(eq(currencies.currency, bound("currency")))
      .prepare(),
    rates: database.select().from(exchangeRates).where(ofSeries).orderBy(asc(day)).limit(boundLimit("limit")).prepare(),
    ratesOfAll: database.select({ source, day, ratePerUsd }).from(exchangeRates).where(ofCurrency).prepare(),
    days: database.select({ day }).from(exchangeRates).where(ofSeries).orderBy(asc(day)).prepare(),
  };
}
