import { Largest } from "./largest.ts";

/** A price and the earlier price to compare with, in cents. */
export type PriceMove = { itemId: number; from: number; to: number };

/** Returns the median of at least one amount. */
export function medianOf(amounts: readonly number[]): number {
  return amounts.length === 1 ? amounts[0]! : Float64Array.from(amounts).sort()[amounts.length >> 1]!;
}

/** Pairs of prices, stored in columns because there are hundreds of thousands. */
export class PriceRatios {
  readonly #items: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #lower = 0;
  #higher = 0;

  /** Joins several collections into one. */
  static together(parts: readonly PriceRatios[]): PriceRatios {
    if (parts.length === 1) return parts[0]!;
    const all = new PriceRatios();
    for (const part of parts) {
      for (let index = 0; index < part.count; index += 1)
        all.add(part.#items[index]!, part.#from[index]!, part.#to[index]!);
    }
    return all;
  }

  /** Adds an earlier and a new price of an item, both in cents and above 0. */
  add(itemId: number, from: number, to: number): void {
    this.#items.push(itemId);
    this.#from.push(from);
    this.#to.push(to);
    if (to < from) this.#lower += 1;
    else if (to > from) this.#higher += 1;
  }

  get count(): number {
    return this.#items.length;
  }

  /** Number of prices that changed. */
  get changed(): number {
    return this.#lower + this.#higher;
  }

  /** Returns a lookup by item. Each item must have been added only once. */
  byItem(): { at(itemId: number): { from: number; to: number } | null } {
    const places = new Int32Array(this.#items.reduce((max, itemId) => Math.max(max, itemId), 0) + 1);
    for (const [index, itemId] of this.#items.entries()) places[itemId] = index + 1;
    const at = (itemId: number) => {
      const index = (places[itemId] ?? 0) - 1;
      return index < 0 ? null : { from: this.#from[index]!, to: this.#to[index]! };
    };
    return { at };
  }

  /** Returns the median ratio of new to old prices. Null without prices. */
  median(): number | null {
    const middle = this.count >> 1;
    // Most prices do not change, so sorting is rarely needed.
    if (this.#lower <= middle && middle < this.count - this.#higher) return 1;
    const ratios = Float64Array.from(this.#to, (_, index) => this.#ratio(index)).sort();
    return ratios[middle] ?? null;
  }

  /** Returns the medians of earlier and new prices, in cents. Needs at least one pair. */
  medians(): [from: number, to: number] {
    return [medianOf(this.#from), medianOf(this.#to)];
  }

  /** Counts the prices of at least `least` cents that are multiples of `unit`, before and now. */
  multiples(unit: number, least: number): Record<"before" | "now", { count: number; of: number }> {
    const countOf = (prices: readonly number[]) => {
      const counts = { count: 0, of: 0 };
      for (const price of prices) {
        if (price < least) continue;
        counts.of += 1;
        if (price % unit === 0) counts.count += 1;
      }
      return counts;
    };
    return { before: countOf(this.#from), now: countOf(this.#to) };
  }

  /** Counts the changed prices of at least `least` cents, and of those the prices within 1 % of their median ratio. */
  alike(least: number): { count: number; of: number; ratio: number } {
    const ratios: number[] = [];
    for (const [index, from] of this.#from.entries())
      if (from >= least && from !== this.#to[index]) ratios.push(this.#ratio(index));
    const ratio = ratios.length === 0 ? 1 : medianOf(ratios);
    const count = ratios.filter((one) => Math.abs(one / ratio - 1) <= 0.01).length;
    return { count, of: ratios.length, ratio };
  }

  /** Returns at most `max` moves, starting at the median ratio and ascending. */
  middle(max: number): PriceMove[] {
    const sorted = [...this.#to.keys()].sort((one, other) => this.#ratio(one) - this.#ratio(other));
    return sorted.slice(sorted.length >> 1, (sorted.length >> 1) + max).map((index) => this.#move(index));
  }

  /** Returns the geometric mean of new to old prices. Returns 1 without prices. */
  mean(): number {
    if (this.changed === 0) return 1;
    let sum = 0;
    for (const [index, to] of this.#to.entries()) if (to !== this.#from[index]) sum += Math.log(this.#ratio(index));
    return Math.exp(sum / this.count);
  }

  /** Returns the number of prices outside 1/`bound` to `bound` times the earlier price. */
  outside(bound: number): number {
    if (this.changed === 0) return 0;
    let count = 0;
    for (let index = 0; index < this.count; index += 1) if (this.#isOutside(index, bound)) count += 1;
    return count;
  }

  /** Returns the moves outside 1/`bound` to `bound`, by descending difference in money. With `bound` 1 returns every changed price. */
  largest(max: number, bound = 1): PriceMove[] {
    const found = new Largest(max, (index: number) => Math.abs(this.#to[index]! - this.#from[index]!));
    for (let index = 0; index < this.count && this.changed > 0; index += 1)
      if (this.#isOutside(index, bound)) found.add(index);
    return found.values.map((index) => this.#move(index));
  }

  #isOutside(index: number, bound: number): boolean {
    const [from, to] = [this.#from[index]!, this.#to[index]!];
    return to > bound * from || from > bound * to;
  }

  #ratio(index: number): number {
    return this.#to[index]! / this.#from[index]!;
  }

  #move(index: number): PriceMove {
    return { itemId: this.#items[index]!, from: this.#from[index]!, to: this.#to[index]! };
  }
}
