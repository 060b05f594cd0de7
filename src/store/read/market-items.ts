import type { ExportedItem } from "../../wire/export-record.ts";
import type { Database } from "../database.ts";

/**
 * An item with the data of exports. `quoteBytes` is the size of its quotes in an export, `changedAt` is when its best ask changed, UTC ms.
 * Each is null without quotes or best ask.
 */
export type MarketItem = ExportedItem & {
  readonly inCatalog: boolean;
  readonly quoteBytes: number | null;
  readonly changedAt: number | null;
};

type Row = Omit<MarketItem, "inCatalog"> & { inCatalog: number };

const columns = `i.item_id AS itemId, i.market_hash_name AS marketHashName, i.phase, i.in_catalog AS inCatalog,
  b.quote_bytes AS quoteBytes, b.changed_at AS changedAt`;
const quoted = "LEFT JOIN best_asks b ON b.item_id = i.item_id";
/** Items per page. */
const pageItems = 256;

/** Upper bound of the catalog's ids, or 0 without items. */
export const maxItemIdSql = "SELECT coalesce(max(item_id), 0) FROM items";

/** Reads items with all data of exports except the quotes. Not built by Drizzle: exports read tens of thousands. */
export class MarketItems {
  readonly #within;
  readonly #among;
  readonly #maxItemId;

  constructor({ $client: client }: Database) {
    this.#within = client.prepare<[{ after: number; upTo: number; limit: number }], Row>(
      `SELECT ${columns} FROM items i ${quoted}
       WHERE i.item_id > (SELECT @after) AND i.item_id <= (SELECT @upTo) ORDER BY i.item_id LIMIT @limit`,
    );
    this.#among = client.prepare<[string], Row>(
      `SELECT ${columns} FROM json_each((SELECT ?)) AS asked CROSS JOIN items i ON i.item_id = asked.value ${quoted}`,
    );
    this.#maxItemId = client.prepare<[], number>(maxItemIdSql).pluck();
  }

  /** Returns the upper bound of the ids, or 0 without items. */
  maxItemId(): number {
    return this.#maxItemId.get() ?? 0;
  }

  /** Returns items from `after` (exclusive) to `upTo` (inclusive), ascending, at most `limit`. Omit `limit` to read all. */
  within(after: number, upTo: number, limit = -1): MarketItem[] {
    return this.#within.all({ after, upTo, limit }).map(itemOf);
  }

  /** Yields all items in ascending id, read page by page. */
  *all(): Generator<MarketItem> {
    const upTo = this.maxItemId();
    for (let after = 0; after < upTo; after += pageItems) yield* this.within(after, after + pageItems);
  }

  /** Returns the existing items in the order of `itemIds`. */
  among(itemIds: readonly number[]): MarketItem[] {
    return this.#among.all(JSON.stringify(itemIds)).map(itemOf);
  }
}

function itemOf({ inCatalog, ...row }: Row): MarketItem {
  return { ...row, inCatalog: inCatalog === 1 };
}
