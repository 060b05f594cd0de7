import type { Schema } from "../contract/types.ts";
import type { FeedState, MarketStateStore } from "../store/market-state.ts";
import { hourMs, secondMs } from "../values/calendar.ts";
import { type Clock, toTimestampOrNull } from "../values/clock.ts";

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
      const now = this.#clock.now();
      const { generationId, checkedAt } = this.#state.availability();
      const feeds = this.#state.feeds().map((feed) => feedAt(feed, now));
      if (generationId === null) return { database: "ok", market_snapshot: "missing", feeds };
      return { database: "ok", market_snapshot: isStale(checkedAt, now) ? "stale" : "available", feeds };
    } catch (error) {
      this.#onError(error);
      return { database: "unavailable", market_snapshot: "missing", feeds: [] };
    }
  }
}

function isStale(checkedAt: number | null, now: number): boolean {
  return checkedAt === null || now - checkedAt >= staleAfterMs;
}

function feedAt({ feed, checkedAt, ingestedAt, isDropped }: FeedState, now: number): Schema<"FeedStatus"> {
  const published = isStale(checkedAt, now) ? "stale" : "available";
  return {
    feed,
    state: isDropped ? "dropped" : ingestedAt === null ? "missing" : published,
    last_checked_at: toTimestampOrNull(checkedAt),
    last_ingested_at: toTimestampOrNull(ingestedAt),
  };
}
