import { eq, sql } from "drizzle-orm";
import { exportStates, generations } from "../../../db/schema/prices.ts";
import { type ChangedItem, encodeChangedItems } from "../codec/changed-items.ts";
import { type Database, writeTransaction } from "../database.ts";
import { stateKeptMs, statesMax } from "../export-states.ts";
import { ExportIdentity } from "./export-identity.ts";

/** Appends states of the market. Callers hold the transaction of the change itself. */
export class ExportStateWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Appends what the market is from `at` on (UTC ms), and removes the states that cannot be named any more. */
  append(identity: ExportIdentity, changed: Iterable<ChangedItem>, at: number): void {
    this.#database
      .insert(exportStates)
      .values({
        generationId: identity.generationId,
        identityDigest: identity.digest(),
        exportBytes: identity.exportBytes(),
        since: at,
        changedItems: encodeChangedItems(changed),
      })
      .run();
    const { stateId, since } = exportStates;
    this.#database
      .delete(exportStates)
      .where(
        sql`${stateId} <= (SELECT max(${stateId}) FROM ${exportStates}) - ${statesMax}
          OR ${stateId} < (SELECT max(${stateId}) FROM ${exportStates} WHERE ${since} <= ${at - stateKeptMs})`,
      )
      .run();
  }

  /** Appends a state where the lines of these items changed. Does nothing before the first publication. */
  record(identity: ExportIdentity | null, itemIds: Iterable<number>, at: number): void {
    if (identity === null) return;
    const changed = identity.refresh(itemIds);
    if (changed.length > 0) this.append(identity, changed, at);
  }
}

/** Reads the identity part of the published generation; null: nothing is published. */
export function publishedIdentity(database: Database): ExportIdentity | null {
  const { generationId } = generations;
  const row = database.select({ generationId }).from(generations).where(eq(generations.state, "published")).get();
  return row === undefined ? null : new ExportIdentity(database, row.generationId);
}

/**
 * Returns the items that exports hold before or after a publication and that are not the same in both, in ascending id. `moved`: those
 * that enter or leave the catalog with it.
 */
export function changedByPublication(
  database: Database,
  { before, after }: { before: number; after: number },
  moved: readonly number[],
): ChangedItem[] {
  const rows = database.$client
    .prepare<unknown[], { itemId: number; isNew: number }>(
      `SELECT i.item_id AS itemId, NOT i.in_catalog AS isNew
       FROM items i
       LEFT JOIN generation_quotes o ON o.quote_key = (@before << 31) + i.item_id
       LEFT JOIN generation_quotes n ON n.quote_key = (@after << 31) + i.item_id
       WHERE i.item_id IN (SELECT value FROM json_each(@moved)) OR (i.in_catalog = 1 AND o.quotes IS NOT n.quotes)
       ORDER BY i.item_id`,
    )
    .all({ before, after, moved: JSON.stringify(moved) });
  return rows.map(({ itemId, isNew }) => ({ itemId, isNew: isNew === 1 }));
}

/** Gives a file of an older release, which kept no states, the one that it is in. */
export function backfillState(database: Database): void {
  const isKept = database.select({ one: sql`1` }).from(exportStates).limit(1).get() !== undefined;
  const { generationId, ingestedAt, state } = generations;
  const published = database.select({ generationId, ingestedAt }).from(generations).where(eq(state, "published")).get();
  if (isKept || published === undefined) return;
  const identity = new ExportIdentity(database, published.generationId);
  writeTransaction(database, () => new ExportStateWriter(database).append(identity, [], published.ingestedAt ?? 0));
}
