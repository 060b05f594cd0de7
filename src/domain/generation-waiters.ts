import type { GenerationsStore } from "../store/read/generations.ts";

/** Time between two checks for a new generation while requests wait. */
const checkIntervalMs = 100;
/** Waiters that are woken in one turn of the event loop. */
const wokenPerTurn = 64;

/** `after`: the generation that the client has. `wake` never throws. */
type Waiter = { readonly after: number; readonly wake: () => void; readonly timer: NodeJS.Timeout };

/**
 * Lets requests wait for the next generation. It polls the file, because another process may publish; without waiters it does not poll. A
 * waiter is only a timer and holds no transaction or permit.
 */
export class GenerationWaiters {
  readonly #store: Pick<GenerationsStore, "currentId">;
  readonly #waiters = new Set<Waiter>();
  readonly #woken: Waiter[] = [];
  #checking: NodeJS.Timeout | null = null;
  #waking: NodeJS.Immediate | null = null;
  #open = true;
  #answered: () => void = () => undefined;

  constructor(store: Pick<GenerationsStore, "currentId">) {
    this.#store = store;
  }

  get count(): number {
    return this.#waiters.size;
  }

  /**
   * Calls `wake` once: when a generation newer than `after` is published, after `waitMs`, or when the service ends. Returns a function that
   * cancels the wait.
   */
  wait(after: number, waitMs: number, wake: () => void): () => void {
    const waiter: Waiter = { after, wake, timer: setTimeout(() => this.#wake([waiter]), this.#open ? waitMs : 0) };
    this.#waiters.add(waiter);
    this.#checking ??= setInterval(() => this.#check(), checkIntervalMs);
    return () => this.#forget(waiter);
  }

  /** Wakes all waiters, including later ones. Resolves when the waiters until now were woken. */
  close(): Promise<void> {
    this.#open = false;
    this.#wake([...this.#waiters]);
    if (this.#woken.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  /** Checks at once, for example after the market was replaced. */
  look(): void {
    if (this.#waiters.size > 0) this.#check();
  }

  #check(): void {
    let current: number | null = null;
    try {
      current = this.#store.currentId();
    } catch {
      // The error is ignored, because each woken request reads again and reports it.
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

  /** Wakes some waiters, then lets other requests run. */
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
    if (this.#waiters.size > 0 || this.#checking === null) return;
    clearInterval(this.#checking);
    this.#checking = null;
  }
}
