import { readFileSync } from "node:fs";
import { relative } from "node:path";
import fc from "fast-check";
import Mocha from "mocha";

/** The tests that reach each mutant, by title, and the test files that can be run again and again in one process. */
export type Known = { reached: [title: string, ids: number[], ms: number][]; files: string[] };
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
  | { kind: "begun"; id: number; expectedMs: number }
  | { kind: "verdict"; id: number; by: string | null }
  | { kind: "unsure"; id: number }
  | { kind: "done" };

const quickMsMax = 1000;

type Mutation = { active: number; seen: Set<number> | null };
type Outcome = { failed: string | null; failing: string[] };

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
  await tell({ kind: "begun", id, expectedMs: 0 });
  let by: string | null;
  try {
    await mocha.loadFilesAsync();
    by = (await run(() => true)).failed;
  } catch (error) {
    by = `loading: ${(error as Error).message}`;
  }
  await tell({ kind: "verdict", id, by });
}

/** Runs the tests that reach each mutant, one mutant after another. */
async function runAll(): Promise<void> {
  await mocha.loadFilesAsync();
  const fileOf = new Map(
    testsIn(mocha.suite).map((test) => [test.fullTitle(), relative(process.cwd(), test.file ?? "")]),
  );
  const { reached, files } = order.known ?? (await learn(fileOf));
  const left = new Set(files);
  const titlesOf = new Map<number, Set<string>>();
  const durations = new Map(reached.map(([title, , ms]) => [title, ms]));
  for (const [title, ids] of reached) {
    if (!left.has(fileOf.get(title) ?? "")) continue;
    for (const id of ids) titlesOf.set(id, (titlesOf.get(id) ?? new Set()).add(title));
  }
  for (const { id, tests } of order.mutants) {
    const own = new Set(tests.filter((file) => left.has(file)));
    const titles = titlesOf.get(id);
    const isWanted = (title: string) => (titles === undefined ? own.has(fileOf.get(title) ?? "") : titles.has(title));
    const expectedMs = [...durations].reduce((sum, [title, ms]) => sum + (isWanted(title) ? ms : 0), 0);
    await tell({ kind: "begun", id, expectedMs });
    activate(id);
    const isQuick = quickOf(durations, isWanted);
    let { failed } = await run((title) => isQuick.has(title));
    if (failed === null) ({ failed } = await run((title) => isWanted(title) && !isQuick.has(title)));
    activate(0);
    // A fault that outlives its mutant would be taken for that of the next one.
    const isOne = failed !== null && fileOf.has(failed);
    if (failed !== null && (await run((title) => (isOne ? title === failed : isWanted(title)))).failed !== null) {
      await tell({ kind: "unsure", id });
      process.exit(1);
    }
    await tell({ kind: "verdict", id, by: failed });
  }
}

/** Runs everything twice without a mutant. Test files that fail then are left out. */
async function learn(fileOf: ReadonlyMap<string, string>): Promise<Known> {
  const left = new Set(order.tests);
  const reached = new Map<string, Set<number>>();
  const collect = (title: string) => {
    const seen = new Set<number>();
    reached.set(title, seen);
    const state = mutation();
    if (state !== undefined) state.seen = seen;
  };
  const slowestMs = new Map<string, number>();
  for (const at of ["start", "again"] as const) {
    const before = at === "start" ? collect : undefined;
    const after = (title: string, ms: number) => slowestMs.set(title, Math.max(slowestMs.get(title) ?? 0, ms));
    const { failing } = await run((title) => left.has(fileOf.get(title) ?? ""), { isWhole: true, before, after });
    await tell({ kind: "failing", at, files: failing });
    for (const file of failing) left.delete(file);
    const state = mutation();
    if (state !== undefined) state.seen = null;
  }
  const known: Known = {
    reached: [...reached].map(([title, ids]) => [title, [...ids], slowestMs.get(title) ?? 0]),
    files: [...left],
  };
  await tell({ kind: "known", known });
  return known;
}

/** Returns the quickest of the wanted tests, which together take a second: most mutants fall to them. */
function quickOf(durations: ReadonlyMap<string, number>, isWanted: (title: string) => boolean): Set<string> {
  const wanted = [...durations].filter(([title]) => isWanted(title)).sort(([, a], [, b]) => a - b);
  const quick = new Set<string>();
  let totalMs = 0;
  for (const [title, ms] of wanted) {
    totalMs += ms;
    if (totalMs > quickMsMax) break;
    quick.add(title);
  }
  return quick;
}

function testsIn(suite: Mocha.Suite): Mocha.Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsIn)];
}

/** Of this thread, and of the threads and programs that are started from now on. */
function activate(id: number): void {
  process.env.ITEMTAPE_MUTANT = String(id);
  const state = mutation();
  if (state !== undefined) state.active = id;
}

type Watch = {
  isWhole?: boolean;
  before?: ((title: string) => void) | undefined;
  after?: (title: string, ms: number) => void;
};

/** `isWhole`: to the end, although a test failed. `before` and `after` are called with the title of each test. */
function run(isWanted: (title: string) => boolean, { isWhole = false, before, after }: Watch = {}): Promise<Outcome> {
  // Mocha asks the pattern for nothing but whether a title fits.
  mocha.grep({ test: isWanted } as unknown as RegExp);
  setBail(mocha.suite, !isWhole);
  return new Promise((resolve) => {
    let failed: string | null = null;
    const failing = new Set<string>();
    let beganMs = 0;
    const runner = mocha.run(() => resolve({ failed, failing: [...failing] }));
    runner.on("test", (test) => {
      before?.(test.fullTitle());
      beganMs = performance.now();
    });
    runner.on("test end", (test) => after?.(test.fullTitle(), performance.now() - beganMs));
    runner.on("fail", (test) => {
      failed ??= test.fullTitle();
      failing.add(relative(process.cwd(), test.file ?? test.parent?.file ?? ""));
    });
  });
}

function setBail(suite: Mocha.Suite, isBailing: boolean): void {
  suite.bail(isBailing);
  for (const inner of suite.suites) setBail(inner, isBailing);
}
