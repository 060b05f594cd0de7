import { and, asc, eq, gt, lte, or, type SQL, sql } from "drizzle-orm";
import { items } from "../../db/schema/catalog.ts";
import { generationQuotes, generations } from "../../db/schema/prices.ts";
import { marketState } from "../../db/schema/reference.ts";
import type { Database } from "./database.ts";
import { bound, boundLimit } from "./statement.ts";

type Stored = typeof items.$inferSelect;

/** A catalog item without prices. */
export type ItemRow = Pick<
  Stored,
  | "itemId"
  | "marketHashName"
  | "slug"
  | "type"
  | "rarity"
  | "collection"
  | "phase"
  | "nameRu"
  | "imageUrl"
  | "wear"
  | "statCounter"
  | "souvenir"
>;

/** With the best ask of the published generation; all three null where there is none. */
export type PricedItemRow = ItemRow & {
  bestAskCents: number | null;
  bestAskProvider: string | null;
  priceUpdatedAt: number | null;
};

/** Columns of an item that a list can be bound to one value of. */
type ItemColumn = "wear" | "statCounter";

/** What an item of a list has. One of its names has all `words` among its words and all `literals` in its folded text. */
export type ItemFilter = {
  readonly words: readonly string[];
  readonly literals: readonly string[];
  /** Each of them holds; one column can be named twice. Booleans are 0 and 1. */
  readonly equals: readonly { readonly column: ItemColumn; readonly value: string | number }[];
};

/** Ids `after` (exclusive) to `upTo` (inclusive). */
export type ItemRange = { after: number; upTo: number; filter: ItemFilter; limit: number };

/** Values by the names of their places. */
type Bound = Record<string, string | number>;
type Reading<Row> = { all(values: Bound): Row[] };

/** The filter that every item passes. */
export const noFilter: ItemFilter = { words: [], literals: [], equals: [] };

/** A shape is a few hundred bytes of SQL and what SQLite made of it. */
const statementsMax = 64;
const newline = sql.raw("char(10)");

/**
 * Lists items of the catalog. A statement is prepared for each shape of a filter when it is first asked for: how many words and
 * literals, rounded up to a power of two, and which columns. Places that are left over take the empty text, which every name holds.
 */
export class ItemLists {
  readonly #database: Database;
  readonly #statements = new Map<string, unknown>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the items of the range in ascending id, at most `limit`. */
  items(range: ItemRange): ItemRow[] {
    return this.#statement<ItemRow>(range.filter, false).all(valuesOf(range));
  }

  /** Returns the same with their prices. */
  pricedItems(range: ItemRange): PricedItemRow[] {
    return this.#statement<PricedItemRow>(range.filter, true).all(valuesOf(range));
  }

  #statement<Row>({ words, literals, equals }: ItemFilter, isPriced: boolean): Reading<Row> {
    const [wordPlaces, literalPlaces] = [placesFor(words.length), placesFor(literals.length)];
    const columns = equals.map(({ column }) => column);
    const shape = [isPriced, wordPlaces, literalPlaces, ...columns].join();
    const known = this.#statements.get(shape);
    if (known !== undefined) return known as Reading<Row>;
    if (this.#statements.size === statementsMax) this.#statements.clear();
    const where = and(
      gt(items.itemId, bound("after")),
      lte(items.itemId, bound("upTo")),
      eq(items.inCatalog, true),
      ...columns.map((column, index) => sql`${items[column]} = ${bound(`equal${index}`)}`),
      named(wordPlaces, literalPlaces),
    );
    const query = isPriced ? priced(this.#database) : unpriced(this.#database);
    const prepared = query.where(where).orderBy(asc(items.itemId)).limit(boundLimit("limit")).prepare();
    this.#statements.set(shape, prepared);
    return prepared as unknown as Reading<Row>;
  }
}

function valuesOf({ after, upTo, limit, filter }: ItemRange): Bound {
  const values: Bound = { after, upTo, limit };
  for (const [index, { value }] of filter.equals.entries()) values[`equal${index}`] = value;
  for (const key of ["words", "literals"] as const) {
    const texts = filter[key];
    for (let index = 0; index < placesFor(texts.length); index += 1) values[`${key}${index}`] = texts[index] ?? "";
  }
  return values;
}

function placesFor(count: number): number {
  return count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count));
}

/** Returns the condition that one of the two names has everything; undefined without words and literals. */
function named(words: number, literals: number): SQL | undefined {
  if (words + literals === 0) return undefined;
  const { searchText } = items;
  const firstEnd = sql`instr(${searchText} || ${newline}, ${newline})`;
  const market = sql`substr(${searchText}, 1, ${firstEnd} - 1)`;
  const russian = sql`substr(${searchText}, ${firstEnd} + 1)`;
  const hasAll = (wordsOf: SQL, text: SQL) =>
    and(...holds(wordsOf, "words", words), ...holds(text, "literals", literals));
  return or(
    hasAll(sql`${items.words}`, market),
    and(sql`${items.wordsRu} IS NOT NULL`, hasAll(sql`${items.wordsRu}`, russian)),
  );
}

function holds(text: SQL, key: "words" | "literals", count: number): SQL[] {
  return Array.from({ length: count }, (_, index) => sql`instr(${text}, ${bound(`${key}${index}`)}) > 0`);
}

function unpriced(database: Database) {
  return database.select(columnsOf()).from(items).$dynamic();
}

function priced(database: Database) {
  return database
    .select({
      ...columnsOf(),
      bestAskCents: generationQuotes.bestAskCents,
      bestAskProvider: generationQuotes.bestAskProvider,
      priceUpdatedAt: sql<number | null>`CASE WHEN ${generationQuotes.bestAskCents} IS NOT NULL
        THEN coalesce(${generationQuotes.bestAskChangedAt}, ${generations.ingestedAt}) END`,
    })
    .from(items)
    .leftJoin(marketState, eq(marketState.one, 1))
    .leftJoin(generations, eq(generations.generationId, marketState.currentGenerationId))
    .leftJoin(
      generationQuotes,
      eq(generationQuotes.quoteKey, sql`(${marketState.currentGenerationId} << 31) + ${items.itemId}`),
    )
    .$dynamic();
}

function columnsOf() {
  const { itemId, marketHashName, slug, type, rarity, collection, phase, nameRu } = items;
  const { imageUrl, wear, statCounter, souvenir } = items;
  return {
    itemId,
    marketHashName,
    slug,
    type,
    rarity,
    collection,
    phase,
    nameRu,
    imageUrl,
    wear,
    statCounter,
    souvenir,
  };
}
