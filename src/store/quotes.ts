import { eq, sql } from "drizzle-orm";
import { items } from "../../db/schema/catalog.ts";
import { generationQuotes, generations } from "../../db/schema/prices.ts";
import { marketState } from "../../db/schema/reference.ts";
import type { Database } from "./database.ts";
import { SharedReadTransaction } from "./shared-read.ts";
import { bareRows } from "./statement.ts";

/** The published generation and its publication, UTC ms; null: nothing is published. */
export type Published = { readonly generationId: number; readonly ingestedAt: number };

/**
 * An item and its quotes: the head of its `item` record, and `"asks":[…],"bids":[…]` with the source's own times where it gave any;
 * null: no quote.
 */
export type ItemQuotesRow = { exportHead: string; quotes: string | null };

/** One entry of a batch; null: there is no item of this id. */
export type BatchRow = ItemQuotesRow | null;

type ItemColumns = [exportHead: string];
type QuotesColumns = [quotes: string];
type BatchColumns = [exportHead: string | null, quotes: string | null];

/** Quotes of single items. All that a turn of the event loop reads is of one generation. */
export class QuotesStore {
  /** Returns the published generation; null: nothing is published. */
  readonly published: () => Published | null;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction;

  constructor(database: Database, shared = SharedReadTransaction.of(database)) {
    this.#shared = shared;
    this.#statements = prepare(database);
    this.published = shared.once(() => publishedOf(this.#statements.published.get()));
  }

  /** Returns the row of an item in a generation; null: no item has this id. Null for the generation: without quotes. */
  ofItem(itemId: number, generationId: number | null): ItemQuotesRow | null {
    this.#shared.join();
    const item = this.#statements.item.get(itemId);
    if (item === undefined) return null;
    const [exportHead] = item;
    const [quotes = null] = this.#statements.quotes.get(generationId, itemId) ?? [];
    return { exportHead, quotes };
  }

  /** Returns one row for each of `itemIds`, in their order. */
  ofItems(itemIds: readonly number[], generationId: number): BatchRow[] {
    this.#shared.join();
    const rows = this.#statements.batch.all(JSON.stringify(itemIds), generationId);
    return rows.map(([exportHead, quotes]) => (exportHead === null ? null : { exportHead, quotes }));
  }
}

function publishedOf(row: [generationId: number, ingestedAt: number] | undefined): Published | null {
  return row === undefined ? null : { generationId: row[0], ingestedAt: row[1] };
}

function prepare(database: Database) {
  const { exportHead, itemId } = items;
  const quotes = sql<string>`coalesce(${generationQuotes.observed}, ${generationQuotes.quotes})`;
  const { quoteKey } = generationQuotes;
  const keyOf = (generationId: unknown, itemId: unknown) => sql`(${generationId} << 31) + ${itemId}`;
  return {
    published: bareRows<[generationId: number, ingestedAt: number]>(
      database,
      database
        .select({ generationId: generations.generationId, ingestedAt: generations.ingestedAt })
        .from(marketState)
        .innerJoin(generations, eq(generations.generationId, marketState.currentGenerationId))
        .where(eq(marketState.one, sql`1`)),
    ),
    // Apart: two reads of one table each cost less than a join.
    item: bareRows<ItemColumns>(
      database,
      database
        .select({ exportHead })
        .from(items)
        .where(eq(itemId, sql.placeholder("itemId"))),
    ),
    quotes: bareRows<QuotesColumns>(
      database,
      database
        .select({ quotes })
        .from(generationQuotes)
        .where(eq(quoteKey, keyOf(sql.placeholder("generationId"), sql.placeholder("itemId")))),
    ),
    batch: bareRows<BatchColumns>(
      database,
      database
        .select({ exportHead, quotes })
        .from(sql`json_each(${sql.placeholder("itemIds")}) AS asked`)
        .leftJoin(items, eq(itemId, sql`asked.value`))
        .leftJoin(generationQuotes, eq(quoteKey, keyOf(sql.placeholder("generationId"), itemId)))
        .orderBy(sql`asked.key`),
    ),
  };
}
