import { writeSync } from "node:fs";
import { GroupCommitLedger } from "../../src/access/ledger/group-commit.ts";
import { type Charge, CommitFailure, type LedgerRequest } from "../../src/access/ledger/ledger.ts";
import { LedgerTransactions } from "../../src/access/ledger/transactions.ts";
import { openWriter } from "../../src/store/database.ts";
import { systemClock } from "../../src/values/time/clock.ts";

/**
 * The ledger in its own process, for faults of its system calls: DATABASE ACCOUNT KEY. Runs batches of charges, and an export's admission
 * and end, once each. Prints `answered ID` if granted and `refused ID CODE` if not. Prints `fatal` and exits with 1 if storage failed for
 * good. Transactions run in the main thread, because the tracer counts its calls.
 */
const [path = "", accountId = "", keyId = ""] = process.argv.slice(2);
const database = openWriter(path, 250);
const transactions = new LedgerTransactions(database);
const ledger = new GroupCommitLedger({
  async commit(batch: readonly LedgerRequest[]) {
    try {
      return transactions.commit(batch);
    } catch (error) {
      throw CommitFailure.from(error);
    }
  },
  lost: new Promise(() => {}),
  close: async () => void database.$client.close(),
});
ledger.fatal.then((error) => {
  say(`fatal ${error.message}`);
  process.exit(1);
});

let count = 0;
for (const size of [1, 3, 1])
  await Promise.all(Array.from({ length: size }, () => granted((charge) => ledger.charge(charge))));
const leaseId = await granted((charge) => ledger.charge({ ...charge, kind: "reserve", plan: "paid" }));
await ledger.endLease(leaseId, "finished", systemClock.now()).catch(() => say("the lease was not ended"));
await granted((charge) => ledger.charge(charge));
await ledger.close();
say("closed");

async function granted(ask: (charge: Charge) => Promise<unknown>): Promise<string> {
  count += 1;
  const requestId = `req_${process.pid}_${count}`;
  try {
    await ask({
      kind: "charge",
      requestId,
      accountId,
      keyId,
      operation: "getItem",
      plan: "free",
      at: systemClock.now(),
    });
    say(`answered ${requestId}`);
  } catch (error) {
    say(`refused ${requestId} ${(error as { code?: string }).code}`);
  }
  return requestId;
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
