import SqliteDatabase from "better-sqlite3";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";

loadBinding();

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

/** Loads the native part of SQLite, which comes with the first database, before any file is made. */
function loadBinding(): void {
  try {
    new SqliteDatabase(":memory:").close();
  } catch (error) {
    const [reason] = String((error as Error).message).split("\n");
    throw new OperatorError(
      `SQLite cannot be loaded on Node ${process.versions.node} (${reason}); run \`npm ci\` with this Node in a checkout`,
      exitCodes.unavailable,
    );
  }
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
