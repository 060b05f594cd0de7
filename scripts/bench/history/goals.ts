import { atLeast, atMost, type Goal } from "../goal.ts";
import { median, medianRatio } from "../statistics.ts";
import { type GrowingRead, growingReads, ofTenth, type ReadName } from "./names.ts";
import type { FrameWithCharges, HistoryResults } from "./rounds.ts";

/** The goals of recorded histories; ratios are those of CPU time, which holds also where the machine does other work. */
export function historyGoals(history: HistoryResults | null): Goal[] {
  const ratio = (over: ReadName, under: ReadName) =>
    history === null ? null : medianRatio(history.reads[over].cpuUs, history.reads[under].cpuUs);
  // A point read is next to nothing in process: what counts is what a client's request costs.
  const growth = (read: GrowingRead) => (read === "point read" ? requestGrowth(history) : ratio(read, ofTenth(read)));
  const frames = history === null ? [] : [...history.frames.later, history.frames.first];
  const middle = (of: (frame: FrameWithCharges) => number) => (frames.length === 0 ? null : median(frames.map(of)));
  return [
    atLeast(
      "hourly page ÷ object map + stringify",
      2,
      ratio("hourly page, objects of the same segments", "hourly page"),
    ),
    atLeast("daily window ÷ object map + stringify", 2, ratio("daily window, objects", "daily window")),
    ...growingReads.map((read) => atMost(`${read}, ten times the items`, 1.15, growth(read))),
    atMost(
      "charge while a frame is written, p99",
      50,
      middle(({ charges }) => charges.p99Ms),
      "ms",
    ),
    atMost(
      "longest lock of a frame",
      20,
      middle(({ lockHeldMsMax }) => lockHeldMsMax),
      "ms",
    ),
    atMost("a stored hourly quote", 12, history?.storage.bytesPerQuote ?? null, "bytes"),
  ];
}

function requestGrowth(history: HistoryResults | null): number | null {
  if (history === null) return null;
  const { http } = history;
  return medianRatio(http["point read"].cpuUs, http["point read, a tenth of the items"].cpuUs);
}
