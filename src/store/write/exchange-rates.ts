import { and, eq, sql } from "drizzle-orm";
import { currencies, exchangeRates } from "../../../db/schema/exchange-rates.ts";
import { dayMs } from "../../values/time/calendar.ts";
import type { Database } from "../database.ts";
import type { RateSeries } from "../read/exchange-rates.ts";
import { pastKeeper } from "./past-rows.ts";

/** Units of `currency` per US dollar on one UTC day (since 1970), as a plain decimal above zero. */
export type NewRate = { currency: string; minorUnits: number; day: number; ratePerUsd: string };

/** The stored rate with the same currency, source and day as a new one. */
type StoredRate = { ratePerUsd: string; methodologyVersion: string };

/** Reads and writes the rates of one source for an import. */
export class ExchangeRateWriter {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #source: RateSeries;

  constructor(database: Database, source: RateSeries) {
    this.#statements = prepare(database);
    this.#source = source;
  }

  /** Returns the stored rate of the source for the currency on the day, or null without one. */
  stored({ currency, day }: Pick<NewRate, "currency" | "day">): StoredRate | null {
    return this.#statements.stored.get({ currency, source: this.#source.source, day }) ?? null;
  }

  /** Adds a rate or replaces the stored one, which becomes a past row. `asOf` is the start of its UTC day, because sources give no time. */
  write({ currency, minorUnits, day, ratePerUsd }: NewRate, at: number): void {
    this.#statements.addCurrency.run({ currency, minorUnits });
    const recordedAt = this.#statements.keep([currency, this.#source.source, day], at);
    this.#statements.write.run({ currency, day, ratePerUsd, ...this.#source, asOf: day * dayMs, recordedAt });
  }
}

function prepare(database: Database) {
  const { currency, source, day, ratePerUsd, methodologyVersion } = exchangeRates;
  const value = sql.placeholder;
  return {
    keep: pastKeeper(database, "exchange_rates"),
    stored: database
      .select({ ratePerUsd, methodologyVersion })
      .from(exchangeRates)
      .where(and(eq(currency, value("currency")), eq(source, value("source")), eq(day, value("day"))))
      .prepare(),
    addCurrency: database
      .insert(currencies)
      .values({ currency: value("currency"), minorUnits: value("minorUnits") })
      .onConflictDoNothing()
      .prepare(),
    write: database
      .insert(exchangeRates)
      .values({
        currency: value("currency"),
        source: value("source"),
        day: value("day"),
        ratePerUsd: value("ratePerUsd"),
        methodologyVersion: value("methodologyVersion"),
        asOf: value("asOf"),
        recordedAt: value("recordedAt"),
      })
      .onConflictDoUpdate({
        target: [currency, source, day],
        set: {
          ratePerUsd: sql`excluded.rate_per_usd`,
          methodologyVersion: sql`excluded.methodology_version`,
          asOf: sql`excluded.as_of`,
          recordedAt: sql`excluded.recorded_at`,
        },
      })
      .prepare(),
  };
}
