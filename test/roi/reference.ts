import type { OpeningCost, ValuedOutcome } from "../../src/roi/valuation.ts";
import { exact, type Fraction } from "./arithmetic.ts";

export type ReferenceInput = { outcomes: readonly ValuedOutcome[]; denominator: bigint; cost: OpeningCost };

/** The formulas of the model again, from its description: slow, with fractions in lowest terms, sharing no code with the engine. */
export function reference(input: ReferenceInput) {
  const weights = weigh(input);
  const { possible, priced, unpriced, pricedMass, coverage, every, costCents } = weights;
  const { point, lower, upper, chance, chanceLower, chanceUpper, tookDearest } = estimate(weights);

  const allHalfUp = unpriced.length === 0;
  const down = allHalfUp ? halfUp : floor;
  const up = allHalfUp ? halfUp : ceil;
  const cents = point === null ? null : halfUp(point);
  const returnPct = cents === null ? null : text(divide(whole(cents), whole(costCents)), 2, halfUp);
  const lowest = coverage.reduce((low, share) => (reaches(share, low) ? low : share));
  return {
    cost_cents: costCents,
    expected_value_lower_cents: Number(down(lower)),
    expected_value_cents: cents === null ? null : Number(cents),
    expected_value_upper_cents: upper === null ? null : Number(up(upper)),
    expected_profit_cents: cents === null ? null : Number(cents) - costCents,
    return_pct: returnPct,
    profit_roi_pct: returnPct === null ? null : decimalsOf(BigInt(returnPct.replace(".", "")) - 10_000n, 2),
    profit_chance_lower_pct: text(chanceLower, 4, down),
    profit_chance_pct: chance === null ? null : text(chance, 4, halfUp),
    profit_chance_upper_pct: text(chanceUpper, 4, up),
    priced_probability_mass_pct: text(pricedMass, 4, floor),
    lowest_tier_coverage_pct: text(lowest, 4, floor),
    quantiles: quantilesOf(weights),
    outcome_count: possible.length,
    priced_outcome_count: priced.length,
    priced_outcome_pct: text(of(BigInt(priced.length), BigInt(possible.length)), 4, floor),
    confidence: confidenceOf(weights, { point, lower, upper }),
    flags: [
      ...(unpriced.length > 0 ? ["unpriced_outcomes"] : []),
      ...(every(800n) ? [] : ["tier_coverage_low"]),
      ...(upper === null ? ["upper_bound_unknown"] : []),
      ...(tookDearest ? ["upper_bound_assumed"] : []),
      ...(unpriced.some(({ aboveCeilingCents }) => aboveCeilingCents != null) ? ["above_price_ceiling"] : []),
    ],
  };
}

type Weights = ReturnType<typeof weigh>;

const { of, add, multiply, divide, reaches, floor } = exact;
const whole = (value: number | bigint) => of(BigInt(value), 1n);
const text = (value: Fraction, decimals: number, round: (value: Fraction) => bigint) =>
  decimalsOf(round(multiply(value, whole(100n * 10n ** BigInt(decimals)))), decimals);
const sum = (values: readonly Fraction[]) => values.reduce(add, whole(0));
const ceil = (value: Fraction) => -floor(multiply(value, whole(-1)));
const halfUp = (value: Fraction) => floor(add(value, of(1n, 2n)));

function weigh({ outcomes, denominator, cost }: ReferenceInput) {
  const possible = outcomes
    .filter(({ numerator }) => numerator > 0n)
    .map((outcome) => ({ ...outcome, chance: of(outcome.numerator, denominator) }));
  const chances = (rows: typeof possible) => sum(rows.map(({ chance }) => chance));
  const priced = possible.filter(({ valueCents }) => valueCents !== null);
  const unpriced = possible.filter(({ valueCents }) => valueCents === null);
  const costCents = cost.containerCents + cost.keyCents;
  const pays = (cents: number) => cents > costCents;

  const names = [...new Set(possible.map(({ tier }) => tier))];
  const tiers = names.map((name) => {
    const mine = (rows: typeof possible) => rows.filter(({ tier }) => tier === name);
    const values = mine(priced);
    return {
      name,
      mass: chances(mine(possible)),
      priced: chances(values),
      worth: sum(values.map(({ chance, valueCents }) => multiply(chance, whole(valueCents!)))),
      profitable: chances(values.filter(({ valueCents }) => pays(valueCents!))),
      dearest: values.length === 0 ? null : Math.max(...values.map(({ valueCents }) => valueCents!)),
    };
  });
  const coverage = tiers.map((tier) => divide(tier.priced, tier.mass));
  const every = (perMille: bigint) => coverage.every((share) => reaches(share, of(perMille, 1000n)));
  return { possible, priced, unpriced, tiers, coverage, every, chances, costCents, pricedMass: chances(priced) };
}

function estimate(weights: Weights) {
  const { tiers, unpriced, chances, pricedMass, every } = weights;
  const published = reaches(pricedMass, of(95n, 100n)) && every(750n);
  const projected = (part: "worth" | "profitable") =>
    sum(tiers.map((tier) => divide(multiply(tier.mass, tier[part]), tier.priced)));
  const assumptions = unpriced.map(({ tier, chance, recentHighCents, aboveCeilingCents }) => {
    if (aboveCeilingCents != null) return { took: false, worth: null };
    const dearest = tiers.find(({ name }) => name === tier)!.dearest;
    const known = [dearest, recentHighCents].filter((cents) => cents !== null);
    const most = known.length === 0 ? null : Math.max(...known);
    return { took: most !== null && most === dearest, worth: most === null ? null : multiply(chance, whole(most)) };
  });
  const boundless = assumptions.some(({ worth }) => worth === null);
  const lower = sum(tiers.map(({ worth }) => worth));
  const chanceLower = sum(tiers.map(({ profitable }) => profitable));
  return {
    point: published ? projected("worth") : null,
    lower,
    upper: boundless ? null : add(lower, sum(assumptions.map(({ worth }) => worth!))),
    chance: published ? projected("profitable") : null,
    chanceLower,
    chanceUpper: add(chanceLower, chances(unpriced)),
    tookDearest: assumptions.some(({ took }) => took),
  };
}

function quantilesOf({ priced, chances, pricedMass }: Weights) {
  if (priced.length === 0) return null;
  const values = priced.map(({ valueCents }) => valueCents!).sort((a, b) => a - b);
  const upTo = (most: number) => chances(priced.filter(({ valueCents }) => valueCents! <= most));
  const at = (perCent: bigint) => {
    const wanted = multiply(pricedMass, of(perCent, 100n));
    return values.find((value) => reaches(upTo(value), wanted)) ?? null;
  };
  return { p05: at(5n), p25: at(25n), p50: at(50n), p75: at(75n), p95: at(95n), p99: at(99n) };
}

function confidenceOf(
  { pricedMass, every }: Weights,
  { point, lower, upper }: { point: Fraction | null; lower: Fraction; upper: Fraction | null },
) {
  if (point === null) return "insufficient";
  if (upper === null || !every(800n)) return "low";
  const close = reaches(add(lower, multiply(point, of(5n, 100n))), upper);
  return close && reaches(pricedMass, of(995n, 1000n)) && every(950n) ? "high" : "medium";
}

function decimalsOf(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
