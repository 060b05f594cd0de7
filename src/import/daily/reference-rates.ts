import type { Database } from "../../store/database.ts";
import { type DayRate, ExchangeRatesStore } from "../../store/read/exchange-rates.ts";
import { divideHalfEven, parseDecimal } from "../../values/money/decimal.ts";
import { dayText } from "../../values/time/calendar.ts";
import type { DayWindow } from "../../values/time/window.ts";

type Rate = { ratePerUsd: string; units: bigint; scale: bigint };

/** The central bank's rates are used if available, else the first source by name. */
const preferred = "ecb";

/** Returns the stored rates of `currency` in a window, all from one source. Null if no rate is stored. */
export function referenceRatesIn(database: Database, currency: string, window: DayWindow): ReferenceRates | null {
  const rows = new ExchangeRatesStore(database).ratesOfAll(currency, window);
  const sources = Array.from(new Set(rows.map((row) => row.source))).sort();
  const chosen = sources.includes(preferred) ? preferred : sources[0];
  if (chosen === undefined) return null;
  return new ReferenceRates(
    currency,
    chosen,
    rows.filter((row) => row.source === chosen),
  );
}

/**
 * The rates of one currency by day, all from one source: prices converted with two sources are not comparable. Rates are not carried
 * forward: a day without a stored rate has no rate.
 */
export class ReferenceRates {
  readonly currency: string;
  readonly source: string;
  readonly #rates = new Map<number, Rate>();
  readonly #missed = new Set<number>();

  constructor(currency: string, source: string, rates: readonly { day: number; ratePerUsd: string }[]) {
    this.currency = currency;
    this.source = source;
    for (const { day, ratePerUsd } of rates) {
      const decimal = parseDecimal(ratePerUsd);
      if (decimal === null || decimal.units <= 0n) continue;
      this.#rates.set(day, { ratePerUsd, units: decimal.units, scale: 10n ** BigInt(decimal.scale) });
    }
  }

  /** Converts `hundredths` of the currency to USD cents by the rate of `day`, halves to the even cent. Null if the day has no rate. */
  toCents(hundredths: number, day: number): number | null {
    const rate = this.#rates.get(day);
    if (rate === undefined) {
      this.#missed.add(day);
      return null;
    }
    return Number(divideHalfEven(BigInt(hundredths) * rate.scale, rate.units));
  }

  rateOn(day: number): DayRate | undefined {
    const rate = this.#rates.get(day);
    return rate === undefined ? undefined : { ratePerUsd: rate.ratePerUsd, source: this.source };
  }

  /** Returns the requested days without a rate, as dates in ascending order. */
  missedDates(): string[] {
    return Array.from(this.#missed)
      .sort((a, b) => a - b)
      .map(dayText);
  }
}
