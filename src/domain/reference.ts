import type { MarketStateStore } from "../store/market-state.ts";
import type { ProvidersStore } from "../store/providers.ts";
import { Cursors } from "../values/cursor.ts";

/** What a request may be checked against before it is charged: it knows names and the cursors' key, no market data. */
export class Reference {
  readonly cursors: Cursors;
  readonly #providers: ProvidersStore;

  constructor(parts: { state: MarketStateStore; providers: ProvidersStore }) {
    this.cursors = new Cursors(parts.state.cursorKey());
    this.#providers = parts.providers;
  }

  isProvider(slug: string): boolean {
    return this.#providers.exists(slug);
  }
}
