import type { Cause, Meta, Point, Resolution, Row, Side } from "./types.ts";

/** Causes of a missing price: letter, name and description. */
export const causes: Readonly<Record<Cause, { letter: string; name: string; description: string }>> = {
  item_missing: {
    letter: "M",
    name: "Item missing",
    description: "a frame was recorded; this item was absent from its feed",
  },
  no_quote: { letter: "Q", name: "No quote", description: "the feed named the item without a quote on this side" },
  no_frame: { letter: "F", name: "No frame", description: "no frame of this provider is stored for that hour" },
  no_observation: { letter: "O", name: "No observation", description: "nothing was observed on that day" },
  not_begun: { letter: "N", name: "Not begun", description: "the hour is in the future" },
};

export const stepSeconds = { daily: 86_400, hourly: 3_600 };

/**
 * Returns every hour or day of the window in ascending order, with its row or the cause of the gap. Values are never carried forward.
 * @param rows Rows of one provider and side.
 */
export function pointsOf(
  resolution: Resolution,
  meta: Pick<Meta, "from" | "to" | "generated_at">,
  rows: readonly Row[],
): Point[] {
  const step = stepSeconds[resolution];
  const start = secondsOf(meta.from);
  const end = secondsOf(meta.to) + stepSeconds.daily;
  const now = Date.parse(meta.generated_at) / 1000;
  const byTime = new Map(rows.map((row) => [Date.parse(row.ts ?? `${row.date}T00:00:00Z`) / 1000, row]));
  const points: Point[] = [];
  for (let at = start; at < end; at += step) {
    const row = byTime.get(at) ?? null;
    points.push({ at, row, state: row === null ? absence(resolution, at, now) : stateOf(row) });
  }
  return points;
}

/**
 * Returns the best row of all providers per hour or day: lowest ask or highest bid, else a row with a cause. The row keeps its provider.
 * @param rows Rows of one side.
 */
export function bestRows(rows: readonly Row[], side: Side): Row[] {
  const best: Map<string, Row> = new Map();
  for (const row of rows) {
    const time = row.ts ?? row.date ?? "";
    const known = best.get(time);
    const isBetter =
      known === undefined ||
      (row.amount !== null &&
        (known.amount === null || (side === "ask" ? row.amount < known.amount : row.amount > known.amount)));
    if (isBetter) best.set(time, row);
  }
  return [...best.values()];
}

/** Counts the points of each state. */
export function countsOf(points: readonly Point[]): Partial<Record<Point["state"], number>> {
  const counts: Partial<Record<Point["state"], number>> = {};
  for (const { state } of points) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** @param date `YYYY-MM-DD` */
function secondsOf(date: string) {
  return Date.parse(`${date}T00:00:00Z`) / 1000;
}

function absence(resolution: Resolution, at: number, now: number): Cause {
  if (at > now) return "not_begun";
  return resolution === "hourly" ? "no_frame" : "no_observation";
}

/** @param row A daily row has no availability, because it only exists for quoted days. */
function stateOf(row: Row) {
  return row.availability ?? "quoted";
}
