import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { type Ring, type RingName, rings } from "./rings.ts";

/**
 * Plays rounds of all rings by turns, each from a seed of its own, for `npm test -- --long night --minutes 480`. The ring with the least time
 * is next. `--ring NAME --seed S --rounds 1` plays one round again, as a fault names it. Without `--seed` the seeds begin with the
 * minutes since 1970, so that each night has others. Names each round on standard error before it begins. Exit code 1 after any fault.
 */
const values = parseLongRunOrExit("night", {
  minutes: { type: "string", default: "10" },
  ring: { type: "string", multiple: true, default: [] },
  seed: { type: "string", default: String(Math.floor(systemClock.now() / 60_000)) },
  rounds: { type: "string", default: "1000000000" },
});

const names = Object.keys(rings) as RingName[];
const unknown = values.ring.find((name) => !names.includes(name as RingName));
if (unknown !== undefined) refuse(`--ring: must be ${names.join(", ")}, not \`${unknown}\``);
const chosen = values.ring.length === 0 ? names : (values.ring as RingName[]);
const firstSeed = whole("seed", values.seed);
const endsAtMs = systemClock.monotonicMs() + whole("minutes", values.minutes) * 60_000;
const roundsMax = whole("rounds", values.rounds);
const played = new Map(chosen.map((name) => [name, { rounds: 0, size: 0, seconds: 0, faults: 0 }]));

for (let rounds = 0; rounds < roundsMax && systemClock.monotonicMs() < endsAtMs; rounds += 1) await playNext();
for (const [name, { size, seconds, faults }] of played)
  process.stdout.write(`${name.padEnd(11)}${size} ${rings[name].unit} in ${Math.round(seconds)} s, ${faults} faults\n`);
process.exitCode = [...played.values()].some(({ faults }) => faults > 0) ? 1 : 0;

/** Plays a round of the ring that had the least time. */
async function playNext(): Promise<void> {
  const [name, counts] = [...played].reduce((least, one) => (one[1].seconds < least[1].seconds ? one : least));
  const ring: Ring = rings[name];
  const seed = firstSeed + counts.rounds;
  const beganMs = systemClock.monotonicMs();
  // Before the round: the last line names a round that never ends.
  process.stderr.write(`${new Date(systemClock.now()).toISOString().slice(11, 19)} ${name}, seed ${seed}\n`);
  const { size, faults } = await ring
    .round(seed)
    .catch((error: Error) => ({ size: 0, faults: [error.stack || String(error)] }));
  counts.rounds += 1;
  counts.size += size;
  counts.seconds += (systemClock.monotonicMs() - beganMs) / 1000;
  counts.faults += faults.length;
  const again = `npm test -- --long night --ring ${name} --seed ${seed} --rounds 1`;
  for (const fault of faults) process.stdout.write(`\n${name}: ${fault}\n  again: ${again}\n`);
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
