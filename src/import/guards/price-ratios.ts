/** A price beside the one that it is compared with, in cents. */
type PriceMove = { itemId: number; from: number; to: number };

/** Prices beside those that they are compared with. In columns: they are hundreds of thousands. */
export class PriceRatios {
  readonly #items: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  /** Adds a price of an item and the one before it, both in cents and above 0. */
  add(itemId: number, from: number, to: number): void {
    this.#items.push(itemId);
    this.#from.push(from);
    this.#to.push(to);
  }

  get count(): number {
    return this.#items.length;
  }

  /** Returns the median of new to old; null without prices. */
  median(): number | null {
    const ratios = Float64Array.from(this.#to, (to, index) => to / this.#from[index]!).sort();
    return ratios[ratios.length >> 1] ?? null;
  }

  /** Returns how many prices are outside 1/`bound` to `bound` times the price before. */
  outside(bound: number): number {
    let count = 0;
    for (const index of this.#to.keys()) if (this.#isOutside(index, bound)) count += 1;
    return count;
  }

  /** Returns the moves outside 1/`bound` to `bound`, the largest difference in money first. `bound` 1: every price that changed. */
  largest(max: number, bound = 1): PriceMove[] {
    const indexes = [...this.#to.keys()].filter((index) => this.#isOutside(index, bound));
    const difference = (index: number) => Math.abs(this.#to[index]! - this.#from[index]!);
    indexes.sort((one, other) => difference(other) - difference(one) || this.#items[one]! - this.#items[other]!);
    return indexes
      .slice(0, max)
      .map((index) => ({ itemId: this.#items[index]!, from: this.#from[index]!, to: this.#to[index]! }));
  }

  #isOutside(index: number, bound: number): boolean {
    const [from, to] = [this.#from[index]!, this.#to[index]!];
    return to > bound * from || from > bound * to;
  }
}
