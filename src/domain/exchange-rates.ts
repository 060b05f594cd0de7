import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import type { ExchangeRatesStore, LatestRate, RateRow, RateSeries } from "../store/read/exchange-rates.ts";
import type { KnownMoments } from "../store/read/known-moments.ts";
import type { Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayOf, dayText, hourMs } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { type DayWindow, resolveSeriesWindow, windowTexts } from "../values/time/window.ts";
import { knownAtText, resolveKnownAt } from "./known-at.ts";
import { ObservationTimes, type Timeliness } from "./observation-times.ts";
import { missingDays, pageOf, type Read, windowIn } from "./paging.ts";
import type { Reference } from "./reference.ts";

type RatesQuery = { currency: string | null; after: string; limit: number };

/** `nextDay` is the start of the page. `series` is chosen by the first page, null before. */
type RateHistoryQuery = {
  currency: string;
  window: DayWindow;
  nextDay: number;
  series: RateSeries | null;
  limit: number;
  /** Instant of the past, UTC ms. Null for the current data. */
  knownAt: number | null;
};
type Asked = { readonly caller: Pick<Caller, "plan">; readonly at: number };

const listOperation = "listExchangeRates";
const historyOperation = "getExchangeRateHistory";
const listLimitDefault = 200;
const historyLimitDefault = 366;
const freshMs = 36 * hourMs;

/** Order of sources for the same currency. Other sources follow by name. */
const preferredSources = ["ecb", "currency-api"];

/** The rate of the dollar itself, which has neither source nor time. */
const usd: Schema<"ExchangeRate"> = {
  currency: "USD",
  rate_per_usd: "1",
  currency_minor_units: 2,
  as_of: null,
  ingested_at: null,
  source: "definition",
  methodology_version: "definition-1",
};

/**
 * Reads units of other currencies per US dollar by UTC day. Rates stay decimal strings throughout. A missing day stays missing: rates are
 * not carried forward.
 */
export class ExchangeRates {
  readonly #store: ExchangeRatesStore;
  readonly #cursors: Cursors;
  readonly #moments: KnownMoments;

  constructor({ store, reference }: { store: ExchangeRatesStore; reference: Reference }) {
    this.#store = store;
    this.#cursors = reference.cursors;
    this.#moments = reference.moments;
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareList({ currency, limit = listLimitDefault, after }: Params<"listExchangeRates">): RatesQuery {
    const key = after === undefined ? "" : String(this.#cursors.read(after, listOperation, { currency }).key);
    return { currency: currency ?? null, after: key, limit };
  }

  /**
   * Returns the latest rate of each currency, in ascending order of its code.
   *
   * @throws {Failure} `currency_not_found`.
   */
  list({ currency, after, limit }: RatesQuery): Read<"listExchangeRates"> {
    if (currency !== null) this.#refuseUnknown(currency, null, "query parameter");
    const rows = currency === null ? this.#store.latest(after, limit + 1) : this.#store.latestOf(currency);
    const rates = new Map(latestByCurrency(rows).map((row) => [row.currency, rateOf(row)]));
    if (currency === null ? after < usd.currency : currency === usd.currency) rates.set(usd.currency, usd);
    const data = Array.from(rates.values()).sort((a, b) => (a.currency < b.currency ? -1 : 1));
    const { page, last } = pageOf(data, limit);
    const next = last && this.#cursors.write({ operation: listOperation, key: last.currency, filters: {} });
    return { data: page, meta: { next_page: next } };
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_parameter`, `invalid_range`, `window_too_large`, `invalid_cursor` or `cursor_mismatch`, or as
   * `resolveKnownAt`.
   */
  prepareHistory(
    { currency, from, to, known_at, limit = historyLimitDefault, after }: Params<"getExchangeRateHistory">,
    { caller, at }: Asked,
  ): RateHistoryQuery {
    const asked = { caller, at, moments: this.#moments };
    const knownAt = resolveKnownAt(known_at, asked);
    if (after === undefined) {
      const window = resolveSeriesWindow({ from, to }, dayOf(knownAt ?? at));
      return { currency, window, nextDay: window.from, series: null, limit, knownAt };
    }
    const given = { currency, from, to, ...knownAtText(knownAt) };
    const { key, filters } = this.#cursors.read(after, historyOperation, given);
    const series = { source: String(filters.source), methodologyVersion: String(filters.methodology_version) };
    const position = { window: windowIn(filters), nextDay: Number(key) + 1, series };
    return { currency, ...position, limit, knownAt: resolveKnownAt(filters.known_at as string | undefined, asked) };
  }

  /**
   * Returns one page of one series. The first page chooses the series for the whole window.
   *
   * @throws {Failure} `currency_not_found`.
   */
  history(
    { currency, window, nextDay, series: chosen, limit, knownAt }: RateHistoryQuery,
    at: number,
  ): Read<"getExchangeRateHistory"> {
    const known = knownAt === null ? null : this.#moments.effective(knownAt);
    this.#refuseUnknown(currency, known, "path parameter");
    const all = this.#store.rates(currency, window, known);
    const series = chosen ?? bestOf(all);
    const rows = all.filter(
      (row) => row.source === series?.source && row.methodologyVersion === series.methodologyVersion,
    );
    const { page, last } = pageOf(
      rows.filter(({ day }) => day >= nextDay),
      limit,
    );
    const times = new ObservationTimes();
    for (const row of page) times.add(row.asOf);
    const resolved = { ...windowTexts(window), ...knownAtText(knownAt) };
    const filters = last && {
      currency,
      ...resolved,
      source: last.source,
      methodology_version: last.methodologyVersion,
    };
    return {
      data: page.map(pointOf),
      meta: {
        ...windowTexts(window),
        resolution: "day",
        missing_points: missingDays(
          window,
          rows.map(({ day }) => day),
        ),
        next_page: filters && this.#cursors.write({ operation: historyOperation, key: last.day, filters }),
        ...dayTimes(times.meta(freshMs, knownAt ?? at)),
        ...knownAtText(knownAt),
      },
    };
  }

  #refuseUnknown(currency: string, known: number | null, where: string): void {
    if (currency === usd.currency || this.#store.isCurrency(currency, known)) return;
    throw new Failure("currency_not_found", {
      detail: `${where} \`currency\`: ${currency} has no rate; \`listExchangeRates\` lists the currencies`,
    });
  }
}

function rateOf(row: LatestRate): Schema<"ExchangeRate"> {
  return {
    currency: row.currency,
    rate_per_usd: row.ratePerUsd,
    currency_minor_units: row.currencyMinorUnits,
    as_of: toTimestampOrNull(row.asOf),
    ingested_at: toTimestamp(row.recordedAt),
    source: row.source,
    methodology_version: row.methodologyVersion,
  };
}

function pointOf(row: RateRow): Schema<"ExchangeRatePoint"> {
  return {
    date: dayText(row.day),
    currency: row.currency,
    rate_per_usd: row.ratePerUsd,
    as_of: toTimestampOrNull(row.asOf),
    recorded_at: toTimestamp(row.recordedAt),
    source: row.source,
    methodology_version: row.methodologyVersion,
    kind: "exchange_rate",
  };
}

/** Returns one row per currency: the latest day, and for the same day the preferred source. */
function latestByCurrency(rows: readonly LatestRate[]): LatestRate[] {
  const best = new Map<string, LatestRate>();
  for (const row of rows) {
    const before = best.get(row.currency);
    if (before === undefined || row.day > before.day || (row.day === before.day && isPreferred(row, before)))
      best.set(row.currency, row);
  }
  return [...best.values()];
}

/** Returns the series of the preferred source, with the version of its last rate. Pass the rates of each source in ascending day. */
function bestOf(rates: readonly RateRow[]): RateSeries | null {
  return rates.reduce<RateSeries | null>((best, one) => {
    return best === null || one.source === best.source || isPreferred(one, best) ? one : best;
  }, null);
}

function isPreferred(one: RateSeries, other: RateSeries): boolean {
  const [a, b] = [rankOf(one.source), rankOf(other.source)];
  return a === b ? one.source < other.source : a < b;
}

function rankOf(source: string): number {
  const index = preferredSources.indexOf(source);
  return index === -1 ? preferredSources.length : index;
}

/** Sources of rates give the day but not the time. */
function dayTimes(times: Timeliness): Timeliness {
  return times.timestamp_quality === "source_observed" ? { ...times, timestamp_quality: "partial" } : times;
}
