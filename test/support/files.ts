import { copyFileSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openWriter } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file/file.ts";
import { recordRows } from "../../src/store/write/checksummed-rows.ts";
import { setKnownSince } from "../../src/store/write/known-since.ts";
import { RowChecksums } from "../../src/store/write/row-checksums.ts";

const memory = "/dev/shm";
/** Memory that must stay free beside the files of tests. */
const roomBytesMin = 2 ** 32;
const folders: string[] = [];
let empty: string | undefined;

/** Returns the folder for files of tests. It is in memory if the system has room, so that tests do not wait for a disk. */
export function quickFolder(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, freemem()) < roomBytesMin ? tmpdir() : memory;
}

/** Makes an empty folder for a test. It is removed when the test process ends. */
export function temporaryFolder(): string {
  if (folders.length === 0) {
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  }
  const folder = mkdtempSync(join(quickFolder(), "itemtape-test-"));
  folders.push(folder);
  return folder;
}

/** Creates a database file at `path`, as `createDatabase` does, by copying a file made once per test process. */
export function newDatabase(path: string, fill?: (database: Database) => void): void {
  if (empty === undefined) {
    empty = join(temporaryFolder(), "empty.db");
    // Tests have their own clocks, which may be behind the system's.
    createDatabase(empty, (database) => setKnownSince(database, 0));
  }
  copyFileSync(empty, path);
  if (fill === undefined) return;
  const database = openWriter(path, 0);
  try {
    database.$client.pragma("synchronous = OFF");
    fill(database);
  } finally {
    database.$client.close();
  }
}

/** Records rows that a test wrote with SQL as if the program had written them. */
export function recordChecksums(path: string): void {
  const database = openWriter(path, 5000);
  try {
    new RowChecksums(database).recordAll();
    recordRows(database.$client);
  } finally {
    database.$client.close();
  }
}
