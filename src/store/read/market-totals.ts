import type { Database } from "../database.ts";

/**
 * What the whole file holds: active providers, the published generation (null: none), and when any feed was last verified, UTC ms (null:
 * never). `catalogVersion` differs whenever the catalog does.
 */
export type MarketTotalsRow = {
  readonly providers: number;
  readonly generationId: number | null;
  readonly catalogVersion: number;
  readonly checkedAt: number | null;
};

/** Quotes of some items of a generation. `lastKey`: where the next ones begin; null: there are none. */
type QuoteCount = { readonly quotes: number; readonly lastKey: number | null };

/** Items of one step: about a millisecond and a half. */
const stepItems = 500;

/** Counts what the file holds. Not built by Drizzle: three counts of tables that have nothing to join, and a count within texts. */
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

  /** Counts the quotes of the next items of a generation, in ascending id. `afterKey` null: of the first ones. */
  quotesAfter(generationId: number, afterKey: number | null): QuoteCount {
    return this.#statements.quotes.get({ generationId, afterKey, stepItems })!;
  }
}

function prepare({ $client }: Database) {
  return {
    totals: $client.prepare<[], MarketTotalsRow>(`
      SELECT (SELECT count(*) FROM providers WHERE active = 1) AS providers, current_generation_id AS generationId,
        catalog_version AS catalogVersion, (SELECT max(checked_at) FROM feeds) AS checkedAt
      FROM market_state WHERE one = 1`),
    items: $client.prepare<[], { items: number }>("SELECT count(*) AS items FROM items WHERE in_catalog = 1"),
    // Each quote has one amount, and no text of a quote can hold a quotation mark that is not escaped.
    quotes: $client.prepare<[object], QuoteCount>(`
      SELECT coalesce(sum((length(quotes) - length(replace(quotes, '"amount":', ''))) / 9), 0) AS quotes, max(quote_key) AS lastKey
      FROM (SELECT quote_key, quotes FROM generation_quotes
        WHERE quote_key > coalesce(@afterKey, (@generationId << 31) - 1) AND quote_key < (@generationId + 1) << 31
        ORDER BY quote_key LIMIT @stepItems)`),
  };
}
