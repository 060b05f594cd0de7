import { collectAllGarbage } from "./collect-garbage.ts";

/**
 * Runs memory-intensive work one at a time. Urgent work precedes all other waiting work. This file is apart, because the mirror need not
 * know how work is queued.
 */
export class MemoryQueue {
  #isBusy = false;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  /** Runs `work` when no other work runs, and frees its garbage before the next one. */
  async take<T>(work: () => Promise<T>, { isUrgent = false } = {}): Promise<T> {
    const queue = isUrgent ? this.#urgent : this.#waiting;
    if (this.#isBusy) await new Promise<void>((resolve) => queue.push(resolve));
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      collectAllGarbage();
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (next === undefined) this.#isBusy = false;
      else next();
    }
  }
}
