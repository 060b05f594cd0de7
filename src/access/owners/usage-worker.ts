// Entry of the thread that counts usage: a thread starts with a file of its own.
import { closeDatabase, openReader } from "../../store/database.ts";
import { type DailyUse, OwnerUsageReads } from "../../store/owner-reads.ts";
import { hourMs } from "../../values/calendar.ts";
import { serveThread } from "../../worker/host.ts";

/** Instants are UTC ms; `untilAt` is outside. */
export type UsageRequest = { accountId: string; fromAt: number; untilAt: number };

/** Maximum distance of the ledger's clock before the instant in a request's id. */
const ledgerSkewMs = hourMs;

serveThread(({ databasePath }: { databasePath: string }) => {
  const database = openReader(databasePath);
  const reads = new OwnerUsageReads(database);
  return {
    answer: ({ accountId, fromAt, untilAt }: UsageRequest): DailyUse[] =>
      reads.byDay(accountId, fromAt, untilAt, ledgerSkewMs),
    close: () => closeDatabase(database),
  };
});
