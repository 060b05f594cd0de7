import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { openTimingWorld, timingRing } from "./portfolio-timing.ts";

/**
 * Runs the timing test of portfolios at length: `--rounds` samples of each class of ids for each operation. Prints how each
 * class compares with an id that does not exist; exit code 1 if their times differ. `--ledger instant` leaves out the disk,
 * which shows differences that are too small for any client.
 */
const values = parseLongRunOrExit("timing", {
  rounds: { type: "string", default: "5000" },
  seed: { type: "string", default: "1" },
  ledger: { type: "string", default: "real" },
});

const subject = await openTimingWorld({ realLedger: values.ledger === "real" });
const { verdicts, reported } = await timingRing(subject, { rounds: Number(values.rounds), seed: Number(values.seed) });
await subject.world.stop();
for (const { operation, relation, verdict } of verdicts) {
  const { p, medianUs } = verdict;
  const line = `${operation.padEnd(27)}${relation.padEnd(18)}median ${medianUs.toFixed(2).padStart(7)} us  p ${p.toFixed(4)}`;
  process.stdout.write(`${line}\n`);
}
for (const { operation, relation } of reported) process.stdout.write(`told apart: ${operation}, ${relation}\n`);
process.exitCode = reported.length === 0 ? 0 : 1;
