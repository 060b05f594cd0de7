import { type PricedBook, sides } from "./priced-books.ts";

/** A price of a body and the published one of the same item, provider and side. */
export type PriceChange = { itemId: number; from: number; to: number };

/** The median change of prices: new to old. `around`: a few of the changes from it on. */
export type Level = { ratio: number; prices: number; around: readonly PriceChange[] };

/** Every price of a body that has one of the same item, provider and side before it. In columns: they are hundreds of thousands. */
export class PriceChanges {
  readonly #items: number[] = [];
  /** Places of each provider's changes, and (null) of all. */
  readonly #places = new Map<string | null, number[]>([[null, []]]);
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  /** Adds those of one item; all of an item are added together. */
  add(itemId: number, before: PricedBook, now: PricedBook): void {
    for (const side of sides) {
      for (const { provider, amountCents } of now[side]) {
        const from = before[side].find((quote) => quote.provider === provider)?.amountCents;
        if (from === undefined) continue;
        this.#place(provider, this.#items.push(itemId) - 1);
        this.#from.push(from);
        this.#to.push(amountCents);
      }
    }
  }

  /** Returns the number of items that have a change, of one provider or (null) of any. */
  itemsOf(provider: string | null): number {
    let items = 0;
    let last: number | null = null;
    for (const index of this.#of(provider)) {
      if (this.#items[index] !== last) items += 1;
      last = this.#items[index]!;
    }
    return items;
  }

  /** Returns the median ratio of one provider's changes or (null) of all; there is at least one. */
  medianOf(provider: string | null): number {
    const ratios = Float64Array.from(this.#of(provider), (index) => this.#ratio(index)).sort();
    return ratios[ratios.length >> 1]!;
  }

  /** Returns the same with the changes next to it. */
  levelOf(provider: string | null, aroundMax: number): Level {
    const sorted = this.#of(provider).toSorted((one, other) => this.#ratio(one) - this.#ratio(other));
    const middle = sorted.length >> 1;
    const around = sorted.slice(middle, middle + aroundMax).map((index) => this.#change(index));
    return { ratio: this.#ratio(sorted[middle]!), prices: sorted.length, around };
  }

  #place(provider: string, index: number): void {
    this.#of(null).push(index);
    const places = this.#places.get(provider);
    if (places === undefined) this.#places.set(provider, [index]);
    else places.push(index);
  }

  #of(provider: string | null): number[] {
    return this.#places.get(provider) ?? [];
  }

  #ratio(index: number): number {
    return this.#to[index]! / this.#from[index]!;
  }

  #change(index: number): PriceChange {
    return { itemId: this.#items[index]!, from: this.#from[index]!, to: this.#to[index]! };
  }
}
