import { setImmediate as turn } from "node:timers/promises";
import { systemClock } from "../../../src/values/clock.ts";
import { answerCalls } from "../channel.ts";
import type { ReadName } from "./names.ts";
import { type HistoryFile, openReads } from "./page-reads.ts";

export type ReadFigures = { reads: number; seconds: number; cpuUs: number; bytes: number };

/** Reads pages in a process of its own, the service's and those of its peers. */
let opened: ReturnType<typeof openReads> | null = null;
let place = 0;

answerCalls(
  {
    open(files: { all: HistoryFile; tenth: HistoryFile; rowTable: string }): void {
      opened = openReads(files);
      opened.refuseOtherPages();
    },
    read: ({ name, seconds }: { name: ReadName; seconds: number }) => read(name, seconds),
  },
  () => opened?.close(),
);

/** Each read in a turn of its own, and to the bytes that would be sent: a text of pieces costs what it costs to join them. */
async function read(name: ReadName, seconds: number): Promise<ReadFigures> {
  const page = opened!.reads[name];
  const figures: ReadFigures = { reads: 0, seconds: 0, cpuUs: 0, bytes: 0 };
  const startedMs = systemClock.monotonicMs();
  const cpuBefore = process.cpuUsage();
  do {
    figures.bytes += Buffer.from(page(place)).length;
    figures.reads += 1;
    place += 1;
    await turn();
    figures.seconds = (systemClock.monotonicMs() - startedMs) / 1000;
  } while (figures.seconds < seconds);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ...figures, cpuUs: user + system };
}
