import { parentPort, workerData } from "node:worker_threads";
import { StoreRefusal } from "../../store/refusal.ts";
import { type Held, pauseAfter } from "../../store/write/batches.ts";
import { systemClock } from "../../values/clock.ts";
import { nothingValued, type ValuationOrder, type ValuationOutcome } from "./schedule.ts";
import { type FileValuation, valueFile } from "./value-file.ts";

/** One run of the valuation job. Any message ends it between two transactions. */
async function work(port: NonNullable<typeof parentPort>): Promise<void> {
  let isEnding = false;
  port.once("message", () => {
    isEnding = true;
  });
  const pause = async (held: Held) => {
    if (isEnding) throw new Error("it was told to end");
    await pauseAfter(held);
  };
  const { databasePath, at, settles } = workerData as ValuationOrder;
  // The server's clock says what day it is; durations are the thread's own.
  const clock = { now: () => at, monotonicMs: systemClock.monotonicMs };
  try {
    const done = await valueFile(databasePath, { clock, pause }, { settle: settles });
    port.postMessage(outcomeOf(done));
  } catch (error) {
    if (!(error instanceof StoreRefusal && error.kind === "in_use")) throw error;
    port.postMessage({ ...nothingValued, isWaiting: true } satisfies ValuationOutcome);
  } finally {
    port.close();
  }
}

function outcomeOf({ valuations, damaged }: FileValuation): ValuationOutcome {
  const sum = (counted: (valuation: FileValuation["valuations"][number]) => number) =>
    valuations.reduce((total, valuation) => total + counted(valuation), 0);
  return {
    portfolios: valuations.filter(({ days }) => days > 0).length,
    days: sum(({ days }) => days),
    incomplete: sum(({ incomplete }) => incomplete),
    refused: sum(({ refused }) => refused.length),
    late: valuations.filter(({ lateDays }) => lateDays.length > 0).length,
    // A damaged day is not settled by trying again: it waits for its operator.
    isWaiting: damaged === null && valuations.some(({ waitsFor }) => waitsFor !== null),
  };
}

if (parentPort !== null) await work(parentPort);
