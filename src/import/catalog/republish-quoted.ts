import type { Database } from "../../store/database.ts";
import { BookReader } from "../../store/read/books.ts";
import { GenerationsStore } from "../../store/read/generations.ts";
import type { BatchStats } from "../../store/write/batches.ts";
import { CatalogWriter, type ItemRow } from "../../store/write/catalog.ts";
import { compareMarket } from "../quotes/compare-market.ts";
import { type PublishParts, publishCompared } from "../quotes/publish.ts";

/** `movesMax`: most items that one generation moves. */
export type MoveParts = PublishParts & { movesMax?: number };

/** The last generation that was published, null where none was needed, and the items that were moved. */
type Moved = { generationId: number | null; itemIds: ReadonlySet<number> };

/**
 * Number of items that one transaction moves without keeping the writers of a server waiting: those give up after 250 ms. Of 37,389 items
 * of a real catalog 11,934 quoted ones left: in transactions of 3,000 each held the writer's lock for 30–50 ms, and for
 * 40–110 ms on a busy machine, where one transaction for all took 220–380 ms.
 */
const movesMaxUsual = 3000;

/**
 * Lets items leave and enter the catalog that the published generation quotes, and publishes its quotes as a new generation in
 * the same transaction: so every export of one generation holds the same prices, one
 * that is under way ends as changed, and the file is whole at any moment. Does nothing to items that it does not quote. More than
 * `movesMax` moves take several generations, one after the other. `also` becomes part of each transaction. The caller holds the import
 * lock.
 */
export function* moveQuotedInBatches(
  database: Database,
  moves: readonly ItemRow[],
  also: () => void,
  { movesMax = movesMaxUsual, ...parts }: MoveParts,
): Generator<BatchStats, Moved> {
  const published = new GenerationsStore(database).currentId();
  if (published === null) return { generationId: null, itemIds: new Set() };
  // In the order of the pages they are on, so that a transaction overwrites few.
  const quotedIds = new BookReader(database).quotedIds();
  const quoted = moves.filter(({ itemId }) => quotedIds.has(itemId)).sort((a, b) => a.itemId - b.itemId);
  let generationId: number | null = null;
  for (let first = 0; first < quoted.length; first += movesMax) {
    generationId = yield* moveTogether(database, quoted.slice(first, first + movesMax), also, parts);
  }
  return { generationId, itemIds: new Set(quoted.map(({ itemId }) => itemId)) };
}

function* moveTogether(
  database: Database,
  moves: readonly ItemRow[],
  also: () => void,
  parts: PublishParts,
): Generator<BatchStats, number> {
  const moved = new Set(moves.map(({ itemId }) => itemId));
  const compared = compareMarket(database, [], moved);
  const writer = new CatalogWriter(database);
  const alongside = () => {
    for (const move of moves) writer.move(move);
    also();
  };
  return yield* publishCompared(database, compared, { alongside }, parts);
}
