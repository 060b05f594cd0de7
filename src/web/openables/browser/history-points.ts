import type { HistoryRow, Point } from "./types.ts";

const day = 86_400;
/** A run is due at 00, 06, 12 and 18 UTC. */
const runEvery = 21_600;

/** The causes of a missing value: one letter, one name, one sentence each. */
export const states = {
  held_back: { letter: "H", name: "Held back", description: "calculated, but too little was priced for a point" },
  no_row: { letter: "R", name: "No row", description: "nothing was calculated, or the cost was unknown" },
  not_begun: { letter: "N", name: "Not begun", description: "it lies ahead" },
};

/**
 * Returns every day or due run of the window, and each run beside them, in ascending order with its row or why there is none. Nothing
 * is carried over a gap, and nothing joins two versions.
 */
export function pointsOf(
  granularity: "day" | "hour",
  meta: { from: string; to: string; generated_at: string },
  rows: readonly HistoryRow[],
): Point[] {
  const step = granularity === "day" ? day : runEvery;
  const end = secondsOf(meta.to) + day;
  const now = Date.parse(meta.generated_at) / 1000;
  const byTime = new Map(rows.map((row) => [Date.parse(row.ts) / 1000, row]));
  const times = new Set(byTime.keys());
  for (let at = secondsOf(meta.from); at < end; at += step) times.add(at);
  const ordered = [...times].sort((a, b) => a - b);
  return ordered.map((at, index) => {
    const row = byTime.get(at) ?? null;
    const before = byTime.get(ordered[index - 1] ?? -1);
    const joins = row !== null && before !== undefined && versionOf(row) === versionOf(before);
    return { at, end: ordered[index + 1] ?? end, row, joins, state: stateOf(row, at, now) };
  });
}

/** Returns the points at which the pool's revision or the methodology changes, beginning with the first row. */
export function versionsOf(points: readonly Point[]) {
  const versions: { at: number; row: HistoryRow }[] = [];
  for (const { at, row } of points) {
    const last = versions.at(-1);
    if (row !== null && (last === undefined || versionOf(last.row) !== versionOf(row))) versions.push({ at, row });
  }
  return versions;
}

/** Returns what two values of one line have in common. */
function versionOf({ revision_id, methodology_version }: HistoryRow) {
  return `${revision_id} ${methodology_version}`;
}

function stateOf(row: HistoryRow | null, at: number, now: number): Point["state"] {
  if (row === null) return at > now ? "not_begun" : "no_row";
  return row.expected_value_cents === null ? "held_back" : "calculated";
}

/** @param date `YYYY-MM-DD` */
function secondsOf(date: string) {
  return Date.parse(`${date}T00:00:00Z`) / 1000;
}
