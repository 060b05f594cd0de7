import { grouped } from "../../../values/money/money-text.ts";
import { dayMs, dayOf, parseDay } from "../../../values/time/calendar.ts";
import { type Html, html } from "../../html.ts";
import { counted, dayName, screenReaderOnly } from "./formatting.ts";

/** Charged units of one operation on one UTC day (`YYYY-MM-DD`). `pages` is the part read by pages. */
export type DailyUse = {
  readonly day: string;
  readonly operation: string;
  readonly units: number;
  readonly pages: number;
};

/** One colour of the chart: an operation, or all operations without a colour of their own. */
type Band = { readonly name: string; readonly series: number; readonly operations: readonly string[]; units: number };

const ownBandsMax = 7;
const plotHeightPx = 160;
const airPx = 10;
const labelsPx = 24;
const axisWidthPx = 48;

/** Renders a month of usage as bars by day and operation, and as tables. Needs no script. */
export function usageChart(use: readonly DailyUse[], startsAt: number, endsAt: number): Html {
  const bands = bandsOf(use);
  if (bands.length === 0) return html`<p>No request has been counted this month.</p>`;
  const first = dayOf(startsAt);
  const days = Math.round((endsAt - startsAt) / dayMs);
  const byDay = new Map<number, DailyUse[]>();
  for (const one of use) {
    const day = parseDay(one.day) ?? first;
    byDay.set(day, [...(byDay.get(day) ?? []), one]);
  }
  const highest = Math.max(...[...byDay.values()].map(unitsOf));
  const top = roundTop(highest);
  const bars = [...byDay].map(([day, ofDay]) => bar(day, ofDay, bands, { first, days, top }));
  const description = `Requests by day: ${counted(byDay.size, "day")} with requests, at most ${grouped(highest)} on one day. The tables below hold every number.`;
  return html`<figure class="usage">
<div class="bars">
${axis(top)}
<svg width="100%" height="${airPx + plotHeightPx + labelsPx}" role="img" aria-label="${description}">
${[1, 0.5, 0].map((part) => html`<line class="grid" x1="0" x2="100%" y1="${yOf(part)}" y2="${yOf(part)}"/>`)}
${bars}
${dayLabels(days)}
</svg>
</div>
${legend(bands)}
</figure>
${dayTable(byDay)}`;
}

function bar(
  day: number,
  use: readonly DailyUse[],
  bands: readonly Band[],
  { first, days, top }: { first: number; days: number; top: number },
): Html {
  const x = percent((day - first + 0.12) / days);
  const width = percent(0.76 / days);
  let below = 0;
  const parts = bands.flatMap(({ series, operations }) => {
    const units = unitsOf(use.filter(({ operation }) => operations.includes(operation)));
    if (units === 0) return [];
    const y = yOf((below + units) / top);
    const height = yOf(below / top) - y;
    below += units;
    return [html`<rect class="series-${series}" x="${x}" width="${width}" y="${y}" height="${height}"/>`];
  });
  return html`<g><title>${dayName(day)}: ${counted(below, "request")}</title>${parts}</g>
`;
}

function axis(top: number): Html {
  const marks = [1, 0.5, 0].map(
    (part) =>
      html`<text x="${axisWidthPx - 6}" y="${yOf(part)}" text-anchor="end" dominant-baseline="middle">${grouped(top * part)}</text>`,
  );
  return html`<svg width="${axisWidthPx}" height="${airPx + plotHeightPx + labelsPx}" aria-hidden="true">${marks}</svg>`;
}

function dayLabels(days: number): Html[] {
  const weekly = Array.from({ length: Math.ceil(days / 7) }, (_, week) => week * 7);
  return weekly.map(
    (index) =>
      html`<text x="${percent((index + 0.5) / days)}" y="${airPx + plotHeightPx + 17}" text-anchor="middle">${index + 1}</text>`,
  );
}

function legend(bands: readonly Band[]): Html {
  const rows = bands.map(
    ({ name, series, units }) =>
      html`<tr><th scope="row"><span class="swatch series-${series}"></span><span class="name">${name}</span></th><td class="number">${grouped(units)}</td></tr>
`,
  );
  return html`<table class="legend"><caption>Requests by operation, this month</caption>
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

function dayTable(byDay: ReadonlyMap<number, readonly DailyUse[]>): Html {
  const rows = [...byDay]
    .sort(([a], [b]) => b - a)
    .map(([day, use]) => {
      const operations = [...use].sort((a, b) => b.units - a.units);
      return html`<tr><th scope="row">${dayName(day)}</th><td class="number">${grouped(unitsOf(use))}</td><td>${operations.map(
        ({ operation, units }) => html`<span class="of">${operation} ${grouped(units)}</span> `,
      )}</td></tr>
`;
    });
  return html`<details><summary>Every day as a table</summary>
<table><caption>${screenReaderOnly("Requests by day and operation; days without requests are left out")}</caption>
<thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="number">Requests</th><th scope="col">By operation</th></tr></thead>
<tbody>
${rows}</tbody></table></details>`;
}

/** Assigns a colour to each of the most used operations, and one to all others. */
function bandsOf(use: readonly DailyUse[]): Band[] {
  const totals = new Map<string, number>();
  for (const { operation, units } of use) totals.set(operation, (totals.get(operation) ?? 0) + units);
  const ranked = [...totals].filter(([, units]) => units > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const alone = ranked.length === ownBandsMax + 1 ? ranked.length : ownBandsMax;
  const own = ranked
    .slice(0, alone)
    .map(([name, units], index): Band => ({ name, series: index + 1, operations: [name], units }));
  const rest = ranked.slice(alone);
  if (rest.length === 0) return own;
  const units = rest.reduce((sum, [, count]) => sum + count, 0);
  const operations = rest.map(([name]) => name);
  return [...own, { name: counted(rest.length, "other operation"), series: 8, operations, units }];
}

function unitsOf(use: readonly DailyUse[]): number {
  return use.reduce((sum, { units }) => sum + units, 0);
}

/** Returns the next of 2, 4, 10, 20, 40, 100…, so that half of it is also a whole number. */
function roundTop(units: number): number {
  for (let scale = 1; ; scale *= 10) {
    for (const step of [2, 4, 10]) if (step * scale >= units) return step * scale;
  }
}

function yOf(part: number): number {
  return Math.round((airPx + plotHeightPx * (1 - part)) * 100) / 100;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}
