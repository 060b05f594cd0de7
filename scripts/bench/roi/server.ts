import { calculateInThread } from "../../../src/jobs/roi/schedule.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { answerCalls } from "../channel.ts";
import { fullStack } from "../peers/full-stack.ts";
import type { Running, Setup } from "../peers/listening.ts";
import { changeCosts } from "./pools.ts";

/** `seconds`: of a run with its thread's start and end. */
export type RunFigures = { seconds: number; lockHeldMs: number; published: number; unchanged: number };
/** `changed`: whether a run finds another cost of everything; `whileMs`: runs follow each other for so long, at least one. */
export type RunOrder = { changed: boolean; whileMs: number };

/** The product in a process of its own, with runs of the ROI model as its schedule starts them. */
let opened: { running: Running; path: string } | null = null;

answerCalls(
  {
    async start(setup: Setup): Promise<number> {
      opened = { running: await fullStack(setup), path: setup.database };
      return opened.running.port;
    },
    async run({ changed, whileMs }: RunOrder): Promise<RunFigures[]> {
      const figures: RunFigures[] = [];
      const endMs = systemClock.monotonicMs() + whileMs;
      do {
        if (changed) changeCosts(opened!.path);
        figures.push(await runOnce(opened!.path));
      } while (systemClock.monotonicMs() < endMs);
      return figures;
    },
  },
  () => opened?.running.close(),
);

async function runOnce(databasePath: string): Promise<RunFigures> {
  const startedMs = systemClock.monotonicMs();
  const run = await calculateInThread({ databasePath, at: systemClock.now() }, new AbortController().signal);
  if (run === null || run.skipped.length > 0) throw new Error("a run of the ROI model was not whole");
  const { lockHeldMs, published, unchanged } = run;
  const seconds = (systemClock.monotonicMs() - startedMs) / 1000;
  return { seconds, lockHeldMs, published: published.length, unchanged: unchanged.length };
}
