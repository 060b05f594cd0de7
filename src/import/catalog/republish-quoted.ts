import type { Database } from "../../store/database.ts";
import { BookReader } from "../../store/read/books.ts";
import { GenerationsStore } from "../../store/read/generations.ts";
import type { BatchStats } from "../../store/write/batches.ts";
import { CatalogWriter, type ItemRow } from "../../store/write/catalog.ts";
import { compareMarket } from "../quotes/compare-market.ts";
import { type PublishParts, publishCompared } from "../quotes/publish.ts";

/** `movesMax` is the maximum number of moved items per generation. */
export type MoveParts = PublishParts & { movesMax?: number };

/** The last published generation, or null if none was needed, and the moved items. */
type Moved = { generationId: number | null; itemIds: ReadonlySet<number> };

/**
 * Number of items that one transaction moves without delaying a server's writers, which give up after 250 ms. Measured with 11,934 quoted
 * items that left a real catalog of 37,389 items. Transactions of 3,000 items held the write lock for 30–50 ms, and for 40–110 ms on a busy
 * machine. One transaction for all took 220–380 ms.
 */
const movesMaxUsual = 3000;

/**
 * Moves quoted items in or out of the catalog. The same transaction publishes the same quotes as a new generation. So all exports of one
 * generation hold the same prices, a running export ends as changed, and the file is always consistent.
 *
 * Ignores items without a published quote. More than `movesMax` moves need several generations, one after another. `also` runs in each
 * transaction with its moves. The caller holds the import lock.
 */
export function* moveQuotedInBatches(
  database: Database,
  moves: readonly ItemRow[],
  also: (moves: readonly ItemRow[]) => void,
  { movesMax = movesMaxUsual, ...parts }: MoveParts,
): Generator<BatchStats, Moved> {
  const published = new GenerationsStore(database).currentId();
  if (published === null) return { generationId: null, itemIds: new Set() };
  // Sorted by page, so that each transaction overwrites few pages.
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
  also: (moves: readonly ItemRow[]) => void,
  parts: PublishParts,
): Generator<BatchStats, number> {
  const moved = new Set(moves.map(({ itemId }) => itemId));
  const compared = compareMarket(database, [], moved);
  const writer = new CatalogWriter(database);
  const alongside = () => {
    for (const move of moves) writer.move(move);
    also(moves);
  };
  return yield* publishCompared(database, compared, { alongside }, parts);
}
