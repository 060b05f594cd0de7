import { type Database, writeTransaction } from "../../store/database.ts";
import type { BatchStats } from "../../store/write/batches.ts";
import { CatalogWriter, type ItemRow } from "../../store/write/catalog.ts";
import { ExportStateWriter, publishedIdentity } from "../../store/write/export-states.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { searchTextOf } from "../../values/text/search-text.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { CatalogVariant } from "./variants.ts";

const batchRows = 32;

/** Facts of an item that are not part of its variant. */
type Given = Pick<ItemRow, "itemId" | "origin" | "firstSeenAt" | "updatedAt">;

/** Creates the row of an item in the catalog. */
export function itemRowOf({ sourceKeys: _, ...variant }: CatalogVariant, given: Given): ItemRow {
  const searchText = searchTextOf(variant.marketHashName, variant.nameRu);
  return { ...variant, ...given, inCatalog: true, searchText };
}

/** Returns the writers for export states. Create them once for all batches, because this reads the catalog. */
function exportsOf(database: Database) {
  return { identity: publishedIdentity(database), states: new ExportStateWriter(database) };
}

/**
 * Creates items for variants that a feed names and no catalog lists, in one short transaction. Returns ids by identity key. `at` is UTC ms.
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
      writer.write(itemRowOf(variant, { itemId: lastId, origin: "feed_proven", firstSeenAt: at, updatedAt: null }));
      ids.set(variant.identityKey, lastId);
    }
    writer.raiseVersion();
    exports.states.record(exports.identity, ids.values(), at);
    return ids;
  });
}

/** Creates items for variants that no catalog lists, a few at a time. Passes each new id to `take`. `at` is UTC ms. */
export function* createFeedDerivedInBatches<Derived extends { variant: CatalogVariant }>(
  database: Database,
  feedDerived: readonly Derived[],
  at: number,
  { clock }: { clock: Clock },
  take: (itemId: number, feedDerived: Derived) => void,
): Generator<BatchStats> {
  if (feedDerived.length === 0) return;
  const exports = exportsOf(database);
  for (let first = 0; first < feedDerived.length; first += batchRows) {
    const batch = feedDerived.slice(first, first + batchRows);
    const startedMs = clock.monotonicMs();
    const ids = createFeedDerived(
      database,
      batch.map(({ variant }) => variant),
      at,
      exports,
    );
    for (const one of batch) {
      const { identityKey } = one.variant;
      const itemId = ids.get(identityKey);
      if (itemId === undefined) throw new OperatorError(`the catalog has no item for ${identityKey}`);
      take(itemId, one);
    }
    yield { rows: batch.length, lockHeldMs: clock.monotonicMs() - startedMs };
  }
}
