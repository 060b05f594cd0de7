import { closeDatabase, openWriter, writeTransaction } from "../../store/database.ts";
import { StoreRefusal } from "../../store/refusal.ts";
import { LedgerStore } from "../../store/write/ledger.ts";
import { WorkerThread } from "../../worker/thread.ts";
import { type BatchWriter, CommitFailure, type LedgerReply, type LedgerRequest } from "./ledger.ts";
import { decodeReplies } from "./reply-codec.ts";
import type { CommitAnswer } from "./worker.ts";

type LedgerThread = WorkerThread<readonly LedgerRequest[], CommitAnswer>;

const startBusyMs = 5000;

/** Commits batches in a thread of its own. It is not restarted: after its death nobody knows what was written. */
export class ThreadedWriter implements BatchWriter {
  readonly lost: Promise<Error>;
  readonly #thread: LedgerThread;
  #isClosing = false;

  /**
   * Starts the thread.
   * @throws {StoreRefusal} when the file at `path` cannot be written.
   */
  static async start(path: string): Promise<ThreadedWriter> {
    refuseUnlessWritable(path);
    const thread: LedgerThread = new WorkerThread({
      entry: "src/access/ledger/worker.ts",
      setup: { path },
    });
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
    if (answer instanceof Float64Array) return decodeReplies(answer);
    throw new CommitFailure(answer.kind, answer.cause);
  }

  /** Waits for a commit under way, however long it takes. */
  close(): Promise<void> {
    this.#isClosing = true;
    return this.#thread.close({ cut: false });
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
    closeDatabase(database);
  }
}
