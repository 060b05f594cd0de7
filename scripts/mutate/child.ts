import { readFileSync } from "node:fs";
import { relative } from "node:path";
import fc from "fast-check";
import Mocha from "mocha";

/** A test, the mutants that it reaches in this thread, and the most that it took without one: time, and time of the processor. */
type Reached = { title: string; file: string; ids: number[]; ms: number; cpuMs: number };
/**
 * What a first process learns: what tests reach, the test files that can be run again and again in one process, the mutants that are
 * read while files are loaded, which are tried in processes of their own, and how often mutated places were passed in all.
 */
export type Known = { reached: Reached[]; files: string[]; loading: number[]; passes: number };
/** What this process does: loads `tests`, then tries each mutant with those that reach it, else with those of its own `tests`. */
export type Order = {
  tests: string[];
  mutants: { id: number; tests: string[] }[];
  seed: number;
  timeoutMs: number;
  isAlone: boolean;
  known: Known | null;
};
/**
 * What it reports: `failing` test files without a mutant, what is `known` then, `begun` before a mutant is tried, its `verdict` after;
 * `unsure` when a test that noticed it goes on failing without it, which ends the process.
 */
export type Message =
  | { kind: "failing"; at: "start" | "again"; files: string[] }
  | { kind: "known"; known: Known }
  | { kind: "begun"; id: number; expectedCpuMs: number }
  | { kind: "verdict"; id: number; by: string | null }
  | { kind: "unsure"; id: number }
  | { kind: "done" };

/** Processor time of the tests that a mutant meets here: most fall to them. What survives meets all in a process of its own. */
const quickCpuMsMax = 1500;
/** A loop that a mutant never lets end is ended by an error at its next pass of a mutated place. */
const passesMin = 5_000_000;
/** Time for one test beyond twenty times of what it took without a mutant, so that a busy machine kills nothing. */
const slackMs = 4000;

type Mutation = { active: number; seen: Set<number> | null; passes: number; passesMax: number };
/** `isLate`: the first one to fail did so because its time was over. */
type Outcome = { failed: string | null; isLate: boolean; failing: string[] };

const order = JSON.parse(readFileSync(process.env.ITEMTAPE_MUTATE_ORDER ?? "", "utf8")) as Order;
const tell = (message: Message) => new Promise<void>((sent) => void process.send?.(message, () => sent()));
const mutation = () => (globalThis as unknown as { __mutation?: Mutation }).__mutation;

fc.configureGlobal({ seed: order.seed });
const mocha = new Mocha({ bail: true, timeout: order.timeoutMs, reporter: "min" });
mocha.cleanReferencesAfterRun(false);
mocha.reporter(class {} as never);
for (const file of order.tests) mocha.addFile(file);
// Faults of a mutant may come when nobody waits for them any more.
process.on("unhandledRejection", () => undefined);
process.on("disconnect", () => process.exit(1));

if (order.isAlone) await runAlone();
else await runAll();
await tell({ kind: "done" });
process.exit(0);

/** Runs every test with the mutant that the environment names, in a process of its own. */
async function runAlone(): Promise<void> {
  const id = order.mutants[0]?.id ?? 0;
  await tell({ kind: "begun", id, expectedCpuMs: 0 });
  let by: string | null;
  try {
    await mocha.loadFilesAsync();
    const { failed, isLate } = await run(() => true);
    by = failed && (isLate ? `${failed} (no end)` : failed);
  } catch (error) {
    by = `loading: ${(error as Error).message}`;
  }
  await tell({ kind: "verdict", id, by });
}

/** Runs the quick ones of the tests that reach each mutant, one mutant after another. */
async function runAll(): Promise<void> {
  const loading = await load();
  const tests = testsIn(mocha.suite);
  const fileOf = new Map(tests.map((test) => [test.fullTitle(), relative(process.cwd(), test.file ?? "")]));
  const known = order.known ?? (await learn(fileOf, loading));
  const left = new Set(known.files);
  const usable = known.reached.filter(({ file }) => left.has(file)).sort((a, b) => a.cpuMs - b.cpuMs);
  const limits = new Map(known.reached.map(({ title, ms }) => [title, slackMs + 20 * ms]));
  for (const test of tests) test.timeout(limits.get(test.fullTitle()) ?? order.timeoutMs);
  const state = mutation();
  if (state !== undefined) state.passesMax = passesMin + 3 * known.passes;
  const reachedIds = new Map<number, Reached[]>();
  for (const one of usable) for (const id of one.ids) reachedIds.set(id, [...(reachedIds.get(id) ?? []), one]);
  const killers = new Set<string>();
  for (const { id, tests: own } of order.mutants) {
    const reaching = reachedIds.get(id) ?? usable.filter(({ file }) => own.includes(file));
    const quick = quickOf(reaching);
    await tell({ kind: "begun", id, expectedCpuMs: quick.reduce((sum, { cpuMs }) => sum + cpuMs, 0) });
    const failed = known.loading.includes(id)
      ? null
      : await tryOne(id, new Set(quick.map(({ title }) => title)), killers);
    await tell({ kind: "verdict", id, by: failed });
    if (failed !== null) killers.add(failed);
  }
}

/** Returns the mutants that are passed while the files are loaded, which no later activation changes. */
async function load(): Promise<number[]> {
  await mocha.loadFilesAsync();
  return [...(mutation()?.seen ?? [])];
}

/**
 * Returns the title of the test that noticed a mutant. Those that noticed another one run first. A test that went on for too long counts
 * only if it does so in a process of its own.
 */
async function tryOne(id: number, titles: ReadonlySet<string>, killers: ReadonlySet<string>): Promise<string | null> {
  const first = new Set([...titles].filter((title) => killers.has(title)));
  activate(id);
  let outcome = first.size > 0 ? await run((title) => first.has(title)) : null;
  if (!outcome?.failed && first.size < titles.size)
    outcome = await run((title) => titles.has(title) && !first.has(title));
  activate(0);
  if (!outcome?.failed) return null;
  const noticed = outcome.failed;
  // A fault that outlives its mutant would be taken for that of the next one.
  const isAgain = (title: string) => (titles.has(noticed) ? title === noticed : titles.has(title));
  if ((await run(isAgain)).failed === null) return outcome.isLate ? null : noticed;
  await tell({ kind: "unsure", id });
  process.exit(1);
}

/** Runs everything twice without a mutant. Test files that fail then are left out. */
async function learn(fileOf: ReadonlyMap<string, string>, loading: number[]): Promise<Known> {
  const left = new Set(order.tests);
  const reached = new Map<string, Reached>();
  const seen = new Map<string, Set<number>>();
  const state = mutation();
  if (state !== undefined) state.passes = 0;
  for (const at of ["start", "again"] as const) {
    const before = (title: string) => {
      if (state !== undefined) state.seen = seen.get(title) ?? new Set();
      if (state?.seen) seen.set(title, state.seen);
    };
    const after = (title: string, ms: number, cpuMs: number) => {
      const last = reached.get(title) ?? { title, file: fileOf.get(title) ?? "", ids: [], ms: 0, cpuMs: 0 };
      const ids = [...(seen.get(title) ?? [])];
      reached.set(title, { ...last, ids, ms: Math.max(last.ms, ms), cpuMs: Math.max(last.cpuMs, cpuMs) });
    };
    const { failing } = await run((title) => left.has(fileOf.get(title) ?? ""), { isWhole: true, before, after });
    await tell({ kind: "failing", at, files: failing });
    for (const file of failing) left.delete(file);
  }
  if (state !== undefined) state.seen = null;
  const known = { reached: [...reached.values()], files: [...left], loading, passes: state?.passes ?? 0 };
  await tell({ kind: "known", known });
  return known;
}

/** Returns as many as fit into the time, the quickest first. `tests` are in ascending order. */
function quickOf(tests: readonly Reached[]): Reached[] {
  let totalMs = 0;
  return tests.filter(({ cpuMs }) => {
    totalMs += cpuMs;
    return totalMs <= quickCpuMsMax;
  });
}

function testsIn(suite: Mocha.Suite): Mocha.Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsIn)];
}

/** Of this thread, and of the threads and programs that are started from now on. */
function activate(id: number): void {
  process.env.ITEMTAPE_MUTANT = String(id);
  const state = mutation();
  if (state === undefined) return;
  state.active = id;
  state.passes = 0;
}

type Watch = {
  isWhole?: boolean;
  before?: ((title: string) => void) | undefined;
  after?: (title: string, ms: number, cpuMs: number) => void;
};

/** `isWhole`: to the end, although a test failed. `before` and `after` are called with the title of each test. */
function run(isWanted: (title: string) => boolean, { isWhole = false, before, after }: Watch = {}): Promise<Outcome> {
  // Mocha asks the pattern for nothing but whether a title fits.
  mocha.grep({ test: isWanted } as unknown as RegExp);
  setBail(mocha.suite, !isWhole);
  return new Promise((resolve) => {
    let failed: string | null = null;
    let isLate = false;
    const failing = new Set<string>();
    let began = { ms: 0, cpu: process.cpuUsage() };
    const runner = mocha.run(() => resolve({ failed, isLate, failing: [...failing] }));
    runner.on("test", (test) => {
      before?.(test.fullTitle());
      began = { ms: performance.now(), cpu: process.cpuUsage() };
    });
    runner.on("test end", (test) => {
      const { user, system } = process.cpuUsage(began.cpu);
      after?.(test.fullTitle(), performance.now() - began.ms, (user + system) / 1000);
    });
    runner.on("fail", (test, error) => {
      if (failed === null) isLate = /^Timeout of /.test(error?.message ?? "");
      failed ??= test.fullTitle();
      failing.add(relative(process.cwd(), test.file ?? test.parent?.file ?? ""));
    });
  });
}

function setBail(suite: Mocha.Suite, isBailing: boolean): void {
  suite.bail(isBailing);
  for (const inner of suite.suites) setBail(inner, isBailing);
}
