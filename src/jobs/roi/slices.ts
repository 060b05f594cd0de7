import type { Clock } from "../../values/clock.ts";

/** Long enough to get something done, short enough for who shares the processor. */
const sliceMs = 1;

/** Cuts work into slices: after each one a run yields, so that its caller can pause. */
export class Slices {
  readonly #clock: Clock;
  #startedMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  /** Yields if the slice is over, and begins the next one. */
  *cut(): Generator<void, void> {
    if (this.#clock.monotonicMs() - this.#startedMs < sliceMs) return;
    yield;
    this.#startedMs = this.#clock.monotonicMs();
  }
}
