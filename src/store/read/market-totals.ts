import type { Database } from "../database.ts";

/**
 * What the whole file holds: active providers, the quotes of the published generation (null: none is published), and when any feed was last verified, UTC ms (null:
 * never). `catalogVersion` differs whenever the catalog does.
 */
export type MarketTotalsRow = {
  readonly providers: number;
  readonly quotes: number | null;
  readonly catalogVersion: number;
  readonly checkedAt: number | null;
};

/** Counts what the file holds. Not built by Drizzle: counts of tables that have nothing to join. */
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
