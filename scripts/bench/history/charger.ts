import { createHistogram } from "node:perf_hooks";
import { GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { systemClock } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";

// Charges at a steady rate through the service's own ledger and its thread, in a process of its own.
const chargesPerS = 1000;
const ids = systemIds();
let ledger: GroupCommitLedger;
let keys: { keyId: string; accountId: string }[] = [];
let finishCharges: () => Promise<Record<string, number>>;

/** Opens the ledger of a file. */
export async function open(path: string): Promise<void> {
  const client = new SqliteDatabase(path, { readonly: true });
  keys = client.prepare("SELECT key_id AS keyId, account_id AS accountId FROM api_keys LIMIT 64").all() as typeof keys;
  client.close();
  ledger = await GroupCommitLedger.open(path);
}

/** Starts to charge. A charge counts from when it was due: a late one has waited, whoever held it up. */
export function start(): void {
  const histogram = createHistogram();
  const charges: Promise<void>[] = [];
  const startedMs = systemClock.monotonicMs();
  let refused = 0;
  const charge = async (number: number) => {
    const at = systemClock.now();
    const key = keys[number % keys.length]!;
    const operation = { operation: "getItem", plan: "paid" } as const;
    await ledger.charge({ kind: "charge", requestId: ids.requestId(at), ...key, ...operation, at }).catch(() => {
      refused += 1;
    });
    const dueMs = startedMs + (number * 1000) / chargesPerS;
    histogram.record(Math.max(1, Math.round((systemClock.monotonicMs() - dueMs) * 1000)));
  };
  const timer = setInterval(() => {
    const dueCount = ((systemClock.monotonicMs() - startedMs) * chargesPerS) / 1000;
    while (charges.length <= dueCount) charges.push(charge(charges.length));
  }, 1);
  finishCharges = async () => {
    clearInterval(timer);
    await Promise.all(charges);
    return {
      "charge p50 ms": histogram.percentile(50) / 1000,
      "charge p99 ms": histogram.percentile(99) / 1000,
      "longest charge ms": histogram.max / 1000,
      "charges/s": (histogram.count * 1000) / (systemClock.monotonicMs() - startedMs),
      refused,
    };
  };
}

/** Waits for the charges under way and returns the figures. */
export const finish = () => finishCharges();

export const close = () => ledger.close();
