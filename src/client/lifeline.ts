/** One abort signal out of the caller's and of a time limit that can be set anew. */
export class Lifeline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#outer?.reason);
  #timer: NodeJS.Timeout | undefined;

  /** Throws the signal's reason where it is aborted already. */
  constructor(outer: AbortSignal | undefined) {
    outer?.throwIfAborted();
    this.#outer = outer;
    outer?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts with what `late` makes unless it is set anew or cleared within `ms`. */
  within(ms: number, late: () => Error): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(late()), Math.max(1, Math.ceil(ms)));
  }

  /** No time limit for now: what happens is up to the caller. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  /** Lets go of the timer and of the caller's signal. What is still under way is ended where `end` says so. */
  close(end = false): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#onAbort);
    if (end) this.#controller.abort();
  }
}
