import type { Database } from "../../store/database.ts";
import { ExchangeRatesStore } from "../../store/read/exchange-rates.ts";
import { type HoldingGroupRow, OwnerHoldingReads } from "../../store/read/owner-holdings.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { divideHalfEven, fixedText, parseDecimal } from "../../values/money/decimal.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Plan } from "../plans.ts";

/**
 * Lots of one item with the same cost. Amounts are USD cents for all of them, null if unknown. `differenceCents` is value minus cost and
 * needs both.
 */
export type Holding = {
  itemId: number;
  /** Null if this node does not have the item yet. */
  marketHashName: string | null;
  phase: string | null;
  lots: number;
  quantity: number;
  unitCostCents: number | null;
  costEstimated: boolean;
  askCents: number | null;
  /** Name of the provider of the ask, null without an ask. */
  askProvider: string | null;
  costCents: bigint | null;
  valueCents: bigint | null;
  differenceCents: bigint | null;
  /** Share of the value in thousandths. All rows sum to 1,000. Null without a price, or if the whole value is 0. */
  shareMilles: bigint | null;
};

/**
 * Sums in USD cents over the lots with a price and a known cost, null without such lots. `unpriced`: lots without a price; `uncosted`: lots
 * with a price and no cost, summed separately.
 */
export type Totals = {
  lots: number;
  unpriced: number;
  uncosted: number;
  value: bigint | null;
  cost: bigint | null;
  uncostedValue: bigint;
};

/** Holdings at the asks of one UTC day (days since 1970). `day` is null if none is stored; the published quotes are used then. */
export type Holdings = Totals & {
  /** Slug of a provider, or `lowest-ask`. Null for the main platform, if the market has none. */
  provider: string | null;
  /** Null for `lowest-ask` or without a provider. */
  providerName: string | null;
  day: number | null;
  /** One page of the rows: highest value first, rows without a price last. Pages count from 1. */
  rows: readonly Holding[];
  page: number;
  pages: number;
};

/** A stored rate of a currency, shown with the converted amounts. `day`: UTC day since 1970. */
export type DisplayRate = { currency: string; minorUnits: number; ratePerUsd: string; source: string; day: number };

type ValuedPortfolio = { portfolioId: string; priceSource: string; displayCurrency: string };

const rowsOfPage = 100;
/** Completed days before today that are searched for a price. */
const askDaysMax = 30;

/** Values the holdings of owners within the limits of their plan. Callers check the owner of a portfolio in the same transaction. */
export class OwnerHoldings {
  readonly #reads: OwnerHoldingReads;
  readonly #providers: ProvidersStore;
  readonly #rates: ExchangeRatesStore;

  constructor(database: Database) {
    this.#reads = new OwnerHoldingReads(database);
    this.#providers = new ProvidersStore(database);
    this.#rates = new ExchangeRatesStore(database);
  }

  /**
   * Values a portfolio at the asks of the last completed day that has asks, or at the current asks before the first such day. On Free it
   * uses the main platform's asks.
   */
  of({ portfolioId, priceSource }: ValuedPortfolio, plan: Plan, at: number, page: number): Holdings {
    const provider = plan === "free" ? this.#providers.mainPlatform() : priceSource;
    const today = dayOf(at);
    const days = { provider: provider ?? "", from: today - askDaysMax, to: today - 1 };
    const day = this.#reads.lastAskedDay(portfolioId, days);
    const providerName = provider === null ? null : this.#providers.nameOf(provider);
    const groups = this.#reads.groups(portfolioId, days.provider, day);
    return holdingsOf(groups, { provider, providerName, day, page });
  }

  /** Returns the latest stored rate of a portfolio's display currency. Returns null for dollars, on Free, or without a stored rate. */
  rate({ displayCurrency: currency }: ValuedPortfolio, plan: Plan, at: number): DisplayRate | null {
    if (plan === "free" || currency === "USD") return null;
    const known = this.#rates.latestOf(currency).filter(({ day }) => day <= dayOf(at));
    // The sort is stable, so the first source wins for the same day.
    const [latest] = known.sort((one, other) => other.day - one.day);
    if (latest === undefined) return null;
    const { ratePerUsd, source, day, currencyMinorUnits: minorUnits } = latest;
    return { currency, minorUnits, ratePerUsd, source, day };
  }
}

/** Converts USD cents with a rate and rounds halves to even: `EUR -1,012.34`, in the currency's own minor units. */
export function convertedText(cents: bigint, { currency, minorUnits, ratePerUsd }: DisplayRate): string {
  const rate = parseDecimal(ratePerUsd);
  if (rate === null) throw new Error(`the stored rate of ${currency} is not a number`);
  const scaled = cents * rate.units * 10n ** BigInt(minorUnits);
  const [whole, fraction] = fixedText(divideHalfEven(scaled, 10n ** BigInt(rate.scale + 2)), minorUnits).split(".");
  const text = whole!.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${currency} ${fraction === undefined ? text : `${text}.${fraction}`}`;
}

/** Values lots at asks. A lot without an ask or cost is excluded from sums that need it. */
function holdingsOf(
  groups: readonly HoldingGroupRow[],
  { page, ...source }: Pick<Holdings, "provider" | "providerName" | "day" | "page">,
): Holdings {
  const rows = withShares(groups.map(holdingOf).sort(byValue));
  const pages = Math.max(1, Math.ceil(rows.length / rowsOfPage));
  const shown = Math.min(page, pages);
  return {
    ...source,
    rows: rows.slice((shown - 1) * rowsOfPage, shown * rowsOfPage),
    page: shown,
    pages,
    ...addTotals(rows.map(totalsOf)),
  };
}

/** Adds totals of several rows or portfolios. */
export function addTotals(all: readonly Totals[]): Totals {
  const add = (one: bigint | null, other: bigint | null) =>
    one === null || other === null ? (one ?? other) : one + other;
  return all.reduce(
    (sum, next) => ({
      lots: sum.lots + next.lots,
      unpriced: sum.unpriced + next.unpriced,
      uncosted: sum.uncosted + next.uncosted,
      value: add(sum.value, next.value),
      cost: add(sum.cost, next.cost),
      uncostedValue: sum.uncostedValue + next.uncostedValue,
    }),
    { lots: 0, unpriced: 0, uncosted: 0, value: null, cost: null, uncostedValue: 0n },
  );
}

function totalsOf({ lots, valueCents, costCents }: Holding): Totals {
  const none = { lots, unpriced: 0, uncosted: 0, value: null, cost: null, uncostedValue: 0n };
  if (valueCents === null) return { ...none, unpriced: lots };
  if (costCents === null) return { ...none, uncosted: lots, uncostedValue: valueCents };
  return { ...none, value: valueCents, cost: costCents };
}

/** Rounds shares by largest remainder, so that they sum to the whole. */
function withShares(rows: readonly Omit<Holding, "shareMilles">[]): Holding[] {
  const total = rows.reduce((sum, { valueCents }) => sum + (valueCents ?? 0n), 0n);
  const scaled = rows.map(({ valueCents }) => (valueCents === null || total === 0n ? null : valueCents * 1000n));
  const missing = scaled.reduce<bigint>((left, one) => left - (one === null ? 0n : one / total), 1000n);
  const remainders = scaled.flatMap((one, index) => (one === null ? [] : [{ index, rest: one % total }]));
  remainders.sort((one, other) => Number(other.rest > one.rest) - Number(other.rest < one.rest));
  const raised = new Set(remainders.slice(0, Number(missing)).map(({ index }) => index));
  return rows.map((row, index) => {
    const one = scaled[index]!;
    return { ...row, shareMilles: one === null ? null : one / total + (raised.has(index) ? 1n : 0n) };
  });
}

function holdingOf({ costEstimated, ...group }: HoldingGroupRow): Omit<Holding, "shareMilles"> {
  const { quantity, unitCostCents, askCents } = group;
  const costCents = unitCostCents === null ? null : BigInt(quantity) * BigInt(unitCostCents);
  const valueCents = askCents === null ? null : BigInt(quantity) * BigInt(askCents);
  const differenceCents = costCents === null || valueCents === null ? null : valueCents - costCents;
  return { ...group, costEstimated: costEstimated === 1, costCents, valueCents, differenceCents };
}

/** Compares as numbers, because a portfolio has up to 20,000 lots. Rounding only swaps almost equal values. */
function byValue(one: Omit<Holding, "shareMilles">, other: Omit<Holding, "shareMilles">): number {
  const [a, b] = [one, other].map(({ quantity, askCents }) => (askCents === null ? -1 : quantity * askCents));
  return b! - a! || one.itemId - other.itemId || (one.unitCostCents ?? -1) - (other.unitCostCents ?? -1);
}
