import { relative } from "node:path";
import fc from "fast-check";
import Mocha from "mocha";

/** What this process is told to do: load `tests`, then run them once for each of `ids`. */
export type Order = { tests: string[]; ids: number[]; seed: number; timeoutMs: number; isAlone: boolean };
/** What it tells: `begun` before a mutant is tried, its `verdict` after; of the code as it is, the test files that fail. */
export type Message =
  | { kind: "baseline"; at: "start" | "again" | "end"; failing: string[]; ms: number }
  | { kind: "begun"; id: number }
  | { kind: "verdict"; id: number; by: string | null }
  | { kind: "done" };

type Mutation = { active: number; seen: Set<number> | null };
type Outcome = { failed: string | null; failing: string[]; ms: number };

const order = JSON.parse(process.env.ITEMTAPE_MUTATE_ORDER ?? "") as Order;
const tell = (message: Message) => new Promise<void>((sent) => void process.send?.(message, () => sent()));
const mutation = () => (globalThis as unknown as { __mutation?: Mutation }).__mutation;

fc.configureGlobal({ seed: order.seed });
const mocha = new Mocha({ bail: true, timeout: order.timeoutMs, reporter: "min" });
mocha.cleanReferencesAfterRun(false);
mocha.reporter(class {} as never);
for (const file of order.tests) mocha.addFile(file);
// Faults of a mutant may come when nobody waits for them any more.
process.on("unhandledRejection", () => undefined);

if (order.isAlone) await runAlone();
else await runAll();
await tell({ kind: "done" });
process.exit(0);

/** Runs every test with the mutant that the environment names, in a process of its own. */
async function runAlone(): Promise<void> {
  const [id = 0] = order.ids;
  await tell({ kind: "begun", id });
  let by: string | null;
  try {
    await mocha.loadFilesAsync();
    by = (await run(() => true)).failed;
  } catch (error) {
    by = `loading: ${(error as Error).message}`;
  }
  await tell({ kind: "verdict", id, by });
}

/**
 * Runs the tests that reach each mutant, one mutant after another, between runs of the code as it is. Test files that fail then, or fail
 * when they are run a second time in one process, are left out.
 */
async function runAll(): Promise<void> {
  await mocha.loadFilesAsync();
  const fileOf = new Map(
    testsIn(mocha.suite).map((test) => [test.fullTitle(), relative(process.cwd(), test.file ?? "")]),
  );
  const left = new Set(order.tests);
  const isLeft = (title: string) => left.has(fileOf.get(title) ?? "");
  const reached = new Map<string, Set<number>>();
  const collect = (title: string) => {
    const seen = new Set<number>();
    reached.set(title, seen);
    const state = mutation();
    if (state !== undefined) state.seen = seen;
  };
  for (const at of ["start", "again"] as const) {
    const { failing, ms } = await run(isLeft, { isWhole: true, before: at === "start" ? collect : undefined });
    await tell({ kind: "baseline", at, failing, ms });
    for (const file of failing) left.delete(file);
    const state = mutation();
    if (state !== undefined) state.seen = null;
  }
  if (left.size === 0) return;
  for (const id of order.ids) {
    await tell({ kind: "begun", id });
    activate(id);
    const isReached = [...reached].some(([title, seen]) => seen.has(id) && isLeft(title));
    const { failed } = await run((title) => isLeft(title) && (!isReached || reached.get(title)?.has(id) === true));
    activate(0);
    await tell({ kind: "verdict", id, by: failed });
  }
  const { failing, ms } = await run(isLeft);
  await tell({ kind: "baseline", at: "end", failing, ms });
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

/** `isWhole`: to the end, although a test failed. `before` is called with the title of each test. */
function run(
  isWanted: (title: string) => boolean,
  { isWhole = false, before }: { isWhole?: boolean; before?: ((title: string) => void) | undefined } = {},
): Promise<Outcome> {
  const startedMs = performance.now();
  // Mocha asks the pattern for nothing but whether a title fits.
  mocha.grep({ test: isWanted } as unknown as RegExp);
  setBail(mocha.suite, !isWhole);
  return new Promise((resolve) => {
    let failed: string | null = null;
    const failing = new Set<string>();
    const runner = mocha.run(() => resolve({ failed, failing: [...failing], ms: performance.now() - startedMs }));
    runner.on("test", (test) => before?.(test.fullTitle()));
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
