const hour = 3_600;
const day = 86_400;
/** Marks of the time axis lie on hours and UTC days, those of a price axis on whole cents. */
export const timeSteps = [
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
  30 * day,
  60 * day,
];
export const centSteps = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

export const axisLook = {
  stroke: () => colour("--muted"),
  grid: { stroke: () => colour("--grid"), width: 1 },
  ticks: { stroke: () => colour("--line"), width: 1, size: 4 },
  font: "12px system-ui, sans-serif",
};

/** @param {number} at Seconds. */
export function utcDate(at) {
  return uPlot.tzDate(new Date(at * 1000), "Etc/UTC");
}

/**
 * A horizontal line for the time of each value, an upright one only between neighbours that belong together: nothing is drawn
 * across a gap. The library's own steps are cut by a clip, which leaves the last value before a gap without its line.
 * @param {(index: number, at: number) => number} endOf Where the line of a point ends, in seconds.
 * @param {(index: number) => boolean} [joins] Whether a point goes on from the one before it, if that has a value.
 * @returns {uPlot.Series.PathBuilder}
 */
export function stepsOf(endOf, joins = () => true) {
  return (u, index, first, last) => {
    const stroke = new Path2D();
    const times = u.data[0];
    const values = u.data[index] ?? [];
    for (let i = first; i <= last; i += 1) {
      const [at, value] = [times[i], values[i]];
      if (at === undefined || value === null || value === undefined) continue;
      const y = u.valToPos(value, "y", true);
      const left = u.valToPos(at, "x", true);
      if (i > first && typeof values[i - 1] === "number" && joins(i)) stroke.lineTo(left, y);
      else stroke.moveTo(left, y);
      stroke.lineTo(u.valToPos(endOf(i, at), "x", true), y);
    }
    return { stroke, fill: null, clip: null, flags: 0 };
  };
}

/** @param {string} name A custom property of the style sheet. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
