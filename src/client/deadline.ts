/** One abort signal out of the caller's and of a time limit that can be set anew. */
export class Lifeline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Throws the signal's reason where it is aborted already. */
  constructor(outer: AbortSignal | undefined) {
    outer?.throwIfAborted();
    this.#outer = outer;
    if (outer !== undefined) follow(outer, this.#controller);
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
    if (this.#outer !== undefined) leave(this.#outer, this.#controller);
    if (end) this.#controller.abort();
  }
}

/** Those who end with a signal. They share one listener: of more than ten on one signal Node warns as of a leak. */
type Followers = { readonly controllers: Set<AbortController>; readonly onAbort: () => void };

const followersOf = new WeakMap<AbortSignal, Followers>();

function follow(signal: AbortSignal, controller: AbortController): void {
  const present = followersOf.get(signal);
  if (present !== undefined) {
    present.controllers.add(controller);
    return;
  }
  const controllers = new Set([controller]);
  const onAbort = () => {
    for (const one of controllers) one.abort(signal.reason);
  };
  followersOf.set(signal, { controllers, onAbort });
  signal.addEventListener("abort", onAbort, { once: true });
}

function leave(signal: AbortSignal, controller: AbortController): void {
  const followers = followersOf.get(signal);
  if (followers === undefined || !followers.controllers.delete(controller) || followers.controllers.size > 0) return;
  followersOf.delete(signal);
  signal.removeEventListener("abort", followers.onAbort);
}
