import type { Exchange } from "./exchange.ts";

/** A request that is ready to be performed. `perform` and `shed` never throw. */
export type Ready = { readonly exchange: Exchange; perform(): void; shed(): void };

/** An account or address: the permits that it holds and its requests that wait for one, the oldest first. */
type Sharer = { readonly name: string; held: number; readonly waiting: Ready[] };

/**
 * Holds requests that wait for a permit. Those who share the permits take turns, so that nobody waits longer for the many requests of
 * another. Where too many wait, whoever has the most loses its newest.
 */
export class WaitingRequests {
  readonly #sharers = new Map<string, Sharer>();
  /** Sharers with waiting requests, in the order of their turns. */
  readonly #turns = new Set<Sharer>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a permit that `name` holds from now on. */
  hold(name: string): void {
    this.#sharer(name).held += 1;
  }

  letGo(name: string): void {
    const sharer = this.#sharer(name);
    sharer.held -= 1;
    this.#forget(sharer);
  }

  add(name: string, ready: Ready): void {
    const sharer = this.#sharer(name);
    sharer.waiting.push(ready);
    this.#turns.add(sharer);
    this.#count += 1;
  }

  /** Takes out the oldest request of the sharer whose turn it is; null: none waits. */
  next(): Ready | null {
    for (const sharer of this.#turns) {
      const ready = sharer.waiting.shift();
      this.#turns.delete(sharer);
      if (sharer.waiting.length > 0) this.#turns.add(sharer);
      this.#count -= 1;
      this.#forget(sharer);
      return ready ?? null;
    }
    return null;
  }

  /** Takes out the newest request of the sharer that has most, waiting and held together. */
  dropOfLargest(): Ready | null {
    let largest: Sharer | null = null;
    for (const sharer of this.#turns) if (largest === null || load(sharer) > load(largest)) largest = sharer;
    return largest === null ? null : this.#takeAt(largest, largest.waiting.length - 1);
  }

  /** Takes out the request of an exchange that nobody waits for any more. */
  remove(name: string, exchange: Exchange): void {
    const sharer = this.#sharer(name);
    const index = sharer.waiting.findIndex((ready) => ready.exchange === exchange);
    if (index !== -1) this.#takeAt(sharer, index);
  }

  #takeAt(sharer: Sharer, index: number): Ready | null {
    const [ready] = sharer.waiting.splice(index, 1);
    if (sharer.waiting.length === 0) this.#turns.delete(sharer);
    this.#count -= 1;
    this.#forget(sharer);
    return ready ?? null;
  }

  #sharer(name: string): Sharer {
    let sharer = this.#sharers.get(name);
    if (sharer === undefined) {
      sharer = { name, held: 0, waiting: [] };
      this.#sharers.set(name, sharer);
    }
    return sharer;
  }

  #forget(sharer: Sharer): void {
    if (sharer.held === 0 && sharer.waiting.length === 0) this.#sharers.delete(sharer.name);
  }
}

function load({ held, waiting }: Sharer): number {
  return held + waiting.length;
}
