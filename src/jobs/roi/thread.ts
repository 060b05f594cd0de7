import { runInThread } from "../../worker/thread.ts";
import type { RoiRun } from "./calculate.ts";

/** What a run is told before it starts. `at`: its instant, UTC ms. */
export type RoiOrder = { databasePath: string; at: number };

/** Runs the ROI model once in a thread. Null: the signal ended it before it wrote anything. The caller holds the roi lock. */
export function calculateInThread(order: RoiOrder, signal: AbortSignal): Promise<RoiRun | null> {
  return runInThread<RoiRun>("src/jobs/roi/worker.ts", order, signal);
}
