import type { Schema } from "../contract/types.ts";
import type { MarketStateStore } from "../store/market-state.ts";
import { hourMs, secondMs } from "../values/calendar.ts";
import type { Clock } from "../values/clock.ts";

const staleAfterMs = 24 * hourMs;
const keptMs = secondMs;

/** Reads the availability of the local data, at most once a second: anybody may ask, without a credential. */
export class Status {
  readonly #state: MarketStateStore;
  readonly #clock: Clock;
  readonly #release: string;
  readonly #onError: (error: unknown) => void;
  #answer: Schema<"Status"> | null = null;
  #answeredMs = 0;

  /** `onError` is called with what the database could not be read for. */
  constructor(parts: {
    state: MarketStateStore;
    clock: Clock;
    release: string;
    onError?: (error: unknown) => void;
  }) {
    this.#onError = parts.onError ?? (() => {});
    this.#state = parts.state;
    this.#clock = parts.clock;
    this.#release = parts.release;
  }

  /** Returns the status. It never throws: that the database cannot be read is an answer. */
  read(): { data: Schema<"Status"> } {
    const nowMs = this.#clock.monotonicMs();
    if (this.#answer === null || nowMs - this.#answeredMs >= keptMs) {
      this.#answer = { ...this.#look(), release: this.#release };
      this.#answeredMs = nowMs;
    }
    return { data: this.#answer };
  }

  #look(): Omit<Schema<"Status">, "release"> {
    try {
      const { generationId, checkedAt } = this.#state.availability();
      if (generationId === null) return { database: "ok", market_snapshot: "missing" };
      const stale = checkedAt === null || this.#clock.now() - checkedAt >= staleAfterMs;
      return { database: "ok", market_snapshot: stale ? "stale" : "available" };
    } catch (error) {
      this.#onError(error);
      return { database: "unavailable", market_snapshot: "missing" };
    }
  }
}
