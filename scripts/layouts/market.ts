import { hourMs } from "../../src/values/calendar.ts";
import type { Size } from "./options.ts";

/** What a quote of the invented market says in one hour; `slot` is its provider and side. */
export type HourlyQuote = { slot: number; amount: number; quantity: number | null; observedAt: number | null };

export type MarketModel = { changePercent: number; observed: boolean };

/** Provider and side of each quote of an item: six marketplaces offer, three of them buy. */
export const slots = [
  ...[1, 2, 3, 4, 5, 6].map((provider) => ({ provider, side: "ask" as const })),
  ...[1, 2, 3].map((provider) => ({ provider, side: "bid" as const })),
];

export const firstHour = 20_000 * 24;

const priceStepMax = 0.04;
const quantityMax = 60;

/**
 * A market in which, from an hour to the next, a share of the quotes moves by up to 4 %, at least by a cent, half of them with
 * another quantity. Two providers of three tell quantities. Prices spread from ten cents to a thousand dollars, the most of
 * them low. The same every time.
 */
export class Market {
  readonly items: number;
  readonly hours: number;
  readonly #amounts: Int32Array;
  readonly #quantities: Uint8Array;
  readonly #ages: Uint16Array | null;

  constructor({ items, days }: Size, { changePercent, observed }: MarketModel) {
    this.items = items;
    this.hours = days * 24;
    this.#amounts = new Int32Array(items * this.hours * slots.length);
    this.#quantities = new Uint8Array(this.#amounts.length);
    this.#ages = observed ? new Uint16Array(this.#amounts.length) : null;
    const random = generator(1);
    for (let item = 0; item < items; item += 1) this.#fill(item, changePercent / 100, random);
  }

  /** The quotes of one item in one hour, hours from 0 to `hours - 1`. */
  quotes(item: number, hour: number): HourlyQuote[] {
    const from = this.#at(item, hour);
    return slots.map((_, slot) => this.#quote(hour, from, slot));
  }

  /** Those of them that say something else than an hour before. */
  changes(item: number, hour: number): HourlyQuote[] {
    const from = this.#at(item, hour);
    const changed: HourlyQuote[] = [];
    for (let slot = 0; slot < slots.length; slot += 1) {
      if (hour === 0 || this.#ages !== null || this.#isMoved(from + slot)) changed.push(this.#quote(hour, from, slot));
    }
    return changed;
  }

  #quote(hour: number, from: number, slot: number): HourlyQuote {
    return {
      slot,
      amount: this.#amounts[from + slot]!,
      quantity: this.#quantities[from + slot]! || null,
      observedAt: this.#ages === null ? null : (firstHour + hour) * hourMs - this.#ages[from + slot]! * 1000,
    };
  }

  #isMoved(at: number): boolean {
    const before = at - slots.length;
    return this.#amounts[at] !== this.#amounts[before] || this.#quantities[at] !== this.#quantities[before];
  }

  #at(item: number, hour: number): number {
    return (item * this.hours + hour) * slots.length;
  }

  #fill(item: number, share: number, random: () => number): void {
    const base = 10 * 10 ** (4 * random() ** 2);
    for (let slot = 0; slot < slots.length; slot += 1) {
      const isSilent = slots[slot]!.provider % 3 === 0;
      let amount = Math.round(base * (slots[slot]!.side === "ask" ? 1 + random() / 4 : 0.7 + random() / 5)) + 1;
      let quantity = isSilent ? 0 : 1 + Math.floor(random() * quantityMax);
      for (let hour = 0; hour < this.hours; hour += 1) {
        if (hour > 0 && random() < share) {
          const step = Math.max(1, Math.round(amount * priceStepMax * random()));
          amount = Math.max(1, random() < 0.5 ? amount - step : amount + step);
          if (!isSilent && random() < 0.5) quantity = 1 + Math.floor(random() * quantityMax);
        }
        const at = this.#at(item, hour) + slot;
        this.#amounts[at] = amount;
        this.#quantities[at] = quantity;
        if (this.#ages !== null) this.#ages[at] = Math.floor(random() * 1800);
      }
    }
  }
}

/** Evenly spread numbers from 0 to 1, the same for the same seed (xorshift32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
