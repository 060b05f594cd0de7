// Entry point of the ledger's thread. A thread starts with a file of its own.

import { closeDatabase, openWriter } from "../../store/database.ts";
import { type CheckpointEvent, Checkpoints } from "../../store/file/checkpoints.ts";
import { isFull } from "../../store/file/refusal.ts";
import { systemClock } from "../../values/time/clock.ts";
import { serveThread, type WorkerContext } from "../../worker/thread.ts";
import { CommitFailure, type CommitFailureKind, type LedgerReply, type LedgerRequest } from "./ledger.ts";
import { LedgerTransactions } from "./transactions.ts";

/** Replies of one committed batch, or the reason why nothing was written. */
export type CommitAnswer = LedgerReply[] | { kind: CommitFailureKind; cause: string };

/** Maximum time a commit waits for other writers, such as a publication on a slow disk. It blocks this thread only. */
const busyMs = 2000;

/** Time between two checks of the log, because other processes also write to it. */
const checkIntervalMs = 1000;

/** `walBytesMax`: bytes of write-ahead log. While a reader holds back more, charges are refused. */
export type LedgerSetup = { path: string; walBytesMax: number };

// This thread owns the only writing handle of the ledger.
serveThread(({ path, walBytesMax }: LedgerSetup, { emit }: WorkerContext<CheckpointEvent>) => {
  const database = openWriter(path, busyMs, { keeps: "none" });
  const transactions = new LedgerTransactions(database);
  const checkpoints = new Checkpoints(database, walBytesMax, systemClock, emit);
  // An error ends the thread, and with it the server.
  const looks = setInterval(() => checkpoints.everySecond(), checkIntervalMs);
  let isOpen = true;
  const commit = (batch: readonly LedgerRequest[]) => {
    try {
      return transactions.commit(batch);
    } catch (error) {
      if (!isFull(error, path) || !checkpoints.restartLog()) throw error;
      return transactions.commit(batch);
    }
  };
  return {
    answer(batch: readonly LedgerRequest[]): CommitAnswer {
      if (checkpoints.isOverfull()) return { kind: "refused", cause: "the write-ahead log has reached its bound" };
      try {
        const replies = commit(batch);
        // Runs after the reply, so that no request waits for it.
        setImmediate(() => isOpen && checkpoints.afterCommit(batch.length));
        return replies;
      } catch (error) {
        const { kind, message: cause } = CommitFailure.from(error);
        return { kind: isFull(error, path) ? "refused" : kind, cause };
      }
    },
    close() {
      isOpen = false;
      clearInterval(looks);
      closeDatabase(database);
    },
  };
});
