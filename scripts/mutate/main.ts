import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseWordsOrExit } from "../support/flags.ts";
import { readEqual } from "./equal.ts";
import type { Mutant } from "./mutants.ts";
import { planOf } from "./plan.ts";
import { makeScratch } from "./scratch.ts";
import { tryAll, type Verdict } from "./trial.ts";

/**
 * Changes the sources of a folder one small change at a time, in a copy, and runs the tests that should notice:
 * `npm run mutate -- src/access [--count 400] [--seed 1] [--only group-commit]`. Prints the survivors and the share that was
 * killed. A run that was ended goes on where it was; what survived is tried again each time.
 */
const { values, positionals } = parseWordsOrExit(
  {
    count: { type: "string", default: "400" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    state: { type: "string", default: join(tmpdir(), "itemtape-mutate") },
  },
  "usage: npm run mutate -- FOLDER [--count N] [--seed N] [--only PART-OF-A-PATH] [--state FOLDER]",
);
const [folder] = positionals;
if (folder === undefined || !existsSync(folder)) {
  process.stderr.write("give a folder of the source, as in `npm run mutate -- src/access`\n");
  process.exit(64);
}
const [count, seed] = [Number(values.count), Number(values.seed)];

const { plans, whole } = planOf(folder, { count, seed });
const equal = readEqual();
const chosen = plans.flatMap(({ mutants }) => mutants);
// Of the sources as they are now: somebody may go on working on them meanwhile.
const keys = new Map(chosen.map((mutant) => [mutant.id, keyOf(mutant)]));
const killed = readKilled();
const known = chosen.filter(({ id }) => killed.has(keys.get(id)!)).length;
process.stdout.write(`${folder}: ${chosen.length} of ${whole} mutants, seed ${seed}; ${known} known as killed\n`);
const survivors: Mutant[] = [];
const scratch = makeScratch(new Map(plans.map(({ file, text }) => [file, text])));
process.on("SIGINT", () => process.exit(130));
process.on("exit", () => scratch.remove());
const left = plans
  .filter(({ file }) => file.includes(values.only))
  .map((plan) => ({
    ...plan,
    mutants: plan.mutants.filter((mutant) => !killed.has(keys.get(mutant.id)!) && !equal.has(mutant)),
  }))
  .filter(({ mutants }) => mutants.length > 0);
const byId = new Map(left.flatMap(({ mutants }) => mutants.map((mutant) => [mutant.id, mutant] as const)));
const note = (text: string) => void process.stderr.write(`${text}\n`);
await tryAll(left, { ...scratch, knownPath: knownPath(), seed, onVerdict, note });
report();

function onVerdict({ id, by }: Verdict): void {
  const mutant = byId.get(id)!;
  if (by === null) {
    survivors.push(mutant);
    process.stdout.write(`survived  ${line(mutant)}\n`);
    return;
  }
  killed.add(keys.get(id)!);
  appendFileSync(statePath(), `${keys.get(id)!}\t${by.replaceAll(/\s+/g, " ")}\n`);
}

function report(): void {
  const tried = chosen.filter(({ file }) => file.includes(values.only));
  const excluded = tried.filter((mutant) => equal.has(mutant)).length;
  const counted = tried.length - excluded;
  const dead = counted - survivors.length;
  const share = counted === 0 ? 100 : (100 * dead) / counted;
  process.stdout.write(
    `\n${folder}, seed ${seed}: ${dead} of ${counted} killed (${share.toFixed(1)} %), ${excluded} equal\n`,
  );
  for (const mutant of survivors) process.stdout.write(`  ${line(mutant)}\n`);
  process.exitCode = share >= 90 ? 0 : 1;
}

function line({ file, line: at, operator, from, to }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 90);
  return `${file}:${at}  ${operator}: ${short(from)}  ->  ${short(to) || "(nothing)"}`;
}

/** A mutant by its place in a source of this text: a change of the file makes all of it new. */
function keyOf({ file, offset, operator, to }: Mutant): string {
  const digest = createHash("sha256").update(readFileSync(file)).update(`${offset} ${operator} ${to}`).digest("hex");
  return `${file} ${digest.slice(0, 24)}`;
}

/** Another one after any change of the sources, the tests or what is drawn. */
function knownPath(): string {
  const hash = createHash("sha256").update(JSON.stringify([folder, count, seed, values.only]));
  for (const root of ["src", "test", "scripts/mutate"])
    for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }).sort())
      if (path.endsWith(".ts")) hash.update(path).update(readFileSync(join(root, path)));
  return join(dirname(statePath()), `known-${hash.digest("hex").slice(0, 16)}.json`);
}

function statePath(): string {
  mkdirSync(values.state, { recursive: true });
  return join(values.state, "killed.tsv");
}

function readKilled(): Set<string> {
  if (!existsSync(statePath())) return new Set();
  const lines = readFileSync(statePath(), "utf8").split("\n");
  return new Set(lines.map((text) => text.split("\t")[0] ?? "").filter((key) => key !== ""));
}
