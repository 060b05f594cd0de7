import { eq, sql } from "drizzle-orm";
import { items } from "../../db/schema/catalog.ts";
import { generationQuotes, generations } from "../../db/schema/prices.ts";
import { marketState } from "../../db/schema/reference.ts";
import type { Database } from "./database.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/**
 * An item in the published generation. `quotes` is `"asks":[…],"bids":[…]` with the source's own times where it gave
 * any; null: no quote. Generation and publication are null as long as nothing is published.
 */
export type ItemQuotesRow = {
  itemId: number;
  marketHashName: string;
  phase: string | null;
  generationId: number | null;
  ingestedAt: number | null;
  quotes: string | null;
  observed: boolean;
};

/** One entry of a batch; without an item there is none of this id. */
export type BatchRow = Omit<ItemQuotesRow, "marketHashName"> & { marketHashName: string | null };

/** Quotes of single items. Each read is one statement, so that all it returns is of one generation. */
export class QuotesStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared` every read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns the row of an item; null: no item has this id. */
  ofItem(itemId: number): ItemQuotesRow | null {
    this.#shared?.join();
    return this.#statements.ofItem.get({ itemId }) ?? null;
  }

  /** Returns one row for each of `itemIds`, in their order. */
  ofItems(itemIds: readonly number[]): BatchRow[] {
    this.#shared?.join();
    return this.#statements.ofItems.all({ itemIds: JSON.stringify(itemIds) });
  }
}

function prepare(database: Database) {
  const { marketHashName, phase } = items;
  const found = {
    generationId: marketState.currentGenerationId,
    ingestedAt: generations.ingestedAt,
    quotes: sql<string | null>`coalesce(${generationQuotes.observed}, ${generationQuotes.quotes})`,
    observed: sql<boolean>`${generationQuotes.observed} IS NOT NULL`.mapWith(Boolean),
  };
  const current = eq(generations.generationId, marketState.currentGenerationId);
  const quoteKey = sql`(${marketState.currentGenerationId} << 31) + ${items.itemId}`;
  return {
    ofItem: database
      .select({ itemId: items.itemId, marketHashName, phase, ...found })
      .from(items)
      .leftJoin(marketState, eq(marketState.one, 1))
      .leftJoin(generations, current)
      .leftJoin(generationQuotes, eq(generationQuotes.quoteKey, quoteKey))
      .where(eq(items.itemId, sql.placeholder("itemId")))
      .prepare(),
    ofItems: database
      .select({
        itemId: sql<number>`asked.value`,
        marketHashName: sql<string | null>`${marketHashName}`,
        phase,
        ...found,
      })
      .from(sql`json_each(${sql.placeholder("itemIds")}) AS asked`)
      .leftJoin(items, eq(items.itemId, sql`asked.value`))
      .leftJoin(marketState, eq(marketState.one, 1))
      .leftJoin(generations, current)
      .leftJoin(generationQuotes, eq(generationQuotes.quoteKey, quoteKey))
      .orderBy(sql`asked.key`)
      .prepare(),
  };
}
