import { tableKinds } from "../../../db/schema/kinds.ts";
import { checkDatabase } from "../check/check.ts";
import { closeDatabase, openReader } from "../database.ts";
import { openBare } from "./bare.ts";
import { refuseUnlessOurs } from "./file.ts";
import { StoreRefusal } from "./refusal.ts";

const logBusyMs = 1000;

/**
 * Makes a database of its own of the market file that a release holds: gives it a new key of cursors and the row of a ledger in which
 * nothing is written, and looks at its pages. `isReadWhole`: also compares everything that is stored twice, which takes long.
 * @throws {StoreRefusal} when it is not a whole database of this release.
 */
export function completeMarketFile(path: string, { isReadWhole }: { isReadWhole: boolean }): void {
  const client = openBare(path, { fileMustExist: true });
  try {
    // Not built by Drizzle: the file is not known to be ours yet, so it is open as a bare handle.
    const complete = () => {
      client.prepare("UPDATE market_state SET cursor_key = randomblob(32)").run();
      client.prepare("INSERT OR IGNORE INTO ledger_clock (one, high_water_at) VALUES (1, 0)").run();
    };
    // The caller brings it to the disk.
    client.pragma("synchronous = OFF");
    client.transaction(complete).immediate();
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    client.close();
  }
  refuseUnlessOurs(path);
  if (!isReadWhole) return;
  const [fault] = checkDatabase(path).faults;
  if (fault !== undefined) throw new StoreRefusal("corrupt", path, fault);
}

/**
 * Gives up the write-ahead log of a taken file that an earlier server had opened for writing.
 * @throws {StoreRefusal} when it is open elsewhere.
 */
export function giveUpLog(path: string): void {
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
 * Returns the private tables of the database at `path` that have rows: none in a file that a release was taken into.
 * @throws {StoreRefusal} when it is not a database of this release.
 */
export function filledPrivateTables(path: string): string[] {
  refuseUnlessOurs(path);
  const database = openReader(path);
  try {
    const unwritten: Readonly<Record<string, string>> = { ledger_clock: "high_water_at > 0" };
    return tableKinds.private.filter((table) => {
      const rows = `SELECT EXISTS (SELECT 1 FROM ${table} WHERE ${unwritten[table] ?? "1"})`;
      return database.$client.prepare(rows).pluck().get() === 1;
    });
  } finally {
    closeDatabase(database);
  }
}
