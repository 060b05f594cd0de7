import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type SqliteDatabase from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { databaseSchema } from "../../../generated/database-schema.ts";
import { draftPath, removeAbandonedDrafts } from "../../values/drafts.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type Database, migrationsFolder, openReader, openWriter } from "../database.ts";
import { backfillState } from "../migrate/backfills.ts";
import { applyMigrations, diskSpaceForMigrations } from "../migrate/migrations.ts";
import { maintainRowChecksums } from "../write/checksummed-rows.ts";
import { openBare, openInMemory } from "./bare.ts";
import { applicationId } from "./header.ts";
import { lockPathOf } from "./lock.ts";
import { isFolderFull, isNameInUse, refuseUnlessRegularFile, refuseWithoutFolder, StoreRefusal } from "./refusal.ts";
import { spaceOf } from "./space.ts";

const sqliteHeader = "SQLite format 3\u0000";
const quickCheckBytesMax = 256 * 1024 * 1024;
const commandBusyMs = 5000;
/** Two writes of a file at least this far apart have different modification times. */
const fileClockTickMs = 20;
/** A charge writes three to four pages. That is a fourth of the bytes of 16 KiB pages, and reads cost the same. */
const pageBytes = 4 * 1024;

/**
 * Returns the canonical path of `path`, without links. Locks and logs are named after this path, so two paths of one file would get
 * separate locks.
 */
export function databasePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The file does not exist or cannot be reached. The code that opens it reports that.
    return resolve(path);
  }
}

/**
 * Creates a file and calls `fill` before the file gets its name, so that a crash leaves no incomplete database. Never replaces an existing
 * file.
 * @throws {StoreRefusal} when a file exists at `path`, or none can be created.
 */
export function createDatabase(path: string, fill: (database: Database) => void): void {
  if (isNameInUse(path)) throw new StoreRefusal("exists", path, existsSync(path) ? undefined : "a link to nothing");
  refuseWithoutFolder(path);
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
      // A draft is discarded after a crash, so only its final state must be durable. Without a log each page is written once.
      database.$client.pragma("journal_mode = MEMORY");
      database.$client.pragma("synchronous = OFF");
      applyMigrations(database);
      maintainRowChecksums(database.$client);
      fill(database);
      database.$client.pragma("journal_mode = WAL");
    } finally {
      database.$client.close();
    }
    nameDraft(draft, path);
  } finally {
    removeFile(draft);
  }
}

/**
 * Gives a complete database that no process has open its final name.
 * @throws {StoreRefusal} when a file has the name.
 */
export function nameDraft(draft: string, path: string): void {
  bringToDisk(draft);
  if (!existsSync(path)) removeLogs(path);
  try {
    linkSync(draft, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? new StoreRefusal("exists", path) : error;
  }
}

function bringToDisk(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Pages of an empty database. Null before this process first builds it, which costs as much as thirty copies. */
let emptyPages: Buffer | null = null;

/** Returns an empty in-memory database with this release's tables, for private rows. It contains no market data. */
export function privateCopy(): Database {
  emptyPages ??= makeEmptyPages();
  const database = drizzle({ client: openInMemory(emptyPages) });
  // Private rows refer to market rows, which this database lacks.
  database.$client.pragma("foreign_keys = OFF");
  return database;
}

function makeEmptyPages(): Buffer {
  const database = drizzle({ client: openInMemory() });
  applyMigrations(database);
  const pages = database.$client.serialize();
  database.$client.close();
  return pages;
}

/** Writes the settings of the first page. They cannot change once the write-ahead log is in use. */
function stampFile(path: string): void {
  const client = openBare(path);
  client.pragma(`page_size = ${pageBytes}`);
  client.pragma(`application_id = ${applicationId}`);
  client.close();
}

/** Migrates an older file to this release's schema. Returns the number of applied migrations. */
export function migrateDatabase(path: string, progress: Progress = silent): number {
  const before = refuseUnlessValid(path, { olderToo: true });
  const database = openWriter(path, commandBusyMs);
  try {
    refuseWithoutDiskSpace(path, diskSpaceForMigrations(database));
    applyMigrations(database, progress);
    backfillState(database);
    return databaseSchema.version - before;
  } catch (error) {
    // On a full disk SQLite rolls the transaction back itself. Drizzle then fails at a second rollback and hides the reason.
    throw isFolderFull(path) ? new StoreRefusal("full", path, undefined, { cause: error }) : error;
  } finally {
    database.$client.close();
  }
}

/** @throws {StoreRefusal} `full` when the file system has less free space than `bytes`. */
function refuseWithoutDiskSpace(path: string, bytes: number): void {
  const { freeBytes } = spaceOf(path);
  if (freeBytes < bytes) throw new StoreRefusal("full", path, `it needs ${bytes} bytes, but ${freeBytes} are free`);
}

type FileTrust = {
  /** Accept an older schema. */
  olderToo?: boolean;
  /** Accept a file that other users may read. */
  mayBeReadable?: boolean;
  /** Skip the check of pages if the file is unchanged since a server stopped normally. */
  trustsCleanStop?: boolean;
  /** Skip the check of pages. */
  skipsPages?: boolean;
};

/**
 * Refuses a file that is missing, empty, foreign, damaged, of another schema version, or readable by other users. Returns its schema
 * version. Pages are checked up to 256 MiB; `db check` reads larger files.
 * @throws {StoreRefusal} with the reason.
 */
export function refuseUnlessValid(path: string, trust: FileTrust = {}): number {
  const { olderToo = false, mayBeReadable = false, trustsCleanStop = false, skipsPages = false } = trust;
  refuseByHeader(path, mayBeReadable);
  // This precedes opening the file, which creates its log.
  const isTrusted = skipsPages || (trustsCleanStop && wasCleanlyStopped(path));
  const looksAtPages = !isTrusted && statSync(path).size <= quickCheckBytesMax;
  const { $client: client } = openReader(path);
  try {
    if (client.pragma("application_id", { simple: true }) !== applicationId) throw new StoreRefusal("foreign", path);
    const version = client.pragma("user_version", { simple: true }) as number;
    if (version > databaseSchema.version)
      throw new StoreRefusal("newer", path, `schema ${version}, this release knows ${databaseSchema.version}`);
    if (version < databaseSchema.version && !olderToo)
      throw new StoreRefusal("older", path, `schema ${version} of ${databaseSchema.version}`);
    if (looksAtPages) {
      const result = client.pragma("quick_check(1)", { simple: true });
      if (result !== "ok") throw new StoreRefusal("corrupt", path, String(result).split("\n")[0]);
    }
    if (version === databaseSchema.version && !hasExpectedSchema(client)) {
      throw new StoreRefusal("corrupt", path, "its tables differ from this release");
    }
    return version;
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    client.close();
  }
}

/**
 * Records that the file is unchanged since its server stopped normally: the lock file gets the file's modification time. The next start
 * then skips the check of pages. Does nothing if another process has the file open.
 */
export async function recordCleanStop(path: string): Promise<void> {
  try {
    const { mtimeMs } = statSync(path);
    // Later writes get a later modification time.
    await setTimeout(fileClockTickMs);
    if (!hasLog(path) && statSync(path).mtimeMs === mtimeMs) {
      const at = new Date(Math.floor(mtimeMs));
      utimesSync(lockPathOf(path, "serve"), at, at);
    }
  } catch {
    // The next start checks every page.
  }
}

function wasCleanlyStopped(path: string): boolean {
  const noted = statSync(lockPathOf(path, "serve"), { throwIfNoEntry: false });
  if (noted === undefined || hasLog(path)) return false;
  return Math.round(noted.mtimeMs) === Math.floor(statSync(path).mtimeMs);
}

/** Returns whether the log has content. Readers leave an empty log. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Removes a database file with its write-ahead log and shared memory. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

/** Removes the logs of a removed file. SQLite would otherwise apply them to the next file with that name. */
export function removeLogs(path: string): void {
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** Tables that Litestream adds to a file that it replicates. It uses them to acquire SQLite's locks. */
const replicationTables = ["_litestream_seq", "_litestream_lock"];

/** Returns whether the file has exactly the tables, views, indexes and triggers of this release. Replication tables are ignored. */
export function hasExpectedSchema(client: SqliteDatabase.Database): boolean {
  return schemaOf(client) === databaseSchema.sha256;
}

function refuseByHeader(path: string, mayBeReadable: boolean): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new StoreRefusal("missing", path);
  refuseUnlessRegularFile(path);
  const isOpen = process.platform !== "win32" && (stat.mode & 0o077) !== 0;
  if (isOpen && !mayBeReadable) throw new StoreRefusal("readable_by_others", path);
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

/**
 * Describes this release's migrations for `npm run generate`. Returns the schema version, the first version with row checksums, and the
 * SHA-256 of the resulting schema. It is too slow for each start.
 */
export function describeMigrations(): { version: number; checksummedFrom: number; sha256: string } {
  const migrations = readMigrationFiles({ migrationsFolder });
  const isFirst = ({ sql }: { sql: string[] }) => sql.some((text) => text.includes("CREATE TABLE `row_checksums`"));
  const client = openInMemory();
  try {
    // Drizzle's own table is not created.
    for (const { sql } of migrations) for (const statement of sql) client.exec(statement);
    return { version: migrations.length, checksummedFrom: 1 + migrations.findIndex(isFirst), sha256: schemaOf(client) };
  } finally {
    client.close();
  }
}

/** Returns the SHA-256 of the SQL of all tables, views, indexes and triggers, without replication tables. */
function schemaOf(client: SqliteDatabase.Database): string {
  const rows = client.prepare(
    `SELECT sql FROM sqlite_schema
     WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'
       AND NOT (type = 'table' AND name IN (SELECT value FROM json_each(?)))
     ORDER BY type, name`,
  );
  const text = rows.pluck().all(JSON.stringify(replicationTables)).join("\n");
  return createHash("sha256").update(text).digest("hex");
}
