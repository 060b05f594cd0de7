import { eq, isNull, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { exportStates, generations } from "../../../db/schema/prices.ts";
import { itemChecksum } from "../codec/item-checksum.ts";
import { type Database, writeTransaction } from "../database.ts";
import { ExportIdentity } from "../write/export-identity.ts";
import { ExportStateWriter } from "../write/export-states.ts";

/** Fills the checksums of items that an earlier release wrote without them. */
export function fillItemChecksums(database: Database): void {
  const fill = database.$client.prepare("UPDATE items SET checksum = ? WHERE item_id = ?");
  const rows = database.select().from(items).where(isNull(items.checksum)).all();
  for (const { checksum: _, ...row } of rows) fill.run(itemChecksum(row), row.itemId);
}

/** Appends the current market state to a file of an earlier release, which stored no states. */
export function backfillState(database: Database): void {
  const isKept = database.select({ one: sql`1` }).from(exportStates).limit(1).get() !== undefined;
  const { generationId, ingestedAt, state } = generations;
  const published = database.select({ generationId, ingestedAt }).from(generations).where(eq(state, "published")).get();
  if (isKept || published === undefined) return;
  const identity = new ExportIdentity(database, published.generationId);
  writeTransaction(database, () => new ExportStateWriter(database).append(identity, [], published.ingestedAt ?? 0));
}
