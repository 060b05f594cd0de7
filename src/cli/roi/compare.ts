import { type CalculationNumbers, roiMethodology } from "../../roi/calculation.ts";
import { type CurrentCalculation, currentAt, probabilityPct } from "../../roi/current.ts";
import { calculationNumbers, type PricedOutcome } from "../../roi/valuation.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import type { JsonObject } from "../../values/text/strict-json.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { asJson, type Difference, Differences } from "./difference.ts";
import { compareOdds, type Odds } from "./odds.ts";
import type { Outcome, PublishedAnswers } from "./sources.ts";

type Detail = PublishedAnswers["openable"]["data"];
type Served = NonNullable<Detail["current"]>;

/** `current` is null if the odds do not add up, because the model then has no basis. */
export type Recomputed = { current: CurrentCalculation | null; differences: readonly Difference[] };

/**
 * Recomputes all derived values in `current`, the outcomes and the tiers. Its inputs are their prices, costs, times and numerators.
 * @throws {OperatorError} when responses do not belong together or have an unknown model.
 */
export function recomputed({ openable, outcomes }: PublishedAnswers, served: Served): Recomputed {
  const { data, meta } = openable;
  refuseUnknownModel(data, served);
  const [calculatedAt, generatedAt] = timesOf(served, meta);
  const differences = new Differences();
  const odds = compareOdds(data.pool.tiers, outcomes, differences);
  for (const outcome of outcomes) compareStatus(outcome, differences);
  if (!odds.addUp) return { current: null, differences: differences.list };
  const { numbers, priceAsOf } = numbersOf(data, served, outcomes, odds);
  compareTiers(data, odds, numbers, differences);
  const { pool } = data;
  const identity = { revisionId: pool.revision_id, revisionNumber: pool.revision_number };
  const model = { methodologyVersion: roiMethodology, valuationMode: data.valuation_mode };
  const stored = { ...identity, ...model, calculatedAt, priceAsOf, numbers, retired: !data.active };
  const current = currentAt(stored, generatedAt);
  differences.compare("outcome_count", data.outcome_count, numbers.price_coverage.outcome_count);
  if (!data.requires_key) differences.compare("current.key_cost_cents", served.key_cost_cents, 0);
  const source = (openable.source as JsonObject).get("data") as JsonObject;
  differences.compareJson("current", source.get("current")!, asJson(current));
  return { current, differences: differences.list };
}

/** Refuses a calculation with other formulas, or of another pool revision, because it cannot be compared. */
function refuseUnknownModel({ slug, pool }: Detail, served: Served): void {
  if (served.methodology_version !== roiMethodology) {
    throw new OperatorError(
      `${slug}: its methodology_version is ${displayText(served.methodology_version)}, but this release uses ${roiMethodology}`,
    );
  }
  if (served.revision_id === pool.revision_id) return;
  throw new OperatorError(
    `${slug}: calculated from revision_id ${displayText(served.revision_id)}, but the pool shown is ${displayText(pool.revision_id)}; try again after the next calculation`,
    exitCodes.temporary,
  );
}

/** Returns the times of the calculation and of its response, both UTC ms. A calculation later than its response would count as fresh. */
function timesOf(
  served: Served,
  meta: PublishedAnswers["openable"]["meta"],
): [calculatedAt: number, generatedAt: number] {
  const { calculated_at } = served;
  const { generated_at } = meta;
  const calculatedAt = timeOf("current.calculated_at", calculated_at);
  const generatedAt = timeOf("meta.generated_at", generated_at);
  if (calculatedAt <= generatedAt) return [calculatedAt, generatedAt];
  throw new OperatorError(`current.calculated_at: ${calculated_at} is later than meta.generated_at, ${generated_at}`);
}

/** Checks the fields of an outcome against its status: a value only if it is possible, a high only without a value. */
function compareStatus(outcome: Outcome, differences: Differences): void {
  const field = fieldOf(outcome);
  const { value_cents: value, value_provider: provider } = outcome;
  const isPossible = BigInt(outcome.probability_numerator) > 0n;
  const isPriced = isPossible && value !== null;
  if (isPriced && provider === null) throw new OperatorError(`${field}: has value_cents but no value_provider`);
  differences.compare(`${field}.status`, outcome.status, statusOf(isPossible, isPriced));
  if (!isPossible) differences.compare(`${field}.value_cents`, value, null);
  if (!isPriced) differences.compare(`${field}.value_provider`, provider, null);
  if (!isPriced) differences.compare(`${field}.value_as_of`, outcome.value_as_of, null);
  if (!isPriced && isPossible) return;
  differences.compare(`${field}.recent_high_cents`, outcome.recent_high_cents, null);
  differences.compare(`${field}.above_ceiling_cents`, outcome.above_ceiling_cents, null);
}

function statusOf(isPossible: boolean, isPriced: boolean): Outcome["status"] {
  if (!isPossible) return "excluded";
  return isPriced ? "priced" : "unpriced";
}

function numbersOf(data: Detail, served: Served, outcomes: readonly Outcome[], { denominator }: Odds) {
  const cost = {
    containerCents: served.container_cost_cents,
    keyCents: served.key_cost_cents,
    provider: served.container_cost_provider,
    asOf: timeOrNull("current.container_cost_as_of", served.container_cost_as_of),
  };
  const { valuation_mode: valuationMode, pool } = data;
  try {
    const priced = outcomes.map(pricedOutcome);
    return calculationNumbers({ outcomes: priced, denominator, cost, oddsSource: pool.odds_source, valuationMode });
  } catch (error) {
    if (error instanceof RangeError) throw new OperatorError(`${data.slug}: ${displayText(error.message)}`);
    throw error;
  }
}

function pricedOutcome(outcome: Outcome): PricedOutcome {
  return {
    tier: outcome.tier,
    numerator: BigInt(outcome.probability_numerator),
    valueCents: outcome.value_cents,
    recentHighCents: outcome.recent_high_cents,
    aboveCeilingCents: outcome.above_ceiling_cents,
    phased: outcome.phase !== null,
    valueProvider: outcome.value_provider,
    valueAsOf: timeOrNull(`${fieldOf(outcome)}.value_as_of`, outcome.value_as_of),
  };
}

function compareTiers({ pool }: Detail, odds: Odds, numbers: CalculationNumbers, differences: Differences): void {
  const coverage = new Map([...odds.tiers.keys()].map((tier, index) => [tier, numbers.tier_coverage_pct[index]]));
  for (const { tier, probability_pct, item_count, priced_probability_mass_pct } of pool.tiers) {
    const field = `pool.tiers[${tier}]`;
    const { mass, outcomes } = odds.tiers.get(tier) ?? { mass: 0n, outcomes: 0 };
    differences.compare(`${field}.probability_pct`, probability_pct, probabilityPct(mass, odds.denominator));
    // An item may have several outcomes (wears, variants, phases). So only an item count above the number of outcomes is wrong.
    differences.compare(`${field}.item_count`, item_count, Math.min(item_count, outcomes));
    differences.compare(
      `${field}.priced_probability_mass_pct`,
      priced_probability_mass_pct,
      coverage.get(tier) ?? null,
    );
  }
}

function fieldOf({ item_id }: Outcome): string {
  return `outcomes[item ${item_id}]`;
}

/** Returns UTC ms. The contract's pattern allows some invalid times, such as a leap second. */
function timeOf(field: string, text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at) && toTimestamp(at) === text) return at;
  throw new OperatorError(`${field}: ${displayText(text)} must be a valid time`);
}

function timeOrNull(field: string, text: string | null): number | null {
  return text === null ? null : timeOf(field, text);
}
