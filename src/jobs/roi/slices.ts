import type { Clock } from "../../values/clock.ts";

/** Milliseconds of work between two yields: long enough to make progress, short enough for other work on the processor. */
const sliceMs = 1;

/** Cuts the work of a run into slices; yields after each, so that the caller can pause. */
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
