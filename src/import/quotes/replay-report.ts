import { plural } from "../../values/text/counted.ts";
import type { ReplayReport } from "./replay.ts";
import { movesJson, movesText, quoteMoveText, refusalLines } from "./report.ts";

/** Formats the report of a replay for people. */
export function replayText(report: ReplayReport): string {
  const { files, feed, recorded, hoursTaken, published, unchanged, overtaken, late, seconds, lockHeldMsMax } = report;
  const unjudged = Object.entries(report.notJudged).map(([guard, of]) => `${guard} in ${of} of the files`);
  return [
    `${plural(files, "file")} of feed ${feed} replayed in ${seconds.toFixed(2)} s: ${plural(recorded, "frame")} recorded, ${plural(hoursTaken, "hour")} had theirs already`,
    `  published  ${plural(published, "generation")}; ${plural(unchanged, "file")} changed nothing, ${overtaken} were replaced by the next, ${late} were late and only recorded`,
    ...(report.feedDerivedItems > 0
      ? [`  derived    ${plural(report.feedDerivedItems, "item")} without a catalog entry`]
      : []),
    ...report.refused.flatMap(refusalLines),
    ...(unjudged.length > 0 ? [`  guards     not judged: ${unjudged.join(", ")}`] : []),
    ...report.named.map((text) => `  named      ${text}`),
    `  moved      ${movesText(report.moves)}`,
    ...report.moves.largest.map((move) => `               ${quoteMoveText(move)}`),
    `  days       daily rows derived for ${report.finalizedDays} completed days`,
    `  lock       held for at most ${lockHeldMsMax.toFixed(1)} ms at a time`,
  ].join("\n");
}

/** Formats the report as one JSON object. */
export function replayJson(report: ReplayReport): string {
  const { hoursTaken, feedDerivedItems, finalizedDays, lockHeldMsMax, notJudged, moves, ...rest } = report;
  return JSON.stringify({
    ...rest,
    moves: movesJson(moves),
    hours_taken: hoursTaken,
    proven_items: feedDerivedItems,
    not_judged: notJudged,
    settled_days: finalizedDays,
    hold_ms_max: lockHeldMsMax,
  });
}
