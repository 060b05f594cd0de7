import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { type WaitersReport, waitersRing } from "./waiters-ring.ts";

/**
 * Lets 900 requests wait at the server's default limits, and 5,000 with a higher `--connections-max`: `npm test -- --long waiters`. Prints
 * their costs and response times. `--waiters N` tests one number instead. Exit code 1 after a fault, such as more memory than 40 MB for
 * 900. Times are only printed.
 */
const values = parseLongRunOrExit("waiters", { waiters: { type: "string" } });
const connectionsDefault = 1024;

const counts = values.waiters === undefined ? [900, 5000] : [Number(values.waiters)];
if (counts.some((count) => !(Number.isInteger(count) && count > 0))) {
  process.stderr.write("--waiters: must be a whole number from 1 on\n");
  process.exit(64);
}
for (const waiters of counts) {
  const connectionsMax = Math.max(connectionsDefault, waiters + 100);
  const report = await waitersRing({ waiters, connectionsMax });
  process.stdout.write(`${textOf(report, connectionsMax)}\n`);
  for (const fault of report.faults) process.stdout.write(`FAULT ${fault}\n`);
  if (report.faults.length > 0) process.exitCode = 1;
}

function textOf({ waiters, heapBytes, wokenMs, stoppedMs, cpuUs }: WaitersReport, connectionsMax: number): string {
  const ms = (value: number) => `${Math.round(value)} ms`;
  return [
    `${waiters} waiters, connections-max ${connectionsMax}`,
    `  heap       ${(heapBytes / 1e6).toFixed(1)} MB, ${(heapBytes / waiters / 1000).toFixed(1)} kB each (at most 40 MB for 900)`,
    `  woken      p50 ${ms(wokenMs.p50)}, p99 ${ms(wokenMs.p99)}, last ${ms(wokenMs.max)} after the activation (goal of p99: 1000 ms)`,
    `  processor  ${Math.round(cpuUs / waiters)} us for each answer`,
    `  SIGTERM    last answer after ${ms(stoppedMs.max)}`,
  ].join("\n");
}
