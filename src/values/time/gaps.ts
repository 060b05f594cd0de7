import { dayText, hourMs } from "./calendar.ts";
import { toTimestamp } from "./clock.ts";

const rangesMax = 20;
const removedRangesMax = 5;
const names = {
  day: dayText,
  hour: (hour: number) => toTimestamp(hour * hourMs).replace(":00.000Z", "Z"),
};

/**
 * Describes the `absent` points (ascending days or hours since 1970) of a window with `total` points. Returns `none`, or a text such as
 * `4 of 30 days absent: 2026-10-03, 2026-10-09/2026-10-11`. Points `step` apart form one range.
 */
export function missingPoints(unit: "day" | "hour", total: number, absent: readonly number[], step = 1): string {
  if (absent.length === 0) return "none";
  return `${absent.length} of ${total} ${unit}s absent: ${rangesText(rangesOf(absent, step), names[unit], rangesMax)}`;
}

/**
 * Returns the suffix of `missingPoints` for `days` (ascending, since 1970) with hours that were recorded and later removed. Returns "" for
 * no days, else a text such as `; recorded and since removed: 2026-01-01/2026-01-10`.
 */
export function removedDays(days: readonly number[]): string {
  if (days.length === 0) return "";
  return `; recorded and since removed: ${rangesText(rangesOf(days, 1), dayText, removedRangesMax)}`;
}

/**
 * Returns the suffix of `missingPoints` for `hours` (ascending, since 1970) with retracted frames. Returns "" for no hours, else a text
 * such as `; retracted: 2026-01-01T05:00Z`. After removed days there is space for one range only.
 */
export function retractedHours(hours: readonly number[], isAfterRemoved: boolean): string {
  if (hours.length === 0) return "";
  return `; retracted: ${rangesText(rangesOf(hours, 1), names.hour, isAfterRemoved ? 1 : removedRangesMax)}`;
}

function rangesText(
  ranges: readonly { first: number; last: number }[],
  name: (point: number) => string,
  shownMax: number,
): string {
  const shown = ranges
    .slice(0, shownMax)
    .map(({ first, last }) => (first === last ? name(first) : `${name(first)}/${name(last)}`));
  const more = ranges.length > shownMax ? `, +${ranges.length - shownMax} more` : "";
  return shown.join(", ") + more;
}

function rangesOf(points: readonly number[], step: number): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const point of points) {
    const open = ranges.at(-1);
    if (open?.last === point - step) open.last = point;
    else ranges.push({ first: point, last: point });
  }
  return ranges;
}
