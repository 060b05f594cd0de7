import type { ReplayReport } from "./replay.ts";
import { refusalLines } from "./report.ts";

/** What a replay did, for a person. */
export function replayText(report: ReplayReport): string {
  const { files, feed, recorded, hoursTaken, published, unchanged, overtaken, late, seconds, holdMsMax } = report;
  return [
    `${files} files of feed ${feed} replayed in ${seconds.toFixed(2)} s: ${recorded} frames recorded, ${hoursTaken} hours had theirs already`,
    `  published  ${published} generations; ${unchanged} files changed nothing, ${overtaken} were overtaken by the next, ${late} came late and were only recorded`,
    ...(report.provenItems > 0 ? [`  proven     ${report.provenItems} items that no catalog states`] : []),
    ...report.refused.flatMap(refusalLines),
    `  days       daily rows derived for ${report.settledDays} completed days`,
    `  lock       held for at most ${holdMsMax.toFixed(1)} ms at a time`,
  ].join("\n");
}

/** The same for a program: one JSON object. */
export function replayJson(report: ReplayReport): string {
  const { hoursTaken, provenItems, settledDays, holdMsMax, ...rest } = report;
  return JSON.stringify({
    ...rest,
    hours_taken: hoursTaken,
    proven_items: provenItems,
    settled_days: settledDays,
    hold_ms_max: holdMsMax,
  });
}
