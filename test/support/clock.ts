import { demoAt } from "../../scripts/support/example-world.ts";
import type { Clock } from "../../src/values/time/clock.ts";

/** A clock that stops until a test moves it. */
export class TestClock implements Clock {
  /** UTC ms. Setting it simulates a change of the machine's clock. Measured time does not change. */
  at: number;
  elapsedMs: number;
  /** Called at each measurement of a duration. A test can use it to act in the middle of an export. */
  onMeasure: (() => void) | null = null;

  constructor(at = demoAt, elapsedMs = 0) {
    this.at = at;
    this.elapsedMs = elapsedMs;
  }

  readonly now = (): number => this.at;
  readonly monotonicMs = (): number => {
    this.onMeasure?.();
    return this.elapsedMs;
  };

  /** Lets time pass. */
  advance(ms: number): void {
    this.at += ms;
    this.elapsedMs += ms;
  }
}
