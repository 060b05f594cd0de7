import type { RequestHandler } from "express";
import type { OwnerPortfolio, PortfolioValue } from "../../../access/owners/owner-reads.ts";
import { type Html, html } from "../../html.ts";
import { sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { ownerOf } from "../session-guard.ts";
import { counted, dayName, dollars, grouped } from "./formatting.ts";

/** Makes the page of the account's portfolios with their latest values. */
export function portfoliosPage({ clock, reads }: DashboardParts): RequestHandler {
  return (_req, res) => {
    const owner = ownerOf(res);
    const portfolios = reads.portfolios(owner.accountId, clock.now());
    const body = html`<h1>Portfolios</h1>
<p>No key reads them but a <a href="/dashboard/keys">personal token</a> for which you selected them. Values are in US dollars,
out of stored prices.</p>
${portfolios.length === 0 ? html`<p>This account has no portfolio yet.</p>` : table(portfolios)}`;
    sendPage(res, { title: "Portfolios", owner, body });
  };
}

/** Tells whether every lot had a price, and if not, how many had. */
export function completeness({ holdingCount, pricedHoldingCount }: PortfolioValue): string {
  if (holdingCount === 0) return "no holdings";
  if (holdingCount === pricedHoldingCount) return "complete";
  return `${grouped(pricedHoldingCount)} of ${counted(holdingCount, "holding")} priced`;
}

function table(portfolios: readonly OwnerPortfolio[]): Html {
  const rows = portfolios.map(
    ({ portfolioId, name, holdingCount, latest }) =>
      html`<tr><th scope="row"><a href="/dashboard/portfolios/${portfolioId}">${name}</a></th><td class="number">${grouped(holdingCount)}</td>${valueCell(latest)}</tr>
`,
  );
  return html`<table><caption class="hidden">Portfolios with their latest value</caption>
<thead><tr><th scope="col">Portfolio</th><th scope="col" class="number">Holdings</th><th scope="col" class="number">Latest value</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

function valueCell(latest: PortfolioValue | null): Html {
  if (latest === null) return html`<td class="number muted">not valued yet</td>`;
  return html`<td class="number">${dollars(latest.valueCents)}<br><span class="muted">${completeness(latest)}, ${dayName(latest.day)}</span></td>`;
}
