import { closeSync, existsSync, linkSync, openSync, readSync, realpathSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { draftPath, removeAbandonedDrafts } from "../values/drafts.ts";
import { type Database, migrationsFolder, openReader, openWriter, writeTransaction } from "./database.ts";
import { applicationId } from "./header.ts";
import { isFolderFull, StoreRefusal } from "./refusal.ts";
import SqliteDatabase from "./sqlite.mjs";
import { backfillDigest } from "./write/generations.ts";
import { RowChecksums } from "./write/row-checksums.ts";

const sqliteHeader = "SQLite format 3\u0000";
const quickCheckBytesMax = 256 * 1024 * 1024;
const commandBusyMs = 5000;
/** Wide, because what is read most in bulk are export records of about 2 KB: half the CPU per megabyte of 4 KiB pages. */
const pageBytes = 16 * 1024;

/**
 * Returns the file of `path` in one spelling, whichever folder the command was called from and by whatever links: locks and logs lie
 * beside this name, so two names of one file would be two files to them.
 */
export function databasePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // There is no such file yet, or it cannot be reached: whatever opens it reports that.
    return resolve(path);
  }
}

/**
 * Makes a new file and hands it to `fill` before it gets its name, so that a crash leaves no half-filled database behind.
 * Refuses to replace a file that is there.
 */
export function createDatabase(path: string, fill: (database: Database) => void): void {
  if (existsSync(path)) throw new StoreRefusal("exists", path);
  const draft = draftPath(path, "new");
  removeAbandonedDrafts(path);
  removeFile(draft);
  try {
    closeSync(openSync(draft, "wx", 0o600));
  } catch (error) {
    throw new StoreRefusal("unwritable", path, (error as NodeJS.ErrnoException).code);
  }
  try {
    stampFile(draft);
    const database = openWriter(draft, commandBusyMs);
    try {
      // Nobody keeps a draft that a crash has left, so only its end has to be durable: the checkpoint brings all of it to the disk.
      database.$client.pragma("synchronous = OFF");
      applyMigrations(database);
      fill(database);
      database.$client.pragma("synchronous = FULL");
      database.$client.pragma("wal_checkpoint(TRUNCATE)");
    } finally {
      database.$client.close();
    }
    if (!existsSync(path)) removeLogs(path);
    linkSync(draft, path);
  } finally {
    removeFile(draft);
  }
}

/** Writes the settings of the first page that cannot be changed once the write-ahead log is in use. */
function stampFile(path: string): void {
  const client = new SqliteDatabase(path);
  client.pragma(`page_size = ${pageBytes}`);
  client.pragma(`application_id = ${applicationId}`);
  client.close();
}

/** Brings an older file to this release's schema. Returns how many migrations were applied. */
export function migrateDatabase(path: string): number {
  const before = refuseUnlessOurs(path, { olderToo: true });
  const database = openWriter(path, commandBusyMs);
  try {
    applyMigrations(database);
    backfillDigest(database);
    return migrationCount() - before;
  } catch (error) {
    // On a full disk SQLite undoes the transaction itself; Drizzle then fails at undoing it again and hides the reason.
    throw isFolderFull(path) ? new StoreRefusal("full", path, undefined, { cause: error }) : error;
  } finally {
    database.$client.close();
  }
}

/**
 * Refuses a file that is not a whole database of this release: missing, empty, foreign, damaged, newer, older, or open to
 * other users unless `whoeverMayRead`. Returns its schema version. Pages are checked up to 256 MiB; `db check` reads larger files.
 */
export function refuseUnlessOurs(path: string, { olderToo = false, whoeverMayRead = false } = {}): number {
  refuseByHeader(path, whoeverMayRead);
  const { $client: client } = openReader(path);
  try {
    if (client.pragma("application_id", { simple: true }) !== applicationId) throw new StoreRefusal("foreign", path);
    const version = client.pragma("user_version", { simple: true }) as number;
    if (version > migrationCount())
      throw new StoreRefusal("newer", path, `schema ${version}, this release knows ${migrationCount()}`);
    if (version < migrationCount() && !olderToo)
      throw new StoreRefusal("older", path, `schema ${version} of ${migrationCount()}`);
    if (statSync(path).size <= quickCheckBytesMax) {
      const result = client.pragma("quick_check(1)", { simple: true });
      if (result !== "ok") throw new StoreRefusal("corrupt", path, String(result).split("\n")[0]);
    }
    if (version === migrationCount() && !hasExpectedSchema(client)) {
      throw new StoreRefusal("corrupt", path, "its tables are not those of this release");
    }
    return version;
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    client.close();
  }
}

/** Removes a database file with its write-ahead log and shared memory. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

/** Removes what a file that is gone has left beside its name: SQLite would play it into whatever gets the name next. */
export function removeLogs(path: string): void {
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** Tables that Litestream adds to a file which it replicates: it takes SQLite's locks by them. */
const replicationTables = ["_litestream_seq", "_litestream_lock"];

/** Returns whether the file has the tables, indexes and triggers of this release and no others but those of replication. */
export function hasExpectedSchema(client: SqliteDatabase.Database): boolean {
  return schemaOf(client) === expectedSchema();
}

function refuseByHeader(path: string, whoeverMayRead: boolean): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new StoreRefusal("missing", path);
  if (!stat.isFile()) throw new StoreRefusal("foreign", path, stat.isDirectory() ? "it is a folder" : "it is no file");
  const isOpen = process.platform !== "win32" && (stat.mode & 0o077) !== 0;
  if (isOpen && !whoeverMayRead) throw new StoreRefusal("readable_by_others", path);
  if (stat.size === 0) throw new StoreRefusal("empty", path);
  const head = Buffer.alloc(sqliteHeader.length);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString("latin1") !== sqliteHeader) throw new StoreRefusal("foreign", path);
}

/** A migration that rebuilds a table must not see foreign keys; inside its transaction the pragma would do nothing. */
function applyMigrations(database: Database): void {
  const before = database.$client.pragma("user_version", { simple: true }) as number;
  database.$client.pragma("foreign_keys = OFF");
  migrate(database, { migrationsFolder });
  // Before the version is written: if this is cut off, the next migration does it again.
  if (before < checksummedSchema()) writeTransaction(database, () => new RowChecksums(database).recordAll());
  database.$client.pragma(`user_version = ${migrationCount()}`);
  database.$client.pragma("foreign_keys = ON");
  const broken = database.$client.pragma("foreign_key_check") as unknown[];
  if (broken.length > 0) throw new Error(`${broken.length} rows break a foreign key after the migration`);
}

let migrations: ReturnType<typeof readMigrationFiles> | undefined;
function migrationFiles(): ReturnType<typeof readMigrationFiles> {
  migrations ??= readMigrationFiles({ migrationsFolder });
  return migrations;
}

function migrationCount(): number {
  return migrationFiles().length;
}

/** Returns the first schema version whose rows have checksums. */
function checksummedSchema(): number {
  const isFirst = ({ sql }: { sql: string[] }) => sql.some((text) => text.includes("CREATE TABLE `row_checksums`"));
  return 1 + migrationFiles().findIndex(isFirst);
}

let expected: string | undefined;
function expectedSchema(): string {
  if (expected === undefined) {
    const client = new SqliteDatabase(":memory:");
    // Without Drizzle's own table, and without looking for rows that there are none of: this is done at each start.
    for (const { sql } of migrationFiles()) for (const statement of sql) client.exec(statement);
    expected = schemaOf(client);
    client.close();
  }
  return expected;
}

function schemaOf(client: SqliteDatabase.Database): string {
  const rows = client.prepare(
    `SELECT sql FROM sqlite_schema
     WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'
       AND NOT (type = 'table' AND name IN (SELECT value FROM json_each(?)))
     ORDER BY type, name`,
  );
  return rows.pluck().all(JSON.stringify(replicationTables)).join("\n");
}
