import type { Database } from "../../store/database.ts";
import { ExchangeRatesStore } from "../../store/read/exchange-rates.ts";
import { type HoldingGroupRow, OwnerHoldingReads } from "../../store/read/owner-holdings.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { divideHalfEven, fixedText, parseDecimal } from "../../values/money/decimal.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Plan } from "../plans.ts";

/**
 * Lots of one item with the same cost. Amounts are USD cents of all of them; null: not known. `differenceCents` is value less cost and
 * needs both.
 */
export type Holding = {
  itemId: number;
  /** Null: this node does not have the item yet. */
  marketHashName: string | null;
  phase: string | null;
  lots: number;
  quantity: number;
  unitCostCents: number | null;
  costEstimated: boolean;
  askCents: number | null;
  costCents: bigint | null;
  valueCents: bigint | null;
  differenceCents: bigint | null;
  /** Share of the value in thousandths; all rows sum to 1,000. Null without a price, or if the whole value is 0. */
  shareMilles: bigint | null;
};

/** A sum in USD cents of the lots of which it is known; null: of none. `leftOut`: lots that it does not hold. */
export type Sum = { cents: bigint | null; leftOut: number };

/** What is held at one provider's asks of one UTC day (since 1970); `day` null: none is stored. */
export type Holdings = {
  provider: string | null;
  day: number | null;
  /** One page of the rows: the highest value first, those without a price last. Pages count from 1. */
  rows: readonly Holding[];
  page: number;
  pages: number;
  lots: number;
  value: Sum;
  cost: Sum;
  difference: Sum;
};

/** A stored rate of a currency, as it is shown with what it converts. `day`: UTC day since 1970. */
export type DisplayRate = { currency: string; minorUnits: number; ratePerUsd: string; source: string; day: number };

type ValuedPortfolio = { portfolioId: string; priceSource: string; displayCurrency: string };

const rowsOfPage = 100;
/** Completed days before today in which a price is looked for. */
const askDaysMax = 30;

/** Values what owners hold, as far as their plan shows it. Callers check whose a portfolio is, in one transaction with these. */
export class OwnerHoldings {
  readonly #reads: OwnerHoldingReads;
  readonly #providers: ProvidersStore;
  readonly #rates: ExchangeRatesStore;

  constructor(database: Database) {
    this.#reads = new OwnerHoldingReads(database);
    this.#providers = new ProvidersStore(database);
    this.#rates = new ExchangeRatesStore(database);
  }

  /** Values a portfolio at the asks of the last completed day that has one; on Free at those of the main platform. */
  of({ portfolioId, priceSource }: ValuedPortfolio, plan: Plan, at: number, page: number): Holdings {
    const provider = plan === "free" ? this.#providers.mainPlatform() : priceSource;
    const today = dayOf(at);
    const days = { provider: provider ?? "", from: today - askDaysMax, to: today - 1 };
    const day = this.#reads.lastAskedDay(portfolioId, days);
    return holdingsOf(this.#reads.groups(portfolioId, days.provider, day ?? days.to), { provider, day, page });
  }

  /** Returns the latest stored rate of the currency that a portfolio is shown in; null: dollars, on Free, or none is stored. */
  rate({ displayCurrency: currency }: ValuedPortfolio, plan: Plan, at: number): DisplayRate | null {
    if (plan === "free" || currency === "USD") return null;
    const known = this.#rates.latestOf(currency).filter(({ day }) => day <= dayOf(at));
    // Of one day the first source stays before the others.
    const [latest] = known.sort((one, other) => other.day - one.day);
    if (latest === undefined) return null;
    const { ratePerUsd, source, day, currencyMinorUnits: minorUnits } = latest;
    return { currency, minorUnits, ratePerUsd, source, day };
  }
}

/** Converts USD cents with a rate and rounds halves to even: `EUR -1,012.34`, in the currency's own minor units. */
export function convertedText(cents: bigint, { currency, minorUnits, ratePerUsd }: DisplayRate): string {
  const rate = parseDecimal(ratePerUsd);
  if (rate === null) throw new Error(`the stored rate of ${currency} is no number`);
  const scaled = cents * rate.units * 10n ** BigInt(minorUnits);
  const [whole, fraction] = fixedText(divideHalfEven(scaled, 10n ** BigInt(rate.scale + 2)), minorUnits).split(".");
  const text = whole!.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${currency} ${fraction === undefined ? text : `${text}.${fraction}`}`;
}

/** Values lots at asks. A lot without an ask or cost is in no sum that needs it. */
function holdingsOf(
  groups: readonly HoldingGroupRow[],
  { provider, day, page }: { provider: string | null; day: number | null; page: number },
): Holdings {
  const rows = withShares(groups.map(holdingOf).sort(byValue));
  const pages = Math.max(1, Math.ceil(rows.length / rowsOfPage));
  const shown = Math.min(page, pages);
  return {
    provider,
    day,
    rows: rows.slice((shown - 1) * rowsOfPage, shown * rowsOfPage),
    page: shown,
    pages,
    lots: rows.reduce((sum, { lots }) => sum + lots, 0),
    value: sumOf(rows, ({ valueCents }) => valueCents),
    cost: sumOf(rows, ({ costCents }) => costCents),
    difference: sumOf(rows, ({ differenceCents }) => differenceCents),
  };
}

/** Adds sums of several portfolios. */
export function addSums(sums: readonly Sum[]): Sum {
  const known = sums.flatMap(({ cents }) => (cents === null ? [] : [cents]));
  return {
    cents: known.length === 0 ? null : known.reduce((all, cents) => all + cents, 0n),
    leftOut: sums.reduce((all, { leftOut }) => all + leftOut, 0),
  };
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

function sumOf(rows: readonly Holding[], amount: (row: Holding) => bigint | null): Sum {
  let cents = 0n;
  let leftOut = 0;
  let known = 0;
  for (const row of rows) {
    const one = amount(row);
    if (one === null) leftOut += row.lots;
    else {
      cents += one;
      known += 1;
    }
  }
  return { cents: known === 0 ? null : cents, leftOut };
}

/** A portfolio has up to 20,000 lots: numbers are compared, and rounding only swaps values that are all but equal. */
function byValue(one: Omit<Holding, "shareMilles">, other: Omit<Holding, "shareMilles">): number {
  const [a, b] = [one, other].map(({ quantity, askCents }) => (askCents === null ? -1 : quantity * askCents));
  return b! - a! || one.itemId - other.itemId || (one.unitCostCents ?? -1) - (other.unitCostCents ?? -1);
}
