import type { StorageFailureFacts } from "../values/failure/storage-failure.ts";
import type { Clock } from "../values/time/clock.ts";

/** Storage that fails again so long after a failure is taken for broken. */
const repeatsAfterMs = 1_000;
/** A failure that is not repeated within this time is forgotten. */
const forgottenAfterMs = 60_000;

/**
 * Distinguishes storage that is broken from one failure that passes. Reads that succeed in between prove nothing: they may come from
 * memory.
 */
export class StorageFailures {
  /** Resolves when failures have repeated over a second. */
  readonly lasting: Promise<Error>;
  readonly #clock: Clock;
  #firstMs: number | null = null;
  #lastMs = 0;
  #end: (error: Error) => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.lasting = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Takes note of one failure. */
  add({ code, message }: StorageFailureFacts): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#firstMs === null || nowMs - this.#lastMs > forgottenAfterMs) this.#firstMs = nowMs;
    this.#lastMs = nowMs;
    if (nowMs - this.#firstMs >= repeatsAfterMs) this.#end(new Error(`${code}: ${message}, for more than a second`));
  }
}
