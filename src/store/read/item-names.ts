import type { Database } from "../database.ts";

/** A catalog item with its searchable texts. */
export type NameRow = readonly [
  itemId: number,
  marketHashName: string,
  nameRu: string | null,
  phase: string | null,
  type: string | null,
];

/** Reads the names of the catalog. Not built by Drizzle: rows remain arrays, which are sent unchanged. */
export class ItemNamesStore {
  readonly #names;

  constructor({ $client }: Database) {
    this.#names = $client
      .prepare<[number, number], NameRow>(
        `SELECT item_id, market_hash_name, name_ru, phase, type FROM items
         WHERE item_id > (SELECT ?) AND in_catalog = 1 ORDER BY item_id LIMIT (SELECT ?)`,
      )
      .raw();
  }

  /** Returns items after an id, ascending, at most `limit`. */
  after(itemId: number, limit: number): NameRow[] {
    return this.#names.all(itemId, limit);
  }
}
