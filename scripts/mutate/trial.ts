import { type ChildProcess, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Known, Message, Order } from "./child.ts";
import type { FilePlan } from "./plan.ts";

/** What became of a mutant. `by`: the test that failed, or what else happened; null: it survived. */
export type Verdict = { id: number; by: string | null };

type Settings = { folder: string; seed: number; onVerdict(verdict: Verdict): void; note(text: string): void };

/** Time for one test, for everything that is no mutant, and for one mutant beyond the time that the tests take without it. */
const testTimeoutMs = 10_000;
const startMsMax = 300_000;
const mutantMsMin = 15_000;
const aloneMsMax = 120_000;

/**
 * Tries mutants one after another in a process that has the tests loaded. One that does not come to an end, or takes the process with it,
 * counts as killed, and another process goes on. What survives is tried again in a process of its own, with every test that leads to its
 * file, because constants are read once, threads are not always seen, and some tests cannot be run twice in one process.
 */
export async function tryAll(plans: readonly FilePlan[], settings: Settings): Promise<void> {
  const testsOf = new Map(plans.flatMap(({ mutants, tests }) => mutants.map(({ id }) => [id, tests] as const)));
  const waiting = new Set(testsOf.keys());
  const unsure: number[] = [];
  const run = new Trial(settings);
  while (waiting.size > 0) {
    const order = { mutants: [...waiting].map((id) => ({ id, tests: testsOf.get(id)! })), isAlone: false };
    const before = waiting.size;
    for (const verdict of await run.child({ ...order, tests: [...new Set(plans.flatMap(({ tests }) => tests))] })) {
      waiting.delete(verdict.id);
      if (verdict.by === null) unsure.push(verdict.id);
    }
    if (waiting.size < before) continue;
    throw new Error("the tests do not run without a mutant; what they say is above");
  }
  settings.note(`${unsure.length} are tried again, each in a process of its own`);
  for (const id of unsure.sort((a, b) => a - b)) {
    const tests = testsOf.get(id)!.filter((file) => !run.broken.has(file));
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
  }

  /** Runs a process to its end. Kills are reported at once; returns what was tried, survivors and unsure ones with `by` null. */
  child(part: Pick<Order, "mutants" | "tests" | "isAlone">): Promise<Verdict[]> {
    const order: Order = { ...part, seed: this.#settings.seed, timeoutMs: testTimeoutMs, known: this.#known };
    const child = start(this.#settings.folder, order, part.isAlone ? part.mutants[0]!.id : 0);
    const verdicts: Verdict[] = [];
    let current: number | null = null;
    let timer = setTimeout(() => child.kill("SIGKILL"), startMsMax);
    const begin = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill("SIGKILL"), ms);
    };
    const end = (verdict: Verdict) => {
      current = null;
      verdicts.push(verdict);
      if (verdict.by !== null && !part.isAlone) this.#settings.onVerdict(verdict);
    };
    return new Promise((resolve) => {
      child.on("message", (message: Message) => {
        if (message.kind === "failing") this.#leaveOut(message.at, message.files);
        else if (message.kind === "known") {
          this.#known = message.known;
        } else if (message.kind === "verdict") end({ id: message.id, by: message.by });
        else if (message.kind === "unsure") end({ id: message.id, by: null });
        else if (message.kind === "begun") current = message.id;
        if (message.kind !== "begun") begin(startMsMax);
        else begin(part.isAlone ? aloneMsMax : mutantMsMin + 4 * message.expectedMs);
      });
      child.once("close", (_code, signal) => {
        clearTimeout(timer);
        if (current !== null) end({ id: current, by: signal === "SIGKILL" ? "time" : "the process ended" });
        resolve(verdicts);
      });
    });
  }

  #leaveOut(at: "start" | "again", files: readonly string[]): void {
    if (at === "start") for (const file of files) this.broken.add(file);
    if (files.length > 0) this.#settings.note(`without a mutant (${at}) fails ${files.join(", ")}`);
  }
}

function start(folder: string, order: Order, active: number): ChildProcess {
  const path = join(folder, "order.json");
  writeFileSync(path, JSON.stringify(order));
  return fork(join(folder, "scripts/mutate/child.ts"), [], {
    cwd: folder,
    execArgv: ["--import", "tsx/esm"],
    env: { ...process.env, ITEMTAPE_MUTATE_ORDER: path, ITEMTAPE_MUTANT: String(active) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
