import type { GenerationsStore } from "../store/read/generations.ts";

/** Time between two looks at the published generation while somebody waits for the next one. */
const lookEveryMs = 100;
/** Waiters that are answered in one turn of the event loop. */
const wokenPerTurn = 64;

/** `after`: the generation that is known already. `wake` never throws. */
type Waiter = { readonly after: number; readonly wake: () => void; readonly timer: NodeJS.Timeout };

/**
 * Holds those who wait for the next generation. Whoever publishes, in whichever process, it is seen by looking; nobody looks while
 * nobody waits. A waiter is a timer and no more: it holds no transaction and no permit.
 */
export class GenerationWaiters {
  readonly #store: Pick<GenerationsStore, "currentId">;
  readonly #waiters = new Set<Waiter>();
  readonly #woken: Waiter[] = [];
  #looking: NodeJS.Timeout | null = null;
  #waking: NodeJS.Immediate | null = null;
  #open = true;
  #answered: () => void = () => undefined;

  constructor(store: Pick<GenerationsStore, "currentId">) {
    this.#store = store;
  }

  get count(): number {
    return this.#waiters.size;
  }

  /** Calls `wake` once: when a generation newer than `after` is published, after `waitMs`, or when the service ends. Returns what cancels it. */
  wait(after: number, waitMs: number, wake: () => void): () => void {
    const waiter: Waiter = { after, wake, timer: setTimeout(() => this.#wake([waiter]), this.#open ? waitMs : 0) };
    this.#waiters.add(waiter);
    this.#looking ??= setInterval(() => this.#look(), lookEveryMs);
    return () => this.#forget(waiter);
  }

  /** Wakes all, also those who come later. Resolves when those who waited are answered. */
  close(): Promise<void> {
    this.#open = false;
    this.#wake([...this.#waiters]);
    if (this.#woken.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  /** Looks at once, as when the market was exchanged for another. */
  look(): void {
    if (this.#waiters.size > 0) this.#look();
  }

  #look(): void {
    let current: number | null = null;
    try {
      current = this.#store.currentId();
    } catch {
      // Read again by each of them, who tells what is wrong.
    }
    this.#wake([...this.#waiters].filter(({ after }) => current === null || current > after));
  }

  #wake(waiters: readonly Waiter[]): void {
    for (const waiter of waiters) {
      if (!this.#waiters.has(waiter)) continue;
      this.#forget(waiter);
      this.#woken.push(waiter);
    }
    if (this.#woken.length > 0) this.#waking ??= setImmediate(this.#wakeSome);
  }

  /** Answers some and lets other requests in before the next. */
  readonly #wakeSome = (): void => {
    this.#waking = null;
    const some = this.#woken.splice(0, wokenPerTurn);
    if (this.#woken.length > 0) this.#waking = setImmediate(this.#wakeSome);
    for (const { wake } of some) wake();
    if (this.#woken.length === 0) this.#answered();
  };

  #forget(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0 || this.#looking === null) return;
    clearInterval(this.#looking);
    this.#looking = null;
  }
}
