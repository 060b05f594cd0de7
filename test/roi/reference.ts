import type { OpeningCost, ValuedOutcome } from "../../src/roi/valuation.ts";
import { type Arithmetic, exact } from "./arithmetic.ts";

/** What a careless implementation does; the tests show that each of them is noticed. */
export type Mutation =
  | "unpriced_as_zero"
  | "at_least_the_cost"
  | "all_tiers_as_one"
  | "return_from_exact_values"
  | "bounds_half_up"
  | "quantiles_of_all_mass";

export type ReferenceInput = { outcomes: readonly ValuedOutcome[]; denominator: bigint; cost: OpeningCost };

/**
 * The formulas of the model once more, read from its description: slow, with fractions in lowest terms, sharing no code with the
 * engine. `mutations` make it wrong on purpose.
 */
export function reference(input: ReferenceInput, ...mutations: Mutation[]) {
  return referenceWith(exact, input, mutations);
}

export function referenceWith<Value>(
  numbers: Arithmetic<Value>,
  input: ReferenceInput,
  mutations: readonly Mutation[] = [],
) {
  const has = (mutation: Mutation) => mutations.includes(mutation);
  const { whole, text, halfUp } = tools(numbers);
  const weights = weigh(numbers, input, has);
  const { possible, priced, unpriced, pricedMass, coverage, every, costCents } = weights;
  const { point, lower, upper, chance, chanceLower, chanceUpper, tookDearest } = estimate(numbers, weights, has);

  const allHalfUp = unpriced.length === 0 || has("bounds_half_up");
  const down = allHalfUp ? halfUp : numbers.floor;
  const up = allHalfUp ? halfUp : tools(numbers).ceil;
  const cents = point === null ? null : halfUp(point);
  const returned = point === null ? null : has("return_from_exact_values") ? point : whole(cents!);
  const returnPct = returned === null ? null : text(numbers.divide(returned, whole(costCents)), 2, halfUp);
  const lowest = coverage.reduce((low, share) => (numbers.reaches(share, low) ? low : share));
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
    priced_probability_mass_pct: text(pricedMass, 4, numbers.floor),
    lowest_tier_coverage_pct: text(lowest, 4, numbers.floor),
    quantiles: quantilesOf(numbers, weights, has("quantiles_of_all_mass") ? whole(1) : pricedMass),
    outcome_count: possible.length,
    priced_outcome_count: priced.length,
    priced_outcome_pct: text(numbers.of(BigInt(priced.length), BigInt(possible.length)), 4, numbers.floor),
    confidence: confidenceOf(numbers, weights, { point, lower, upper }),
    flags: [
      ...(unpriced.length > 0 ? ["unpriced_outcomes"] : []),
      ...(every(800n) ? [] : ["tier_coverage_low"]),
      ...(upper === null ? ["upper_bound_unknown"] : []),
      ...(tookDearest ? ["upper_bound_assumed"] : []),
    ],
  };
}

type Has = (mutation: Mutation) => boolean;
type Weights<Value> = ReturnType<typeof weigh<Value>>;

function tools<Value>({ of, add, multiply, floor }: Arithmetic<Value>) {
  const whole = (value: number | bigint) => of(BigInt(value), 1n);
  const text = (value: Value, decimals: number, round: (value: Value) => bigint) =>
    decimalsOf(round(multiply(value, whole(100n * 10n ** BigInt(decimals)))), decimals);
  return {
    whole,
    text,
    sum: (values: readonly Value[]) => values.reduce(add, whole(0)),
    ceil: (value: Value) => -floor(multiply(value, whole(-1))),
    halfUp: (value: Value) => floor(add(value, of(1n, 2n))),
  };
}

function weigh<Value>(numbers: Arithmetic<Value>, { outcomes, denominator, cost }: ReferenceInput, has: Has) {
  const { of, multiply, divide, reaches } = numbers;
  const { whole, sum } = tools(numbers);
  const possible = outcomes
    .filter(({ numerator }) => numerator > 0n)
    .map((outcome) => ({ ...outcome, chance: of(outcome.numerator, denominator) }));
  const chances = (rows: typeof possible) => sum(rows.map(({ chance }) => chance));
  const priced = possible.filter(({ valueCents }) => valueCents !== null);
  const unpriced = possible.filter(({ valueCents }) => valueCents === null);
  const costCents = cost.containerCents + cost.keyCents;
  const pays = (cents: number) => (has("at_least_the_cost") ? cents >= costCents : cents > costCents);

  const names = [...new Set(possible.map(({ tier }) => tier))];
  const groups = has("all_tiers_as_one") ? [names] : names.map((name) => [name]);
  const tiers = groups.map((group) => {
    const mine = (rows: typeof possible) => rows.filter(({ tier }) => group.includes(tier));
    const values = mine(priced);
    return {
      group,
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

function estimate<Value>(numbers: Arithmetic<Value>, weights: Weights<Value>, has: Has) {
  const { of, add, multiply, divide, reaches } = numbers;
  const { whole, sum } = tools(numbers);
  const { tiers, unpriced, chances, pricedMass, every } = weights;
  const published = reaches(pricedMass, of(95n, 100n)) && every(750n);
  const projected = (part: "worth" | "profitable") =>
    sum(
      tiers.map((tier) => {
        return has("unpriced_as_zero") ? tier[part] : divide(multiply(tier.mass, tier[part]), tier.priced);
      }),
    );
  const assumptions = unpriced.map(({ tier, chance, recentHighCents }) => {
    const dearest = tiers.find(({ group }) => group.includes(tier))!.dearest;
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

function quantilesOf<Value>(numbers: Arithmetic<Value>, { priced, chances }: Weights<Value>, mass: Value) {
  if (priced.length === 0) return null;
  const values = priced.map(({ valueCents }) => valueCents!).sort((a, b) => a - b);
  const upTo = (most: number) => chances(priced.filter(({ valueCents }) => valueCents! <= most));
  const at = (perCent: bigint) => {
    const wanted = numbers.multiply(mass, numbers.of(perCent, 100n));
    return values.find((value) => numbers.reaches(upTo(value), wanted)) ?? null;
  };
  return { p05: at(5n), p25: at(25n), p50: at(50n), p75: at(75n), p95: at(95n), p99: at(99n) };
}

function confidenceOf<Value>(
  { of, add, multiply, reaches }: Arithmetic<Value>,
  { pricedMass, every }: Weights<Value>,
  { point, lower, upper }: { point: Value | null; lower: Value; upper: Value | null },
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
