import type { Database } from "../database.ts";

/**
 * Lets the reads of one turn of the event loop share one read transaction: taking and giving back SQLite's locks costs more than
 * a small read. It ends with the turn, so no transaction outlives an await and the log can be emptied. For market data only:
 * what another process commits is seen from the next turn on, which is too late for a credential.
 */
export class SharedReadTransaction {
  static readonly #ofDatabases = new WeakMap<Database, SharedReadTransaction>();

  /** Returns the one of a connection, which can have only one transaction. */
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
  /** Counts the transactions. */
  #turn = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.$client.prepare("BEGIN");
    this.#commit = database.$client.prepare("COMMIT");
  }

  /** Begins the transaction of this turn of the event loop unless it is open. Each read that shares it calls this first. */
  join(): void {
    if (this.#open) return;
    this.#begin.run();
    this.#open = true;
    this.#turn += 1;
    setImmediate(this.#end);
  }

  /** Returns a function that reads in the transaction of its turn, and only once in it. */
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
