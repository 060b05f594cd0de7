// Each page of the dashboard has a file of its own.
import type { RequestHandler } from "express";
import { addTotals, type Totals } from "../../../access/owners/holdings.ts";
import type { ValuedPortfolio } from "../../../access/owners/owner-reads.ts";
import { grouped } from "../../../values/money/money-text.ts";
import { type Html, html } from "../../html.ts";
import { sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { ownerOf } from "../session-guard.ts";
import { dayName } from "./formatting.ts";
import { amountsOf, amountText, coverageText, differenceText } from "./holdings.ts";

/** Shows the portfolios of the account with their values, and the total. */
export function portfoliosPage({ portfolios }: DashboardParts): RequestHandler {
  return async (_req, res) => {
    const owner = ownerOf(res);
    const valued = await portfolios.list(owner);
    const body = html`<h1>Portfolios</h1>
<p>Your items at listing prices. Only <a href="/dashboard/keys">tokens</a> you allow can read them.</p>
<p class="actions"><a class="button" href="/dashboard/portfolios/new">New portfolio</a></p>
${valued.length === 0 ? html`<p>No portfolios yet.</p>` : table(valued)}`;
    sendPage(res, { title: "Portfolios", owner, body });
  };
}

function table(valued: readonly ValuedPortfolio[]): Html {
  const rows = valued.map(({ portfolio, holdings }) => {
    const { lots, day } = holdings;
    const asked = day === null || lots === 0 ? "" : html`<br><span class="muted">prices of ${dayName(day)}</span>`;
    return html`<tr><th scope="row"><a href="/dashboard/portfolios/${portfolio.portfolioId}">${portfolio.name}</a>${asked}</th>${cells(holdings)}</tr>
`;
  });
  const all = html`<tfoot><tr><th scope="row">All portfolios</th>${cells(addTotals(valued.map(({ holdings }) => holdings)))}</tr></tfoot>`;
  return html`<table class="holdings overview"><caption class="hidden">Portfolios with their holdings</caption>
<thead><tr><th scope="col">Portfolio</th><th scope="col" class="number">Lots</th><th scope="col" class="number">Value</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Difference</th></tr></thead>
<tbody>
${rows}</tbody>${valued.length === 1 ? "" : all}</table>`;
}

/** Renders value, cost and difference of the same lots, and the excluded lots. */
function cells(totals: Totals): Html {
  const { lots, unpriced, uncosted } = totals;
  const left = unpriced + uncosted === 0 ? "" : html`<br><span class="muted">${coverageText(totals)}</span>`;
  const count = html`<td class="number" data-label="Lots">${grouped(lots)}${left}</td>`;
  if (lots === 0) return html`${count}<td class="number muted" colspan="3">no items</td>`;
  const { value, cost, difference } = amountsOf(totals);
  return html`${count}<td class="number" data-label="Value">${amountText(value)}</td><td class="number" data-label="Cost">${amountText(cost)}</td><td class="number" data-label="Difference">${differenceText(difference)}</td>`;
}
