/** Random integers from a seed, the same in every run. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % count;
  }
}
