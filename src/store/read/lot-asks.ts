import { and, eq, isNotNull, min } from "drizzle-orm";
import { dailyPrices } from "../../../db/schema/history.ts";
import { bestAsks } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";
import { bound } from "../statement.ts";

/** The lowest ask of an item in cents. `day` is its UTC day (since 1970), or null for the current ask. */
export type LotAsk = { amount: number; day: number | null };

/** Reads the asks that costs of lots are compared with. */
export class LotAsks {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Returns the lowest ask of the day, otherwise the current ask, otherwise null. Pass null as `day` for the current ask. */
  near(itemId: number, day: number | null): LotAsk | null {
    const amount = day === null ? null : (this.#statements.ofDay.get({ itemId, day })?.amount ?? null);
    if (amount !== null) return { amount, day };
    const current = this.#statements.current.get({ itemId })?.amount ?? null;
    return current === null ? null : { amount: current, day: null };
  }
}

function prepare(database: Database) {
  const { itemId, side, day, amount } = dailyPrices;
  return {
    ofDay: database
      .select({ amount: min(amount) })
      .from(dailyPrices)
      .where(and(eq(itemId, bound("itemId")), eq(side, "ask"), eq(day, bound("day"))))
      .prepare(),
    current: database
      .select({ amount: bestAsks.askCents })
      .from(bestAsks)
      .where(and(eq(bestAsks.itemId, bound("itemId")), isNotNull(bestAsks.askCents)))
      .prepare(),
  };
}
