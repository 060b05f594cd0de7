import { lowestAsk } from "../../values/price-source.ts";
import type { Database } from "../database.ts";

/** A group of lots with the same item and cost. `askCents` is null if the day has no stored ask of the item. */
export type HoldingGroupRow = {
  itemId: number;
  /** Null if this market lacks the item, for example on a node with an older release. */
  marketHashName: string | null;
  phase: string | null;
  lots: number;
  quantity: number;
  /** Per unit. Null if unknown, 0 if it was free. */
  unitCostCents: number | null;
  costEstimated: number;
  askCents: number | null;
  /** Name of the provider of the ask, or null without an ask. */
  askProvider: string | null;
};

/** Selects the asks of a provider, or `lowest-ask`, on the UTC days `from` to `to` (since 1970, inclusive). */
type AskDays = { provider: string; from: number; to: number };

// Not built by Drizzle: each query looks up one row per item and stops there.
const isOfSource = `@provider IN (provider, '${lowestAsk}')`;
const dayText = `SELECT max((
    SELECT day FROM daily_prices
    WHERE item_id = held.item_id AND side = 'ask' AND day BETWEEN @from AND @to AND ${isOfSource}
    ORDER BY day DESC LIMIT 1))
  FROM (SELECT DISTINCT item_id FROM holdings WHERE portfolio_id = @portfolioId) AS held`;
const dailyAsk = (column: string) => `(SELECT ${column} FROM daily_prices
      WHERE item_id = held.item_id AND side = 'ask' AND day = @day AND ${isOfSource} ORDER BY amount, provider LIMIT 1)`;
const currentAsk = (column: string) => `(SELECT ${column} FROM (
      SELECT ask_cents AS amount, provider FROM frame_providers CROSS JOIN quotes ON provider_id = number
      WHERE item_id = held.item_id AND ask_cents IS NOT NULL) WHERE ${isOfSource} ORDER BY amount, provider LIMIT 1)`;
const groupsText = (
  ask: typeof dailyAsk,
) => `SELECT held.item_id AS itemId, items.market_hash_name AS marketHashName, items.phase, held.lots,
    held.quantity, held.unit_cost_cents AS unitCostCents, held.cost_estimated AS costEstimated, ${ask("amount")} AS askCents,
    (SELECT name FROM providers WHERE provider = ${ask("provider")}) AS askProvider
  FROM (
    SELECT item_id, unit_cost_cents, cost_estimated, count(*) AS lots, sum(quantity) AS quantity
    FROM holdings WHERE portfolio_id = @portfolioId GROUP BY item_id, unit_cost_cents, cost_estimated
  ) AS held
  LEFT JOIN items ON items.item_id = held.item_id`;

/** Reads the lots of portfolios for their owner's pages. The caller has checked the ownership. */
export class OwnerHoldingReads {
  readonly #day;
  readonly #groups;
  readonly #currentGroups;

  constructor({ $client }: Database) {
    this.#day = $client.prepare<[AskDays & { portfolioId: string }], number | null>(dayText).pluck(true);
    this.#groups = $client.prepare<[{ portfolioId: string; provider: string; day: number }], HoldingGroupRow>(
      groupsText(dailyAsk),
    );
    this.#currentGroups = $client.prepare<[{ portfolioId: string; provider: string }], HoldingGroupRow>(
      groupsText(currentAsk),
    );
  }

  /** Returns the last day with an ask of the source for any item of the portfolio, or null without one. */
  lastAskedDay(portfolioId: string, days: AskDays): number | null {
    return this.#day.get({ portfolioId, ...days }) ?? null;
  }

  /**
   * Returns the lots by item and cost in no particular order, with the source's asks of `day`. Pass null as `day` to use the published
   * quotes.
   */
  groups(portfolioId: string, provider: string, day: number | null): HoldingGroupRow[] {
    if (day === null) return this.#currentGroups.all({ portfolioId, provider });
    return this.#groups.all({ portfolioId, provider, day });
  }
}
