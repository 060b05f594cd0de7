import { parseCall } from "../../src/cli/command.ts";
import { roiCommands } from "../../src/cli/roi/commands.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import type { RanHere } from "../support/cli.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read into bodies and spoil them.
export type Body = any;

export const slug = "golden-case";
const at = (minute: number) => `2026-01-15T11:${String(minute).padStart(2, "0")}:00.000Z`;

/** The first golden vector of `roi-1`: tier, numerator, value in cents, own recent high, and the odds in percent. */
const vector: [tier: string, numerator: number, value: number | null, high: number | null, pct: string][] = [
  ["mil_spec", 84375, 10, null, "26.97410486"],
  ["mil_spec", 28125, 6, null, "8.99136829"],
  ["mil_spec", 9375, 30, null, "2.99712276"],
  ["mil_spec", 3125, 20, null, "0.99904092"],
  ["mil_spec", 112500, 8, null, "35.96547315"],
  ["mil_spec", 12500, 25, null, "3.99616368"],
  ["restricted", 45000, 60, null, "14.38618926"],
  ["restricted", 5000, 150, null, "1.59846547"],
  ["classified", 9000, 300, null, "2.87723785"],
  ["classified", 1000, 900, null, "0.31969309"],
  ["covert", 1800, 2500, null, "0.57544757"],
  ["covert", 200, null, 6000, "0.06393862"],
  ["rare_special", 144, 20000, null, "0.04603581"],
  ["rare_special", 144, 24000, null, "0.04603581"],
  ["rare_special", 72, 90000, null, "0.02301790"],
  ["rare_special", 16, 26000, null, "0.00511509"],
  ["rare_special", 16, null, 31000, "0.00511509"],
  ["rare_special", 8, null, null, "0.00255754"],
  ["rare_special", 400, 15000, null, "0.12787724"],
  ["rare_special", 0, null, null, "0.00000000"],
];

const tiers: [tier: string, weight: number, pct: string, count: number, priced: string][] = [
  ["mil_spec", 625, "79.92327366", 6, "100.0000"],
  ["restricted", 125, "15.98465473", 2, "100.0000"],
  ["classified", 25, "3.19693095", 2, "100.0000"],
  ["covert", 5, "0.63938619", 2, "90.0000"],
  ["rare_special", 2, "0.25575448", 7, "97.0000"],
];

/** Known results of the model for the vector, written out and not computed. */
const current = {
  revision_id: "pr_0123456789abcdef01234567",
  revision_number: 3,
  methodology_version: "roi-1",
  valuation_mode: "steam_gross",
  calculated_at: at(50),
  price_as_of: at(10),
  stale: false,
  stale_reasons: [],
  currency: "USD",
  minor_units: 2,
  cost_cents: 294,
  container_cost_cents: 45,
  container_cost_provider: "steam",
  container_cost_as_of: at(10),
  key_cost_cents: 249,
  expected_value_cents: 110,
  expected_value_lower_cents: 106,
  expected_value_upper_cents: 118,
  expected_profit_cents: -184,
  return_pct: "37.41",
  profit_roi_pct: "-62.59",
  profit_chance_pct: "4.0921",
  profit_chance_lower_pct: "4.0204",
  profit_chance_upper_pct: "4.0921",
  priced_probability_mass_pct: "99.9283",
  price_coverage: {
    outcome_count: 19,
    priced_outcome_count: 16,
    priced_outcome_pct: "84.2105",
    lowest_tier_coverage_pct: "90.0000",
  },
  quantiles: { p05: 6, p25: 8, p50: 10, p75: 25, p95: 150, p99: 900 },
  confidence: "medium",
  flags: ["unpriced_outcomes", "phases_unpriced", "upper_bound_assumed"],
};

/** The answer of getOpenable. */
export function openableBody(): Body {
  return structuredClone({
    data: {
      slug,
      name: "Golden Case",
      item_id: 100,
      type: "case",
      image_url: null,
      active: true,
      released_on: "2020-01-01",
      retired_on: null,
      requires_key: true,
      outcome_count: 19,
      valuation_mode: "steam_gross",
      current,
      pool: {
        revision_id: current.revision_id,
        revision_number: 3,
        odds_source: "published",
        flags: [],
        wear_model: "wear-1",
        tiers: tiers.map(([tier, weight, probability_pct, item_count, priced_probability_mass_pct]) => ({
          tier,
          weight,
          probability_pct,
          item_count,
          priced_probability_mass_pct,
        })),
      },
    },
    meta: meta({ as_of: at(10) }),
  });
}

/** The response of listOpenableOutcomes from outcome `from` on, with `nextPage` as its cursor. */
export function outcomesBody(from = 0, to = vector.length, nextPage: string | null = null): Body {
  return {
    data: vector.slice(from, to).map(([tier, numerator, value, high, pct], index) => ({
      item_id: 200 + from + index,
      market_hash_name: `Item ${from + index}`,
      phase: from + index === 17 ? "Ruby" : null,
      tier,
      probability_numerator: String(numerator),
      probability_denominator: "312800",
      probability_pct: pct,
      status: numerator === 0 ? "excluded" : value === null ? "unpriced" : "priced",
      value_cents: value,
      value_provider: value && "steam",
      value_as_of: value && at(20 + index),
      recent_high_cents: high,
      above_ceiling_cents: null,
    })),
    meta: meta({ next_page: nextPage, as_of: at(20) }),
  };
}

function meta(more: object) {
  return { request_id: `req_${"0".repeat(26)}`, generated_at: "2026-01-15T12:00:00.000Z", ...more, freshness: "fresh" };
}

/** Every path to a leaf inside of `node`, including empty lists and objects. */
export function leavesOf(node: Body, path: readonly (string | number)[] = []): (string | number)[][] {
  const entries = node !== null && typeof node === "object" ? Object.entries(node) : [];
  if (entries.length === 0) return [[...path]];
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, Array.isArray(node) ? Number(key) : key]));
}

/** Replaces the value at `path` by the result of `change`. */
export function spoil(body: Body, path: readonly (string | number)[], change: (value: Body) => Body): void {
  const parent = path.slice(0, -1).reduce((node, key) => node[key], body);
  const last = path.at(-1)!;
  parent[last] = change(parent[last]);
}

/** Words that have no next one. */
const others: Record<string, string> = { steam_gross: "cash_ask", medium: "low", USD: "EUR", steam: "buff" };

/** The least other value of the same kind: a number or a last digit by one, another truth, another word. */
export function byOne(value: Body): Body {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (value === null) return 1;
  if (Array.isArray(value)) return ["price_age"];
  if (/^[a-z_]+$/i.test(value)) return others[value] ?? "retired_pool";
  return value.replace(/[0-9](?=[^0-9]*$)/, (digit: string) => String((Number(digit) + 1) % 10));
}

const recomputeCommand = roiCommands.find(({ name }) => name === "roi recompute")!;

/** Runs the command in this process. */
export async function runRecompute(words: readonly string[], env: Record<string, string> = {}): Promise<RanHere> {
  const lines: string[] = [];
  const notes: string[] = [];
  const out = { line: (text: string) => void lines.push(text), note: (text: string) => void notes.push(text) };
  try {
    const code =
      (await recomputeCommand.run(parseCall(recomputeCommand, words, env, { ...out, isTerminal: false }))) ?? 0;
    return { code, lines, notes };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { code: error.exitCode, lines, notes: [...notes, error.message] };
  }
}
