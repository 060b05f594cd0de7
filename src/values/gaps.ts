import { dayText, hourMs } from "./calendar.ts";
import { toTimestamp } from "./clock.ts";

const rangesMax = 20;
const names = {
  day: dayText,
  hour: (hour: number) => toTimestamp(hour * hourMs).replace(":00.000Z", "Z"),
};

/**
 * Returns the `absent` ones (ascending, in days or hours since 1970) of the `total` points of a window, in words: `none`, or such as
 * `4 of 30 days absent: 2026-10-03, 2026-10-09/2026-10-11`. Points that lie `step` days or hours apart are neighbours and make
 * one range.
 */
export function missingPoints(unit: "day" | "hour", total: number, absent: readonly number[], step = 1): string {
  if (absent.length === 0) return "none";
  const ranges = rangesOf(absent, step);
  const shown = ranges.slice(0, rangesMax).map(({ first, last }) => {
    const name = names[unit];
    return first === last ? name(first) : `${name(first)}/${name(last)}`;
  });
  const more = ranges.length > rangesMax ? `, +${ranges.length - rangesMax} more` : "";
  return `${absent.length} of ${total} ${unit}s absent: ${shown.join(", ")}${more}`;
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
