import type { Database } from "../database.ts";
import { exportedItems, totalsOf } from "../generation-totals.ts";

/**
 * Makes totals and digest of the published generation those of its exports, where it was published by a release that counted the
 * quotes of items outside of the catalog too. Does nothing to any other.
 */
export function settlePublished(database: Database): void {
  const { $client: client } = database;
  const generationId = client
    .prepare("SELECT generation_id FROM generations WHERE state = 'published' AND rest_digest IS NULL")
    .pluck()
    .get();
  if (generationId === undefined) return;
  const rows = client
    .prepare<unknown[], { itemId: number; quotes: string }>(
      `SELECT quote_key & 2147483647 AS itemId, quotes FROM generation_quotes
       WHERE quote_key >= (@generationId << 31) AND quote_key < ((@generationId + 1) << 31) ORDER BY quote_key`,
    )
    .iterate({ generationId });
  const totals = totalsOf(rows, exportedItems(database));
  client
    .prepare(
      `UPDATE generations SET items = @items, bytes = @bytes, digest = @digest, rest_digest = @restDigest
       WHERE generation_id = @generationId`,
    )
    .run({ ...totals, generationId });
}
