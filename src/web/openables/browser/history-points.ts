import type { HistoryRow, Point } from "./types.ts";

const day = 86_400;
/** Seconds between scheduled runs, at 00, 06, 12 and 18 UTC. */
const runEvery = 21_600;

type Cause = { letter: string; name: string; meaning: string };

/** Reasons for a missing value: letter of the mark, name and meaning. */
export const states: Readonly<Record<Exclude<Point["state"], "calculated">, Cause>> = {
  held_back: { letter: "H", name: "Held back", meaning: "calculated, but too little was priced for a point" },
  no_row: { letter: "R", name: "No row", meaning: "nothing was calculated, or the cost was unknown" },
  not_begun: { letter: "N", name: "Not begun", meaning: "it is in the future" },
};

/**
 * Returns the points of the window in ascending order: every day or scheduled run, and all other runs. Each has its row or the reason for
 * the gap. Gaps are never filled, and lines of two versions are never joined.
 */
export function pointsOf(
  granularity: "day" | "hour",
  meta: { from: string; to: string; generated_at: string },
  rows: readonly HistoryRow[],
): Point[] {
  const end = secondsOf(meta.to) + day;
  const now = secondsOf(meta.generated_at);
  const byTime = new Map(rows.map((row) => [secondsOf(row.ts), row]));
  const times = new Set(byTime.keys());
  for (let at = secondsOf(meta.from); at < end; at += granularity === "day" ? day : runEvery) times.add(at);
  const ordered = [...times].sort((a, b) => a - b);
  return ordered.map((at, index) => {
    const row = byTime.get(at) ?? null;
    const before = byTime.get(ordered[index - 1] ?? -1);
    const joins = row !== null && before !== undefined && versionOf(row) === versionOf(before);
    return { at, end: ordered[index + 1] ?? end, row, joins, state: stateOf(row, at > now) };
  });
}

/** Returns the points at which the pool's revision or the methodology changes, starting with the first row. */
export function versionsOf(points: readonly Point[]): { at: number; row: HistoryRow }[] {
  const rows = points.flatMap(({ at, row }) => (row === null ? [] : [{ at, row }]));
  return rows.filter(({ row }, index) => {
    const before = rows[index - 1];
    return before === undefined || versionOf(before.row) !== versionOf(row);
  });
}

function versionOf({ revision_id, methodology_version }: HistoryRow): string {
  return `${revision_id} ${methodology_version}`;
}

function stateOf(row: HistoryRow | null, isAhead: boolean): Point["state"] {
  if (row === null) return isAhead ? "not_begun" : "no_row";
  return row.expected_value_cents === null ? "held_back" : "calculated";
}

/** @param instant `YYYY-MM-DD` or an instant of the API. */
function secondsOf(instant: string): number {
  return Date.parse(instant) / 1000;
}
