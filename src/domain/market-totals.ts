import type { MarketTotalsRow, MarketTotalsStore } from "../store/read/market-totals.ts";
import type { Clock } from "../values/time/clock.ts";

/**
 * Totals of the file. `quotes` is null before the first publication. `checkedAt`: last verification of any feed, `at`: now, both UTC ms.
 */
type Totals = Pick<MarketTotalsRow, "providers" | "checkedAt" | "quotes"> & {
  readonly items: number;
  readonly at: number;
};

const keptMs = 2_000;

/** Counts the rows of the file for public pages, without prices. */
export class MarketTotals {
  readonly #store: MarketTotalsStore;
  readonly #clock: Clock;
  #row: MarketTotalsRow | null = null;
  #readMs = 0;
  #items: { catalogVersion: number; count: number } | null = null;

  constructor(parts: { store: MarketTotalsStore; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Reads the totals at most every two seconds. It counts the items once per version of the catalog. */
  read(): Totals {
    const nowMs = this.#clock.monotonicMs();
    if (this.#row === null || nowMs - this.#readMs >= keptMs) {
      this.#row = this.#store.totals();
      this.#readMs = nowMs;
    }
    const { providers, checkedAt, quotes, catalogVersion } = this.#row;
    if (this.#items?.catalogVersion !== catalogVersion) this.#items = { catalogVersion, count: this.#store.items() };
    return { items: this.#items.count, providers, checkedAt, quotes, at: this.#clock.now() };
  }
}
