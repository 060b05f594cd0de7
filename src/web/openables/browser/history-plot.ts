import { html } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { tickText } from "../../../values/time/time-text.ts";
import { fill } from "../../browser/dom.ts";
import { drawStrip, drawUprights } from "../../browser/plot-parts.ts";
import { centIntervals, TimePlot, type TimePlotParts } from "../../browser/time-plot.ts";
import { states, versionsOf } from "./history-points.ts";
import type { HistoryRow, Point } from "./types.ts";

/** A line of a plot. `mark` is its label. */
type Line = { mark: string; colour: string; dash?: number[]; of: (row: HistoryRow) => number | null };

const panels: readonly { title: string; isMoney: boolean; lines: readonly Line[] }[] = [
  {
    title: "Expected value and cost",
    isMoney: true,
    lines: [
      { mark: "cost", colour: "--series-2", dash: [6, 4], of: ({ cost_cents }) => cost_cents },
      { mark: "value", colour: "--series-1", of: ({ expected_value_cents }) => expected_value_cents },
    ],
  },
  {
    title: "Return, in percent of the cost",
    isMoney: false,
    lines: [
      {
        mark: "return",
        colour: "--series-3",
        of: ({ return_pct }) => (return_pct === null ? null : Number(return_pct)),
      },
    ],
  },
];
const stripLabel = "Missing points by cause; the table has the same data.";

/**
 * Draws two plots with one time axis (cost and expected value, and return), and a strip of the gaps.
 * @param onPoint Called with the index of the point under the cursor.
 */
export function historyPlots(
  host: HTMLElement,
  points: readonly Point[],
  onPoint: (index: number) => void,
): readonly TimePlot[] {
  const isWithheld = !points.some(({ state }) => state === "calculated");
  const note = isWithheld ? ": no expected value at any point, too little was priced" : "";
  const frames = panels.map(({ title }) => html`<h3>${title}${note}</h3><div class="plot-host"></div>`);
  fill(host.id, html`${frames}<svg class="strip" role="img" aria-label=${stripLabel}></svg>`);
  const strip = host.querySelector<SVGElement>(".strip");
  return [...host.querySelectorAll<HTMLElement>(".plot-host")].map((frame, number) => {
    const { lines, isMoney } = panels[number] as (typeof panels)[number];
    return new TimePlot(host, frame, {
      ...partsOf(points, lines, isMoney),
      onCursor: (at) => {
        if (at !== null) onPoint(points.findLastIndex((point) => point.at <= at));
      },
      onDrawn: (u) => {
        if (isMoney && strip !== null) drawStrip(strip, u, points, states, "calculated");
      },
    });
  });
}

function partsOf(points: readonly Point[], lines: readonly Line[], isMoney: boolean): Omit<TimePlotParts, "onCursor"> {
  const end = points.at(-1)?.end ?? 1;
  const versions = versionsOf(points)
    .slice(1)
    .map(({ at, row }) => ({ at, label: versionText(row) }));
  return {
    times: points.map(({ at }) => at),
    lines: lines.map(({ mark, of, ...look }) => ({
      ...look,
      label: mark,
      values: points.map(({ row }) => (row === null ? null : of(row))),
    })),
    endOf: (index) => points[index]?.end ?? end,
    joins: (index) => points[index]?.joins === true,
    timeRange: () => [points[0]?.at ?? 0, end],
    valueRange: (min, max) => valueRange(min, max, isMoney),
    timeAxis: { text: tickText, space: { narrow: 52, wide: 70 } },
    valueAxis: {
      text: isMoney ? dollars : (value) => `${value} %`,
      size: { narrow: 62, wide: 78 },
      space: 34,
      ...(isMoney && { intervals: centIntervals }),
    },
    height: { narrow: 180, wide: 210 },
    padding: { top: 16, right: { narrow: 56, wide: 60 } },
    sync: "roi",
    drawBelow: (u) => drawUprights(u, versions, "--text"),
  };
}

/** Returns the methodology and revision of a row as text. */
export function versionText({ methodology_version, revision_number }: HistoryRow): string {
  return `${methodology_version}, revision ${revision_number}`;
}

function valueRange(min: number | null, max: number | null, isMoney: boolean): [number, number] {
  if (min === null || max === null) return [0, 100];
  const air = Math.max(isMoney ? 1 : 0.5, (max - min) * 0.12, max === min ? max * 0.05 : 0);
  const round = isMoney ? Math.round : (value: number) => value;
  return [Math.max(0, round(min - air)), round(max + air)];
}
