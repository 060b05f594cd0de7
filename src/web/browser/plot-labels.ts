/** Style of the flag at the end of a line. */
export type FlagStyle = "filled" | "outlined" | "plain";
/** Text at the end of a line, at canvas pixels; a label without `flag` has one row. `own` is the colour of the line. */
export type Label = { rows: readonly string[]; flag?: FlagStyle; own: string; x: number; y: number };

const labelSize = 12;
const flagSize = 11;
const rowHeight = 1.25;

/**
 * Draws labels, moved down if they would overlap.
 * @param ground Colour behind the plot.
 */
export function writeLabels(ctx: CanvasRenderingContext2D, labels: readonly Label[], ground: string) {
  const sorted = labels
    .map((label) => ({ ...label, height: heightOf(label) * devicePixelRatio }))
    .sort((a, b) => a.y - b.y);
  const places = spread(sorted, ctx.canvas.height);
  ctx.save();
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  ctx.setLineDash([]);
  sorted.forEach((label, index) => {
    writeLabel(ctx, { ...label, y: places[index] ?? label.y }, ground);
  });
  ctx.restore();
}

/** Returns the centres of labels in ascending order, so that they do not overlap and the last ends above `bottom`. */
export function spread(labels: readonly { y: number; height: number }[], bottom: number): number[] {
  const places: number[] = [];
  let free = 0;
  for (const { y, height } of labels) {
    const place = Math.max(y, free + height / 2);
    places.push(place);
    free = place + height / 2;
  }
  let limit = bottom;
  for (let index = labels.length - 1; index >= 0; index -= 1) {
    const half = (labels[index]?.height ?? 0) / 2;
    places[index] = Math.min(places[index] ?? 0, limit - half);
    limit = (places[index] ?? 0) - half;
  }
  return places;
}

/** Returns the width in pixels of the flags to the right of a plot. */
export function flagWidth(rows: readonly string[]): number {
  const ctx = document.createElement("canvas").getContext("2d");
  if (ctx === null) return 0;
  ctx.font = fontOf(flagSize, 600);
  return Math.ceil(Math.max(0, ...rows.map((row) => ctx.measureText(row).width)) + flagSize * 1.75);
}

function writeLabel(
  ctx: CanvasRenderingContext2D,
  { rows, flag, own, height, x, y }: Label & { height: number },
  ground: string,
) {
  const size = (flag === undefined ? labelSize : flagSize) * devicePixelRatio;
  const left = x + size * 0.5;
  const isBoxed = flag === "filled" || flag === "outlined";
  ctx.font = fontOf(size, flag === undefined ? 700 : 600);
  if (isBoxed) {
    const width = Math.max(...rows.map((row) => ctx.measureText(row).width)) + size;
    ctx.beginPath();
    ctx.roundRect(left, y - height / 2 + 1, width, height - 2, 3 * devicePixelRatio);
    ctx.fillStyle = flag === "filled" ? own : ground;
    ctx.strokeStyle = own;
    ctx.lineWidth = devicePixelRatio;
    ctx.fill();
    ctx.stroke();
  }
  ctx.fillStyle = flag === "filled" ? ground : own;
  rows.forEach((row, index) => {
    const middle = y + (index - (rows.length - 1) / 2) * size * rowHeight;
    ctx.fillText(row, left + (isBoxed ? size * 0.5 : 0), middle);
  });
}

function heightOf({ rows, flag }: Label) {
  return flag === undefined ? labelSize * 1.1 : rows.length * flagSize * rowHeight + 4;
}

function fontOf(size: number, weight: number) {
  return `${weight} ${size}px Inter, system-ui, sans-serif`;
}
