import type { Schema } from "../contract/types.ts";
import { toTimestamp } from "../values/time/clock.ts";

/** The part of `meta` about the source times of the returned values. */
export type Timeliness = {
  as_of: string | null;
  freshness: Schema<"Freshness">;
  timestamp_quality: Schema<"TimestampQuality">;
};

/** Collects the source times of the values in a response. */
export class ObservationTimes {
  #returned = 0;
  #known = 0;
  #oldest = Number.POSITIVE_INFINITY;

  /** Adds a returned value with its source time (UTC ms), null if its source gave none. */
  add(observedAt: number | null): void {
    this.#returned += 1;
    if (observedAt === null) return;
    this.#known += 1;
    if (observedAt < this.#oldest) this.#oldest = observedAt;
  }

  /** The oldest time (UTC ms). Null without values, or if a value has no time. */
  get asOf(): number | null {
    return this.#returned > 0 && this.#known === this.#returned ? this.#oldest : null;
  }

  get quality(): Timeliness["timestamp_quality"] {
    if (this.#returned === 0) return "unknown";
    if (this.#known === 0) return "ingest_only";
    return this.#known === this.#returned ? "source_observed" : "partial";
  }

  meta(freshMs: number, at: number): Timeliness {
    return timeliness(this.quality, this.asOf, freshMs, at);
  }
}

/**
 * Builds the part of `meta`. Values are fresh if the source observed the oldest at most `freshMs` before `at`, unknown if a value has no
 * time.
 */
export function timeliness(
  quality: Timeliness["timestamp_quality"],
  asOf: number | null,
  freshMs: number,
  at: number,
): Timeliness {
  return {
    as_of: asOf === null ? null : toTimestamp(asOf),
    freshness: asOf === null ? "unknown" : at - asOf <= freshMs ? "fresh" : "stale",
    timestamp_quality: quality,
  };
}
