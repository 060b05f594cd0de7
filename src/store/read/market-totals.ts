import type { Database } from "../database.ts";

/**
 * Totals of the whole file. `providers` counts active ones. `quotes` counts the published generation, or is null without one. `checkedAt`
 * is when any feed was last verified, UTC ms, or null if none was. `catalogVersion` changes with the catalog.
 */
export type MarketTotalsRow = {
  readonly providers: number;
  readonly quotes: number | null;
  readonly catalogVersion: number;
  readonly checkedAt: number | null;
};

/** Counts providers, quotes and items of the file. Not built by Drizzle: the counts need no joins. */
export class MarketTotalsStore {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  totals(): MarketTotalsRow {
    return this.#statements.totals.get()!;
  }

  /** Counts the items of the catalog. */
  items(): number {
    return this.#statements.items.get()!.items;
  }
}

function prepare({ $client }: Database) {
  return {
    totals: $client.prepare<[], MarketTotalsRow>(`
      SELECT (SELECT count(*) FROM providers WHERE active = 1) AS providers, 
        (SELECT quotes FROM generations WHERE generation_id = current_generation_id) AS quotes, catalog_version AS catalogVersion, (SELECT max(checked_at) FROM feeds) AS checkedAt
      FROM market_state WHERE one = 1`),
    items: $client.prepare<[], { items: number }>("SELECT count(*) AS items FROM items WHERE in_catalog = 1"),
  };
}
