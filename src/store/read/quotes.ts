import { eq, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { generationQuotes, generations } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import { batchEntrySql } from "../../wire/quotes.ts";
import type { Database } from "../database.ts";
import { bareRows } from "../statement.ts";
import { SharedReadTransaction } from "./shared-read.ts";

/** The published generation and its publication, UTC ms. `catalogVersion` differs whenever the catalog does. */
export type Published = { readonly generationId: number; readonly ingestedAt: number; readonly catalogVersion: number };

/**
 * The quotes of an item: `"asks":[…],"bids":[…]` in UTF-8, with the source's own times where it gave any (`isObserved`). `observedAt` is
 * the oldest source time, UTC ms, where each quote has one; `providers` their slugs with commas between, null where they are not stored.
 */
export type StoredQuotes = {
  readonly text: Buffer;
  readonly isObserved: boolean;
  readonly observedAt: number | null;
  readonly providers: string | null;
};

/** An item: the head of its `item` record, and its quotes; null: it has none. */
export type ItemQuotesRow = { readonly exportHead: string; readonly quotes: StoredQuotes | null };

/**
 * The entries of a batch as a JSON array in UTF-8, and what all quotes in it tell together: how many items have quotes, how many of
 * those quotes with times, and how many of those a time for each; the oldest of those times; all slugs with commas between. `without`:
 * items with quotes whose facts are not stored.
 */
export type BatchRow = {
  readonly entries: Buffer;
  readonly quoted: number;
  readonly observed: number;
  readonly timed: number;
  readonly observedAt: number | null;
  readonly providers: string | null;
  readonly without: number;
};

type QuotesColumns = [text: Buffer, isObserved: number, observedAt: number | null, providers: string | null];

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
    const [exportHead] = this.#statements.item.get(itemId) ?? [];
    if (exportHead === undefined) return null;
    const columns = this.#statements.quotes.get(generationId, itemId);
    return { exportHead, quotes: columns === undefined ? null : quotesOf(columns) };
  }

  /** Returns one entry for each of `itemIds`, in their order, glued together. `publication` is text of `encodePublication`. */
  batch(itemIds: readonly number[], generationId: number, publication: string): BatchRow {
    this.#shared.join();
    return this.#statements.batch.get({
      itemIds: JSON.stringify(itemIds),
      last: itemIds.length - 1,
      generationId,
      publication,
    })!;
  }
}

function publishedOf(
  row: [generationId: number, ingestedAt: number, catalogVersion: number] | undefined,
): Published | null {
  if (row === undefined) return null;
  const [generationId, ingestedAt, catalogVersion] = row;
  return { generationId, ingestedAt, catalogVersion };
}

function quotesOf([text, isObserved, observedAt, providers]: QuotesColumns): StoredQuotes {
  return { text, isObserved: isObserved === 1, observedAt, providers };
}

/**
 * A batch in one statement, glued together by SQLite like a page of the export, and as a blob: text would be decoded and encoded
 * again. `json_each` gives the ids in their order, and rows are glued as they come.
 */
const batchSql = `
  SELECT CAST(group_concat(concat(
      CASE asked.key WHEN 0 THEN '[' ELSE ',' END,
      ${batchEntrySql({ itemId: "asked.value", exportHead: "i.export_head", quotes: "coalesce(q.observed, q.quotes)", isQuoted: "q.quote_key IS NOT NULL", publication: "p.publication" })},
      CASE asked.key WHEN p.last THEN ']' END), '') AS BLOB) AS entries,
    count(q.quote_key) AS quoted, count(q.observed) AS observed, count(q.observed_at) AS timed, min(q.observed_at) AS observedAt,
    group_concat(DISTINCT q.providers) AS providers, count(q.quote_key) - count(q.providers) AS without
  FROM (SELECT @generationId AS generation_id, @publication AS publication, @last AS last) AS p
  CROSS JOIN json_each((SELECT @itemIds)) AS asked
  LEFT JOIN items i ON i.item_id = asked.value
  LEFT JOIN generation_quotes q ON q.quote_key = (p.generation_id << 31) + i.item_id`;

function prepare(database: Database) {
  const { exportHead, itemId } = items;
  const { quoteKey, quotes, observed, observedAt, providers } = generationQuotes;
  const key = sql`(${sql.placeholder("generationId")} << 31) + ${sql.placeholder("itemId")}`;
  return {
    published: bareRows<[generationId: number, ingestedAt: number, catalogVersion: number]>(
      database,
      database
        .select({
          generationId: generations.generationId,
          ingestedAt: generations.ingestedAt,
          catalogVersion: marketState.catalogVersion,
        })
        .from(marketState)
        .innerJoin(generations, eq(generations.generationId, marketState.currentGenerationId))
        .where(eq(marketState.one, sql`1`)),
    ),
    // Apart: two reads of one table each cost less than a join.
    item: bareRows<[exportHead: string], [number]>(
      database,
      database
        .select({ exportHead })
        .from(items)
        .where(eq(itemId, sql.placeholder("itemId"))),
    ),
    quotes: bareRows<QuotesColumns>(
      database,
      database
        .select({
          text: sql`CAST(coalesce(${observed}, ${quotes}) AS BLOB)`,
          isObserved: sql`${observed} IS NOT NULL`,
          observedAt,
          providers,
        })
        .from(generationQuotes)
        .where(eq(quoteKey, key)),
    ),
    batch: database.$client.prepare<
      [{ itemIds: string; last: number; generationId: number; publication: string }],
      BatchRow
    >(batchSql),
  };
}
