import { eq, getTableColumns, max, sql } from "drizzle-orm";
import { itemSources, items } from "../../../db/schema/catalog.ts";
import { marketState } from "../../../db/schema/reference.ts";
import { itemChecksum } from "../codec/item-checksum.ts";
import type { Database } from "../database.ts";
import { pastKeeper } from "./past-rows.ts";

/** A row of `items` without the columns that are computed on writing. */
export type ItemRow = Omit<typeof items.$inferSelect, "checksum">;

const { checksum: _checksum, ...itemColumns } = getTableColumns(items);

/** Writes items and their sources. */
export class CatalogWriter {
  readonly #database: Database;
  /** Inserts an item or replaces its columns. The replaced version becomes a past row. */
  readonly write: (row: ItemRow) => void;
  readonly #keep;
  readonly #move;
  readonly #source;

  constructor(database: Database) {
    this.#database = database;
    this.write = itemWriter(database);
    this.#keep = pastKeeper(database, "items");
    this.#move = moveStatement(database);
    this.#source = database
      .insert(itemSources)
      .values({ sourceKey: sql.placeholder("sourceKey"), itemId: sql.placeholder("itemId") })
      .onConflictDoNothing()
      .prepare();
  }

  /** Writes only whether a known item is in the catalog, and since when. Indexes are not updated, because they cost more than the row. */
  move(row: ItemRow): void {
    const { itemId, inCatalog, updatedAt } = row;
    if (updatedAt !== null) this.#keep([itemId], updatedAt);
    this.#move.run({ itemId, inCatalog: Number(inCatalog), updatedAt, checksum: itemChecksum(row) });
  }

  /** Returns the highest item id, or 0 for an empty catalog. */
  lastItemId(): number {
    const last = this.#database
      .select({ itemId: max(items.itemId) })
      .from(items)
      .get();
    return last?.itemId ?? 0;
  }

  /** Increments the catalog's version after a change. */
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

function moveStatement(database: Database) {
  return database
    .update(items)
    .set({
      inCatalog: sql`${sql.placeholder("inCatalog")}`,
      updatedAt: sql`${sql.placeholder("updatedAt")}`,
      checksum: sql`${sql.placeholder("checksum")}`,
    })
    .where(eq(items.itemId, sql.placeholder("itemId")))
    .prepare();
}

/**
 * Returns a writer of items. Drizzle builds the statement but SQLite executes it directly. A placeholder of a boolean column would store
 * null as 0.
 */
function itemWriter(database: Database): (row: ItemRow) => void {
  const columns = { ...itemColumns, checksum: items.checksum };
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<
    keyof typeof columns,
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
  const order = (query.params as { value: { name: keyof typeof columns } }[]).map(({ value }) => value.name);
  const statement = database.$client.prepare(query.sql);
  const keep = pastKeeper(database, "items");
  return (row) => {
    if (row.updatedAt !== null) keep([row.itemId], row.updatedAt);
    const written = { ...row, checksum: itemChecksum(row) };
    const stored = (value: unknown) => (typeof value === "boolean" ? Number(value) : value);
    statement.run(order.map((name) => stored(written[name])));
  };
}

/** Returns every item by its identity key. */
export function readItems(database: Database): Map<string, ItemRow> {
  const rows = database.select(itemColumns).from(items).all();
  return new Map(rows.map((row) => [row.identityKey, row]));
}

type NamedItem = Pick<ItemRow, "itemId" | "marketHashName" | "phase" | "type" | "identity" | "inCatalog">;

/** Returns the naming of every item. Not built by Drizzle: an import of a body reads all rows, and mapping them was the largest cost. */
export function readNamedItems({ $client: client }: Database): NamedItem[] {
  return client
    .prepare<[], [number, string, ItemRow["phase"], string | null, ItemRow["identity"], number]>(
      "SELECT item_id, market_hash_name, phase, type, identity, in_catalog FROM items",
    )
    .raw()
    .all()
    .map(([itemId, marketHashName, phase, type, identity, inCatalog]) => ({
      itemId,
      marketHashName,
      phase,
      type,
      identity,
      inCatalog: inCatalog === 1,
    }));
}

/** Returns a reader of existing items. */
export function itemReader(database: Database): (itemId: number) => ItemRow {
  const one = database
    .select(itemColumns)
    .from(items)
    .where(eq(items.itemId, sql.placeholder("itemId")))
    .prepare();
  return (itemId) => one.get({ itemId })!;
}

/** Returns every row of the catalog sources with its item. */
export function readSources(database: Database): { sourceKey: string; itemId: number }[] {
  return database.select().from(itemSources).all();
}
