/** A seeded generator (mulberry32): the same seed always gives the same run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635) >>> 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.next() * choices.length)];
    if (choice === undefined) throw new Error("there is nothing to pick from");
    return choice;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of the names, each as likely as its weight. */
  weighted<Name extends string>(weights: readonly (readonly [Name, number])[]): Name {
    let rest = this.next() * weights.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of weights) {
      rest -= weight;
      if (rest < 0) return name;
    }
    return this.pick(weights)[0];
  }
}
