import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../values/time/clock.ts";
import { checkpoint, checkpointAfterCommit, type Database, writeTransaction } from "../database.ts";

/** Maximum milliseconds that an import waits for another writer's lock. */
export const importBusyMs = 5000;

const pauseMsMin = 10;
const lockLongMs = 10;
const rowsMin = 8;
const rowsMax = 256;

/** Limits of one transaction of a batch. `rowsAfter` returns the row limit of the next transaction, given how long the lock was held. */
type Bounds = {
  rows: number;
  bytes: number;
  lockMs: number;
  checkpointEvery: number;
  rowsAfter: (rows: number, lockHeldMs: number) => number;
};

const short: Bounds = {
  rows: 64,
  bytes: 256 * 1024,
  lockMs: 6,
  checkpointEvery: 8,
  rowsAfter(rows, lockHeldMs) {
    if (lockHeldMs > lockLongMs) return Math.max(rowsMin, rows >> 1);
    return lockHeldMs < this.lockMs ? Math.min(rowsMax, rows * 2) : rows;
  },
};

/** A checkpoint after 32 transactions limits the log to about 32 MB. */
const large: Bounds = {
  rows: Number.POSITIVE_INFINITY,
  bytes: 1024 * 1024,
  lockMs: 50,
  checkpointEvery: 32,
  rowsAfter: (rows) => rows,
};

/** Number of rows in a transaction, and for how many milliseconds it held the writer's lock. */
export type BatchStats = { rows: number; lockHeldMs: number };

/**
 * Writes `rows` in IMMEDIATE transactions of a few milliseconds. It yields after each, so that the caller can pause for other writers. The
 * number of rows adapts to the measured times. `bytesOf` limits each transaction to one disk flush. `finish` ends each transaction with its
 * written rows. Rows are read from `rows` just before each transaction, to limit memory. Checkpoints run between transactions, so that no
 * writer waits for them.
 */
export function inShortTransactions<T>(
  database: Database,
  clock: Clock,
  rows: Iterable<T>,
  write: (row: T) => void,
  bytesOf: (row: T) => number = () => 0,
  finish: (written: readonly T[]) => void = () => {},
): Generator<BatchStats> {
  return inTransactions(database, clock, rows, { write, bytesOf, finish }, short);
}

/**
 * Does the same in transactions of about 1 MB that accept no further row after 50 ms. Rows in key order share pages, so few transactions
 * write each page once.
 */
export function inLargeTransactions<T>(
  database: Database,
  clock: Clock,
  rows: Iterable<T>,
  write: (row: T) => void,
  bytesOf: (row: T) => number,
  finish: (written: readonly T[]) => void = () => {},
): Generator<BatchStats> {
  return inTransactions(database, clock, rows, { write, bytesOf, finish }, large);
}

type RowWork<T> = {
  write: (row: T) => void;
  bytesOf: (row: T) => number;
  finish: (written: readonly T[]) => void;
};

function* inTransactions<T>(
  database: Database,
  clock: Clock,
  rows: Iterable<T>,
  { write, bytesOf, finish }: RowWork<T>,
  bounds: Bounds,
): Generator<BatchStats> {
  let max = bounds;
  let chunks = 0;
  const source = rows[Symbol.iterator]();
  for (let waiting = filled<T>([], source, max, bytesOf); waiting.length > 0; ) {
    const end = Math.min(waiting.length, max.rows);
    let written = 0;
    let startedMs = 0;
    writeTransaction(database, () => {
      startedMs = clock.monotonicMs();
      do {
        write(waiting[written]!);
        written += 1;
      } while (written < end && clock.monotonicMs() - startedMs < max.lockMs);
      finish(waiting.slice(0, written));
    });
    const lockHeldMs = clock.monotonicMs() - startedMs;
    max = { ...max, rows: max.rowsAfter(max.rows, lockHeldMs) };
    chunks += 1;
    // Within a caller's transaction there is nothing to checkpoint yet.
    if (chunks % max.checkpointEvery === 0 && !database.$client.inTransaction) checkpoint(database);
    yield { rows: written, lockHeldMs };
    waiting = filled(waiting.slice(written), source, max, bytesOf);
  }
}

/** Adds rows to `waiting` until it has `rows` rows or `bytes` bytes. */
function filled<T>(
  waiting: T[],
  source: Iterator<T>,
  max: { rows: number; bytes: number },
  bytesOf: (row: T) => number,
): T[] {
  let bytes = waiting.reduce((sum, row) => sum + bytesOf(row), 0);
  while (waiting.length < max.rows && bytes < max.bytes) {
    const next = source.next();
    if (next.done === true) break;
    waiting.push(next.value);
    bytes += bytesOf(next.value);
  }
  return waiting;
}

/** Pauses as long as the lock was held, and at least until a waiting writer's next attempt. */
export function pauseAfter({ lockHeldMs }: BatchStats): Promise<void> {
  return sleep(Math.max(pauseMsMin, lockHeldMs));
}

/** Handles signals between two transactions on a file that no server has open. */
export function turnOfLoop(): Promise<void> {
  return setImmediate();
}

/** Runs `work` in one short transaction. */
export function inOneTransaction(database: Database, clock: Clock, work: () => void, rows = 1): BatchStats {
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    work();
  });
  return { rows, lockHeldMs: clock.monotonicMs() - startedMs };
}

/**
 * Runs `work`, which may write megabytes, in one transaction and checkpoints right after the commit. Otherwise the next batch of charges
 * would wait for the checkpoint.
 */
export function inWrittenBackTransaction(database: Database, clock: Clock, work: () => void, rows = 1): BatchStats {
  const batch = inOneTransaction(database, clock, work, rows);
  checkpointAfterCommit(database);
  return batch;
}

/** Runs all batches with a pause after each. `lockHeldMsMax` is the longest time for which the writer's lock was held. */
export async function runBatches<T>(
  batches: Generator<BatchStats, T>,
  pause: (stats: BatchStats) => Promise<void> = pauseAfter,
): Promise<{ value: T; lockHeldMsMax: number }> {
  let lockHeldMsMax = 0;
  let batch = batches.next();
  for (; batch.done !== true; batch = batches.next()) {
    lockHeldMsMax = Math.max(lockHeldMsMax, batch.value.lockHeldMs);
    await pause(batch.value);
  }
  return { value: batch.value, lockHeldMsMax };
}

/** Runs all batches without pauses, for a file that no other process has open. */
export function runAtOnce<T>(batches: Generator<unknown, T>): T {
  let batch = batches.next();
  while (batch.done !== true) batch = batches.next();
  return batch.value;
}
