import { demoAt } from "../../scripts/support/example-world.ts";
import type { Clock } from "../../src/values/time/clock.ts";

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  /** UTC ms. Setting it is what somebody does who sets the machine's clock: measured time takes no part. */
  at: number;
  elapsedMs: number;
  /** Called whenever a duration is measured: the place where a test can let something happen in the middle of an export. */
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
