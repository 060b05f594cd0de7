import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryFlags } from "../../src/values/root.ts";
import { processorTime } from "../support/processor.ts";
import type { Known, Message, Order } from "./child.ts";
import type { FilePlan } from "./plan.ts";

/** What became of a mutant. `by`: the test that failed, or what else happened; null: it survived. */
export type Verdict = { id: number; by: string | null };
/** `isSure`: the mutant met every test that reaches it. */
type Tried = Verdict & { isSure: boolean };

/** `memory`: a folder for the files of the tests; `knownPath`: keeps what a first process learned, so that a run that was ended goes on at once. */
type Settings = {
  folder: string;
  memory: string;
  knownPath: string;
  seed: number;
  onVerdict(verdict: Verdict): void;
  note(text: string): void;
};

/** Time for one test where nothing is known of it, and for everything that is no mutant. */
const testTimeoutMs = 60_000;
const startMsMax = 1_200_000;
/**
 * Processor time of a mutant beyond what its tests take without it, servers that their files start included; in a process of its own;
 * and what it may wait at most.
 */
const mutantCpuMsMin = 20_000;
const aloneCpuMsMax = 60_000;
const aloneTestMs = 25_000;
const waitedMsMax = 300_000;
/** So few mutants are tried in processes of their own at once: learning what the tests reach would take longer. */
const fewMax = 12;

/**
 * Tries mutants one after another in a process that has the tests loaded. One that takes the process with it counts as killed, and
 * another process goes on. What survives is tried again in a process of its own, with every test that leads to its file, where constants
 * are read once, a thread may pass the place, it came to no end, or not every test that reaches it was run.
 */
export async function tryAll(plans: readonly FilePlan[], settings: Settings): Promise<void> {
  const testsOf = new Map(plans.flatMap(({ mutants, tests }) => mutants.map(({ id }) => [id, tests] as const)));
  const threaded = new Set(
    plans.flatMap(({ mutants, isInThreads }) => (isInThreads ? mutants.map(({ id }) => id) : [])),
  );
  const isFew = testsOf.size <= fewMax;
  const waiting = new Set(isFew ? [] : testsOf.keys());
  const unsure = isFew ? [...testsOf.keys()] : [];
  const run = new Trial(settings);
  while (waiting.size > 0) {
    const order = { mutants: [...waiting].map((id) => ({ id, tests: testsOf.get(id)! })), isAlone: false };
    const before = waiting.size;
    for (const verdict of await run.child({ ...order, tests: [...new Set(plans.flatMap(({ tests }) => tests))] })) {
      waiting.delete(verdict.id);
      if (verdict.by !== null) continue;
      if (verdict.isSure && !threaded.has(verdict.id)) settings.onVerdict(verdict);
      else unsure.push(verdict.id);
    }
    if (waiting.size < before) continue;
    throw new Error("the tests do not run without a mutant; what they say is above");
  }
  settings.note(`${unsure.length} are tried again, each in a process of its own`);
  for (const id of unsure.sort((a, b) => a - b)) {
    const tests = threaded.has(id) ? run.whole(testsOf.get(id)!) : run.reaching(id, testsOf.get(id)!);
    const [verdict] = await run.child({ mutants: [{ id, tests }], tests, isAlone: true });
    settings.onVerdict(verdict ?? { id, by: "the process ended" });
  }
}

class Trial {
  /** Test files that fail without a mutant. */
  readonly broken = new Set<string>();
  readonly #settings: Settings;
  #known: Known | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
    if (!existsSync(settings.knownPath)) return;
    const kept = JSON.parse(readFileSync(settings.knownPath, "utf8")) as { known: Known; broken: string[] };
    this.#known = kept.known;
    for (const file of kept.broken) this.broken.add(file);
  }

  /** Returns those of `tests` that pass without a mutant. */
  whole(tests: readonly string[]): string[] {
    return tests.filter((file) => !this.broken.has(file));
  }

  /** Returns those of `tests` that reach a mutant; all of them where that was not seen. */
  reaching(id: number, tests: readonly string[]): string[] {
    const files = new Set(this.#known?.reached.filter(({ ids }) => ids.includes(id)).map(({ file }) => file));
    const whole = this.whole(tests);
    const isSeen = !this.#known?.loading.includes(id) && whole.some((file) => files.has(file));
    return isSeen ? whole.filter((file) => files.has(file)) : whole;
  }

  /** Runs a process to its end. Kills are reported at once; returns what was tried, survivors and unsure ones with `by` null. */
  child(part: Pick<Order, "mutants" | "tests" | "isAlone">): Promise<Tried[]> {
    const order: Order = {
      ...part,
      seed: this.#settings.seed,
      timeoutMs: part.isAlone ? aloneTestMs : testTimeoutMs,
      known: this.#known,
    };
    const child = start(this.#settings, order, part.isAlone ? part.mutants[0]!.id : 0);
    const verdicts: Tried[] = [];
    let current: number | null = null;
    let limit = limitOf(child, startMsMax, startMsMax);
    const begin = (cpuMs: number, waitedMs: number) => {
      limit.end();
      limit = limitOf(child, cpuMs, waitedMs);
    };
    const end = (verdict: Tried) => {
      current = null;
      verdicts.push(verdict);
      if (verdict.by !== null && !part.isAlone) this.#settings.onVerdict(verdict);
    };
    return new Promise((resolve, reject) => {
      child.on("message", (message: Message) => {
        if (message.kind === "fault") return reject(new Error(message.text));
        if (message.kind === "failing") this.#leaveOut(message.at, message.files);
        else if (message.kind === "known") {
          this.#known = message.known;
          const kept = { known: message.known, broken: [...this.broken] };
          writeFileSync(this.#settings.knownPath, JSON.stringify(kept));
        } else if (message.kind === "verdict") end(message);
        else if (message.kind === "unsure") end({ id: message.id, by: null, isSure: false });
        else if (message.kind === "begun") current = message.id;
        if (message.kind !== "begun") begin(startMsMax, startMsMax);
        else begin(part.isAlone ? aloneCpuMsMax : mutantCpuMsMin + 4 * message.expectedCpuMs, waitedMsMax);
      });
      child.once("close", (_code, signal) => {
        limit.end();
        if (current !== null) end({ id: current, ...endOf(signal, part.isAlone) });
        resolve(verdicts);
      });
    });
  }

  #leaveOut(at: "start" | "again", files: readonly string[]): void {
    if (at === "start") for (const file of files) this.broken.add(file);
    if (files.length > 0) this.#settings.note(`without a mutant (${at}) fails ${files.join(", ")}`);
  }
}

/** Returns what the end of a process says of its mutant. What took too long beside others may have waited for them: it is tried again. */
function endOf(signal: NodeJS.Signals | null, isAlone: boolean): Omit<Tried, "id"> {
  if (signal !== "SIGKILL") return { by: "the process ended", isSure: true };
  return isAlone ? { by: "time", isSure: true } : { by: null, isSure: false };
}

/** Ends a process that takes more time of the processor than `cpuMs` from now on, or goes on for `waitedMs`. A busy machine takes none of the first. */
function limitOf(child: ChildProcess, cpuMs: number, waitedMs: number): { end(): void } {
  const [beganMs, beganCpuMs] = [performance.now(), cpuMsOf(child.pid!)];
  const timer = setInterval(() => {
    const usedMs = cpuMsOf(child.pid!) - beganCpuMs;
    if (usedMs > cpuMs || performance.now() - beganMs > waitedMs) child.kill("SIGKILL");
  }, 500);
  return { end: () => clearInterval(timer) };
}

/** Returns the time of the processor that a process took so far, with all its threads; 0 where the system does not tell. */
function cpuMsOf(pid: number): number {
  return 1000 * (processorTime(pid)?.own ?? 0);
}

function start({ folder, memory }: Settings, order: Order, active: number): ChildProcess {
  const path = join(folder, "order.json");
  writeFileSync(path, JSON.stringify(order));
  return fork(join(folder, "scripts/mutate/child.ts"), [], {
    cwd: folder,
    execArgv: [...entryFlags],
    env: { ...process.env, TMPDIR: memory, ITEMTAPE_MUTATE_ORDER: path, ITEMTAPE_MUTANT: String(active) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
