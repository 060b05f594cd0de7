import type { Schema } from "../contract/types.ts";
import type { FeedState, MarketStateStore } from "../store/read/market-state.ts";
import type { FollowStatus } from "../values/release-status.ts";
import { hourMs, secondMs } from "../values/time/calendar.ts";
import { type Clock, toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";

const staleAfterMs = 24 * hourMs;
const keptMs = secondMs;

/** The market release that a server has downloaded from its publisher. */
export type DownloadedRelease = Omit<
  FollowStatus,
  "refusals" | "fetchedChunks" | "fetchedBytes" | "swapMs" | "expiries"
>;

/** Reads the availability of the local data, at most once a second, because the request needs no credential. */
export class Status {
  readonly #state: MarketStateStore;
  readonly #clock: Clock;
  readonly #program: Pick<Schema<"Status">, "release" | "contract_revision">;
  readonly #downloaded: () => DownloadedRelease | null;
  readonly #onError: (error: unknown) => void;
  #answer: Schema<"Status"> | null = null;
  #answeredMs = 0;

  /** `downloaded` is null if the market is the server's own. `onError` is called with the error of a failed read. */
  constructor(parts: {
    state: MarketStateStore;
    clock: Clock;
    release: string;
    revision: string;
    downloaded?: (() => DownloadedRelease | null) | undefined;
    onError?: (error: unknown) => void;
  }) {
    this.#onError = parts.onError ?? (() => {});
    this.#state = parts.state;
    this.#clock = parts.clock;
    this.#program = { release: parts.release, contract_revision: parts.revision };
    this.#downloaded = parts.downloaded ?? (() => null);
  }

  /** Returns the status. It never throws: an unreadable database is a status. */
  read(): { data: Schema<"Status"> } {
    const nowMs = this.#clock.monotonicMs();
    if (this.#answer === null || nowMs - this.#answeredMs >= keptMs) {
      const market_release = marketRelease(this.#downloaded());
      this.#answer = { ...this.#look(), ...this.#program, market_release };
      this.#answeredMs = nowMs;
    }
    return { data: this.#answer };
  }

  #look(): Omit<Schema<"Status">, "release" | "contract_revision" | "market_release"> {
    try {
      const now = this.#clock.now();
      const { generationId, checkedAt, knownSince } = this.#state.availability();
      const market_snapshot = generationId === null ? "missing" : isStale(checkedAt, now) ? "stale" : "available";
      const feeds = this.#state.feeds().map((feed) => feedAt(feed, now));
      return { database: "ok", market_snapshot, feeds, known_since: toTimestamp(knownSince) };
    } catch (error) {
      this.#onError(error);
      return { database: "unavailable", market_snapshot: "missing", feeds: [], known_since: null };
    }
  }
}

function isStale(checkedAt: number | null, now: number): boolean {
  return checkedAt === null || now - checkedAt >= staleAfterMs;
}

function marketRelease(downloaded: DownloadedRelease | null): Schema<"MarketRelease"> | null {
  if (downloaded === null || downloaded.number === null || downloaded.sealedAt === null) return null;
  const { number, generation, sealedAt, checkedAt, failure, isStale: isOld, isExpired } = downloaded;
  return {
    number,
    generation,
    sealed_at: toTimestamp(sealedAt),
    state: isOld ? "stale" : failure === null && !isExpired ? "available" : "failing",
    checked_at: toTimestampOrNull(checkedAt),
  };
}

function feedAt(
  { feed, checkedAt, ingestedAt, savedAt, unchangedSince, unconfirmedUntil, isDropped }: FeedState,
  now: number,
): Schema<"FeedStatus"> {
  const published = isStale(checkedAt, now) ? "stale" : "available";
  return {
    feed,
    state: isDropped ? "dropped" : ingestedAt === null ? "missing" : published,
    last_checked_at: toTimestampOrNull(checkedAt),
    last_ingested_at: toTimestampOrNull(ingestedAt),
    source_saved_at: toTimestampOrNull(savedAt),
    unchanged_since: toTimestampOrNull(unchangedSince),
    unconfirmed_until: toTimestampOrNull((unconfirmedUntil ?? 0) > now ? unconfirmedUntil : null),
  };
}
