import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../src/values/time/clock.ts";
import { type Ring, type RingName, rings } from "./rings.ts";

/**
 * Runs what the suite runs in short at length: `npm run night -- --minutes 480`. Rounds of all rings take turns by the time that each
 * has had. Sizes, seeds and faults are kept in `--state`, so that the next night goes on with new seeds. With `--seed S` the first round
 * of each ring has the seed S, the second S + 1 and so on. `--ring NAME --seed S --rounds 1` runs one round again, as a fault names it,
 * and is not kept. Each round is named on standard error before it begins. Exit code 1 after any fault.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    ring: { type: "string", multiple: true, default: [] },
    seed: { type: "string" },
    rounds: { type: "string", default: "1000000000" },
    state: { type: "string", default: join(tmpdir(), "itemtape-night.json") },
  },
});

/** What all nights did of a ring. `seed`: of the next round. */
type Progress = { seed: number; rounds: number; size: number; seconds: number; faults: string[] };

const names = Object.keys(rings) as RingName[];
const unknown = values.ring.find((name) => !names.includes(name as RingName));
if (unknown !== undefined) refuse(`--ring: takes ${names.join(", ")}, not \`${unknown}\``);
const chosen = values.ring.length === 0 ? names : (values.ring as RingName[]);
const endsAtMs = systemClock.monotonicMs() + whole("minutes", values.minutes) * 60_000;
const roundsMax = whole("rounds", values.rounds);
const firstSeed = values.seed === undefined ? null : whole("seed", values.seed);
const progress = readProgress();
const tonight = new Map(chosen.map((name) => [name, { rounds: 0, size: 0, seconds: 0, faults: 0 }]));

process.stdout.write(`${chosen.join(", ")} for ${values.minutes} minutes, state in ${values.state}\n`);
for (let rounds = 0; rounds < roundsMax && systemClock.monotonicMs() < endsAtMs; rounds += 1) await playNext();
report();

/** One round of the ring that had the least time tonight. */
async function playNext(): Promise<void> {
  const [name] = [...tonight].reduce((least, one) => (one[1].seconds < least[1].seconds ? one : least));
  const ring: Ring = rings[name];
  const kept = progress[name];
  const seed = firstSeed === null ? kept.seed : firstSeed + tonight.get(name)!.rounds;
  const beganMs = systemClock.monotonicMs();
  // Before the round: one that never ends, or takes this program with it, is named by the last line.
  process.stderr.write(`${new Date(systemClock.now()).toISOString().slice(11, 19)} ${name}, seed ${seed}\n`);
  const { size, faults } = await ring
    .round(seed)
    .catch((error: Error) => ({ size: 0, faults: [error.stack || String(error)] }));
  const seconds = (systemClock.monotonicMs() - beganMs) / 1000;
  const night = tonight.get(name)!;
  night.rounds += 1;
  night.size += size;
  night.seconds += seconds;
  night.faults += faults.length;
  for (const fault of faults) {
    const again = `npm run night -- --ring ${name} --seed ${seed} --rounds 1`;
    process.stdout.write(`\n${name}: ${fault}\n  again: ${again}\n`);
    kept.faults.push(`seed ${seed}: ${fault}`);
  }
  // Seeds that were chosen are no part of the row that nights go through.
  if (firstSeed === null) kept.seed = seed + 1;
  kept.rounds += 1;
  kept.size += size;
  kept.seconds += seconds;
  // A round that is run again on purpose counts for no night.
  if (firstSeed === null || roundsMax > 1) writeProgress();
}

function report(): void {
  const rows = chosen.map((name) => {
    const { unit, goal } = rings[name];
    const { size, seconds, faults } = tonight.get(name)!;
    const { size: all, faults: known } = progress[name];
    const figures = `${size} ${unit} in ${Math.round(seconds)} s, ${faults} faults`;
    return `${name.padEnd(11)}${figures.padEnd(76)}all nights: ${all} of ${goal}, ${known.length} faults`;
  });
  process.stdout.write(`\n${rows.join("\n")}\n`);
  process.exitCode = [...tonight.values()].some(({ faults }) => faults > 0) ? 1 : 0;
}

function readProgress(): Record<RingName, Progress> {
  const none = (): Progress => ({ seed: 1, rounds: 0, size: 0, seconds: 0, faults: [] });
  const kept = existsSync(values.state) ? JSON.parse(readFileSync(values.state, "utf8")) : {};
  return Object.fromEntries(names.map((name) => [name, kept[name] ?? none()])) as Record<RingName, Progress>;
}

/** In one step: a night that ends in the middle of it leaves the state of the round before. */
function writeProgress(): void {
  mkdirSync(dirname(values.state), { recursive: true });
  writeFileSync(`${values.state}.new`, `${JSON.stringify(progress, null, 2)}\n`);
  renameSync(`${values.state}.new`, values.state);
}

function whole(name: string, text: string): number {
  return /^[1-9][0-9]{0,9}$/.test(text)
    ? Number(text)
    : refuse(`--${name} must be a whole number from 1 on, not \`${text}\``);
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(64);
}
