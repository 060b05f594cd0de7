import { expect } from "chai";
import fc from "fast-check";
import { type OddsTier, poolOdds } from "../../src/roi/odds.ts";
import { type OpeningCost, valuate } from "../../src/roi/valuation.ts";
import { type State, statesOf } from "./enumerator.ts";
import { definitions } from "./pools.ts";

/** `values` and `highs` are assigned to the items in turn. Null means unpriced. */
type Case = { tiers: OddsTier[]; values: (number | null)[]; highs: (number | null)[]; cost: OpeningCost };
type Seen = { tier: string; cents: number | null; high: number | null };

const cents = fc.integer({ min: 1, max: 60 });
const cases: fc.Arbitrary<Case> = fc.record({
  tiers: definitions,
  values: fc.array(fc.option(cents, { freq: 12 }), { minLength: 1, maxLength: 30 }),
  highs: fc.array(fc.option(cents, { freq: 5 }), { minLength: 1, maxLength: 7 }),
  cost: fc.record({ containerCents: cents, keyCents: fc.integer({ min: 0, max: 9 }) }),
});

describe("enumeration of a small pool", () => {
  it("yields every item as often as its odds state", () => {
    fc.assert(
      fc.property(definitions, (tiers) => {
        const states = statesOf(tiers);
        const counts = new Map<number, bigint>();
        for (const { itemId } of states) counts.set(itemId, (counts.get(itemId) ?? 0n) + 1n);
        const { denominator, outcomes } = poolOdds(tiers);
        const all = BigInt(states.length);
        for (const { itemId, numerator } of outcomes)
          expect(numerator * all, `item ${itemId}`).to.equal((counts.get(itemId) ?? 0n) * denominator);
      }),
      { numRuns: 60 },
    );
  });

  it("equals the published numbers", () => {
    let points = 0;
    fc.assert(
      fc.property(cases, ({ tiers, values, highs, cost }) => {
        const { denominator, outcomes } = poolOdds(tiers);
        const worth = (itemId: number) => values[itemId % values.length]!;
        const high = (itemId: number) => highs[itemId % highs.length]!;
        const valued = outcomes.map(({ itemId, ...odds }) => {
          return { ...odds, valueCents: worth(itemId), recentHighCents: high(itemId) };
        });
        const valuation = valuate(valued, denominator, cost);
        const see = ({ tier, itemId }: State): Seen => ({ tier, cents: worth(itemId), high: high(itemId) });
        const counted = countedNumbers(statesOf(tiers).map(see), cost.containerCents + cost.keyCents);
        expect(valuation).to.deep.include(counted);
        if (valuation.expected_value_cents !== null) points++;
      }),
      { numRuns: 80 },
    );
    expect(points).to.be.greaterThan(5);
  });
});

/** Counts states. The point estimate uses the mean of a tier's priced outcomes for its unpriced ones. */
function countedNumbers(states: readonly Seen[], costCents: number) {
  const all = BigInt(states.length);
  const tiers = [...new Set(states.map(({ tier }) => tier))].map((name) => {
    const mine = states.filter(({ tier }) => tier === name);
    const priced = pricedOf(mine);
    return { count: BigInt(mine.length), priced, dearest: priced.length === 0 ? null : Math.max(...priced), name };
  });
  const priced = pricedOf(states).sort((a, b) => a - b);
  const wins = (values: readonly number[]) => BigInt(values.filter((value) => value > costCents).length);
  const published =
    BigInt(priced.length) * 100n >= all * 95n &&
    tiers.every((tier) => BigInt(tier.priced.length) * 4n >= tier.count * 3n);
  const scale = tiers.reduce((product, tier) => product * BigInt(tier.priced.length || 1), 1n);
  const mean = (part: (values: readonly number[]) => bigint) =>
    tiers.reduce((sum, tier) => sum + (tier.count * part(tier.priced) * scale) / BigInt(tier.priced.length), 0n);
  const assumed = states.map(({ tier, cents, high }) => {
    const dearest = tiers.find(({ name }) => name === tier)!.dearest;
    return cents ?? (dearest === null ? high : Math.max(dearest, high ?? 0));
  });
  const complete = priced.length === states.length;
  const quantile = (perCent: number) => priced[ceil(BigInt(priced.length * perCent), 100n) - 1]!;
  const missing = all - BigInt(priced.length);
  return {
    expected_value_lower_cents: Number((sumOf(priced) * 2n + (complete ? all : 0n)) / (all * 2n)),
    expected_value_cents: published ? halfUp(mean(sumOf), all * scale) : null,
    expected_value_upper_cents: assumed.some((value) => value === null)
      ? null
      : complete
        ? halfUp(sumOf(priced), all)
        : ceil(sumOf(assumed.map((value) => value!)), all),
    profit_chance_lower_pct: percent(
      complete ? halfUp(wins(priced) * million, all) : floor(wins(priced) * million, all),
    ),
    profit_chance_pct: published ? percent(halfUp(mean(wins) * million, all * scale)) : null,
    profit_chance_upper_pct: percent(
      complete ? halfUp(wins(priced) * million, all) : ceil((wins(priced) + missing) * million, all),
    ),
    priced_probability_mass_pct: percent(floor(BigInt(priced.length) * million, all)),
    quantiles:
      priced.length === 0
        ? null
        : {
            p05: quantile(5),
            p25: quantile(25),
            p50: quantile(50),
            p75: quantile(75),
            p95: quantile(95),
            p99: quantile(99),
          },
  };
}

const million = 1_000_000n;

function pricedOf(states: readonly Seen[]): number[] {
  return states.flatMap(({ cents }) => cents ?? []);
}

function sumOf(values: readonly number[]): bigint {
  return BigInt(values.reduce((sum, value) => sum + value, 0));
}

function floor(numerator: bigint, denominator: bigint): number {
  return Number(numerator / denominator);
}

function ceil(numerator: bigint, denominator: bigint): number {
  return floor(numerator, denominator) + (numerator % denominator === 0n ? 0 : 1);
}

function halfUp(numerator: bigint, denominator: bigint): number {
  return floor(numerator, denominator) + ((numerator % denominator) * 2n >= denominator ? 1 : 0);
}

/** Ten-thousandths of a per cent. */
function percent(units: number): string {
  const digits = String(units).padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
