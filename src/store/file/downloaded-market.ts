import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { tableKinds } from "../../../db/schema/kinds.ts";
import { checkDatabase } from "../check/check.ts";
import { closeDatabase, openReader } from "../database.ts";
import { openBare } from "./bare.ts";
import { refuseUnlessValid } from "./file.ts";
import { StoreRefusal } from "./refusal.ts";

const logBusyMs = 1000;
const changeCounterOffset = 24;

/** Tables of one page that a server completes. */
const completedTables = ["node_secrets", "ledger_clock"];

/**
 * Completes a market file from a release to a database of this server. Creates a new cursor key and an empty ledger clock. Then checks the
 * schema, with "pages" also the pages up to 256 MiB, and with "all" runs the full `db check`, which is slow. Returns the pages that it has
 * written, by number from 0, with their earlier bytes.
 * @throws {StoreRefusal} when it is not a whole database of this release.
 */
export function completeMarketFile(path: string, check: "schema" | "pages" | "all"): Map<number, Buffer> {
  const before = writeOwnRows(path);
  refuseUnlessValid(path, { skipsPages: check === "schema" });
  if (check !== "all") return before;
  const [fault] = checkDatabase(path).faults;
  if (fault !== undefined) throw new StoreRefusal("corrupt", path, fault);
  return before;
}

function writeOwnRows(path: string): Map<number, Buffer> {
  // Closed last: closing any descriptor drops the process's locks on the file.
  const file = openSync(path, "r+");
  const client = openBare(path, { fileMustExist: true });
  try {
    const size = client.pragma("page_size", { simple: true }) as number;
    const roots = client
      .prepare<[string], number>(
        "SELECT rootpage FROM sqlite_schema WHERE tbl_name IN (SELECT value FROM json_each(?))",
      )
      .pluck()
      .all(JSON.stringify(completedTables));
    const before = [0, ...roots.map((root) => root - 1)].map((page): [number, Buffer] => {
      const bytes = Buffer.alloc(size);
      readSync(file, bytes, 0, size, page * size);
      return [page, bytes];
    });
    // Not built by Drizzle: the file is not verified yet, so it is open as a bare handle.
    const complete = () => {
      client.prepare("INSERT OR REPLACE INTO node_secrets VALUES (1, randomblob(32))").run();
      client.prepare("INSERT OR IGNORE INTO ledger_clock (one, high_water_at) VALUES (1, 0)").run();
    };
    // An idle connection of another program to the earlier content now notices that the content has changed.
    writeSync(file, client.prepare<[], Buffer>("SELECT randomblob(4)").pluck().get()!, 0, 4, changeCounterOffset);
    // The caller syncs the file to the disk.
    client.pragma("synchronous = OFF");
    client.transaction(complete).immediate();
    return new Map(before);
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    client.close();
    closeSync(file);
  }
}

/**
 * Removes the write-ahead log of a downloaded file that an earlier server opened for writing.
 * @throws {StoreRefusal} when it is open elsewhere.
 */
export function removeLog(path: string): void {
  const client = openBare(path, { fileMustExist: true, timeout: logBusyMs });
  try {
    if (client.pragma("journal_mode", { simple: true }) !== "delete") client.pragma("journal_mode = DELETE");
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    client.close();
  }
}

/**
 * Returns the private tables with rows in the database at `path`. A file downloaded from a release has none.
 * @throws {StoreRefusal} when it is not a database of this release.
 */
export function filledPrivateTables(path: string): string[] {
  refuseUnlessValid(path);
  const database = openReader(path);
  try {
    const unwritten: Readonly<Record<string, string>> = { ledger_clock: "high_water_at > 0", node_secrets: "0" };
    return tableKinds.private.filter((table) => {
      const rows = `SELECT EXISTS (SELECT 1 FROM ${table} WHERE ${unwritten[table] ?? "1"})`;
      return database.$client.prepare(rows).pluck().get() === 1;
    });
  } finally {
    closeDatabase(database);
  }
}
