import { eq, sql } from "drizzle-orm";
import { items } from "../../db/schema/catalog.ts";
import type { Database } from "../store/database.ts";
import { exportedItems, totalsOf } from "../store/generation-totals.ts";
import { GenerationRows } from "./generation-rows.ts";
import { mergeQuotes } from "./merge-quotes.ts";
import { type PublishParts, publishRowsSteps, removeStraysSteps } from "./publish-rows.ts";
import type { Held } from "./short-transactions.ts";

/** A known item that leaves the catalog or comes back. `updatedAt` in UTC milliseconds. */
export type Move = { itemId: number; inCatalog: boolean; updatedAt: number | null };

/**
 * Lets items leave and enter the catalog that the published generation quotes, and publishes its quotes as a new generation in
 * the same transaction: so every export of one generation holds the same prices, and one that is under way ends as changed.
 * Does nothing to items that it does not quote, and first removes what an import that broke off has left. `also` becomes part
 * of that transaction. Returns the new generation, null where none was needed. The caller holds the import lock.
 */
export function* moveQuotedSteps(
  database: Database,
  moves: readonly Move[],
  also: () => void,
  parts: PublishParts,
): Generator<Held, number | null> {
  const store = new GenerationRows(database);
  const current = store.current();
  yield* removeStraysSteps(database, store, current?.generationId ?? null, parts);
  if (current === null) return null;
  const { generationId } = current;
  const quoted = moves.filter(({ itemId }) => store.isQuoted({ generationId, itemId }));
  if (quoted.length === 0) return null;
  const { rows } = mergeQuotes(store.rows(generationId), current.ingestedAt, new Map(), new Set());
  const exported = exportedItems(database);
  for (const { itemId, inCatalog } of quoted) {
    if (inCatalog) exported.add(itemId);
    else exported.delete(itemId);
  }
  const move = moveStatement(database);
  const flip = {
    rows,
    exported,
    totals: totalsOf(rows, exported),
    with: () => {
      for (const one of quoted) move.run({ ...one, inCatalog: Number(one.inCatalog) });
      also();
    },
  };
  return yield* publishRowsSteps(database, store, current, flip, parts);
}

function moveStatement(database: Database) {
  return database
    .update(items)
    .set({
      inCatalog: sql`${sql.placeholder("inCatalog")}`,
      updatedAt: sql`${sql.placeholder("updatedAt")}`,
    })
    .where(eq(items.itemId, sql.placeholder("itemId")))
    .prepare();
}
