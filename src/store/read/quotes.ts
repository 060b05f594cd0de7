import { eq, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { generations } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import { encodeExportHead } from "../../wire/export-record.ts";
import type { Book } from "../../wire/quotes.ts";
import type { Database } from "../database.ts";
import { arrayRows } from "../statement.ts";
import { BookReader } from "./books.ts";
import { SharedReadTransaction } from "./shared-read.ts";

/** The published generation and its publication, UTC ms. `catalogVersion` changes with the catalog. */
export type Published = { readonly generationId: number; readonly ingestedAt: number; readonly catalogVersion: number };

/** The head of an item's `item` record, and its ordered quotes. `book` is null without quotes. */
type ItemQuotesRow = { readonly exportHead: string; readonly book: Book | null };

/** Reads quotes of single items. All reads of one turn of the event loop see one generation. */
export class QuotesStore {
  /** Returns the published generation, or null without one. */
  readonly published: () => Published | null;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #books: BookReader;
  readonly #shared: SharedReadTransaction;

  constructor(database: Database, shared = SharedReadTransaction.of(database)) {
    this.#shared = shared;
    this.#statements = prepare(database);
    this.#books = new BookReader(database);
    this.published = shared.once(() => publishedOf(this.#statements.published.get()));
  }

  /** Returns an item and its quotes in the published generation, or null for an unknown id. */
  ofItem(itemId: number): ItemQuotesRow | null {
    this.#shared.join();
    const row = this.#statements.item.get(itemId);
    if (row === undefined) return null;
    const [marketHashName, phase] = row;
    return { exportHead: encodeExportHead({ itemId, marketHashName, phase }), book: this.#books.ofItem(itemId) };
  }
}

function publishedOf(
  row: [generationId: number, ingestedAt: number, catalogVersion: number] | undefined,
): Published | null {
  if (row === undefined) return null;
  const [generationId, ingestedAt, catalogVersion] = row;
  return { generationId, ingestedAt, catalogVersion };
}

function prepare(database: Database) {
  const { itemId, marketHashName, phase } = items;
  return {
    published: arrayRows<[generationId: number, ingestedAt: number, catalogVersion: number]>(
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
    item: arrayRows<[marketHashName: string, phase: string | null], [number]>(
      database,
      database
        .select({ marketHashName, phase })
        .from(items)
        .where(eq(itemId, sql.placeholder("itemId"))),
    ),
  };
}
