/** Combines the caller's abort signal with a time limit that can be reset. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @throws the reason of `outer` if it is already aborted. */
  constructor(outer: AbortSignal | undefined) {
    outer?.throwIfAborted();
    this.#outer = outer;
    if (outer !== undefined) follow(outer, this.#controller);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts with the error from `late` after `ms`, unless the limit is reset or cleared before. */
  within(ms: number, late: () => Error): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(late()), Math.max(1, Math.ceil(ms)));
  }

  /** Removes the time limit until the next call of `within`. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  /** Releases the timer and the caller's signal. Pass true to abort running work. */
  close(abort = false): void {
    clearTimeout(this.#timer);
    if (this.#outer !== undefined) leave(this.#outer, this.#controller);
    if (abort) this.#controller.abort();
  }
}

/** Controllers that abort with a signal. They share one listener, because Node reports more than ten on one signal as a leak. */
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
