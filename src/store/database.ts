import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type SqliteDatabase from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { tableKinds } from "../../db/schema/kinds.ts";
import { fileOfProgram } from "../values/root.ts";
import { openBare, openInMemory, setPragmas } from "./file/bare.ts";
import { refuseSecondName } from "./file/names.ts";
import { readablePath } from "./file/read-only.ts";
import { isSqliteError, StoreRefusal } from "./file/refusal.ts";
import { WriterQueue } from "./file/writer-queue.ts";
import { type ChecksumScope, maintainRowChecksums } from "./write/checksummed-rows.ts";

/** A Drizzle handle. `$client` is the connection itself, for pragmas and for statements that Drizzle cannot express. */
export type Database = BetterSQLite3Database & { $client: SqliteDatabase.Database };

export const migrationsFolder = fileURLToPath(fileOfProgram("db/migrations"));

const turnsOf = new WeakMap<SqliteDatabase.Database, WriterQueue>();

const readerBusyMs = 50;
const otherLogMs = 500;
const readerCacheKib = 4 * 1024;
const journalBytesMax = 64 * 1024 * 1024;

/** Opens the file for market reads. SQLite's open mode and `query_only` both forbid writes. `cacheKib` limits the page cache. */
export function openReader(path: string, cacheKib = readerCacheKib): Database {
  const own = { query_only: 1, cache_size: -cacheKib };
  return drizzle({ client: connect(path, { readonly: true, timeout: readerBusyMs }, own) });
}

/**
 * Opens the file read-only, with empty in-memory copies of its private tables. Statements find these tables first, so private writes never
 * reach the file. Foreign keys are not enforced, because they may refer to tables of the file.
 */
export function openWithEmptyPrivateTables(path: string): Database {
  const client = connect(
    path,
    { readonly: true, timeout: readerBusyMs },
    { foreign_keys: 0, cache_size: -readerCacheKib },
  );
  const texts = client
    .prepare<[string], string>(
      `SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))
       ORDER BY type = 'table' DESC, type = 'index' DESC`,
    )
    .pluck()
    .all(JSON.stringify(tableKinds.private));
  for (const text of texts)
    client.exec(
      text
        .replace(/^CREATE (TABLE|TRIGGER) /, "CREATE TEMP $1 ")
        .replace(/^CREATE (UNIQUE )?INDEX /, (start) => `${start}temp.`),
    );
  return drizzle({ client });
}

/**
 * Opens a file without writers, such as one downloaded from a release. The connection holds the file lock until it is closed, so reads do
 * not request it again. The file may be renamed or unlinked meanwhile.
 */
export function openFixedReader(path: string, cacheKib = readerCacheKib): Database {
  const reader = openReader(path, cacheKib);
  try {
    reader.$client.pragma("locking_mode = EXCLUSIVE");
    if (reader.$client.pragma("journal_mode", { simple: true }) !== "delete")
      throw new StoreRefusal("unwritable", path, "it has a write-ahead log; files from releases have none");
    reader.$client.prepare("SELECT count(*) FROM sqlite_schema").get();
    return reader;
  } catch (error) {
    closeDatabase(reader);
    throw StoreRefusal.from(path, error);
  }
}

/**
 * Opens the file for writing. `busyMs` is how long a statement waits for another writer's lock. The wait blocks the thread, so keep it
 * small on a serving thread. Durability is set and read back, because the build's default is NORMAL on reopening. `keeps` selects the
 * tables with row checksums that the caller maintains. Each table costs a quarter of a millisecond.
 */
export function openWriter(
  path: string,
  busyMs: number,
  { keeps = "all" }: { keeps?: ChecksumScope | "none" } = {},
): Database {
  const client = connect(path, { timeout: busyMs });
  if (client.pragma("journal_mode = WAL", { simple: true }) !== "wal") {
    throw new StoreRefusal("unwritable", path, "the file system does not support SQLite's write-ahead log");
  }
  setPragmas(client, {
    synchronous: 2,
    foreign_keys: 1,
    secure_delete: 1,
    wal_autocheckpoint: 1000,
    journal_size_limit: journalBytesMax,
  });
  if (keeps !== "none") maintainRowChecksums(client, keeps);
  return drizzle({ client });
}

/** Lets a connection commit without a flush to the disk, for a file that is discarded after a crash. */
export function neverFlush({ $client: client }: Database): void {
  setPragmas(client, { synchronous: 0 });
}

/** Opens a file that no other connection uses and that is rebuilt after a crash. It has no journal; the caller syncs it to the disk. */
export function openDraft(path: string): Database {
  const client = connect(path, {});
  client.pragma("journal_mode = OFF");
  client.pragma("synchronous = OFF");
  return drizzle({ client });
}

/** Returns the version of SQLite, such as `3.53.2`. */
export function sqliteVersion(): string {
  const client = openInMemory();
  try {
    return client.prepare<[], string>("SELECT sqlite_version()").pluck().get() ?? "";
  } finally {
    client.close();
  }
}

/**
 * Lets reads of the file at `path` leave no new write-ahead log behind, until the returned function is called. Only a connection that can
 * write removes the log when it closes.
 * @throws {StoreRefusal} when a process has the file open by another name or path.
 */
export function withoutNewLog(path: string): () => void {
  if (!existsSync(path) || existsSync(`${path}-wal`) || existsSync(`${path}-shm`)) return () => undefined;
  refuseOtherLog(path);
  let keeper: SqliteDatabase.Database | null = null;
  try {
    keeper = openBare(path, { fileMustExist: true, timeout: otherLogMs });
    keeper.pragma("query_only = 1");
    keeper.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch {
    // The reads report any fault of the file.
  }
  return () => void keeper?.close();
}

/**
 * Runs `work` in one transaction. It acquires the writer's lock at the start, because a deferred transaction can fail halfway. With
 * `yields`, waiting writers of other threads and processes go first.
 */
export function writeTransaction<T>({ $client: client }: Database, work: () => T, { yields = false } = {}): T {
  if (client.inTransaction) return client.transaction(work)();
  let turns = turnsOf.get(client);
  if (turns === undefined) {
    turns = new WriterQueue(client);
    turnsOf.set(client, turns);
  }
  return turns.run(work, yields);
}

/** Runs `work`, which writes nothing, on one snapshot of the file. */
export function readTransaction<T>(database: Database, work: () => T): T {
  return database.$client.transaction(work)();
}

/** Closes the connection and its writer queue. */
export function closeDatabase(database: Database): void {
  turnsOf.get(database.$client)?.close();
  database.$client.close();
}

/** Disables automatic checkpoints, so that no commit waits for one. The caller runs `checkpoint`. */
export function deferCheckpoints(database: Database): void {
  database.$client.pragma("wal_autocheckpoint = 0");
}

/** Copies committed pages from the write-ahead log into the file, as far as readers allow, without waiting. */
export function checkpoint(database: Database): void {
  database.$client.pragma("wal_checkpoint(PASSIVE)");
}

/**
 * Copies committed pages into the file without the writer's lock and without waiting. An SQLite error, such as a full disk, is ignored: the
 * commit has succeeded, and the next checkpoint reports it. Does nothing within a transaction.
 */
export function checkpointAfterCommit(database: Database): void {
  if (database.$client.inTransaction) return;
  try {
    checkpoint(database);
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
}

/** Limits the page cache of the connection, in KiB. */
export function setCacheKib(database: Database, cacheKib: number): void {
  database.$client.pragma(`cache_size = -${cacheKib}`);
}

/**
 * Begins a transaction in which all reads see one snapshot of the file. Returns the function that ends it. Does nothing within another
 * transaction, which continues.
 */
export function beginRead({ $client: client }: Database): () => void {
  if (client.inTransaction) return () => {};
  client.exec("BEGIN");
  return () => void client.exec("COMMIT");
}

function connect(
  path: string,
  options: SqliteDatabase.Options,
  own: Readonly<Record<string, number>> = {},
): SqliteDatabase.Database {
  if (!existsSync(path)) throw new StoreRefusal("missing", path);
  refuseSecondName(path);
  refuseOtherLog(path);
  try {
    const place = options.readonly === true ? readablePath(path) : path;
    const client = openBare(place, { fileMustExist: true, ...options });
    setPragmas(client, own);
    return client;
  } catch (error) {
    throw StoreRefusal.from(path, error);
  }
}

/**
 * Refuses a file that a process has open by another name or path, as after a rename or in a container. Its log is beside that other name. A
 * lock on a file without a log here reveals such a process.
 */
function refuseOtherLog(path: string): void {
  const hasLog = () => existsSync(`${path}-shm`) || existsSync(`${path}-wal`);
  if (hasLog()) return;
  if (isOpenElsewhere(path) && !hasLog()) throw new StoreRefusal("in_use", path, "under another name or path");
}

/**
 * Refuses a file that any program has open. If the file were replaced, the old connection would remove the log of the new file when it
 * closes. An unreadable file is not refused here.
 */
export function refuseOpenElsewhere(path: string): void {
  if (isOpenElsewhere(path))
    throw new StoreRefusal("in_use", path, "another program has it open, such as Litestream or a shell of SQLite");
}

/** Returns whether another connection has the file open. Other faults of the file are reported when it is opened. */
function isOpenElsewhere(path: string): boolean {
  let client: SqliteDatabase.Database | null = null;
  try {
    // Only the sole connection of all processes gets this lock. Another check holds it for a moment.
    client = openBare(path, { fileMustExist: true, timeout: otherLogMs });
    client.pragma("locking_mode = EXCLUSIVE");
    // Acquires the lock without parsing the schema, which costs a millisecond at each opening of a file.
    client.pragma("schema_version");
    return false;
  } catch (error) {
    return isSqliteError(error) && error.code.startsWith("SQLITE_BUSY");
  } finally {
    client?.close();
  }
}

/**
 * Locks a file without a write-ahead log against all other connections until `close`, so that its pages can be replaced. Null if another
 * connection reads it, or it cannot be locked.
 */
export function lockPages(path: string): { close(): void } | null {
  let client: SqliteDatabase.Database | null = null;
  try {
    client = openBare(path, { fileMustExist: true, timeout: otherLogMs });
    client.exec("BEGIN EXCLUSIVE");
    return client;
  } catch (error) {
    client?.close();
    if (isSqliteError(error)) return null;
    throw error;
  }
}
