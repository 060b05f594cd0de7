import { fixedText } from "../values/money/decimal.ts";
import { type CalculationNumbers, type RoiFlag, roiFlags, type ValuationMode } from "./calculation.ts";
import { needMass } from "./odds.ts";
import { ceilOf, FractionSum, floorOf, halfUpOf, percentText, type Rounding } from "./rational.ts";

/** An outcome with its value. `numerator` is over the pool's denominator. `recentHighCents` is used only if `valueCents` is null. */
export type ValuedOutcome = {
  tier: string;
  numerator: bigint;
  valueCents: number | null;
  recentHighCents: number | null;
  /** The price ceiling that the outcome may exceed. Null or absent without a ceiling. */
  aboveCeilingCents?: number | null;
};

export type OpeningCost = { containerCents: number; keyCents: number };

/**
 * `flags` may only hold `unpriced_outcomes`, `tier_coverage_low`, `upper_bound_unknown`, `upper_bound_assumed` and `above_price_ceiling`.
 */
export type Valuation = Omit<CalculationNumbers, "container_cost_provider" | "container_cost_as_of">;

/** `phased` is true if the item has a phase. `valueAsOf` is the source time in UTC ms, or null if the source does not give it. */
export type PricedOutcome = ValuedOutcome & { phased: boolean; valueProvider: string | null; valueAsOf: number | null };

export type CalculationInput = {
  outcomes: readonly PricedOutcome[];
  denominator: bigint;
  /** `provider` and `asOf` describe the container's price. */
  cost: OpeningCost & { provider: string; asOf: number | null };
  oddsSource: "published" | "community" | "inferred";
  valuationMode: ValuationMode;
};

/**
 * A gate that withholds the point estimate, because too little of a tier is priced. `tier` is null for the whole pool. Percentages are as
 * published.
 */
export type PublicationGate = { tier: string | null; pricedPct: string; leastPct: number };

/** Minimum priced share of the probability mass for a point estimate, in percent. */
const poolLeastPct = 95;
const tierLeastPct = 75;
/** Coverage of a tier is flagged as low below this priced share, in thousandths. */
const tierCoverageLow = 800n;

/** Sums behind all numbers. `mass` is the pool's denominator. `point` is null if a gate withholds the point estimate. */
type Sums = {
  mass: bigint;
  priced: bigint;
  worth: bigint;
  profitable: bigint;
  tiers: readonly TierSums[];
  assumed: Assumed;
  point: { worth: FractionSum; profitable: FractionSum } | null;
};

/**
 * Returns all stored numbers of a calculation.
 *
 * `priceAsOf` (UTC ms) is the oldest source time of the used values and of the container's price. It is null if one of these times is
 * unknown.
 *
 * @throws {OddsError} when the numerators do not sum to the denominator.
 * @throws {RangeError} when the cost is not a positive whole number of cents, or a phase has a value in `steam_gross`.
 */
export function calculationNumbers(input: CalculationInput): { numbers: CalculationNumbers; priceAsOf: number | null } {
  const { outcomes, denominator, cost, oddsSource, valuationMode } = input;
  const valuation = valuate(outcomes, denominator, cost);
  const possible = outcomes.filter(({ numerator }) => numerator > 0n);
  const priced = possible.filter(({ valueCents }) => valueCents !== null);
  // The main platform sells all phases as one item, so its price is not the price of any phase.
  if (valuationMode === "steam_gross" && priced.some(({ phased }) => phased))
    throw new RangeError("a phase has no value in steam_gross");
  const found = new Set<RoiFlag>(valuation.flags);
  if (possible.some(({ phased, valueCents }) => phased && valueCents === null)) found.add("phases_unpriced");
  if (oddsSource === "inferred") found.add("odds_inferred");
  // `steam_gross` reads only one provider, so the flag would always be set.
  if (valuationMode === "cash_ask" && priced.every(({ valueProvider }) => valueProvider === cost.provider))
    found.add("single_provider");
  const { cost_cents, container_cost_cents, key_cost_cents, ...rest } = valuation;
  return {
    numbers: {
      cost_cents,
      container_cost_cents,
      key_cost_cents,
      container_cost_provider: cost.provider,
      container_cost_as_of: cost.asOf,
      ...rest,
      flags: roiFlags.filter((flag) => found.has(flag)),
    },
    priceAsOf: priced.reduce((oldest, { valueAsOf }) => older(oldest, valueAsOf), cost.asOf),
  };
}

function older(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return a < b ? a : b;
}

/** Returns the gates that withhold the point estimate of a calculation. Empty if the estimate is published. */
export function unmetGates(outcomes: readonly ValuedOutcome[], numbers: CalculationNumbers): PublicationGate[] {
  if (numbers.expected_value_cents !== null) return [];
  const possible = outcomes.filter(({ numerator }) => numerator > 0n);
  const tiers = [...new Set(possible.map(({ tier }) => tier))];
  const gates: PublicationGate[] = tiers.map((tier, index) => {
    return { tier, pricedPct: numbers.tier_coverage_pct[index] ?? "", leastPct: tierLeastPct };
  });
  const whole: PublicationGate = { tier: null, pricedPct: numbers.priced_probability_mass_pct, leastPct: poolLeastPct };
  return [whole, ...gates].filter(({ pricedPct, leastPct }) => Number(pricedPct) < leastPct);
}

/**
 * Returns the exact value of opening a container. Outcomes with numerator 0 are ignored.
 *
 * @throws {OddsError} when the numerators do not sum to the denominator.
 * @throws {RangeError} when the cost is not a positive whole number of cents.
 */
export function valuate(outcomes: readonly ValuedOutcome[], denominator: bigint, cost: OpeningCost): Valuation {
  needMass(outcomes, denominator);
  const costCents = openingCents(cost);
  const possible = outcomes.filter(({ numerator }) => numerator > 0n).map(weighed);
  const sums = sumsOf(tierSums(possible, costCents), denominator);
  const tierCoverage = sums.tiers.map(({ mass, priced }) => percentText(priced, mass, 4, floorOf));
  const lowest = sums.tiers.reduce((low, tier) => (tier.priced * low.mass < low.priced * tier.mass ? tier : low));
  const priced = possible.filter(({ valueCents }) => valueCents !== null);
  return {
    cost_cents: Number(costCents),
    container_cost_cents: cost.containerCents,
    key_cost_cents: cost.keyCents,
    ...expectedValue(sums, costCents),
    ...profitChance(sums),
    priced_probability_mass_pct: percentText(sums.priced, sums.mass, 4, floorOf),
    price_coverage: {
      outcome_count: possible.length,
      priced_outcome_count: priced.length,
      priced_outcome_pct: percentText(BigInt(priced.length), BigInt(possible.length), 4, floorOf),
      lowest_tier_coverage_pct: percentText(lowest.priced, lowest.mass, 4, floorOf),
    },
    quantiles: quantilesOf(priced, sums.priced),
    confidence: confidenceOf(sums),
    flags: flagsOf(sums),
    tier_coverage_pct: tierCoverage,
  };
}

function openingCents({ containerCents, keyCents }: OpeningCost): bigint {
  const whole = [containerCents, keyCents].every((cents) => Number.isSafeInteger(cents) && cents >= 0);
  const sum = whole ? BigInt(containerCents) + BigInt(keyCents) : 0n;
  if (sum <= 0n || sum > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`the cost ${containerCents} + ${keyCents} must be a positive whole number of cents`);
  return sum;
}

function weighed({
  tier,
  numerator,
  valueCents,
  recentHighCents,
  aboveCeilingCents = null,
}: ValuedOutcome): WeighedOutcome {
  return {
    tier,
    numerator,
    valueCents: valueCents === null ? null : BigInt(valueCents),
    recentHighCents: recentHighCents === null ? null : BigInt(recentHighCents),
    isAboveCeiling: aboveCeilingCents !== null,
  };
}

function sumsOf(tiers: readonly TierSums[], mass: bigint): Sums {
  const total = (part: "priced" | "worth" | "profitable") => tiers.reduce((sum, tier) => sum + tier[part], 0n);
  const [priced, worth, profitable] = [total("priced"), total("worth"), total("profitable")];
  const published = reaches(priced, mass, perMille(poolLeastPct)) && everyTierReaches(tiers, perMille(tierLeastPct));
  const point = published ? { worth: projected(tiers, "worth"), profitable: projected(tiers, "profitable") } : null;
  return { mass, priced, worth, profitable, tiers, assumed: assumedWorth(tiers), point };
}

function perMille(perCent: number): bigint {
  return BigInt(perCent) * 10n;
}

/** Returns whether `part` is at least `thousandths` thousandths of `whole`. */
function reaches(part: bigint, whole: bigint, thousandths: bigint): boolean {
  return part * 1000n >= whole * thousandths;
}

function everyTierReaches(tiers: readonly TierSums[], thousandths: bigint): boolean {
  return tiers.every(({ priced, mass }) => reaches(priced, mass, thousandths));
}

/** Returns the roundings of the bounds: outwards, or half up if every outcome is priced and the bounds equal the point. */
function boundRoundings({ priced, mass }: Sums): { down: Rounding; up: Rounding } {
  return priced === mass ? { down: halfUpOf, up: halfUpOf } : { down: floorOf, up: ceilOf };
}

type ExpectedValue = Pick<
  Valuation,
  | "expected_value_cents"
  | "expected_value_lower_cents"
  | "expected_value_upper_cents"
  | "expected_profit_cents"
  | "return_pct"
  | "profit_roi_pct"
>;

function expectedValue(sums: Sums, costCents: bigint): ExpectedValue {
  const { mass, worth, assumed, point } = sums;
  const { down, up } = boundRoundings(sums);
  const cents = point === null ? null : halfUpOf(point.worth.numerator, point.worth.denominator * mass);
  // Hundredths of a percent, calculated from the published integers.
  const returned = cents === null ? null : halfUpOf(cents * 10_000n, costCents);
  return {
    expected_value_cents: cents === null ? null : Number(cents),
    expected_value_lower_cents: Number(down(worth, mass)),
    expected_value_upper_cents: assumed.worth === null ? null : Number(up(worth + assumed.worth, mass)),
    expected_profit_cents: cents === null ? null : Number(cents - costCents),
    return_pct: returned === null ? null : fixedText(returned, 2),
    profit_roi_pct: returned === null ? null : fixedText(returned - 10_000n, 2),
  };
}

type ProfitChance = Pick<Valuation, "profit_chance_pct" | "profit_chance_lower_pct" | "profit_chance_upper_pct">;

function profitChance(sums: Sums): ProfitChance {
  const { mass, priced, profitable, point } = sums;
  const { down, up } = boundRoundings(sums);
  const chance = point?.profitable;
  return {
    profit_chance_pct:
      chance === undefined ? null : percentText(chance.numerator, chance.denominator * mass, 4, halfUpOf),
    profit_chance_lower_pct: percentText(profitable, mass, 4, down),
    profit_chance_upper_pct: percentText(profitable + mass - priced, mass, 4, up),
  };
}

/** Returns the weighted quantiles of the priced values, in cents. Null if no outcome is priced. */
function quantilesOf(outcomes: readonly WeighedOutcome[], priced: bigint): Valuation["quantiles"] {
  const rising = outcomes.map(({ valueCents, numerator }) => ({ value: Number(valueCents), numerator }));
  if (rising.length === 0) return null;
  rising.sort((a, b) => a.value - b.value);
  let below = 0n;
  const reached = rising.map(({ value, numerator }) => {
    below += numerator;
    return { value, mass: below };
  });
  const quantile = (perCent: bigint) => reached.find(({ mass }) => mass * 100n >= priced * perCent)!.value;
  return {
    p05: quantile(5n),
    p25: quantile(25n),
    p50: quantile(50n),
    p75: quantile(75n),
    p95: quantile(95n),
    p99: quantile(99n),
  };
}

function confidenceOf({ mass, priced, tiers, assumed, point }: Sums): Valuation["confidence"] {
  if (point === null) return "insufficient";
  if (assumed.worth === null || !everyTierReaches(tiers, tierCoverageLow)) return "low";
  // The bounds differ by `assumed.worth`, which must be at most 5 % of the point. Both sides are scaled by the pool's denominator.
  const narrow = assumed.worth * 20n * point.worth.denominator <= point.worth.numerator;
  return narrow && reaches(priced, mass, 995n) && everyTierReaches(tiers, 950n) ? "high" : "medium";
}

function flagsOf({ mass, priced, tiers, assumed }: Sums): RoiFlag[] {
  const flags: RoiFlag[] = [];
  if (priced < mass) flags.push("unpriced_outcomes");
  if (!everyTierReaches(tiers, tierCoverageLow)) flags.push("tier_coverage_low");
  if (assumed.worth === null) flags.push("upper_bound_unknown");
  if (assumed.tookDearest) flags.push("upper_bound_assumed");
  if (assumed.isAboveCeiling) flags.push("above_price_ceiling");
  return flags;
}

/** A possible outcome, ready for summation. `numerator` is over the pool's denominator. */
type WeighedOutcome = {
  tier: string;
  numerator: bigint;
  valueCents: bigint | null;
  recentHighCents: bigint | null;
  isAboveCeiling: boolean;
};

/** Sums of one tier, scaled by the pool's denominator. */
type TierSums = {
  mass: bigint;
  priced: bigint;
  /** Sum of probability times value in cents over the priced outcomes. */
  worth: bigint;
  /** Probability mass of the outcomes worth more than the cost. */
  profitable: bigint;
  /** Largest priced value in cents. Null if no outcome is priced. */
  dearest: bigint | null;
  unpriced: WeighedOutcome[];
};

/** Sums the outcomes by tier. Tiers keep the order of their first outcome. */
function tierSums(outcomes: readonly WeighedOutcome[], costCents: bigint): TierSums[] {
  const tiers = new Map<string, TierSums>();
  for (const outcome of outcomes) {
    let tier = tiers.get(outcome.tier);
    if (tier === undefined) {
      tier = { mass: 0n, priced: 0n, worth: 0n, profitable: 0n, dearest: null, unpriced: [] };
      tiers.set(outcome.tier, tier);
    }
    addOutcome(tier, outcome, costCents);
  }
  return [...tiers.values()];
}

function addOutcome(tier: TierSums, outcome: WeighedOutcome, costCents: bigint): void {
  const { numerator, valueCents } = outcome;
  tier.mass += numerator;
  if (valueCents === null) {
    tier.unpriced.push(outcome);
    return;
  }
  tier.priced += numerator;
  tier.worth += numerator * valueCents;
  if (valueCents > costCents) tier.profitable += numerator;
  if (tier.dearest === null || valueCents > tier.dearest) tier.dearest = valueCents;
}

/** Upper bound of the value that unpriced outcomes add. */
type Assumed = {
  /** Null if an unpriced outcome has no value to assume. */
  worth: bigint | null;
  /** True if an outcome was assumed to be worth the dearest value of its tier. */
  tookDearest: boolean;
  /** True if an outcome may cost more than its providers can list. */
  isAboveCeiling: boolean;
};

/**
 * Values every unpriced outcome at the larger of its recent high and the dearest value of its tier. An outcome above a ceiling has no upper
 * bound.
 */
function assumedWorth(tiers: readonly TierSums[]): Assumed {
  let worth: bigint | null = 0n;
  let tookDearest = false;
  let isAboveCeiling = false;
  for (const { dearest, unpriced } of tiers) {
    for (const { numerator, recentHighCents, isAboveCeiling: isAbove } of unpriced) {
      isAboveCeiling ||= isAbove;
      if (isAbove) {
        worth = null;
        continue;
      }
      const takesDearest = dearest !== null && (recentHighCents === null || dearest >= recentHighCents);
      const assumed = takesDearest ? dearest : recentHighCents;
      tookDearest ||= takesDearest;
      worth = worth === null || assumed === null ? null : worth + numerator * assumed;
    }
  }
  return { worth, tookDearest, isAboveCeiling };
}

/**
 * Returns the sum of mass x part / priced over the tiers. This assumes that the unpriced rest of a tier is like its priced part. Each tier
 * must have a priced outcome.
 */
function projected(tiers: readonly TierSums[], part: "worth" | "profitable"): FractionSum {
  const sum = new FractionSum();
  for (const tier of tiers) {
    if (tier.mass === tier.priced) sum.add(tier[part], 1n);
    else sum.add(tier.mass * tier[part], tier.priced);
  }
  return sum;
}
