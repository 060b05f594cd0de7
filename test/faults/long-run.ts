import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { killRing } from "./kill-ring.ts";
import { syscallRing } from "./syscall-ring.ts";
import { tornRing } from "./torn-ring.ts";

/**
 * Runs the long fault tests, `npm test -- --long faults`: kills under load, failing system calls (needs strace), torn logs. A flag sets
 * each count. 0 skips the test. `--syscalls all` tests every write and sync. Prints each report. Exit code 1 if any of them has faults.
 */
const values = parseLongRunOrExit("faults", {
  kills: { type: "string", default: "60" },
  connections: { type: "string", default: "48" },
  syscalls: { type: "string", default: "all" },
  torn: { type: "string", default: "10000" },
  seed: { type: "string", default: "1" },
});

let faults = 0;
const seed = whole("seed");
const kills = whole("kills");
if (kills > 0) report("kill -9 under load", await killRing({ kills, connections: whole("connections"), seed }));
const pointsMax = values.syscalls === "all" ? Number.POSITIVE_INFINITY : whole("syscalls");
if (pointsMax > 0) report("failing system calls", await syscallRing({ pointsMax }));
const casesMin = whole("torn");
if (casesMin > 0) report("torn logs", tornRing({ casesMin, seed }));
process.exitCode = faults === 0 ? 0 : 1;

function report(name: string, found: { faults: readonly string[] }): void {
  faults += found.faults.length;
  console.log(name, found);
}

function whole(name: keyof typeof values): number {
  const text = values[name];
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${name}: must be a whole number, not \`${text}\``);
  process.exit(64);
}
