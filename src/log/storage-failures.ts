import type { StorageFailureFacts } from "../values/failure/storage-failure.ts";
import type { Clock } from "../values/time/clock.ts";

/** A second failure at least this long after the first means that storage is broken. */
const repeatsAfterMs = 1_000;
/** A failure without a successor within this time is forgotten. */
const forgottenAfterMs = 60_000;

/**
 * Distinguishes broken storage from a single transient failure. Successful reads in between prove nothing, because they may be served from
 * memory.
 */
export class StorageFailures {
  /** Resolves when failures have repeated for more than a second. */
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

  /** Records one failure. */
  add({ code, message }: StorageFailureFacts): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#firstMs === null || nowMs - this.#lastMs > forgottenAfterMs) this.#firstMs = nowMs;
    this.#lastMs = nowMs;
    if (nowMs - this.#firstMs >= repeatsAfterMs) this.#end(new Error(`${code}: ${message}, for more than a second`));
  }
}
