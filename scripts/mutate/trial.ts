import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Message, Order } from "./child.ts";
import type { FilePlan } from "./plan.ts";

/** What became of a mutant. `by`: the test that failed, or what else happened; null: it survived. */
export type Verdict = { id: number; by: string | null };

type Settings = { folder: string; seed: number; onVerdict(verdict: Verdict): void; note(text: string): void };

/** Time for one test, and for one mutant beyond the time that the tests take without it. */
const testTimeoutMs = 10_000;
const startMsMax = 180_000;
const mutantMsMin = 15_000;

/**
 * Tries the mutants of a file one after another in a process that has the tests loaded. One that does not come to an end, or takes
 * the process with it, counts as killed, and another process goes on. What survives is tried again in a process of its own, with every
 * test, because constants are read once, threads are not always seen, and some tests cannot be run twice in one process.
 */
export async function tryFile(plan: FilePlan, settings: Settings): Promise<void> {
  const waiting = plan.mutants.map(({ id }) => id);
  const unsure: number[] = [];
  const alone = { ...plan };
  while (waiting.length > 0) {
    const { verdicts, failing, isDone } = await runChild(alone, waiting, settings, false);
    alone.tests = alone.tests.filter((file) => !failing.start.includes(file));
    // After a fault that outlives its mutant nothing that was seen meanwhile is certain.
    if (failing.end.length > 0) unsure.push(...waiting.splice(0));
    for (const { id, by } of failing.end.length > 0 ? [] : verdicts) {
      waiting.splice(waiting.indexOf(id), 1);
      if (by === null) unsure.push(id);
      else settings.onVerdict({ id, by });
    }
    if (isDone || verdicts.length === 0) unsure.push(...waiting.splice(0));
  }
  for (const id of unsure.sort((a, b) => a - b)) {
    const { verdicts } = await runChild(alone, [id], settings, true);
    settings.onVerdict(verdicts[0] ?? { id, by: "the process ended" });
  }
}

type ChildResult = { verdicts: Verdict[]; failing: Record<"start" | "again" | "end", string[]>; isDone: boolean };

function runChild(plan: FilePlan, ids: readonly number[], settings: Settings, isAlone: boolean): Promise<ChildResult> {
  const order: Order = { tests: plan.tests, ids: [...ids], seed: settings.seed, timeoutMs: testTimeoutMs, isAlone };
  const child = start(settings.folder, order, isAlone ? ids[0]! : 0);
  const result: ChildResult = { verdicts: [], failing: { start: [], again: [], end: [] }, isDone: false };
  let current: number | null = null;
  let mutantMsMax = startMsMax;
  let timer = setTimeout(() => child.kill("SIGKILL"), startMsMax);
  const begin = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill("SIGKILL"), ms);
  };
  return new Promise((resolve) => {
    child.on("message", (message: Message) => {
      if (message.kind === "baseline") {
        const { at, failing } = message;
        result.failing[at] = failing;
        if (failing.length > 0) settings.note(`${plan.file}: without a mutant (${at}) fails ${failing.join(", ")}`);
        mutantMsMax = mutantMsMin + 5 * message.ms;
        begin(startMsMax);
      } else if (message.kind === "begun") {
        current = message.id;
        begin(isAlone ? startMsMax : mutantMsMax);
      } else if (message.kind === "verdict") {
        current = null;
        result.verdicts.push({ id: message.id, by: message.by });
        begin(startMsMax);
      } else result.isDone = true;
    });
    child.once("close", (_code, signal) => {
      clearTimeout(timer);
      if (current !== null) {
        result.verdicts.push({ id: current, by: signal === "SIGKILL" ? "time" : "the process ended" });
      }
      resolve(result);
    });
  });
}

function start(folder: string, order: Order, active: number): ChildProcess {
  return fork(join(folder, "scripts/mutate/child.ts"), [], {
    cwd: folder,
    execArgv: ["--import", "tsx/esm"],
    env: { ...process.env, ITEMTAPE_MUTATE_ORDER: JSON.stringify(order), ITEMTAPE_MUTANT: String(active) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
