import type { OddsTier } from "../../src/roi/odds.ts";
import type { Valuation, ValuedOutcome } from "../../src/roi/valuation.ts";

type Row = readonly [tier: string, numerator: string, valueCents: number | null, recentHighCents?: number | null];

const rows: readonly Row[] = [
  ["mil_spec", "84375", 10],
  ["mil_spec", "28125", 6],
  ["mil_spec", "9375", 30],
  ["mil_spec", "3125", 20],
  ["mil_spec", "112500", 8],
  ["mil_spec", "12500", 25],
  ["restricted", "45000", 60],
  ["restricted", "5000", 150],
  ["classified", "9000", 300],
  ["classified", "1000", 900],
  ["covert", "1800", 2500],
  ["covert", "200", null, 6000],
  ["rare_special", "144", 20000],
  ["rare_special", "144", 24000],
  ["rare_special", "72", 90000],
  ["rare_special", "16", 26000],
  ["rare_special", "16", null, 31000],
  ["rare_special", "8", null, null],
  ["rare_special", "400", 15000],
];

export const goldenDenominator = 312_800n;
export const goldenCost = { containerCents: 45, keyCents: 249 };

export const goldenOutcomes: readonly ValuedOutcome[] = rows.map(([tier, numerator, valueCents, high]) => ({
  tier,
  numerator: BigInt(numerator),
  valueCents,
  recentHighCents: high ?? null,
}));

/** The pool of the first vector with its three unpriced outcomes priced. */
export const completeOutcomes: readonly ValuedOutcome[] = pricedInOrder([7000, 31_000, 120_000]);

/** Values shared by both vectors. */
const everyTime = { cost_cents: 294, quantiles: { p05: 6, p25: 8, p50: 10, p75: 25, p95: 150, p99: 900 } };

export const goldenNumbers = {
  ...everyTime,
  expected_value_lower_cents: 106,
  expected_value_cents: 110,
  expected_value_upper_cents: 118,
  expected_profit_cents: -184,
  return_pct: "37.41",
  profit_roi_pct: "-62.59",
  profit_chance_lower_pct: "4.0204",
  profit_chance_pct: "4.0921",
  profit_chance_upper_pct: "4.0921",
  priced_probability_mass_pct: "99.9283",
  lowest_tier_coverage_pct: "90.0000",
  outcome_count: 19,
  priced_outcome_count: 16,
  priced_outcome_pct: "84.2105",
  confidence: "medium",
};

export const completeNumbers = {
  cost_cents: 294,
  expected_value_lower_cents: 116,
  expected_value_cents: 116,
  expected_value_upper_cents: 116,
  expected_profit_cents: -178,
  return_pct: "39.46",
  profit_roi_pct: "-60.54",
  profit_chance_lower_pct: "4.0921",
  profit_chance_pct: "4.0921",
  profit_chance_upper_pct: "4.0921",
  priced_probability_mass_pct: "100.0000",
};

/** The odds behind the vectors: two mil-spec items, one of them in two wears, and a knife with three phases beside gloves. */
export const goldenTiers: readonly OddsTier[] = [
  tier("mil_spec", 625, [
    slot([
      [750_000, 1, 3],
      [250_000, 2, 4],
    ]),
    slot([[1_000_000, 5, 6]]),
  ]),
  tier("restricted", 125, [slot([[1_000_000, 7, 8]])]),
  tier("classified", 25, [slot([[1_000_000, 9, 10]])]),
  tier("covert", 5, [slot([[1_000_000, 11, 12]])]),
  {
    tier: "rare_special",
    weight: 2,
    slots: [
      {
        weight: 1,
        phases: [phase([[1_000_000, 13, 16]], 2), phase([[1_000_000, 14, 17]], 2), phase([[1_000_000, 15, 18]], 1)],
      },
      { weight: 1, phases: [{ ...phase([[1_000_000, 19, null]]), counterChance: [0, 1] }] },
    ],
  },
];

/** The numbers of a valuation in the vectors' flat form. */
export function flat({ price_coverage: coverage, ...valuation }: Valuation) {
  const { container_cost_cents, key_cost_cents, tier_coverage_pct, ...reported } = valuation;
  return { ...reported, ...coverage };
}

function pricedInOrder(values: readonly number[]): ValuedOutcome[] {
  const left = [...values];
  return goldenOutcomes.map((row) =>
    row.valueCents === null ? { ...row, valueCents: left.shift()!, recentHighCents: null } : row,
  );
}

type Wear = readonly [ppm: number, plainItemId: number, counterItemId: number | null];

function tier(name: string, weight: number, slots: OddsTier["slots"]): OddsTier {
  return { tier: name, weight, slots };
}

function slot(wears: readonly Wear[]): OddsTier["slots"][number] {
  return { weight: 1, phases: [phase(wears)] };
}

function phase(wears: readonly Wear[], weight = 1): OddsTier["slots"][number]["phases"][number] {
  const rowsOf = wears.map(([ppm, plainItemId, counterItemId]) => ({ ppm, plainItemId, counterItemId }));
  return { weight, counterChance: [1, 10], wears: rowsOf };
}
