// Each page of the dashboard has a file of its own.
import type { RequestHandler } from "express";
import { addSums } from "../../../access/owners/holdings.ts";
import type { ValuedPortfolio } from "../../../access/owners/owner-reads.ts";
import { grouped } from "../../../values/money/money-text.ts";
import { type Html, html } from "../../html.ts";
import { sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { ownerOf } from "../session-guard.ts";
import { dayName } from "./formatting.ts";
import { sumText } from "./holdings.ts";

/** Makes the page of the account's portfolios with their values, and of all together. */
export function portfoliosPage({ portfolios }: DashboardParts): RequestHandler {
  return async (_req, res) => {
    const owner = ownerOf(res);
    const valued = await portfolios.list(owner);
    const body = html`<h1>Portfolios</h1>
<p>What is held, at daily asks of the last completed day that has any, in US dollars. No key reads a portfolio but a
<a href="/dashboard/keys">personal token</a> for which you selected it.</p>
<p class="actions"><a class="button" href="/dashboard/portfolios/new">New portfolio</a></p>
${valued.length === 0 ? html`<p>This account has no portfolio yet.</p>` : table(valued)}`;
    sendPage(res, { title: "Portfolios", owner, body });
  };
}

function table(valued: readonly ValuedPortfolio[]): Html {
  const rows = valued.map(
    ({ portfolio, holdings: { lots, value, cost, difference, day } }) =>
      html`<tr><th scope="row"><a href="/dashboard/portfolios/${portfolio.portfolioId}">${portfolio.name}</a>${day === null || lots === 0 ? "" : html`<br><span class="muted">asks of ${dayName(day)}</span>`}</th><td class="number" data-label="Lots">${grouped(lots)}</td>${amounts(lots, { value, cost, difference })}</tr>
`,
  );
  return html`<table class="holdings overview"><caption class="hidden">Portfolios with what they hold</caption>
<thead><tr><th scope="col">Portfolio</th><th scope="col" class="number">Lots</th><th scope="col" class="number">Value</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Difference from cost</th></tr></thead>
<tbody>
${rows}</tbody>${valued.length === 1 ? "" : totalRow(valued)}</table>`;
}

function totalRow(valued: readonly ValuedPortfolio[]): Html {
  const of = (which: "value" | "cost" | "difference") => addSums(valued.map(({ holdings }) => holdings[which]));
  const lots = valued.reduce((all, { holdings }) => all + holdings.lots, 0);
  return html`<tfoot><tr><th scope="row">All portfolios</th><td class="number" data-label="Lots">${grouped(lots)}</td>${amounts(lots, { value: of("value"), cost: of("cost"), difference: of("difference") })}</tr></tfoot>`;
}

type Amounts = Pick<ValuedPortfolio["holdings"], "value" | "cost" | "difference">;

function amounts(lots: number, { value, cost, difference }: Amounts): Html {
  if (lots === 0) return html`<td class="number muted" colspan="3">nothing held</td>`;
  return html`<td class="number" data-label="Value">${sumText(value, "of unknown price")}</td><td class="number" data-label="Cost">${sumText(cost, "of unknown cost")}</td><td class="number" data-label="Difference">${sumText(difference, "of unknown price or cost", true)}</td>`;
}
