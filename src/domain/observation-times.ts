import type { Schema } from "../contract/types.ts";
import { toTimestamp } from "../values/time/clock.ts";

/** The part of `meta` about the source times of the returned values. */
export type Timeliness = {
  as_of: string | null;
  freshness: Schema<"Freshness">;
  timestamp_quality: Schema<"TimestampQuality">;
};

/** Collects when the sources observed the values that an answer returns. */
export class ObservationTimes {
  #returned = 0;
  #known = 0;
  #oldest = Number.POSITIVE_INFINITY;

  /** Adds a returned value by its source time, UTC ms; null: its source gave none. */
  add(observedAt: number | null): void {
    this.#returned += 1;
    if (observedAt === null) return;
    this.#known += 1;
    if (observedAt < this.#oldest) this.#oldest = observedAt;
  }

  /** The oldest time, UTC ms; null: nothing is returned, or a value without a time. */
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

/** Makes the part of `meta`. Fresh is what the source observed at most `freshMs` before `at`; one value without a time makes that unknown. */
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
