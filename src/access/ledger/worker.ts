// Entry of the ledger's thread: a thread starts with a file of its own.
import { closeDatabase, openWriter } from "../../store/database.ts";
import { serveThread } from "../../worker/host.ts";
import {
  CommitFailure,
  type CommitFailureKind,
  type EncodedReplies,
  encodeReplies,
  type LedgerRequest,
} from "./ledger.ts";
import { LedgerTransactions } from "./transactions.ts";

/** Replies of one committed batch, or why nothing of it was written. */
export type CommitAnswer = EncodedReplies | { kind: CommitFailureKind; cause: string };

/** Maximum time a commit waits for another writer. It blocks this thread only. */
const busyMs = 250;

// This thread owns the only writing handle of the ledger.
serveThread(({ path }: { path: string }) => {
  const database = openWriter(path, busyMs);
  const transactions = new LedgerTransactions(database);
  return {
    answer(batch: readonly LedgerRequest[]): CommitAnswer {
      try {
        return encodeReplies(transactions.commit(batch));
      } catch (error) {
        const { kind, message: cause } = CommitFailure.from(error);
        return { kind, cause };
      }
    },
    close: () => closeDatabase(database),
  };
});
