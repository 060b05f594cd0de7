import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { openWriter, writeTransaction } from "../../store/database.ts";
import { StoreRefusal } from "../../store/refusal.ts";
import { LedgerStore } from "../../store/write/ledger.ts";
import { decodeReplies, encodeRequests, type ReplyWire, type RequestWire } from "./batch-codec.ts";
import {
  type BatchWriter,
  CommitFailure,
  type CommitFailureKind,
  type LedgerReply,
  type LedgerRequest,
} from "./ledger.ts";

const startBusyMs = 5000;

export type ToWorker = RequestWire | "close";
export type FromWorker = ReplyWire | { kind: CommitFailureKind; cause: string } | "ready";

type Waiter = { resolve(replies: LedgerReply[]): void; reject(failure: CommitFailure): void };

/** Commits batches in a thread of its own, one at a time. */
export class ThreadedWriter implements BatchWriter {
  readonly lost: Promise<Error>;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #waiter: Waiter | null = null;
  #lostBy: Error | null = null;
  #closing = false;

  /** Starts the thread. Rejects with StoreRefusal when the file at `path` cannot be written. */
  static async start(path: string): Promise<ThreadedWriter> {
    refuseUnlessWritable(path);
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), { workerData: { path } });
    await once(worker, "message");
    return new ThreadedWriter(worker);
  }

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: FromWorker) => this.#answer(message));
    this.#ended = new Promise((resolve) => worker.on("exit", () => resolve()));
    this.lost = new Promise((resolve) => {
      worker.on("error", (error) => resolve(this.#lose(error as Error)));
      this.#ended.then(() => {
        if (!this.#closing) resolve(this.#lose(new Error("the ledger's thread ended")));
      });
    });
  }

  commit(batch: readonly LedgerRequest[]): Promise<LedgerReply[]> {
    return new Promise((resolve, reject) => {
      if (this.#lostBy !== null) throw new CommitFailure("fatal", this.#lostBy.message);
      if (this.#waiter !== null) throw new Error("the ledger's thread takes one batch at a time");
      this.#waiter = { resolve, reject };
      this.#worker.postMessage(encodeRequests(batch) satisfies ToWorker);
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#worker.postMessage("close" satisfies ToWorker);
    await this.#ended;
  }

  #answer(message: FromWorker): void {
    const waiter = this.#waiter;
    this.#waiter = null;
    if (waiter === null || message === "ready") return;
    if (message instanceof Float64Array) waiter.resolve(decodeReplies(message));
    else waiter.reject(new CommitFailure(message.kind, message.cause));
  }

  #lose(error: Error): Error {
    this.#lostBy ??= error;
    this.#waiter?.reject(new CommitFailure("fatal", error.message));
    this.#waiter = null;
    return error;
  }
}

/** SQLite opens a read-only file without complaint, and only its first real write fails. */
function refuseUnlessWritable(path: string): void {
  const database = openWriter(path, startBusyMs);
  try {
    const ledger = new LedgerStore(database);
    writeTransaction(database, () => ledger.setHighWater(ledger.highWater()));
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    database.$client.close();
  }
}
