import type { OperationId } from "../contract/types.ts";
import { perhaps } from "../values/text/suggestion.ts";
import { isNode, type Node } from "./contract-view.ts";

/** Value of the argument `fields` that selects all fields. */
const allFields = "all";

/** Fields that responses contain only on request: long ones, or ones that another field implies. */
const leftOutAnywhere = new Set(["name_ru", "image_url", "url"]);
/** Fields that an operation's responses contain only on request, because few questions need them. */
const leftOut: Partial<Record<OperationId, readonly string[]>> = {
  listItems: ["slug", "rarity", "collection", "wear", "stat_counter", "souvenir"],
  getItem: ["slug"],
  getMarketPricesBatch: ["generation", "ingested_at"],
  getDailyPriceHistory: ["recorded_at", "source_observed_at"],
  getHourlyPriceHistory: ["ingested_at", "recorded_at"],
  listDataEvents: ["last_at", "body_digest", "before", "after"],
  listIndexes: ["description", "base_date", "base_value"],
  getIndexHistory: ["recorded_at", "kind"],
  listExchangeRates: ["ingested_at"],
  getExchangeRateHistory: ["recorded_at", "kind"],
  listOpenables: [
    "item_id",
    "released_on",
    "requires_key",
    "current.valuation_mode",
    "current.revision_id",
    "current.revision_number",
    "current.container_cost_cents",
    "current.container_cost_provider",
    "current.container_cost_as_of",
    "current.key_cost_cents",
    "current.expected_value_lower_cents",
    "current.expected_value_upper_cents",
    "current.profit_chance_lower_pct",
    "current.profit_chance_upper_pct",
    "current.price_coverage",
    "current.quantiles",
  ],
  getOpenable: ["current.valuation_mode"],
  getOpenableHistory: ["recorded_at", "provenance", "kind", "revision_id", "revision_number"],
  listOpenableOutcomes: [
    "probability_numerator",
    "probability_denominator",
    "recent_high_cents",
    "above_ceiling_cents",
  ],
  listPortfolioHoldings: ["origin", "created_at", "updated_at"],
  listPortfolioTransactions: ["recorded_at"],
  getPortfolioHistory: ["recorded_at", "kind"],
};

/** The shown part of a response, and the names of the omitted fields. */
type ShownPart = { data: unknown; hidden: readonly string[] };

/** Returns whether a response of the operation contains the field at `path`. Pass null as `fields` for the default fields. */
export function isShown(operationId: OperationId, path: string, fields: readonly string[] | null): boolean {
  if (fields !== null) {
    return fields.some((field) => field === allFields || isWithin(path, field) || isWithin(field, path));
  }
  const own = leftOut[operationId] ?? [];
  return !leftOutAnywhere.has(path.split(".").at(-1)!) && !own.some((outer) => isWithin(path, outer));
}

/** Returns the part of `data` with the given fields. Pass null as `fields` for the operation's default fields. */
export function shownPart(operationId: OperationId, data: unknown, fields: readonly string[] | null): ShownPart {
  const hidden = new Set<string>();
  const shownOf = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => shownOf(one, path));
    if (!isNode(value)) return value;
    const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const at = path === "" ? name : `${path}.${name}`;
      if (isShown(operationId, at, fields) && !(fields === null && isMoneySign(value, name)))
        return [[name, shownOf(inner, at)]];
      // Omitted currency fields are not reported, because all amounts have the same.
      if (!isMoneySign(value, name)) hidden.add(at);
      return [];
    });
    return Object.fromEntries(entries);
  };
  return { data: shownOf(data, ""), hidden: [...hidden] };
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/** Returns whether the field only repeats that amounts are US-dollar cents, as all amounts are. */
function isMoneySign(record: Node, name: string): boolean {
  return record.currency === "USD" && record.minor_units === 2 && (name === "currency" || name === "minor_units");
}

/** Lists the faults of the names in `fields`. `known` are the possible names. */
export function fieldFaults(fields: readonly string[], known: readonly string[]): string[] {
  const isKnown = (field: string) =>
    field === allFields || known.some((path) => path === field || path.startsWith(`${field}.`));
  const wrong = fields.find((field) => !isKnown(field));
  if (wrong === undefined) return [];
  return [`\`fields\`: an answer has no \`${wrong.slice(0, 60)}\`${perhaps(wrong, known)}; it has ${known.join(", ")}`];
}
