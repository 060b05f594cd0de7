import SqliteDatabase from "./sqlite.mjs";

/** The pragmas of every connection to a file: they keep out hostile schemas, broken cells, temporary files and mapped memory. */
const everywhere = { trusted_schema: 0, cell_size_check: 1, temp_store: 2, mmap_size: 0 };

/**
 * Opens the file at `path` as a bare handle, whatever is in it and whoever has it open. Files are opened in no other way, so that all
 * have the pragmas of every connection.
 */
export function openBare(path: string, options: SqliteDatabase.Options = {}): SqliteDatabase.Database {
  const client = new SqliteDatabase(path, options);
  setPragmas(client, everywhere);
  return client;
}

/** Opens a database that is in no file: an empty one, or one with `pages`, which stay as they are. */
export function openInMemory(pages?: Buffer): SqliteDatabase.Database {
  return new SqliteDatabase(pages ?? ":memory:");
}

/** Sets pragmas and reads them back: SQLite says nothing of one that it does not take. */
export function setPragmas(client: SqliteDatabase.Database, values: Readonly<Record<string, number>>): void {
  const pragmas = Object.entries(values);
  client.exec(pragmas.map(([name, value]) => `PRAGMA ${name} = ${value}`).join(";"));
  for (const [name, value] of pragmas) {
    const got = client.pragma(name, { simple: true }) ?? 0;
    if (got !== value) throw new Error(`PRAGMA ${name} is ${String(got)} and should be ${value}`);
  }
}
