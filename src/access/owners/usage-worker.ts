// Entry point of the thread that counts usage. A thread starts with a file of its own.
import { closeDatabase, openReader } from "../../store/database.ts";
import { type DailyUse, type KeyUse, OwnerUsageReads } from "../../store/read/owner-reads.ts";
import { hourMs } from "../../values/time/calendar.ts";
import { serveThread } from "../../worker/thread.ts";

/** Usage counts per grouping. */
export type UsageCounts = { day: DailyUse[]; key: KeyUse[] };
/** Instants are UTC ms. `untilAt` is exclusive. */
export type UsageRequest = { by: keyof UsageCounts; accountId: string; fromAt: number; untilAt: number };

/** Maximum time by which the ledger's clock may precede the instant in a request's id. */
const ledgerSkewMs = hourMs;

serveThread(({ databasePath }: { databasePath: string }) => {
  const database = openReader(databasePath);
  const reads = new OwnerUsageReads(database);
  return {
    answer: ({ by, accountId, fromAt, untilAt }: UsageRequest): DailyUse[] | KeyUse[] =>
      by === "day"
        ? reads.byDay(accountId, fromAt, untilAt, ledgerSkewMs)
        : reads.byKey(accountId, fromAt, untilAt, ledgerSkewMs),
    close: () => closeDatabase(database),
  };
});
