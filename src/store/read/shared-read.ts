import type { Database } from "../database.ts";

/**
 * Shares one read transaction among all reads of one turn of the event loop, because SQLite's locks cost more than a small read. It ends
 * with the turn, so that it never outlives an await or blocks checkpoints. Use it for market data only. Commits of other processes are
 * visible from the next turn on, which is too late for credentials.
 */
export class SharedReadTransaction {
  static readonly #ofDatabases = new WeakMap<Database, SharedReadTransaction>();

  /** Returns the shared transaction of a connection, which can have only one. */
  static of(database: Database): SharedReadTransaction {
    let shared = SharedReadTransaction.#ofDatabases.get(database);
    if (shared === undefined) {
      shared = new SharedReadTransaction(database);
      SharedReadTransaction.#ofDatabases.set(database, shared);
    }
    return shared;
  }

  readonly #database: Database;
  readonly #begin;
  readonly #commit;
  #open = false;
  /** Number of transactions so far. */
  #turn = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.$client.prepare("BEGIN");
    this.#commit = database.$client.prepare("COMMIT");
  }

  /** Begins the transaction of this turn of the event loop, if it is not open. Each sharing read calls this first. */
  join(): void {
    if (this.#open) return;
    this.#begin.run();
    this.#open = true;
    this.#turn += 1;
    setImmediate(this.#end);
  }

  /** Returns a function that calls `read` at most once per turn, in the shared transaction, and caches its value. */
  once<Value>(read: () => Value): () => Value {
    let turn = -1;
    let value: Value;
    return () => {
      this.join();
      if (turn !== this.#turn) {
        value = read();
        turn = this.#turn;
      }
      return value;
    };
  }

  readonly #end = (): void => {
    this.#open = false;
    if (this.#database.$client.open) this.#commit.run();
  };
}
