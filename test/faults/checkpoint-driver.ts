import { openWriter } from "../../src/store/database.ts";
import { Checkpoints } from "../../src/store/file/checkpoints.ts";

// Writes to a file and checks its write-ahead log in each second of a minute, on a simulated clock. Prints a line for each event, and one
// for the result.
const [path = ""] = process.argv.slice(2);
const lines: string[] = [];
let seconds = 0;
const clock = { now: () => 0, monotonicMs: () => seconds * 1000 };
const database = openWriter(path, 1000);
const checkpoints = new Checkpoints(database, 1024 * 1024, clock, (event) => lines.push(JSON.stringify(event)));
const write = database.$client.prepare("UPDATE ledger_clock SET high_water_at = high_water_at + 1");
try {
  for (; seconds < 60; seconds += 1) {
    for (let count = 0; count < 10; count += 1) write.run();
    checkpoints.everySecond();
  }
  lines.push("went on");
} catch (error) {
  lines.push((error as Error).message);
}
process.stdout.write(`${lines.join("\n")}\n`);
