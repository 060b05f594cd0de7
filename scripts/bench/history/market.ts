import type { ItemQuotes } from "../../../src/import/quotes/merge-quotes.ts";
import type { FrameContent } from "../../../src/import/quotes/record-frame.ts";

/** One quote of the synthetic market in one hour; `slot` is its index in `slots`. */
export type HourlyQuote = { slot: number; amount: number; quantity: number | null; observedAt: null };

/** Share of the quotes that change from one hour to the next, in percent. */
export const changePercent = 15;

/** Provider and side of each quote of an item: six marketplaces sell, three of them buy. */
export const slots = [
  ...[1, 2, 3, 4, 5, 6].map((provider) => ({ provider, side: "ask" as const })),
  ...[1, 2, 3].map((provider) => ({ provider, side: "bid" as const })),
];

export const firstHour = 20_000 * 24;

const priceStepMax = 0.04;
const quantityMax = 60;

/**
 * A market in which `changePercent` of the quotes change each hour: the price by 1 cent to 4 %, half of the time the quantity
 * as well. Two providers of three report quantities. Prices lie between ten cents and a thousand dollars, most of them low.
 * Each run generates the same market.
 */
export class Market {
  readonly items: number;
  readonly hours: number;
  readonly #amounts: Int32Array;
  readonly #quantities: Uint8Array;

  constructor({ items, days }: { items: number; days: number }) {
    this.items = items;
    this.hours = days * 24;
    this.#amounts = new Int32Array(items * this.hours * slots.length);
    this.#quantities = new Uint8Array(this.#amounts.length);
    const random = generator(1);
    for (let item = 0; item < items; item += 1) this.#fill(item, random);
  }

  /** Returns what the market's feed reports in one hour, from 0 to `hours - 1`. */
  frame(hour: number): Pick<FrameContent, "items" | "itemsWithoutQuote"> {
    const items = new Map<number, ItemQuotes>();
    for (let item = 0; item < this.items; item += 1) {
      const first = this.#index(item, hour);
      const quotes: ItemQuotes = { asks: [], bids: [] };
      for (const [slot, { provider, side }] of slots.entries()) {
        const { amount: amountCents, quantity, observedAt } = this.#quote(first, slot);
        const quote = { provider: slugOf(provider), amountCents, quantity, url: null, observedAt };
        (side === "ask" ? quotes.asks : quotes.bids).push(quote);
      }
      items.set(item, quotes);
    }
    return { items, itemsWithoutQuote: new Set() };
  }

  /** Returns the quotes of an item that differ from the hour before; all of them in the first hour. */
  changes(item: number, hour: number): HourlyQuote[] {
    const first = this.#index(item, hour);
    return slots
      .map((_, slot) => slot)
      .filter((slot) => hour === 0 || this.#isChanged(first + slot))
      .map((slot) => this.#quote(first, slot));
  }

  #quote(first: number, slot: number): HourlyQuote {
    const quantity = this.#quantities[first + slot]! || null;
    return { slot, amount: this.#amounts[first + slot]!, quantity, observedAt: null };
  }

  #isChanged(index: number): boolean {
    const before = index - slots.length;
    return this.#amounts[index] !== this.#amounts[before] || this.#quantities[index] !== this.#quantities[before];
  }

  #index(item: number, hour: number): number {
    return (item * this.hours + hour) * slots.length;
  }

  #fill(item: number, random: () => number): void {
    const base = 10 * 10 ** (4 * random() ** 2);
    for (const [slot, { provider, side }] of slots.entries()) {
      const hasQuantity = provider % 3 !== 0;
      let amount = Math.round(base * (side === "ask" ? 1 + random() / 4 : 0.7 + random() / 5)) + 1;
      let quantity = hasQuantity ? 1 + Math.floor(random() * quantityMax) : 0;
      for (let hour = 0; hour < this.hours; hour += 1) {
        if (hour > 0 && random() < changePercent / 100) {
          const step = Math.max(1, Math.round(amount * priceStepMax * random()));
          amount = Math.max(1, random() < 0.5 ? amount - step : amount + step);
          if (hasQuantity && random() < 0.5) quantity = 1 + Math.floor(random() * quantityMax);
        }
        const index = this.#index(item, hour) + slot;
        this.#amounts[index] = amount;
        this.#quantities[index] = quantity;
      }
    }
  }
}

export function slugOf(provider: number): string {
  return `provider-${provider}`;
}

/** Returns a generator of evenly spread numbers from 0 to 1 (xorshift32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
