import type { Request, RequestHandler, Response } from "express";
import type { PortfolioValue, ValuedPortfolio } from "../../../access/owners/owner-reads.ts";
import { dollars, grouped } from "../../../values/money/money-text.ts";
import { dayOf } from "../../../values/time/calendar.ts";
import { type Html, html } from "../../html.ts";
import { csrfField, sendPage, sendRefusal } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { queryOf } from "../request-context.ts";
import { ownerOf } from "../session-guard.ts";
import { capital, counted, dayName, facts, instant, notice, screenReaderOnly } from "./formatting.ts";
import { differenceText, holdingsSection, sourceText } from "./holdings.ts";
import { importedNotice, undoneNotice } from "./portfolio-upload.ts";

const unknown = { title: "Not found", text: "This account has no such portfolio." };
const windows = [31, 92, 366] as const;

/** Shows one portfolio: its holdings, and its value over time as a chart and as the table behind it. */
export function portfolioPage({ clock, reads, portfolios, isValued }: DashboardParts): RequestHandler {
  return async (req, res) => {
    const owner = ownerOf(res);
    const valued = await portfolios.read(owner, String(req.params.portfolioId), pageOf(req));
    if (valued === null) return sendRefusal(res, 404, unknown);
    const { portfolio } = valued;
    const path = `/dashboard/portfolios/${portfolio.portfolioId}`;
    const days = daysOf(req);
    const at = clock.now();
    const today = dayOf(at);
    const from = today - days + 1;
    const values = await reads.valuations(owner.accountId, portfolio.portfolioId, { fromDay: from, toDay: today, at });
    const body = html`<p class="muted"><a href="/dashboard/portfolios">Portfolios</a></p>
<h1>${portfolio.name}</h1>
${noticeOf(req)}
<div class="actions"><a class="button" href="${path}/import">Add items</a> <a class="button quiet" href="${path}/rename">Settings</a>
${valued.importedAt === null ? "" : undoForm(res, path, valued.importedAt)}</div>
${holdingsSection(valued)}
<section aria-labelledby="value">
<h2 id="value">Value over time</h2>
${windowLinks(portfolio.portfolioId, days)}
${values.length === 0 ? noValues(portfolio.latest, isValued) : overTime(values, from, today)}
</section>
<section aria-labelledby="about">
<h2 id="about">About this portfolio</h2>
${portfolioFacts(valued)}
</section>`;
    // The line needs at least one day with a price for every holding.
    const isDrawn = values.some(isComplete);
    const scripts = isDrawn ? ["/browser/uplot.js", "/dashboard/browser/value-chart.js"] : [];
    const styles = isDrawn ? ["/browser/uplot.css"] : [];
    sendPage(res, { title: portfolio.name, owner, body, styles, scripts });
  };
}

/** Returns the notice about the last action, from the address. */
function noticeOf(req: Request): Html | string {
  const query = queryOf(req);
  const texts = { made: "Portfolio created.", renamed: "Saved." };
  const key = query.get("notice");
  if (key === "made" || key === "renamed") return notice(texts[key]);
  return importedNotice(query.get("imported")) ?? undoneNotice(query.get("undone")) ?? "";
}

function undoForm(res: Response, path: string, importedAt: number): Html {
  return html`<form method="post" action="${path}/undo">${csrfField(res)}<button class="quiet">Undo last import</button> <span class="muted">${instant(importedAt)}</span></form>`;
}

function noValues(latest: PortfolioValue | null, isValued: boolean): Html {
  if (latest === null && !isValued) return html`<p>Valuation is switched off on this server.</p>`;
  if (latest === null) return html`<p>Not valued yet. Valuation runs daily after 00:00 UTC.</p>`;
  return html`<p>No value is recorded in these days.</p>`;
}

function isComplete({ holdingCount, pricedHoldingCount, valueCents }: PortfolioValue): boolean {
  return valueCents !== null && holdingCount === pricedHoldingCount;
}

function portfolioFacts({ portfolio, rate, holdings }: ValuedPortfolio): Html {
  const { provider, providerName } = holdings;
  const { priceSource } = portfolio;
  const isOwn = provider === priceSource;
  const freeText = provider === null ? "nothing: this server has no Steam feed" : sourceText(provider, providerName);
  return facts([
    ["Portfolio id", html`<code>${portfolio.portfolioId}</code>`],
    ["Lots", grouped(portfolio.holdingCount)],
    [
      "Valued at",
      html`${capital(sourceText(priceSource, isOwn ? providerName : null))}${isOwn ? "" : html`. The Free plan shows ${freeText}`}`,
    ],
    ["Display currency", currencyText(portfolio.displayCurrency, rate !== null)],
    ["Shared publicly", portfolio.isPublic ? "Yes. That alone lets no key read it." : "No"],
    ["Created", instant(portfolio.createdAt)],
    ["Updated", instant(portfolio.updatedAt)],
  ]);
}

function currencyText(currency: string, isConverted: boolean): string {
  if (currency === "USD") return currency;
  if (isConverted) return `${currency}. Totals are converted from US dollars.`;
  return `${currency}. Not converted: needs a paid plan and a stored rate.`;
}

function windowLinks(portfolioId: string, days: number): Html {
  const links = windows.map((count) => {
    const current = count === days ? html` aria-current="true"` : "";
    return html`<a class="button quiet" href="/dashboard/portfolios/${portfolioId}?days=${count}"${current}>${counted(count, "day")}</a> `;
  });
  return html`<nav class="actions" aria-label="Days shown">${links}</nav>`;
}

/** Renders the values over time. A script draws the chart from the table, which is complete without it. */
function overTime(values: readonly PortfolioValue[], from: number, to: number): Html {
  return html`${values.some(isComplete) ? chartPlace(from, to) : ""}
<div class="scroll" role="region" aria-labelledby="values-title" tabindex="0">
<table id="values"><caption id="values-title">Value at the end of each UTC day, newest first</caption>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Value</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Difference</th><th scope="col">${screenReaderOnly("Holdings ")}Priced</th></tr></thead>
<tbody>
${rowsOf(values, from, to).reverse()}</tbody></table>
</div>`;
}

function chartPlace(from: number, to: number): Html {
  return html`<div id="chart" data-from="${from}" data-to="${to}" hidden>
<div id="plot" class="plot-host" tabindex="0" role="group" aria-label="Chart of the value. Arrow keys move from day to day, Home and End to the ends." aria-describedby="reading"></div>
<p id="reading" class="reading" aria-live="polite"></p>
<ul class="signs"><li><span class="sign whole"></span>Value, every holding priced</li><li><span class="sign part"></span>Some holdings unpriced: a mark below, on no scale</li><li><span class="sign basis"></span>Cost, if known for every holding</li></ul>
</div>`;
}

/** Returns table rows for all days. Days without a value get rows that state this. */
function rowsOf(values: readonly PortfolioValue[], from: number, to: number): Html[] {
  const rows: Html[] = [];
  let next = from;
  for (const value of values) {
    if (value.day > next) rows.push(gapRow(next, value.day - 1));
    rows.push(valueRow(value));
    next = value.day + 1;
  }
  // The current day has no value yet, which is not a gap.
  if (next < to) rows.push(gapRow(next, to - 1));
  return rows;
}

function valueRow(value: PortfolioValue): Html {
  const { day, valueCents, costBasisCents, comparedValueCents: worth, comparedCostCents: cost } = value;
  // The difference covers the lots with both price and cost, unlike the two sums beside it.
  const difference = worth === null || cost === null ? null : BigInt(worth) - BigInt(cost);
  return html`<tr data-day="${day}" data-value="${valueCents ?? ""}" data-cost="${costBasisCents ?? ""}" data-complete="${isComplete(value) ? "yes" : "no"}"><th scope="row">${dayName(day)}</th><td class="number">${dollars(valueCents)}</td><td class="number">${dollars(costBasisCents)}</td><td class="number">${differenceText(difference)}</td><td>${pricedOf(value)}</td></tr>
`;
}

function pricedOf({ holdingCount, pricedHoldingCount }: PortfolioValue): string {
  if (holdingCount === 0) return "none held";
  return `${holdingCount === pricedHoldingCount ? "all" : `${grouped(pricedHoldingCount)} of`} ${grouped(holdingCount)}`;
}

function gapRow(first: number, last: number): Html {
  const days = first === last ? dayName(first) : `${dayName(first)} – ${dayName(last)}`;
  return html`<tr class="gap"><th scope="row">${days}</th><td colspan="4" class="muted">no value recorded (${counted(last - first + 1, "day")})</td></tr>
`;
}

function daysOf(req: Request): number {
  const asked = Number(queryOf(req).get("days"));
  return windows.find((count) => count === asked) ?? windows[0];
}

/** Returns the page number in the query, from 1. An invalid number is 1. */
function pageOf(req: Request): number {
  const page = queryOf(req).get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}
