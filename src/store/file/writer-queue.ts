import type SqliteDatabase from "better-sqlite3";
import { systemClock } from "../../values/time/clock.ts";
import { openLock } from "./lock.ts";
import { isSqliteError } from "./refusal.ts";

/** Time between two checks of a turn lock that another writer holds. */
const checkIntervalMs = 1;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs the transactions of one writing connection, alternating with writers of other threads and processes. SQLite's lock is not a queue:
 * writers poll for it. On a slow disk a busy ledger could block them for minutes. A writer that finds the lock held acquires the turn lock
 * until its transaction begins. The ledger starts no batch meanwhile.
 */
export class WriterQueue {
  readonly #client: SqliteDatabase.Database;
  readonly #busyMs: number;
  readonly #statements;
  /** Undefined until needed. */
  #turn: TurnLock | undefined;
  /** True if another writer held the turn lock for a whole wait. Its process may be stopped. */
  #isStuck = false;

  constructor(client: SqliteDatabase.Database) {
    this.#client = client;
    this.#busyMs = client.pragma("busy_timeout", { simple: true }) as number;
    this.#statements = {
      begin: client.prepare("BEGIN IMMEDIATE"),
      commit: client.prepare("COMMIT"),
      rollback: client.prepare("ROLLBACK"),
    };
  }

  /**
   * Runs `work` in a transaction that acquires the writer's lock at the start. With `yields`, waiting writers go first.
   * @throws {SqliteError} SQLITE_BUSY when it could not begin within the connection's busy timeout.
   */
  run<T>(work: () => T, yields = false): T {
    const untilMs = systemClock.monotonicMs() + this.#busyMs;
    if (yields) this.#letOthers(untilMs);
    this.#begin(untilMs);
    try {
      const value = work();
      this.#statements.commit.run();
      return value;
    } finally {
      // SQLite rolls back by itself after some errors.
      if (this.#client.inTransaction) this.#statements.rollback.run();
    }
  }

  close(): void {
    this.#turn?.close();
    this.#turn = undefined;
  }

  /** Waits for other writers. A turn lock held for a whole wait is ignored until it is free again. */
  #letOthers(untilMs: number): void {
    const turn = this.#opened();
    while (turn.isLocked()) {
      if (this.#isStuck) return;
      this.#isStuck = !sleepUntil(untilMs);
    }
    this.#isStuck = false;
  }

  #begin(untilMs: number): void {
    try {
      this.#beginWithin(0);
      return;
    } catch (error) {
      if (!isBusy(error) || this.#busyMs === 0) throw error;
    }
    const turn = this.#opened();
    turn.take(untilMs);
    try {
      this.#beginWithin(Math.max(0, Math.ceil(untilMs - systemClock.monotonicMs())));
    } finally {
      turn.end();
    }
  }

  #beginWithin(waitMs: number): void {
    this.#client.exec(`PRAGMA busy_timeout = ${waitMs}`);
    try {
      this.#statements.begin.run();
    } finally {
      this.#client.exec(`PRAGMA busy_timeout = ${this.#busyMs}`);
    }
  }

  #opened(): TurnLock {
    this.#turn ??= new TurnLock(this.#client.name);
    return this.#turn;
  }
}

/**
 * The turn lock of a file's writers, in a file beside the database. If the lock file is unusable, the lock counts as free, because writes
 * must not fail for it.
 */
class TurnLock {
  readonly #lock: SqliteDatabase.Database | null;
  readonly #look: SqliteDatabase.Statement | undefined;

  constructor(path: string) {
    this.#lock = openedOrNull(path);
    this.#look = this.#lock?.prepare("PRAGMA schema_version");
  }

  /** Returns whether another connection holds the turn lock. */
  isLocked(): boolean {
    return !isFree(() => this.#look?.get());
  }

  /** Waits until this connection holds the turn lock, or until `untilMs`. */
  take(untilMs: number): void {
    while (!isFree(() => this.#lock?.exec("BEGIN EXCLUSIVE"))) if (!sleepUntil(untilMs)) return;
  }

  end(): void {
    if (this.#lock?.inTransaction) this.#lock.exec("COMMIT");
  }

  close(): void {
    this.#lock?.close();
  }
}

function openedOrNull(path: string): SqliteDatabase.Database | null {
  try {
    return openLock(path, "turn");
  } catch {
    return null;
  }
}

function isFree(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    return !isBusy(error);
  }
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith("SQLITE_BUSY");
}

/** Sleeps for a millisecond. Returns false at once if `untilMs` has passed. */
function sleepUntil(untilMs: number): boolean {
  if (systemClock.monotonicMs() >= untilMs) return false;
  Atomics.wait(sleepCell, 0, 0, checkIntervalMs);
  return true;
}
