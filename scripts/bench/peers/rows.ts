import SqliteDatabase from "better-sqlite3";
import { toTimestamp, toTimestampOrNull } from "../../../src/values/time/clock.ts";

// The file of a server that encodes no answer in advance: rows as answers show them, a column for each value, so that nothing is left to
// do but to read and to serialise them. What is no number, text or null is a column of JSON.

/** An object of an answer. */
export type Row = Record<string, unknown>;

/** More than any answer has. */
const rowsMax = 10_000;

/** Opens the file at `path` to add rows. The first row of a table makes it. */
export function writeRows(path: string) {
  const client = new SqliteDatabase(path);
  // As the service's file: a read takes no locks of the file system.
  client.exec("PRAGMA journal_mode = WAL; BEGIN");
  const inserts: Record<string, SqliteDatabase.Statement> = {};
  const makeTable = (table: string, row: Row) => {
    const columns = Object.entries(row).map(([name, value]) => (isPlain(value) ? name : `${name} JSON`));
    client.exec(`CREATE TABLE ${table} (key INT, place INT, ${columns}, PRIMARY KEY (key, place)) WITHOUT ROWID`);
    return client.prepare(`INSERT INTO ${table} VALUES (?, ?, ${columns.map(() => "?")})`);
  };
  return {
    add(table: string, key: number, rows: readonly Row[]) {
      for (const [place, row] of rows.entries()) {
        inserts[table] ??= makeTable(table, row);
        inserts[table].run(key, place, ...Object.values(row).map((one) => (isPlain(one) ? one : JSON.stringify(one))));
      }
    },
    end() {
      client.exec("COMMIT");
      client.close();
    },
  };
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === "number" || typeof value === "string";
}

/** Opens the file at `path` to read. What it returns makes the `data` of answers. */
export function openRows(path: string) {
  const client = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
  const tables: Record<string, ReturnType<typeof openTable>> = {};
  const table = (name: string) => {
    tables[name] ??= openTable(client, name);
    return tables[name];
  };
  const rows = (name: string, key: number, limit = rowsMax) => table(name).all(key, limit);
  return {
    rows,
    item: (itemId: number) => table("items").first(itemId),
    market: (id: number) => ({ ...table("markets").first(id), asks: rows("asks", id), bids: rows("bids", id) }),
    close: () => void client.close(),
  };
}

function openTable(client: SqliteDatabase.Database, table: string) {
  const columns = (client.pragma(`table_info(${table})`) as { name: string; type: string }[]).slice(2);
  const select = `SELECT ${columns.map(({ name }) => name)} FROM ${table} WHERE key = ? ORDER BY place`;
  const one = client.prepare<[number]>(select).raw(true);
  const all = client.prepare<[number, number]>(`${select} LIMIT ?`).raw(true);
  // A literal, as one writes it by hand: an object that SQLite's binding fills is serialised at three times the cost.
  const members = columns.map(({ name, type }, at) => `${name}: ${type === "JSON" ? "JSON.parse" : ""}(row[${at}])`);
  const objectOf = new Function("row", `return { ${members} }`) as (row: unknown) => Row;
  return {
    first(key: number) {
      const row = one.get(key);
      return row === undefined ? undefined : objectOf(row);
    },
    all: (key: number, limit: number) => all.all(key, limit).map(objectOf),
  };
}

type StoredItem = Record<"stat_counter" | "souvenir" | "updated_at", number | null> &
  Record<"in_catalog" | "first_seen_at", number>;

/** Opens the service's own file at `path` to read items the way one writes it first: a prepared SELECT, and the row spread in an answer. */
export function openStoredItems(path: string) {
  const client = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
  const select = client.prepare<[number], StoredItem>(`
    SELECT item_id, market_hash_name, slug, type, rarity, collection, phase, name_ru, image_url, wear, stat_counter, souvenir, wear_min,
      wear_max, identity, in_catalog, first_seen_at, updated_at FROM items WHERE item_id = ?`);
  const flag = (stored: number | null) => (stored === null ? null : stored === 1);
  return {
    item(itemId: number) {
      const row = select.get(itemId);
      if (row === undefined) return undefined;
      return {
        ...row,
        stat_counter: flag(row.stat_counter),
        souvenir: flag(row.souvenir),
        shares_name_with: [],
        openable_slug: null,
        in_catalog: row.in_catalog === 1,
        first_seen_at: toTimestamp(row.first_seen_at),
        updated_at: toTimestampOrNull(row.updated_at),
      };
    },
    close: () => void client.close(),
  };
}
