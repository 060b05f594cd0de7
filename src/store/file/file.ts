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
import { applyMigrations, roomForMigrations } from "../migrate/migrations.ts";
import { keepRows } from "../write/kept-rows.ts";
import { openBare, openInMemory } from "./bare.ts";
import { applicationId } from "./header.ts";
import { lockPathOf } from "./lock.ts";
import { isFolderFull, isTaken, refuseNoFile, refuseWithoutFolder, StoreRefusal } from "./refusal.ts";
import { spaceOf } from "./space.ts";

const sqliteHeader = "SQLite format 3\u0000";
const quickCheckBytesMax = 256 * 1024 * 1024;
const commandBusyMs = 5000;
/** Two writes of a file that are this far apart have different times. */
const fileClockTickMs = 20;
/** A charge writes three to four pages: a fourth of the bytes of 16 KiB pages, and reads cost the same. */
const pageBytes = 4 * 1024;

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
  if (isTaken(path)) throw new StoreRefusal("exists", path, existsSync(path) ? undefined : "a link to nothing");
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
      // Nobody keeps a draft that a crash has left, so only its end has to be durable. Without a log each page is written once.
      database.$client.pragma("journal_mode = MEMORY");
      database.$client.pragma("synchronous = OFF");
      applyMigrations(database);
      keepRows(database.$client);
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
 * Gives a whole database that no process has open its name, which no file may have.
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

/** Pages of a database without rows. Null: this process has made none yet, which takes as long as thirty copies of it. */
let emptyPages: Buffer | null = null;

/** Makes an empty database in memory with this release's tables, for rows of a private database: nothing of the market is in it. */
export function privateCopy(): Database {
  emptyPages ??= makeEmptyPages();
  const database = drizzle({ client: openInMemory(emptyPages) });
  // What the rows name in the market is not here.
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

/** Writes the settings of the first page that cannot be changed once the write-ahead log is in use. */
function stampFile(path: string): void {
  const client = openBare(path);
  client.pragma(`page_size = ${pageBytes}`);
  client.pragma(`application_id = ${applicationId}`);
  client.close();
}

/** Brings an older file to this release's schema. Returns how many migrations were applied. */
export function migrateDatabase(path: string, progress: Progress = silent): number {
  const before = refuseUnlessOurs(path, { olderToo: true });
  const database = openWriter(path, commandBusyMs);
  try {
    refuseWithoutRoom(path, roomForMigrations(database));
    applyMigrations(database, progress);
    backfillState(database);
    return databaseSchema.version - before;
  } catch (error) {
    // On a full disk SQLite undoes the transaction itself; Drizzle then fails at undoing it again and hides the reason.
    throw isFolderFull(path) ? new StoreRefusal("full", path, undefined, { cause: error }) : error;
  } finally {
    database.$client.close();
  }
}

/** @throws {StoreRefusal} `full` when the file system has less room than that many bytes. */
function refuseWithoutRoom(path: string, bytes: number): void {
  const { freeBytes } = spaceOf(path);
  if (freeBytes < bytes) throw new StoreRefusal("full", path, `it takes ${bytes} bytes, and ${freeBytes} are free`);
}

type FileTrust = {
  /** An older schema is no reason to refuse. */
  olderToo?: boolean;
  /** Other users may read the file. */
  whoeverMayRead?: boolean;
  /** Pages of a file that is as a server left it, stopped in good order, are not looked at again. */
  trustsStop?: boolean;
};

/**
 * Refuses a file that is not a whole database of this release: missing, empty, foreign, damaged, newer, older, or open to
 * other users. Returns its schema version. Pages are checked up to 256 MiB; `db check` reads larger files.
 */
export function refuseUnlessOurs(path: string, trust: FileTrust = {}): number {
  const { olderToo = false, whoeverMayRead = false, trustsStop = false } = trust;
  refuseByHeader(path, whoeverMayRead);
  // Asked before the file is opened, which makes its log.
  const looksAtPages = statSync(path).size <= quickCheckBytesMax && !(trustsStop && isAsLeft(path));
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
      throw new StoreRefusal("corrupt", path, "its tables are not those of this release");
    }
    return version;
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    client.close();
  }
}

/**
 * Notes that a server which was stopped in good order has left the file as it is: the file of its lock gets the time of the file. A
 * start then needs not look at every page again. Does nothing where somebody else has the file open.
 */
export async function noteAsLeft(path: string): Promise<void> {
  try {
    const { mtimeMs } = statSync(path);
    // Whatever is written after this has a later time.
    await setTimeout(fileClockTickMs);
    if (!hasLog(path) && statSync(path).mtimeMs === mtimeMs) {
      const at = new Date(Math.floor(mtimeMs));
      utimesSync(lockPathOf(path, "serve"), at, at);
    }
  } catch {
    // The next start looks at every page.
  }
}

function isAsLeft(path: string): boolean {
  const noted = statSync(lockPathOf(path, "serve"), { throwIfNoEntry: false });
  if (noted === undefined || hasLog(path)) return false;
  return Math.round(noted.mtimeMs) === Math.floor(statSync(path).mtimeMs);
}

/** A log without content is left by who only reads. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
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

/** Returns whether the file has the tables, views, indexes and triggers of this release and no others but those of replication. */
export function hasExpectedSchema(client: SqliteDatabase.Database): boolean {
  return schemaOf(client) === databaseSchema.sha256;
}

function refuseByHeader(path: string, whoeverMayRead: boolean): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new StoreRefusal("missing", path);
  refuseNoFile(path);
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

/**
 * Returns what this release knows of its migrations, for `npm run generate`: the schema's version, the first version whose rows have
 * checksums, and the SHA-256 of the schema that they make. Making it takes too long for each start.
 */
export function describeMigrations(): { version: number; checksummedFrom: number; sha256: string } {
  const migrations = readMigrationFiles({ migrationsFolder });
  const isFirst = ({ sql }: { sql: string[] }) => sql.some((text) => text.includes("CREATE TABLE `row_checksums`"));
  const client = openInMemory();
  try {
    // Without Drizzle's own table.
    for (const { sql } of migrations) for (const statement of sql) client.exec(statement);
    return { version: migrations.length, checksummedFrom: 1 + migrations.findIndex(isFirst), sha256: schemaOf(client) };
  } finally {
    client.close();
  }
}

/** Returns the SHA-256 of the text of all tables, views, indexes and triggers, without those of replication. */
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
