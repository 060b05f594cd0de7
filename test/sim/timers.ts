import type { TestClock } from "../support/clock.ts";

type Timer = { dueMs: number; readonly everyMs: number | null; readonly fire: () => void };
type Globals = Pick<typeof globalThis, "setTimeout" | "setInterval" | "clearTimeout" | "clearInterval">;

/** Timers on the measured time of a run's clock. They fire only on request. */
export class VirtualTimers {
  readonly #timers = new Set<Timer>();
  #clock: TestClock | null = null;

  /** Replaces the timers of the process. Returns a function that restores them. */
  install(): () => void {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
    const clear = (timer: unknown) => void this.#timers.delete(timer as Timer);
    const ours = {
      setTimeout: (fire: () => void, ms = 0) => this.#add(fire, ms, null),
      setInterval: (fire: () => void, ms: number) => this.#add(fire, ms, ms),
      clearTimeout: clear,
      clearInterval: clear,
    };
    Object.assign(globalThis, ours as unknown as Globals);
    return () => void Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval });
  }

  /** Uses `clock` from now on. Earlier timers belonged to a dead process and are dropped. */
  begin(clock: TestClock): void {
    this.#clock = clock;
    this.#timers.clear();
  }

  /** When the next timer fires, if by `untilMs` of the measured time, else null. */
  nextMs(untilMs: number): number | null {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#timers) if (dueMs < next) next = dueMs;
    return next <= untilMs ? next : null;
  }

  /** Fires every due timer in the order of their start. Returns whether one of them is a one-shot timer. */
  fire(): boolean {
    let once = false;
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= this.#nowMs);
    for (const timer of due) {
      if (!this.#timers.has(timer)) continue;
      if (timer.everyMs === null) {
        once = true;
        this.#timers.delete(timer);
      } else timer.dueMs = this.#nowMs + timer.everyMs;
      timer.fire();
    }
    return once;
  }

  #add(fire: () => void, ms: number, everyMs: number | null): Timer {
    const timer = { dueMs: this.#nowMs + ms, everyMs, fire };
    this.#timers.add(timer);
    return timer;
  }

  get #nowMs(): number {
    return this.#clock?.elapsedMs ?? 0;
  }
}
