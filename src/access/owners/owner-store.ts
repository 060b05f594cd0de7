import { closeDatabase, type Database, openWriter } from "../../store/database.ts";
import type { MaybePromise } from "../../values/maybe-promise.ts";

/** Identifies the account of a step. A session is identified by its hash (hex), a link by the hash of its secret. */
export type AccountSelector =
  | { accountId: string }
  | { login: string }
  | { session: string }
  | { invite: Buffer | null };

/** Runs one step in one transaction, on the rows of the accounts that the first argument identifies. */
export type RunStep<Rows> = <T>(selector: readonly AccountSelector[], step: (rows: Rows) => T) => MaybePromise<T>;

/** The store of owners. `run` runs a step in one transaction, at the instant `at` unless the store has a clock. */
export type OwnerStore = {
  run<T>(
    at: number,
    selector: readonly AccountSelector[],
    step: (database: Database, at: number) => T,
  ): MaybePromise<T>;
  close(): MaybePromise<void>;
};

/** Maximum time a change waits for another writer. It blocks this thread only. */
const busyMs = 750;

/** Opens the store of owners in the file. */
export function openOwnerFile(databasePath: string): OwnerStore {
  const database = openWriter(databasePath, busyMs, { keeps: "private" });
  return { run: (at, _selector, step) => step(database, at), close: () => closeDatabase(database) };
}
