import { setTimeout as sleep } from "node:timers/promises";
import { closeDatabase, openWriter, writeTransaction } from "../../../src/store/database.ts";

/**
 * Writes to the file PATH beside a ledger, TURNS times. Prints for each transaction the number of charges committed during its wait, or -1
 * if the lock was busy for a second.
 */
const [path = "", turns = "1"] = process.argv.slice(2);
const database = openWriter(path, 1000);
const charges = database.$client.prepare<[], number>("SELECT count(*) FROM usage_events").pluck();
const counts: number[] = [];
for (let turn = 0; turn < Number(turns); turn += 1) {
  await sleep(turn % 7);
  const before = charges.get()!;
  try {
    counts.push(writeTransaction(database, () => charges.get()!) - before);
  } catch {
    counts.push(-1);
  }
}
closeDatabase(database);
process.stdout.write(JSON.stringify(counts));
