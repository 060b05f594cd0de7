import type { Database } from "../database.ts";

/** Number of offers at the lowest ask `cents`. `offers` is 1 if their number is unknown. */
type OfferedRow = [itemId: number, offers: number, cents: number];

/** Reads the numbers of offers of catalog items. Not built by Drizzle: it reads all quotes as arrays. */
export class OfferedItemsStore {
  readonly #providers;
  readonly #offers;

  constructor({ $client }: Database) {
    this.#providers = $client.prepare<[], number>("SELECT number FROM frame_providers ORDER BY number").pluck();
    this.#offers = $client
      .prepare<[number, number, number], OfferedRow>(
        `SELECT item_id, coalesce(ask_quantity, 1), ask_cents FROM quotes JOIN items USING (item_id)
         WHERE provider_id = (SELECT ?) AND item_id > (SELECT ?) AND ask_cents > 0 AND in_catalog = 1
         ORDER BY item_id LIMIT (SELECT ?)`,
      )
      .raw();
  }

  /** Returns the numbers of all providers, ascending. */
  providers(): number[] {
    return this.#providers.all();
  }

  /** Returns items after an id with an ask of the provider, ascending, at most `limit`. */
  after(provider: number, itemId: number, limit: number): OfferedRow[] {
    return this.#offers.all(provider, itemId, limit);
  }
}
