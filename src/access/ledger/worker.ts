import { parentPort, workerData } from "node:worker_threads";
import { openWriter } from "../../store/database.ts";
import { decodeRequests, encodeReplies } from "./batch-codec.ts";
import { CommitFailure } from "./ledger.ts";
import { LedgerTransactions } from "./transactions.ts";
import type { FromWorker, ToWorker } from "./worker-client.ts";

/** How long a commit waits for another writer. It blocks this thread only. */
const busyMs = 250;

/** The thread that owns the only writing handle of the ledger. */
function work(port: NonNullable<typeof parentPort>): void {
  const { path } = workerData as { path: string };
  const database = openWriter(path, busyMs);
  const transactions = new LedgerTransactions(database);
  const say = (message: FromWorker) => port.postMessage(message);
  port.on("message", (message: ToWorker) => {
    if (message === "close") {
      database.$client.close();
      port.close();
      return;
    }
    try {
      say(encodeReplies(transactions.commit(decodeRequests(message))));
    } catch (error) {
      const { kind, message: cause } = CommitFailure.from(error);
      say({ kind, cause });
    }
  });
  say("ready");
}

if (parentPort !== null) work(parentPort);
