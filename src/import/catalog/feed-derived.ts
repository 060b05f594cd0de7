import { type Database, writeTransaction } from "../../store/database.ts";
import { CatalogWriter, type ItemRow } from "../../store/write/catalog.ts";
import { ExportStateWriter, publishedIdentity } from "../../store/write/export-states.ts";
import { searchTexts } from "../../values/search-text.ts";
import { encodeDetail } from "../../wire/item-detail.ts";
import type { CatalogVariant } from "./variants.ts";

/** Facts of an item that no variant has. */
type Given = Pick<ItemRow, "itemId" | "origin" | "firstSeenAt" | "updatedAt">;

/** Makes the row of an item that is in the catalog. */
export function itemRowOf({ sourceKeys: _, ...variant }: CatalogVariant, given: Given): ItemRow {
  return { ...variant, ...given, inCatalog: true, ...searchTexts(variant.marketHashName, variant.nameRu) };
}

/** Returns what states of the market are written with: once for all batches, because it reads the catalog. */
export function exportsOf(database: Database) {
  return { identity: publishedIdentity(database), states: new ExportStateWriter(database) };
}

/**
 * Makes the items of variants that a feed names and no catalog lists, in one short transaction. Returns ids by identity key. `at`
 * in UTC ms.
 */
export function createFeedDerived(
  database: Database,
  variants: readonly CatalogVariant[],
  at: number,
  exports = exportsOf(database),
): Map<string, number> {
  const writer = new CatalogWriter(database);
  return writeTransaction(database, () => {
    let lastId = writer.lastItemId();
    const ids = new Map<string, number>();
    for (const variant of variants) {
      lastId += 1;
      const row = itemRowOf(variant, { itemId: lastId, origin: "feed_proven", firstSeenAt: at, updatedAt: null });
      writer.write({ row, json: encodeDetail(row, []) });
      ids.set(variant.identityKey, lastId);
    }
    for (const name of new Set(variants.map(({ marketHashName }) => marketHashName))) writer.writeSharers(name);
    writer.raiseVersion();
    exports.states.record(exports.identity, ids.values(), at);
    return ids;
  });
}
