import type { Request, RequestHandler } from "express";
import type { OwnerPortfolio, PortfolioValue } from "../../../access/owners/owner-reads.ts";
import { dayOf } from "../../../values/calendar.ts";
import { type Html, html } from "../../html.ts";
import { sendPage, sendRefusal } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { ownerOf } from "../session-guard.ts";
import { counted, dayName, dollars, facts, grouped, instant, spoken } from "./formatting.ts";
import { completeness } from "./portfolios.ts";

const unknown = { title: "Not found", text: "This account has no such portfolio." };
const windows = [31, 92, 366] as const;

/** Shows one portfolio, and its value over time as a chart and as the table that the chart is drawn from. */
export function portfolioPage({ clock, reads }: DashboardParts): RequestHandler {
  return (req, res) => {
    const owner = ownerOf(res);
    const portfolio = reads.portfolio(owner.accountId, String(req.params.portfolioId), clock.now());
    if (portfolio === null) return sendRefusal(res, 404, unknown);
    const days = daysOf(req);
    const today = dayOf(clock.now());
    const from = today - days + 1;
    const values = reads.valuations(owner.accountId, portfolio.portfolioId, from, today);
    const body = html`<p class="muted"><a href="/dashboard/portfolios">Portfolios</a></p>
<h1>${portfolio.name}</h1>
${latestValue(portfolio.latest)}
<section aria-labelledby="value">
<h2 id="value">Value over time</h2>
${windowLinks(portfolio.portfolioId, days)}
${values.length === 0 ? html`<p>No value is recorded in these days.</p>` : overTime(values, from, today)}
</section>
<section aria-labelledby="about">
<h2 id="about">About this portfolio</h2>
${portfolioFacts(portfolio)}
</section>`;
    const scripts = ["/browser/uplot.js", "/dashboard/browser/value-chart.mjs"];
    sendPage(res, { title: portfolio.name, owner, body, styles: ["/browser/uplot.css"], scripts });
  };
}

function latestValue(latest: PortfolioValue | null): Html {
  if (latest === null) return html`<p>It was not valued yet. That happens once a day, after the UTC day has ended.</p>`;
  const basis = latest.costBasisCents === null ? "unknown cost" : `cost ${dollars(latest.costBasisCents)}`;
  return html`<p class="value">${dollars(latest.valueCents)}</p>
<p class="muted">${dayName(latest.day)}, ${completeness(latest)}, ${basis}</p>`;
}

function portfolioFacts(portfolio: OwnerPortfolio): Html {
  return facts([
    ["Portfolio id", html`<code>${portfolio.portfolioId}</code>`],
    ["Holdings", grouped(portfolio.holdingCount)],
    ["Priced by", html`<code>${portfolio.priceSource}</code>, its daily asks`],
    ["Display currency", html`${portfolio.displayCurrency}. Values here are US dollars and not converted.`],
    ["Shared publicly", portfolio.isPublic ? "Yes. That alone lets no key read it." : "No"],
    ["Created", instant(portfolio.createdAt)],
    ["Updated", instant(portfolio.updatedAt)],
  ]);
}

function windowLinks(portfolioId: string, days: number): Html {
  const links = windows.map((count) => {
    const current = count === days ? html` aria-current="true"` : "";
    return html`<a class="button quiet" href="/dashboard/portfolios/${portfolioId}?days=${count}"${current}>${counted(count, "day")}</a> `;
  });
  return html`<nav class="actions" aria-label="Days shown">${links}</nav>`;
}

/** The chart is drawn by script from the rows of the table, which say the same without it. */
function overTime(values: readonly PortfolioValue[], from: number, to: number): Html {
  return html`<div id="chart" data-from="${from}" data-to="${to}" hidden>
<div id="plot" class="plot-host" tabindex="0" role="group" aria-label="Chart of the value. Arrow keys move from day to day, Home and End to the ends." aria-describedby="reading"></div>
<p id="reading" class="reading" aria-live="polite"></p>
<ul class="signs"><li><span class="sign whole"></span>Value, every holding priced</li><li><span class="sign part"></span>Some holdings unpriced: the others’ value</li><li><span class="sign basis"></span>Cost, where every holding's is known</li></ul>
</div>
<div class="scroll" role="region" aria-labelledby="values-title" tabindex="0">
<table id="values"><caption id="values-title">Value at the end of each UTC day, newest first</caption>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Value</th><th scope="col" class="number">Cost</th><th scope="col">${spoken("Holdings ")}Priced</th></tr></thead>
<tbody>
${rowsOf(values, from, to).reverse()}</tbody></table>
</div>`;
}

/** Days without a value stand in the table as such; none is filled in. */
function rowsOf(values: readonly PortfolioValue[], from: number, to: number): Html[] {
  const rows: Html[] = [];
  let next = from;
  for (const value of values) {
    if (value.day > next) rows.push(gapRow(next, value.day - 1));
    rows.push(valueRow(value));
    next = value.day + 1;
  }
  // The day that runs has no value yet: nothing is missing.
  if (next < to) rows.push(gapRow(next, to - 1));
  return rows;
}

function valueRow(value: PortfolioValue): Html {
  const { day, valueCents, costBasisCents, holdingCount, pricedHoldingCount } = value;
  const isComplete = holdingCount === pricedHoldingCount;
  return html`<tr data-day="${day}" data-value="${valueCents ?? ""}" data-cost="${costBasisCents ?? ""}" data-complete="${isComplete ? "yes" : "no"}"><th scope="row">${dayName(day)}</th><td class="number">${dollars(valueCents)}</td><td class="number">${dollars(costBasisCents)}</td><td>${pricedOf(value)}</td></tr>
`;
}

function pricedOf({ holdingCount, pricedHoldingCount }: PortfolioValue): string {
  if (holdingCount === 0) return "none held";
  return `${holdingCount === pricedHoldingCount ? "all" : `${grouped(pricedHoldingCount)} of`} ${grouped(holdingCount)}`;
}

function gapRow(first: number, last: number): Html {
  const days = first === last ? dayName(first) : `${dayName(first)} – ${dayName(last)}`;
  return html`<tr class="gap"><th scope="row">${days}</th><td colspan="3" class="muted">no value recorded (${counted(last - first + 1, "day")})</td></tr>
`;
}

function daysOf(req: Request): number {
  const asked = Number(new URLSearchParams(req.url.split("?")[1]).get("days"));
  return windows.find((count) => count === asked) ?? windows[0];
}
