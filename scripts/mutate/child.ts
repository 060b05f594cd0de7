import { readFileSync } from "node:fs";
import { relative } from "node:path";
import fc from "fast-check";
import Mocha from "mocha";

/**
 * A test, the mutants that it reaches in this thread, and the most that it took without one: time, and time of the processor. `readyMs`:
 * time from the test before it, in which its file may have started servers.
 */
type Reached = { title: string; file: string; ids: number[]; ms: number; cpuMs: number; readyMs: number };
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
 * What it reports: `failing` test files without a mutant, what is `known` then, `begun` before a mutant is tried, its `verdict` after
 * (`isSure`: it met every test that reaches it, so that nothing else need be tried); `unsure` when a test that noticed it goes on failing without it, which ends the process.
 */
export type Message =
  | { kind: "failing"; at: "start" | "again"; files: string[] }
  | { kind: "known"; known: Known }
  | { kind: "begun"; id: number; expectedCpuMs: number }
  | { kind: "verdict"; id: number; by: string | null; isSure: boolean }
  | { kind: "unsure"; id: number }
  | { kind: "fault"; text: string }
  | { kind: "done" };

/** Processor time of the tests that a mutant meets here: most fall to them. Where they are not all, a survivor meets all in a process of its own. */
const quickCpuMsMax = 3000;
/** The most that they may take by the clock: a test that waits for servers costs nobody a processor, and holds up the run. */
const quickMsMax = 20_000;
/** Tests of files that take longer to get ready run last, and only where the others noticed nothing. */
const readyMsMax = 1000;
/** A loop that a mutant never lets end is ended by an error at its next pass of a mutated place. */
const passesMin = 5_000_000;
/** Time for one test beyond six times of what it took without a mutant. One that takes longer counts in a process of its own alone. */
const slackMs = 4000;

type Mutation = { active: number; seen: Set<number> | null; passes: number; passesMax: number };
/** `isLate`: the first one to fail did so because its time was over. */
type Outcome = { failed: string | null; isLate: boolean; failing: string[] };

type Noticed = Pick<Outcome, "failed" | "isLate">;
const nothing: Noticed = { failed: null, isLate: false };

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

try {
  await (order.isAlone ? runAlone() : runAll());
  await tell({ kind: "done" });
  process.exit(0);
} catch (error) {
  // No mutant is in this file: what fails here would count as noticed by a test.
  await tell({ kind: "fault", text: String((error as Error).stack) });
  process.exit(1);
}

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
  await tell({ kind: "verdict", id, by, isSure: true });
}

/** Runs the quick ones of the tests that reach each mutant, one mutant after another. */
async function runAll(): Promise<void> {
  const loading = await load();
  const tests = testsIn(mocha.suite);
  const fileOf = new Map(tests.map((test) => [test.fullTitle(), relative(process.cwd(), test.file ?? "")]));
  const known = order.known ?? (await learn(fileOf, loading));
  const left = new Set(known.files);
  const usable = known.reached.filter(({ file }) => left.has(file)).sort((a, b) => a.cpuMs - b.cpuMs);
  const limits = new Map(known.reached.map(({ title, ms }) => [title, slackMs + 6 * ms]));
  for (const test of tests) test.timeout(limits.get(test.fullTitle()) ?? order.timeoutMs);
  const state = mutation();
  if (state !== undefined) state.passesMax = passesMin + 3 * known.passes;
  const reachedIds = new Map<number, Reached[]>();
  for (const one of usable) for (const id of one.ids) reachedIds.set(id, [...(reachedIds.get(id) ?? []), one]);
  const seenBy = new Map<number, number>();
  for (const { ids } of known.reached) for (const id of ids) seenBy.set(id, (seenBy.get(id) ?? 0) + 1);
  const slow = new Set(known.reached.filter(({ readyMs }) => readyMs > readyMsMax).map(({ file }) => file));
  const killers = new Set<string>();
  const tries = order.mutants.map(({ id, tests: own }) => {
    const quick = quickOf(reachedIds.get(id) ?? usable.filter(({ file }) => own.includes(file)));
    return { id, quick, costMs: quick.reduce((sum, { ms, readyMs }) => sum + ms + readyMs, 0) };
  });
  // A run that is ended before its time has then tried as many as it could.
  for (const { id, quick } of tries.sort((a, b) => a.costMs - b.costMs)) {
    await tell({ kind: "begun", id, expectedCpuMs: quick.reduce((sum, { cpuMs }) => sum + cpuMs, 0) });
    const isLoading = known.loading.includes(id);
    const { failed, isLate } = isLoading ? nothing : await tryOne(id, inSteps(quick, killers, slow));
    const isSure = !isLoading && !isLate && quick.length === (seenBy.get(id) ?? -1);
    await tell({ kind: "verdict", id, by: failed, isSure });
    if (failed !== null) killers.add(failed);
  }
}

/** Returns the mutants that are passed while the files are loaded, which no later activation changes. */
async function load(): Promise<number[]> {
  await mocha.loadFilesAsync();
  return [...(mutation()?.seen ?? [])];
}

/** Returns the titles of `tests` in the order in which they are tried: those that noticed another mutant, the others, and both of slow files. */
function inSteps(
  tests: readonly Reached[],
  killers: ReadonlySet<string>,
  slow: ReadonlySet<string>,
): ReadonlySet<string>[] {
  const step = (isSlow: boolean, isKiller: boolean) =>
    tests.filter(({ title, file }) => slow.has(file) === isSlow && killers.has(title) === isKiller);
  const steps = [step(false, true), step(false, false), step(true, true), step(true, false)];
  return steps.filter(({ length }) => length > 0).map((of) => new Set(of.map(({ title }) => title)));
}

/** Returns the title of the test that noticed a mutant. One that went on for too long counts only if it does so in a process of its own. */
async function tryOne(id: number, steps: readonly ReadonlySet<string>[]): Promise<Noticed> {
  activate(id);
  let outcome: Outcome | null = null;
  let titles: ReadonlySet<string> = new Set();
  for (const step of steps) {
    if (outcome?.failed) break;
    titles = step;
    outcome = await run((title) => step.has(title));
  }
  activate(0);
  if (!outcome?.failed) return nothing;
  const noticed = outcome.failed;
  // A fault that outlives its mutant would be taken for that of the next one.
  const isAgain = (title: string) => (titles.has(noticed) ? title === noticed : titles.has(title));
  const { isLate } = outcome;
  if ((await run(isAgain)).failed === null) return { failed: isLate ? null : noticed, isLate };
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
    const after = (title: string, { ms, cpuMs, readyMs }: Took) => {
      const last = reached.get(title) ?? { title, file: fileOf.get(title) ?? "", ids: [], ms: 0, cpuMs: 0, readyMs: 0 };
      const ids = [...(seen.get(title) ?? [])];
      const most = { ms: Math.max(last.ms, ms), cpuMs: Math.max(last.cpuMs, cpuMs) };
      reached.set(title, { ...last, ids, ...most, readyMs: Math.max(last.readyMs, readyMs) });
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
  let [totalCpuMs, totalMs] = [0, 0];
  return tests.filter(({ cpuMs, ms }) => {
    if (totalCpuMs + cpuMs > quickCpuMsMax || totalMs + ms > quickMsMax) return false;
    totalCpuMs += cpuMs;
    totalMs += ms;
    return true;
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

type Took = Pick<Reached, "ms" | "cpuMs" | "readyMs">;
type Watch = {
  isWhole?: boolean;
  before?: ((title: string) => void) | undefined;
  after?: (title: string, took: Took) => void;
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
    let endedMs = performance.now();
    const runner = mocha.run(() => resolve({ failed, isLate, failing: [...failing] }));
    runner.on("test", (test) => {
      before?.(test.fullTitle());
      began = { ms: performance.now(), cpu: process.cpuUsage() };
    });
    runner.on("test end", (test) => {
      const { user, system } = process.cpuUsage(began.cpu);
      const readyMs = began.ms - endedMs;
      endedMs = performance.now();
      after?.(test.fullTitle(), { ms: endedMs - began.ms, cpuMs: (user + system) / 1000, readyMs });
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
