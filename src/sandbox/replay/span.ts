import { existsSync } from "node:fs";
import { closeDatabase, openReader } from "../../store/database.ts";
import { type ReplayBy, ReplayMoments, type ReplaySpan } from "../../store/read/replay-moments.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { dayText } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";

// This module is apart from the replay, because a span is refused before anything is played.

/** The wanted span, UTC ms. Null as `until` means the last frame. */
export type WantedSpan = { from: number; until: number | null; by: ReplayBy };

/**
 * Returns the span of a replay of the file at `path`.
 * @throws {OperatorError} when the file cannot show the market of the whole span.
 */
export function spanOf(path: string, { from, until: wanted, by }: WantedSpan): ReplaySpan {
  if (!existsSync(path)) throw new OperatorError(`${path}: the file does not exist`, exitCodes.noInput);
  const source = openReader(path);
  try {
    const moments = new ReplayMoments(source, by);
    const recorded = moments.recorded();
    if (recorded === null) throw refused("the file has no recorded frames");
    const until = wanted ?? moments.last();
    if (from >= until && wanted !== null)
      throw refused(`${toTimestamp(from)} is not before --until ${toTimestamp(until)}`);
    if (from < recorded.first) throw refused(`the first frame is of ${toTimestamp(recorded.first)}`);
    const span = { from, until };
    if (!moments.hasFrames(span))
      throw refused(
        `no frame is recorded after ${toTimestamp(from)} until ${toTimestamp(until)}; the last one is of ${toTimestamp(recorded.last)}`,
      );
    const pruned = moments.prunedDay(span);
    if (pruned !== null)
      throw refused(
        `the hours of ${dayText(pruned.day)} of the feed ${pruned.feed} were removed; begin after that day`,
      );
    const since = moments.knownSince();
    if (from < since && moments.hasOverwritten({ from, until: since }))
      throw refused(
        `imported days, rates and names changed before ${toTimestamp(since)}, and their earlier rows are unknown; begin there or later`,
      );
    return span;
  } finally {
    closeDatabase(source);
  }
}

function refused(why: string): OperatorError {
  return new OperatorError(`--replay: ${why}`, exitCodes.usage);
}
