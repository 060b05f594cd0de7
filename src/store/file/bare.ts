import SqliteDatabase from "better-sqlite3";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";

loadBinding();

/** The pragmas of every connection to a file. They exclude hostile schemas, broken cells, temporary files and mapped memory. */
const everywhere = { trusted_schema: 0, cell_size_check: 1, temp_store: 2, mmap_size: 0 };

/**
 * Opens the file at `path` as a bare handle, without any check of its content or users. All code opens files through this function, so that
 * each connection has the common pragmas.
 */
export function openBare(path: string, options: SqliteDatabase.Options = {}): SqliteDatabase.Database {
  const client = new SqliteDatabase(path, options);
  setPragmas(client, everywhere);
  return client;
}

/** Opens a database in memory. It is empty, or a copy of `pages`, which remain unchanged. */
export function openInMemory(pages?: Buffer): SqliteDatabase.Database {
  return new SqliteDatabase(pages ?? ":memory:");
}

/** Loads the native part of SQLite with a first database, before any file is created. */
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

/** Sets pragmas and reads them back, because SQLite does not report a pragma that it ignores. */
export function setPragmas(client: SqliteDatabase.Database, values: Readonly<Record<string, number>>): void {
  const pragmas = Object.entries(values);
  client.exec(pragmas.map(([name, value]) => `PRAGMA ${name} = ${value}`).join(";"));
  for (const [name, value] of pragmas) {
    const got = client.pragma(name, { simple: true }) ?? 0;
    if (got !== value) throw new Error(`PRAGMA ${name} is ${String(got)} and should be ${value}`);
  }
}
