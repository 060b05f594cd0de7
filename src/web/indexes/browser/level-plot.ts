import { tickText } from "../../../values/time/time-text.ts";
import { shape } from "../../browser/dom.ts";
import { colour, TimePlot } from "../../browser/time-plot.ts";
import { causes } from "./levels.ts";
import type { Day } from "./types.ts";

const stripHeight = 18;
const letterWidth = 13;

/** The levels over time, and under them a strip that tells why a day has none. */
export class LevelPlot {
  #host;
  #days;
  #plot;
  #strip = shape("svg", {
    class: "strip",
    role: "img",
    "aria-label": "Days without a level by cause; the table says the same.",
  });

  /** @param onDay Called with the day under the cursor. */
  constructor(host: HTMLElement, days: readonly Day[], onDay: (index: number) => void) {
    this.#host = host;
    this.#days = days;
    const frame = document.createElement("div");
    frame.className = "plot-host";
    host.append(frame, this.#strip);
    const [first, last] = [days[0]?.at ?? 0, days.at(-1)?.end ?? 1];
    this.#plot = new TimePlot(host, frame, {
      times: days.map(({ at }) => at),
      lines: [{ values: days.map(({ row }) => (row?.value == null ? null : Number(row.value))), colour: "--series-1" }],
      endOf: (index) => days[index]?.end ?? last,
      timeRange: () => [first, last],
      valueRange,
      timeAxis: { text: tickText, space: { narrow: 52, wide: 70 } },
      valueAxis: { text: (value) => value.toLocaleString("en-US"), size: { narrow: 52, wide: 64 }, space: 40 },
      height: { narrow: 260, wide: 420 },
      padding: { top: 16, right: { narrow: 20, wide: 28 } },
      drawBelow: (u) => drawVersions(u, days),
      onDrawn: (u) => this.#drawStrip(u),
      onCursor: (at) => {
        const index = at === null ? -1 : days.findLastIndex((day) => day.at <= at);
        if (index >= 0) onDay(index);
      },
    });
  }

  moveTo(index: number) {
    const day = this.#days[index];
    if (day !== undefined) this.#plot.moveTo((day.at + day.end) / 2);
  }

  fit() {
    this.#plot.fit();
  }

  recolour() {
    this.#plot.recolour();
  }

  destroy() {
    this.#plot.destroy();
    this.#host.replaceChildren();
  }

  #drawStrip(u: uPlot) {
    const left = u.bbox.left / devicePixelRatio;
    const width = u.bbox.width / devicePixelRatio;
    const perDay = width / this.#days.length;
    this.#strip.setAttribute("width", String(u.width));
    this.#strip.setAttribute("height", String(stripHeight + 4));
    this.#strip.replaceChildren(
      shape("rect", { class: "ground", x: left, y: 1, width, height: stripHeight - 2 }),
      ...runsOf(this.#days).flatMap(({ state, first, count }) => marksOf(state, left + first * perDay, count * perDay)),
    );
  }
}

/** Neighbours of the same state together. */
function runsOf(days: readonly Day[]) {
  const runs: { state: Day["state"]; first: number; count: number }[] = [];
  days.forEach(({ state }, first) => {
    const open = runs.at(-1);
    if (open?.state === state) open.count += 1;
    else runs.push({ state, first, count: 1 });
  });
  return runs;
}

function marksOf(state: Day["state"], x: number, length: number) {
  const width = Math.max(2, length);
  if (state === "level") return [shape("rect", { class: "known", x, y: 7.5, width, height: 3 })];
  const { letter, name } = causes[state];
  const box = { x, y: 1, width, height: stripHeight - 2 };
  const made = [
    shape("rect", { class: `gap ${state}`, ...box, fill: `url(#pattern-${state})` }, shape("title", {}, name)),
  ];
  if (width < letterWidth) return made;
  const middle = x + width / 2;
  return [
    ...made,
    shape("rect", { class: "plate", x: middle - 6, y: 2.5, width: 12, height: stripHeight - 5, rx: 2 }),
    shape("text", { class: `letter ${state}`, x: middle, y: 13, "text-anchor": "middle" }, letter),
  ];
}

function valueRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const air = Math.max((max - min) * 0.12, max * 0.002);
  return [Math.max(0, min - air), max + air];
}

/** Draws an upright line where another version of the members begins, with its name. */
function drawVersions(u: uPlot, days: readonly Day[]) {
  const { ctx, bbox } = u;
  const size = 11 * devicePixelRatio;
  const rows = days.filter(({ row }) => row !== null);
  ctx.save();
  ctx.font = `600 ${size}px Inter, system-ui, sans-serif`;
  ctx.fillStyle = ctx.strokeStyle = colour("--muted");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  rows.forEach(({ at, row }, index) => {
    const before = rows[index - 1]?.row?.membership_version;
    if (before === undefined || before === row?.membership_version) return;
    const x = Math.round(u.valToPos(at, "x", true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - size);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const label = `members, version ${row?.membership_version}`;
    const gap = size * 0.4;
    const isLeft = x + gap + ctx.measureText(label).width > ctx.canvas.width;
    ctx.textAlign = isLeft ? "right" : "left";
    ctx.fillText(label, x + (isLeft ? -gap : gap), bbox.top - size * 0.2);
  });
  ctx.restore();
}
