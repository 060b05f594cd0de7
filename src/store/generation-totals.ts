import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { items } from "../../db/schema/catalog.ts";
import { encodePriceLine } from "../wire/export-record.ts";
import type { Database } from "./database.ts";

/**
 * What a generation holds. `items`, `bytes` and `digest` are of its canonical price part, which is that of every complete
 * export: one JSON line {item_id, asks, bids} per quoted item of the catalog in ascending id. `restDigest` is the same digest
 * over the quotes that exports leave out, those of items that left the catalog.
 */
export type Totals = { items: number; bytes: number; digest: Buffer; restDigest: Buffer };

/** The totals over all rows of a generation in ascending item id. `exported`: the items that are in the catalog. */
export function totalsOf(
  rows: Iterable<{ itemId: number; quotes: string }>,
  exported: { has(itemId: number): boolean },
): Totals {
  const hash = createHash("sha256");
  const rest = createHash("sha256");
  let items = 0;
  let bytes = 0;
  for (const { itemId, quotes } of rows) {
    const line = encodePriceLine(itemId, quotes);
    if (!exported.has(itemId)) {
      rest.update(line);
      continue;
    }
    hash.update(line);
    items += 1;
    bytes += line.length;
  }
  return { items, bytes, digest: hash.digest(), restDigest: rest.digest() };
}

/** Ids of the items that exports show: those of the catalog. */
export function exportedItems(database: Database): Set<number> {
  const rows = database.select({ itemId: items.itemId }).from(items).where(eq(items.inCatalog, true)).all();
  return new Set(rows.map(({ itemId }) => itemId));
}
