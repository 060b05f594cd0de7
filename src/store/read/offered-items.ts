import type { Database } from "../database.ts";

/** Reads how often items of the catalog are offered. Not built by Drizzle: all quotes are read, as arrays. */
export class OfferedItemsStore {
  readonly #providers;
  readonly #offers;

  constructor({ $client }: Database) {
    this.#providers = $client.prepare<[], number>("SELECT number FROM frame_providers ORDER BY number").pluck();
    this.#offers = $client
      .prepare<[number, number, number], [itemId: number, offers: number]>(
        `SELECT item_id, coalesce(ask_quantity, 1) FROM quotes JOIN items USING (item_id)
         WHERE provider_id = (SELECT ?) AND item_id > (SELECT ?) AND ask_cents > 0 AND in_catalog = 1
         ORDER BY item_id LIMIT (SELECT ?)`,
      )
      .raw();
  }

  /** Returns the numbers of all providers. */
  providers(): number[] {
    return this.#providers.all();
  }

  /** Returns items after an id that a provider offers, ascending, at most `limit`, with the number of offers; 1 if it is unknown. */
  after(provider: number, itemId: number, limit: number): [itemId: number, offers: number][] {
    return this.#offers.all(provider, itemId, limit);
  }
}
