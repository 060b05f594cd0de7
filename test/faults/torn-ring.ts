import { readFileSync, writeFileSync } from "node:fs";
import type { LedgerReply } from "../../src/access/ledger/ledger.ts";
import { LedgerTransactions } from "../../src/access/ledger/transactions.ts";
import { openWriter } from "../../src/store/database.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { Random } from "../sim/random.ts";
import { FaultFile, ledgerFacts, type Person } from "./fault-file.ts";

/** Possible states of unsynced bytes after a power cut. */
const tailKinds = ["cut off", "zeroed", "garbled"] as const;
export type TornReport = {
  cases: number;
  /** Cases in which an unanswered commit survived whole. */
  survivors: number;
  /** Faults. Empty in a good run. */
  faults: string[];
};

type Torn = { base: Buffer; log: Buffer; ackedBytes: number; acked: readonly string[]; inDoubt: readonly string[] };

/**
 * Commits some batches, and one more that counts as unanswered. Damages the end of the write-ahead log at points within the last batch. All
 * earlier batches must be complete, and the next charge must work.
 */
export function tornRing({ casesMin = 400, seed = 1 } = {}): TornReport {
  const random = new Random(seed);
  const report: TornReport = { cases: 0, survivors: 0, faults: [] };
  const file = new FaultFile({ empty: true });
  try {
    const person = file.person();
    const torn = write(file, person);
    const places = Math.ceil(casesMin / tailKinds.length);
    const bytes = torn.log.length - torn.ackedBytes;
    for (let place = 0; place < places; place += 1) {
      const from = torn.ackedBytes + Math.floor((place * bytes) / places);
      for (const kind of tailKinds)
        checkOutcome({ file, person, torn, report }, kind, from, tail(kind, torn.log, from, random));
    }
    checkOutcome({ file, person, torn, report }, "whole", torn.log.length, torn.log);
    return report;
  } finally {
    file.remove();
  }
}

/** The file and its log as they are before the last checkpoint, with the length of the log at the last answer. */
function write(file: FaultFile, person: Person): Torn {
  const database = openWriter(file.path, 0);
  try {
    database.$client.pragma("wal_autocheckpoint = 0");
    const transactions = new LedgerTransactions(database);
    const acked = ["a", "b", "c"].flatMap((batch) => commit(transactions, person, batch, 4));
    const ackedBytes = readFileSync(`${file.path}-wal`).length;
    const inDoubt = commit(transactions, person, "d", 4);
    return { base: readFileSync(file.path), log: readFileSync(`${file.path}-wal`), ackedBytes, acked, inDoubt };
  } finally {
    database.$client.close();
  }
}

function commit(transactions: LedgerTransactions, person: Person, batch: string, size: number): string[] {
  const { accountId, keyId } = person;
  const requestIds = Array.from({ length: size }, (_, index) => `req_${batch}${index}`);
  const replies: LedgerReply[] = transactions.commit(
    requestIds.map((requestId, index) => {
      const at = systemClock.now();
      const isExport = batch === "d" && index === 0;
      const kind = isExport ? ("reserve" as const) : ("charge" as const);
      return { kind, requestId, accountId, keyId, operation: "getItem", plan: "paid", at };
    }),
  );
  if (replies.some((reply) => reply.kind !== "charged")) throw new Error("the ledger refused a charge");
  return requestIds;
}

function tail(kind: (typeof tailKinds)[number], log: Buffer, from: number, random: Random): Buffer {
  if (kind === "cut off") return log.subarray(0, from);
  const bytes = Buffer.from(log);
  if (kind === "zeroed") bytes.fill(0, from);
  else for (let at = from; at < bytes.length; at += 1) bytes[at] = random.between(0, 255);
  return bytes;
}

function checkOutcome(
  { file, person, torn, report }: { file: FaultFile; person: Person; torn: Torn; report: TornReport },
  kind: string,
  from: number,
  log: Buffer,
): void {
  writeFileSync(file.path, torn.base);
  writeFileSync(`${file.path}-wal`, log);
  writeFileSync(`${file.path}-shm`, "");
  const database = openWriter(file.path, 0);
  try {
    const { requestIds, faults } = ledgerFacts(database);
    const say = (isFault: boolean, what: string) => {
      if (isFault) report.faults.push(`${kind} from byte ${from}: ${what}`);
    };
    const survivors = torn.inDoubt.filter((id) => requestIds.has(id)).length;
    say(
      torn.acked.some((id) => !requestIds.has(id)),
      "an answered charge is lost",
    );
    say(survivors !== 0 && survivors !== torn.inDoubt.length, `${survivors} charges of one commit are left`);
    for (const fault of faults) say(true, fault);
    const [next] = commit(new LedgerTransactions(database), person, "e", 1);
    say(!ledgerFacts(database).requestIds.has(next!), "the next charge is not recorded");
    report.survivors += survivors > 0 ? 1 : 0;
    report.cases += 1;
  } finally {
    database.$client.close();
  }
}
