import { importing } from "../../import/run-import.ts";
import type { Database } from "../../store/database.ts";
import { type BatchStats, inOneTransaction, runBatches } from "../../store/write/batches.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import type { Finalized } from "../../store/write/finalize-days.ts";
import { FrameWriter } from "../../store/write/frames.ts";
import { QuoteLevels } from "../../store/write/quote-levels.ts";
import { finishDaysInBatches } from "../../store/write/seal-days.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Progress } from "../../values/progress.ts";
import { dayOf, hourMs, hoursOfDay } from "../../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../../values/time/clock.ts";
import { type Calculation, calculateIndexInBatches } from "../indexes/calculate.ts";

/** A frame to retract: its feed, its hour since 1970, and the operator's reason. */
export type Retraction = { feed: string; hour: number; reason: string };

/**
 * The result. `isPublished` is true if the feed's published quotes are from this frame. `levels` counts corrected index levels. `isRepeated`
 * is true if the frame was retracted before, with `reason`.
 */
export type RetractionReport = {
  reason: string;
  isRepeated: boolean;
  items: number;
  quotes: number;
  isPublished: boolean;
  rows: number;
  levels: number;
};

type RetractionParts = { clock: Clock; progress?: Progress; pause?: Parameters<typeof runBatches>[1] };

/**
 * Retracts a recorded frame. Its hour becomes a gap, and its day is derived, sealed and calculated again. After an interruption, the next
 * call finishes the work.
 * @throws {OperatorError} when the feed has no frame in that hour, its day was pruned, or another frame replaced the retracted one.
 */
export async function retractFrame(
  databasePath: string,
  retraction: Retraction,
  parts: RetractionParts,
): Promise<RetractionReport> {
  const work = (database: Database) => runBatches(retractInBatches(database, retraction, parts), parts.pause);
  const { value } = await importing(databasePath, work, { marksReal: false });
  return value;
}

function* retractInBatches(
  database: Database,
  { feed, hour, reason }: Retraction,
  parts: RetractionParts,
): Generator<BatchStats, RetractionReport> {
  const { clock } = parts;
  const frames = new FrameWriter(database);
  const key = { feed, day: Math.floor(hour / hoursOfDay), hour };
  const frame = frames.recorded(key);
  const name = `frame of ${toTimestamp(hour * hourMs).slice(0, 13)}`;
  if (frame === null) throw new OperatorError(`feed ${feed} has no ${name}`);
  if (frames.isPruned(key)) throw new OperatorError(`feed ${feed}: the ${name} was removed with its day`);
  const isRepeated = frame.reason !== null;
  if (isRepeated && !frames.isReplaceable(key))
    throw new OperatorError(`feed ${feed}: the ${name} was already retracted, and a saved body replaced it`);
  if (!isRepeated)
    yield inOneTransaction(database, clock, () => {
      const at = clock.now();
      frames.retract(key, reason, at);
      const facts = { ...key, hours: 1 << (hour % hoursOfDay), count: 1 };
      new DataEvents(database).add({ ...facts, kind: "frame_retracted", cause: "operator", at });
      new QuoteLevels(database).retract(feed, hour);
    });
  const today = dayOf(clock.now());
  const finalized: Finalized = yield* finishDaysInBatches(database, today, clock, parts);
  const calculated: Calculation[] = yield* calculateIndexInBatches(database, today, parts);
  const levels = calculated.reduce((sum, { corrected }) => sum + corrected.length, 0);
  const { ingestedAt, savedAt } = new FeedWriter(database).times(feed);
  return {
    reason: frame.reason ?? reason,
    isRepeated,
    items: frame.items,
    quotes: frame.quotes,
    isPublished: ingestedAt === frame.ingestedAt && frame.checkedAt >= (savedAt ?? 0),
    rows: finalized.rows,
    levels,
  };
}
