import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { type FaultName, faultNames } from "./faults.ts";
import { nodeRing } from "./ring.ts";

/**
 * Injects faults into three nodes behind nginx, on PostgreSQL with a standby: `npm test -- --long nodes --faults 60 --seed 1`. `--of` names
 * the kinds to draw from. Ends at the first broken promise with exit code 1 and prints how to reproduce it.
 */
const values = parseLongRunOrExit("nodes", {
  faults: { type: "string", default: "60" },
  seed: { type: "string", default: "1" },
  clients: { type: "string", default: "24" },
  of: { type: "string", default: faultNames.join(",") },
});
const of = values.of.split(",") as FaultName[];
for (const name of of)
  if (!faultNames.includes(name)) refuse(`--of: must be ${faultNames.join(", ")}, not \`${name}\``);
const seed = whole("seed");
const report = await nodeRing({
  count: whole("faults"),
  seed,
  clients: whole("clients"),
  of,
  onRound: (line) => process.stdout.write(`${line}\n`),
});
console.log(report);
if (report.faults.length > 0) {
  const rounds = Object.values(report.happened).reduce((sum, times) => sum + times, 0);
  console.log(`again: npm test -- --long nodes --faults ${rounds} --seed ${seed} --of ${of.join(",")}`);
  process.exitCode = 1;
}

function whole(name: "faults" | "seed" | "clients"): number {
  if (/^[1-9]\d{0,8}$/.test(values[name])) return Number(values[name]);
  return refuse(`--${name}: must be a whole number, not \`${values[name]}\``);
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(64);
}
