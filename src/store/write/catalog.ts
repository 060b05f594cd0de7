import { eq, getTableColumns, max, sql } from "drizzle-orm";
import { itemDetails, itemSources, items } from "../../../db/schema/catalog.ts";
import { marketState } from "../../../db/schema/reference.ts";
import { type SearchTexts, searchTexts } from "../../values/text/search-text.ts";
import { type DetailRow, encodeDetail, shareMax } from "../../wire/item-detail.ts";
import type { Database } from "../database.ts";
import { openableSlugQuery } from "../read/openable-slugs.ts";

/** A row of the items table. */
export type ItemRow = DetailRow & Pick<typeof items.$inferSelect, "identityKey" | "origin" | keyof SearchTexts>;

/** An item and its encoded detail. */
export type ItemWrite = { row: ItemRow; json: string };

/** Writes one item with its encoded detail. */
export class CatalogWriter {
  readonly #database: Database;
  readonly #item: (row: ItemRow) => void;
  readonly #move;
  readonly #detail;
  readonly #source;
  readonly #byName;
  readonly #openable;

  constructor(database: Database) {
    this.#database = database;
    this.#item = itemWriter(database);
    this.#move = moveStatement(database);
    this.#byName = database
      .select()
      .from(items)
      .where(eq(items.marketHashName, sql.placeholder("marketHashName")))
      .prepare();
    this.#openable = openableSlugQuery(database);
    this.#detail = database
      .insert(itemDetails)
      .values({ itemId: sql.placeholder("itemId"), json: sql.placeholder("json") })
      .onConflictDoUpdate({ target: itemDetails.itemId, set: { json: sql`excluded.json` } })
      .prepare();
    this.#source = database
      .insert(itemSources)
      .values({ sourceKey: sql.placeholder("sourceKey"), itemId: sql.placeholder("itemId") })
      .onConflictDoNothing()
      .prepare();
  }

  write({ row, json }: ItemWrite): void {
    this.#item(row);
    this.#detail.run({ itemId: row.itemId, json });
  }

  /** Writes of a known item whether it is in the catalog, and since when, and no index: those cost more than the row. */
  move({ row: { itemId, inCatalog, updatedAt }, json }: ItemWrite): void {
    this.#move.run({ itemId, inCatalog: Number(inCatalog), updatedAt });
    this.#detail.run({ itemId, json });
  }

  /** Encodes again the details of all items of a name, each of which shows the others. */
  writeSharers(marketHashName: string): void {
    const rows = this.#byName.all({ marketHashName });
    const names = new Map([[marketHashName, rows.map(({ itemId }) => itemId)]]);
    for (const row of rows) {
      const slug = this.#openable.get({ itemId: row.itemId })?.slug ?? null;
      this.#detail.run({ itemId: row.itemId, json: encodeDetail(row, sharersOf(names, row), slug) });
    }
  }

  /** Returns the highest id that an item has; 0 in an empty catalog. */
  lastItemId(): number {
    const last = this.#database
      .select({ itemId: max(items.itemId) })
      .from(items)
      .get();
    return last?.itemId ?? 0;
  }

  /** Increments the catalog's version: the catalog has changed. */
  raiseVersion(): void {
    this.#database
      .update(marketState)
      .set({ catalogVersion: sql`${marketState.catalogVersion} + 1` })
      .run();
  }

  addSource(sourceKey: string, itemId: number): void {
    this.#source.run({ sourceKey, itemId });
  }
}

/** Writes the words of items that an older release has written without them. */
export function fillSearchWords({ $client: client }: Database): void {
  const rows = client.prepare<[], [number, string, string | null]>(
    "SELECT item_id, market_hash_name, name_ru FROM items WHERE words = ''",
  );
  const fill = client.prepare("UPDATE items SET words = ?, words_ru = ? WHERE item_id = ?");
  for (const [itemId, name, nameRu] of rows.raw().all() as unknown as [number, string, string | null][]) {
    const { words, wordsRu } = searchTexts(name, nameRu);
    fill.run(words, wordsRu, itemId);
  }
}

function moveStatement(database: Database) {
  return database
    .update(items)
    .set({ inCatalog: sql`${sql.placeholder("inCatalog")}`, updatedAt: sql`${sql.placeholder("updatedAt")}` })
    .where(eq(items.itemId, sql.placeholder("itemId")))
    .prepare();
}

/**
 * Returns a writer of items. Drizzle builds the statement and SQLite runs it bare: a placeholder of a boolean column
 * would store an unknown as 0.
 */
function itemWriter(database: Database): (row: ItemRow) => void {
  const columns = getTableColumns(items);
  const names = Object.keys(columns) as (keyof ItemRow)[];
  const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<
    keyof ItemRow,
    ReturnType<typeof sql.placeholder>
  >;
  const { itemId: _id, ...updates } = Object.fromEntries(
    names.map((name) => [name, sql`excluded.${sql.identifier(columns[name].name)}`]),
  );
  const query = database
    .insert(items)
    .values(values)
    .onConflictDoUpdate({ target: items.itemId, set: updates })
    .toSQL();
  const order = (query.params as { value: { name: keyof ItemRow } }[]).map((parameter) => parameter.value.name);
  const statement = database.$client.prepare(query.sql);
  return (row) =>
    void statement.run(order.map((name) => (typeof row[name] === "boolean" ? Number(row[name]) : row[name])));
}

/** Returns every item by its identity key. */
export function readItems(database: Database): Map<string, ItemRow> {
  const columns = getTableColumns(items);
  return new Map(
    database
      .select(columns)
      .from(items)
      .all()
      .map((row) => [row.identityKey, row]),
  );
}

/** Returns of every item what its name means. */
export function readNamedItems(database: Database) {
  const { itemId, marketHashName, phase, type, identity, inCatalog } = items;
  return database.select({ itemId, marketHashName, phase, type, identity, inCatalog }).from(items).all();
}

/** Prepares to read rows of items that are there. */
export function itemReader(database: Database): (itemId: number) => ItemRow {
  const columns = getTableColumns(items);
  const one = database
    .select(columns)
    .from(items)
    .where(eq(items.itemId, sql.placeholder("itemId")))
    .prepare();
  return (itemId) => one.get({ itemId })!;
}

/** Returns the encoded detail of every item, by item id. */
export function readDetails(database: Database): Map<number, string> {
  const rows = database.select().from(itemDetails).all();
  return new Map(rows.map(({ itemId, json }) => [itemId, json]));
}

/** Returns every row of a source and the item that it describes. */
export function readSources(database: Database): { sourceKey: string; itemId: number }[] {
  return database.select().from(itemSources).all();
}

/** Returns at most `shareMax` other items of the same name, in ascending id. */
export function sharersOf(names: ReadonlyMap<string, number[]>, row: ItemRow): number[] {
  const others = (names.get(row.marketHashName) ?? []).filter((itemId) => itemId !== row.itemId);
  return others.sort((a, b) => a - b).slice(0, shareMax);
}
