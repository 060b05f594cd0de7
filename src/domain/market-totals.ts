import { setImmediate as nextTurn } from "node:timers/promises";
import type { MarketTotalsRow, MarketTotalsStore } from "../store/read/market-totals.ts";
import type { Clock } from "../values/time/clock.ts";

/**
 * How much the file holds. `quotes` null: nothing is published, or it changed while it was counted. `checkedAt`: when any feed was last
 * verified, `at`: now, both UTC ms.
 */
type Totals = Pick<MarketTotalsRow, "providers" | "checkedAt"> & {
  readonly items: number;
  readonly quotes: number | null;
  readonly at: number;
};

const keptMs = 2_000;

/** Tells anybody how much the file holds: numbers without a price. */
export class MarketTotals {
  readonly #store: MarketTotalsStore;
  readonly #clock: Clock;
  #row: MarketTotalsRow | null = null;
  #readMs = 0;
  #items: { catalogVersion: number; count: number } | null = null;
  #quotes: { generationId: number; count: Promise<number | null> } | null = null;

  constructor(parts: { store: MarketTotalsStore; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Reads the totals, at most every two seconds; counts the items once for a catalog and the quotes once for a generation. */
  async read(): Promise<Totals> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#row === null || nowMs - this.#readMs >= keptMs) {
      this.#row = this.#store.totals();
      this.#readMs = nowMs;
    }
    const { providers, checkedAt, generationId, catalogVersion } = this.#row;
    if (this.#items?.catalogVersion !== catalogVersion) this.#items = { catalogVersion, count: this.#store.items() };
    const items = this.#items.count;
    const quotes = generationId === null ? null : await this.#quotesOf(generationId);
    return { items, providers, checkedAt, quotes, at: this.#clock.now() };
  }

  #quotesOf(generationId: number): Promise<number | null> {
    if (this.#quotes?.generationId !== generationId) {
      const count = this.#count(generationId).catch((error: unknown) => {
        this.#quotes = null;
        throw error;
      });
      this.#quotes = { generationId, count };
    }
    return this.#quotes.count;
  }

  /** Counts in short steps, so that no other request waits for all of them. */
  async #count(generationId: number): Promise<number | null> {
    let total = 0;
    for (let afterKey: number | null = null; ; ) {
      const { quotes, lastKey } = this.#store.quotesAfter(generationId, afterKey);
      if (lastKey === null) break;
      total += quotes;
      afterKey = lastKey;
      await nextTurn();
    }
    // Quotes of a generation that is no longer published are removed at some time.
    return this.#store.totals().generationId === generationId ? total : null;
  }
}
