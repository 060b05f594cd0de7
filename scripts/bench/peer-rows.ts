import SqliteDatabase from "better-sqlite3";

// The file of a server that encodes no response in advance. Its rows are as in responses, with a column per value, so that the server only
// reads and serializes them. Values other than numbers, strings and null are in JSON columns.

/** An object of a response. */
export type Row = Record<string, unknown>;

/** More rows than any response has. */
const rowsMax = 10_000;

/** Opens the file at `path` to add rows. The first row of a table creates it. */
export function writeRows(path: string) {
  const client = new SqliteDatabase(path);
  // Write-ahead logging, as in the service's file, so that a read acquires no file-system locks.
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

/** Opens the file at `path` to read the `data` of responses. */
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
  };
}

function openTable(client: SqliteDatabase.Database, table: string) {
  const columns = (client.pragma(`table_info(${table})`) as { name: string; type: string }[]).slice(2);
  const select = `SELECT ${columns.map(({ name }) => name)} FROM ${table} WHERE key = ? ORDER BY place`;
  const one = client.prepare<[number]>(select).raw(true);
  const all = client.prepare<[number, number]>(`${select} LIMIT ?`).raw(true);
  // An object literal, because an object built by SQLite's binding costs three times as much to serialize.
  const members = columns.map(({ name, type }, at) => `${name}: ${type === "JSON" ? "JSON.parse" : ""}(row[${at}])`);
  const objectOf = new Function("row", `return { ${members} }`) as (row: unknown) => Row;
  return {
    first: (key: number) => objectOf(one.get(key)),
    all: (key: number, limit: number) => all.all(key, limit).map(objectOf),
  };
}
