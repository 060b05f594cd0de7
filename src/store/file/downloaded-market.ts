import { tableKinds } from "../../../db/schema/kinds.ts";
import { checkDatabase } from "../check/check.ts";
import { closeDatabase, openReader } from "../database.ts";
import { openBare } from "./bare.ts";
import { refuseUnlessValid } from "./file.ts";
import { StoreRefusal } from "./refusal.ts";

const logBusyMs = 1000;

/**
 * Completes a market file from a release to a database of this server. Creates a new cursor key and an empty ledger clock, and checks the
 * pages. With `isReadWhole` it also runs the full `db check`, which is slow.
 * @throws {StoreRefusal} when it is not a whole database of this release.
 */
export function completeMarketFile(path: string, { isReadWhole }: { isReadWhole: boolean }): void {
  const client = openBare(path, { fileMustExist: true });
  try {
    // Not built by Drizzle: the file is not verified yet, so it is open as a bare handle.
    const complete = () => {
      client.prepare("INSERT OR REPLACE INTO node_secrets VALUES (1, randomblob(32))").run();
      client.prepare("INSERT OR IGNORE INTO ledger_clock (one, high_water_at) VALUES (1, 0)").run();
    };
    // The caller syncs the file to the disk.
    client.pragma("synchronous = OFF");
    client.transaction(complete).immediate();
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    client.close();
  }
  refuseUnlessValid(path);
  if (!isReadWhole) return;
  const [fault] = checkDatabase(path).faults;
  if (fault !== undefined) throw new StoreRefusal("corrupt", path, fault);
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
