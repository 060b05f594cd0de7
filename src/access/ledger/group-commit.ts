import { closeDatabase, openWriter } from "../../store/database.ts";
import type { CheckpointEvent } from "../../store/file/checkpoints.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { rewriteClock } from "../../store/write/ledger.ts";
import { systemClock } from "../../values/time/clock.ts";
import { WorkerThread } from "../../worker/thread.ts";
import {
  type BatchWriter,
  type Charge,
  type Charged,
  CommitFailure,
  type CommitFailureKind,
  type LeaseEnd,
  type Ledger,
  LedgerRefusal,
  type LedgerReply,
  type LedgerRequest,
} from "./ledger.ts";
import type { CommitAnswer, LedgerSetup } from "./worker.ts";

/** Maximum requests of one transaction. Further requests wait for the next one. */
export const batchRequestsMax = 256;

/** With fewer waiting requests, the next commit waits for more. */
const batchRequestsFew = 16;
/** Turns of the event loop to wait: responses are sent in the first one, and their clients send new requests in the second. */
const turnsAfterAnswers = 2;

const busyRetryS = 1;
const leaseEndAttemptsMax = 3;
/** Maximum time the start waits for another writer. */
const startBusyMs = 5000;

/**
 * A batch that the writer has processed. `charged` contains the operation of each charged unit. `failure` is the kind of failure that
 * refused the batch, null if it was committed.
 */
export type BatchReport = {
  requests: number;
  charged: readonly string[];
  duration_ms: number;
  failure: CommitFailureKind | null;
};

type Waiting = {
  request: LedgerRequest;
  attempts: number;
  complete(reply: LedgerReply): void;
  reject(error: unknown): void;
};

/**
 * Collects requests into batches: requests that arrive during a commit go into the next one. A failed commit refuses every request of its
 * batch and charges none of them.
 */
export class GroupCommitLedger implements Ledger {
  readonly fatal: Promise<Error>;
  readonly #writer: BatchWriter;
  readonly #onBatch: ((report: BatchReport) => void) | null;
  #queue: Waiting[] = [];
  #committing: Promise<void> | null = null;
  #stopped = false;
  #fail: (error: Error) => void = () => {};

  /**
   * Opens the ledger with its writer in a thread. `walBytesMax` limits the bytes of write-ahead log that a reader may hold back; above it
   * charges are refused. Pass null as `onBatch` to skip batch reports.
   * @throws {StoreRefusal} when the file at `path` cannot be opened for durable writing.
   */
  static async open(
    path: string,
    walBytesMax = Number.POSITIVE_INFINITY,
    onCheckpoint: (event: CheckpointEvent) => void = () => {},
    onBatch: ((report: BatchReport) => void) | null = null,
  ): Promise<GroupCommitLedger> {
    return new GroupCommitLedger(await ThreadedWriter.start(path, walBytesMax, onCheckpoint), onBatch);
  }

  constructor(writer: BatchWriter, onBatch: ((report: BatchReport) => void) | null = null) {
    this.#writer = writer;
    this.#onBatch = onBatch;
    this.fatal = new Promise((resolve) => {
      this.#fail = (error) => {
        this.#stopped = true;
        resolve(error);
      };
    });
    writer.lost.then((error) => this.#fail(error));
  }

  charge(charge: Charge): Promise<Charged> {
    return this.ask(charge, chargedBy);
  }

  endLease(leaseId: string, how: LeaseEnd, at: number): Promise<void> {
    return this.ask({ kind: "end", leaseId, how, at }, () => undefined);
  }

  async probe(): Promise<void> {
    if (this.#stopped) throw new Error("the ledger has stopped");
    try {
      await this.#writer.commit([]);
    } catch (error) {
      const failure = CommitFailure.from(error);
      if (failure.kind === "fatal") this.#fail(failure);
      throw failure;
    }
  }

  async close(): Promise<void> {
    while (this.#committing !== null) await this.#committing;
    this.#stopped = true;
    await this.#writer.close();
  }

  /** Resolves to the result of `take` on the reply, or rejects with its error. It creates one promise per request. */
  protected ask<T>(request: LedgerRequest, take: (reply: LedgerReply) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.accepts) return reject(unavailable());
      const complete = (reply: LedgerReply) => {
        try {
          resolve(take(reply));
        } catch (error) {
          reject(error);
        }
      };
      this.#queue.push({ request, attempts: 0, complete, reject });
      this.#committing ??= this.#commitAll();
    });
  }

  /** Whether a request may wait for a commit now. Otherwise it is refused at once. */
  protected get accepts(): boolean {
    return !this.#stopped;
  }

  /** Refuses the requests that wait for the next commit. */
  protected refuseWaiting(): void {
    for (const waiting of this.#queue.splice(0)) waiting.reject(unavailable());
  }

  /** Returns the charged requests. */
  protected chargedIn(requests: readonly LedgerRequest[], replies: readonly LedgerReply[]): Charge[] {
    return requests.filter(
      (request, index): request is Charge => request.kind !== "end" && replies[index]?.kind === "charged",
    );
  }

  /** Commits until the queue is empty. It begins after the current turn, so that all requests of the turn share one commit. */
  async #commitAll(): Promise<void> {
    await new Promise(setImmediate);
    let commit = this.#begin();
    while (commit !== null) {
      const { batch, startedMs, replied } = commit;
      commit = null;
      let replies: readonly LedgerReply[] = [];
      let failure: CommitFailure | null = null;
      try {
        replies = await replied;
        // Starts the next commit first, so that the writer works while responses are sent.
        if (this.#queue.length >= batchRequestsFew) commit = this.#begin();
        batch.forEach((waiting, index) => {
          waiting.complete(replies[index] as LedgerReply);
        });
      } catch (error) {
        failure = CommitFailure.from(error);
        this.#refuse(batch, failure);
      }
      this.#report(batch, replies, startedMs, failure);
      if (commit !== null) continue;
      if (batch.length + this.#queue.length > 1) await this.#gather();
      commit = this.#begin();
    }
    this.#committing = null;
  }

  /** Begins to commit the waiting requests. Returns null if the queue is empty. */
  #begin(): { batch: Waiting[]; startedMs: number; replied: Promise<readonly LedgerReply[]> } | null {
    if (this.#queue.length === 0) return null;
    const batch = this.#queue.slice(0, batchRequestsMax);
    this.#queue = this.#queue.slice(batchRequestsMax);
    const startedMs = this.#onBatch === null ? 0 : systemClock.monotonicMs();
    return { batch, startedMs, replied: this.#commit(batch.map((waiting) => waiting.request)) };
  }

  /** Calls the writer. A synchronous error refuses only this batch, not the batch that is being answered. */
  #commit(requests: readonly LedgerRequest[]): Promise<readonly LedgerReply[]> {
    try {
      return this.#writer.commit(requests);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Waits for clients that send their next request at once, because a small commit costs nearly as much as a large one. */
  async #gather(): Promise<void> {
    for (let turn = 0; turn < turnsAfterAnswers && this.#queue.length < batchRequestsFew; turn += 1)
      await new Promise(setImmediate);
  }

  #report(
    batch: readonly Waiting[],
    replies: readonly LedgerReply[],
    startedMs: number,
    failure: CommitFailure | null,
  ): void {
    if (this.#onBatch === null) return;
    const requests = batch.map(({ request }) => request);
    const charged = this.chargedIn(requests, replies).map(({ operation }) => operation);
    const duration_ms = systemClock.monotonicMs() - startedMs;
    this.#onBatch({ requests: batch.length, charged, duration_ms, failure: failure?.kind ?? null });
  }

  #refuse(batch: readonly Waiting[], failure: CommitFailure): void {
    if (failure.kind === "fatal") this.#fail(failure);
    const refused = this.#stopped ? [...batch, ...this.#queue.splice(0)] : batch;
    for (const waiting of refused) {
      waiting.attempts += 1;
      // A lease that cannot be ended would hold its slot until it expires.
      if (waiting.request.kind === "end" && !this.#stopped && waiting.attempts < leaseEndAttemptsMax)
        this.#queue.push(waiting);
      else waiting.reject(failure.kind === "unexpected" ? failure : unavailable());
    }
  }
}

function chargedBy(reply: LedgerReply): Charged {
  if (reply.kind === "charged") {
    const { kind: _kind, ...granted } = reply;
    return granted;
  }
  if (reply.kind === "ended") throw new Error("the ledger answered another request");
  const { code, retryAfterS, month } = reply;
  throw new LedgerRefusal(code, retryAfterS === null ? {} : { retryAfterS }, month);
}

function unavailable(): LedgerRefusal {
  return new LedgerRefusal("service_unavailable", { retryAfterS: busyRetryS });
}

type LedgerThread = WorkerThread<readonly LedgerRequest[], CommitAnswer, CheckpointEvent>;

/** Commits batches in its own thread. The thread is not restarted: after its death the extent of the last write is unknown. */
class ThreadedWriter implements BatchWriter {
  readonly lost: Promise<Error>;
  readonly #thread: LedgerThread;
  #isClosing = false;

  /**
   * Starts the thread. `onCheckpoint` is called with each event of the write-ahead log.
   * @throws {StoreRefusal} when the file at `path` cannot be written.
   */
  static async start(
    path: string,
    walBytesMax: number,
    onCheckpoint: (event: CheckpointEvent) => void,
  ): Promise<ThreadedWriter> {
    refuseUnlessWritable(path);
    const setup: LedgerSetup = { path, walBytesMax };
    const thread: LedgerThread = new WorkerThread({ entry: "src/access/ledger/worker.ts", setup }, onCheckpoint);
    await thread.ready;
    return new ThreadedWriter(thread);
  }

  private constructor(thread: LedgerThread) {
    this.#thread = thread;
    this.lost = new Promise((resolve) => {
      thread.ended.then((reason) => {
        if (!this.#isClosing || thread.diedOf !== null) resolve(reason);
      });
    });
  }

  async commit(batch: readonly LedgerRequest[]): Promise<LedgerReply[]> {
    const answer = await this.#thread.ask(batch).catch((error: Error) => {
      throw new CommitFailure("fatal", error.message);
    });
    if ("kind" in answer) throw new CommitFailure(answer.kind, answer.cause);
    return answer;
  }

  /** Waits until the current commit has ended, without a limit. */
  close(): Promise<void> {
    this.#isClosing = true;
    return this.#thread.close({ cut: false });
  }
}

/** SQLite opens a read-only file without an error; only its first real write fails. */
function refuseUnlessWritable(path: string): void {
  const database = openWriter(path, startBusyMs, { keeps: "none" });
  try {
    rewriteClock(database);
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    closeDatabase(database);
  }
}
