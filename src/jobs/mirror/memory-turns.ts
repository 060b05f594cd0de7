import { giveAllBack } from "./give-back.ts";

/**
 * Lets work that takes much memory be done one after the other. Who is urgent comes before everybody else who waits. A file of its own: how
 * turns are taken is no matter of the mirror.
 */
export class MemoryTurns {
  #isTaken = false;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  /** Does the work when its turn has come, and gives back what it leaves before the next turn. */
  async take<T>(work: () => Promise<T>, { isUrgent = false } = {}): Promise<T> {
    const queue = isUrgent ? this.#urgent : this.#waiting;
    if (this.#isTaken) await new Promise<void>((resolve) => queue.push(resolve));
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      giveAllBack();
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (next === undefined) this.#isTaken = false;
      else next();
    }
  }
}
