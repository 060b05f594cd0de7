import type { Constituent } from "../../store/write/indexes.ts";
import { divideHalfEven } from "../../values/money/decimal.ts";
import type { Methodology } from "./methodologies.ts";

export type Weighting = "equal" | "capitalization";

/** Daily asks of one day in USD cents, by item. Items without an ask are absent. */
export type Asks = ReadonlyMap<number, number>;

/** A membership with its asks on two days: the last day with a value (`before`), and the day itself (`asks`). */
type Basket = { readonly constituents: readonly Constituent[]; readonly before: Asks; readonly asks: Asks };

/**
 * The level of the last day with a value, in units of 10^-`exactScale`. `baskets` are the candidates for a link, in order of preference.
 */
export type Last = { readonly exact: bigint; readonly baskets: readonly Basket[] };

export type Level = {
  /** In units of 10^-`exactScale`. Null if too few constituents have an ask, or no basket can be linked. */
  exact: bigint | null;
  /** The basket of the link. Null for a level without a value and for the base value. */
  linkedOver: Basket | null;
  capitalizationCents: bigint;
  constituentCount: number;
  pricedConstituentCount: number;
  /** Hundredths of a percent, rounded down so that it never exceeds the real coverage. */
  coveragePct: bigint;
};

/**
 * Returns the level of one day. Null if no constituent has an ask. Pass null as `last` before the first level with a value: the first day
 * with enough coverage then receives `baseExact`. Both sides of a link use the same items, so a change of constituents does not move the
 * level.
 */
export function levelOf(
  weighting: Weighting,
  day: { constituents: readonly Constituent[]; asks: Asks; last: Last | null; baseExact: bigint },
  methodology: Methodology,
): Level | null {
  const { constituents, asks, last, baseExact } = day;
  const priced = constituents.filter(({ itemId }) => asks.has(itemId));
  if (priced.length === 0) return null;
  const isCovered = reaches(methodology.coverageFloorPct, priced, constituents);
  const link = isCovered && last !== null ? linkOf(last, methodology) : null;
  const chained = link === null ? null : linkedLevel(weighting, last!.exact, link, methodology);
  return {
    exact: isCovered && last === null ? baseExact : chained,
    linkedOver: link?.basket ?? null,
    capitalizationCents: worth(priced, asks),
    constituentCount: constituents.length,
    pricedConstituentCount: priced.length,
    coveragePct: (BigInt(priced.length) * 10_000n) / BigInt(constituents.length),
  };
}

/** A basket and its constituents with an ask on both days. */
type Link = { basket: Basket; linked: readonly Constituent[] };

function linkOf({ baskets }: Last, { linkFloorPct }: Methodology): Link | null {
  for (const basket of baskets) {
    const { constituents, before, asks } = basket;
    const linked = constituents.filter(({ itemId }) => before.has(itemId) && asks.has(itemId));
    if (linked.length > 0 && reaches(linkFloorPct, linked, constituents)) return { basket, linked };
  }
  return null;
}

function linkedLevel(
  weighting: Weighting,
  exact: bigint,
  { basket, linked }: Link,
  { exactScale }: Methodology,
): bigint {
  const { before, asks } = basket;
  if (weighting === "capitalization") return divideHalfEven(exact * worth(linked, asks), worth(linked, before));
  const one = 10n ** BigInt(exactScale);
  const relatives = linked.map(({ itemId }) => divideHalfEven(askOf(asks, itemId) * one, askOf(before, itemId)));
  const sum = relatives.reduce((total, relative) => total + relative, 0n);
  return divideHalfEven(exact * sum, one * BigInt(linked.length));
}

function reaches(floorPct: number, some: readonly Constituent[], all: readonly Constituent[]): boolean {
  return some.length * 100 >= floorPct * all.length;
}

function worth(constituents: readonly Constituent[], asks: Asks): bigint {
  return constituents.reduce((sum, { itemId, units }) => sum + askOf(asks, itemId) * BigInt(units), 0n);
}

function askOf(asks: Asks, itemId: number): bigint {
  return BigInt(asks.get(itemId)!);
}
