import {
  convertedText,
  type DisplayRate,
  type Holding,
  type Holdings,
  type Sum,
} from "../../../access/owners/holdings.ts";
import type { ValuedPortfolio } from "../../../access/owners/owner-reads.ts";
import { dollars, grouped } from "../../../values/money/money-text.ts";
import { type Html, html } from "../../html.ts";
import { counted, dayName, spoken } from "./formatting.ts";

/** Shows a page of what a portfolio holds with its totals. */
export function holdingsSection({ portfolio, holdings, rate }: ValuedPortfolio): Html {
  const path = `/dashboard/portfolios/${portfolio.portfolioId}`;
  if (holdings.lots === 0)
    return html`<section aria-labelledby="holdings"><h2 id="holdings">Holdings</h2>
<p>Nothing is held here yet.</p></section>`;
  return html`<section aria-labelledby="holdings">
<h2 id="holdings">Holdings</h2>
${totals(holdings, rate)}
<p class="muted">${basisOf(holdings, rate)}</p>
${table(holdings.rows)}
${holdings.pages === 1 ? "" : pages(path, holdings.page, holdings.pages)}
</section>`;
}

/** Tells a sum in dollars, and which lots it leaves out. `isSigned`: with a plus where it is above zero. */
export function sumText({ cents, leftOut }: Sum, missing: string, isSigned = false): Html {
  if (cents === null) return html`<span class="muted">not known</span>`;
  const rest = leftOut === 0 ? "" : html`<br><span class="muted">without ${counted(leftOut, "lot")} ${missing}</span>`;
  return html`${isSigned ? signed(cents) : dollars(cents)}${rest}`;
}

function totals({ value, cost, difference, lots }: Holdings, rate: DisplayRate | null): Html {
  return html`<div class="cards">
${totalCard("Value", value, { lots, missing: "without a price", rate })}
${totalCard("Cost", cost, { lots, missing: "of unknown cost", rate })}
${totalCard("Difference from cost", difference, { lots, missing: "without a price or a cost", rate, isSigned: true })}
</div>`;
}

function totalCard(
  title: string,
  { cents, leftOut }: Sum,
  {
    lots,
    missing,
    rate,
    isSigned = false,
  }: { lots: number; missing: string; rate: DisplayRate | null; isSigned?: boolean },
): Html {
  const all = lots === 1 ? "The one lot is in it." : `All ${grouped(lots)} lots are in it.`;
  const which = leftOut === 0 ? all : `Leaves out ${grouped(leftOut)} of ${counted(lots, "lot")}: ${missing}.`;
  const none = `No figure: ${lots === 1 ? "the one lot is" : `all ${grouped(lots)} lots are`} ${missing}.`;
  const converted = cents === null || rate === null ? "" : html`${convertedText(cents, rate)}<br>`;
  const figure =
    cents === null ? html`<span class="muted">not known</span>` : isSigned ? signed(cents) : dollars(cents);
  return html`<section class="card"><h3>${title}</h3><p class="value">${figure}</p><p class="muted">${converted}${cents === null ? none : which}</p></section>`;
}

/** Tells whose prices of which day these are, and the rate of what is converted. */
function basisOf({ provider, day }: Holdings, rate: DisplayRate | null): Html {
  const asks =
    provider === null
      ? html`No provider of prices is known yet.`
      : day === null
        ? html`No daily ask of <code>${provider}</code> is stored for any of these items in the last 30 completed UTC days.`
        : html`Values are daily asks of <code>${provider}</code> of ${dayName(day)}, in US dollars: what sellers asked, before any fee. A lot of an item without an ask that day has no value.`;
  const converted =
    rate === null
      ? ""
      : html` Converted at ${rate.ratePerUsd} ${rate.currency} per US dollar (<code>${rate.source}</code>, ${dayName(rate.day)}); the dollars are the figures of record.`;
  return html`${asks}${converted}`;
}

function table(rows: readonly Holding[]): Html {
  return html`<table class="holdings"><caption class="hidden">Lots by item and cost, the highest value first</caption>
<thead><tr><th scope="col">Item</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Value</th><th scope="col" class="number">Difference${spoken(" from cost")}</th><th scope="col" class="number">Share${spoken(" of the value")}</th></tr></thead>
<tbody>
${rows.map(rowOf)}</tbody></table>`;
}

function rowOf(row: Holding): Html {
  const { itemId, marketHashName, phase, lots, quantity, costCents, valueCents, differenceCents, shareMilles } = row;
  const lotsText = lots === 1 ? "" : html`<br><span class="muted">${grouped(lots)} lots</span>`;
  return html`<tr><th scope="row">${marketHashName === null ? unnamed(itemId) : html`<a href="/items/${itemId}">${marketHashName}</a>`}${phase === null ? "" : html` <span class="tag">${phase}</span>`}</th>
<td class="number" data-label="Quantity">${grouped(quantity)}${lotsText}</td>
<td class="number" data-label="Cost">${costCents === null ? unknown("unknown") : costText(row, costCents)}</td>
<td class="number" data-label="Value">${valueCents === null ? unknown("no price") : html`${dollars(valueCents)}${each(row, row.askCents)}`}</td>
<td class="number" data-label="Difference">${differenceCents === null ? unknown("–") : signed(differenceCents)}</td>
<td class="number" data-label="Share">${shareMilles === null ? unknown("–") : shareText(shareMilles, valueCents)}</td></tr>
`;
}

/** Names an item that this node does not have yet: another one imported it a moment ago. */
export function unnamed(itemId: number): Html {
  return html`Item ${itemId} <span class="muted">not known here yet</span>`;
}

function costText(row: Holding, costCents: bigint): Html {
  const estimated = row.costEstimated ? html`<br><span class="muted">estimated</span>` : "";
  return html`${dollars(costCents)}${each(row, row.unitCostCents)}${estimated}`;
}

function each({ quantity }: Holding, cents: number | null): Html {
  return quantity === 1 ? html`` : html`<br><span class="muted">${dollars(cents)} each</span>`;
}

function unknown(word: string): Html {
  return html`<span class="muted">${word}</span>`;
}

function signed(cents: bigint): string {
  return cents > 0n ? `+${dollars(cents)}` : dollars(cents);
}

function shareText(milles: bigint, cents: bigint | null): string {
  return milles === 0n && cents !== 0n ? "< 0.1 %" : `${milles / 10n}.${milles % 10n} %`;
}

function pages(path: string, shown: number, last: number): Html {
  const link = (page: number, rel: string, name: string) =>
    page < 1 || page > last ? "" : html`<a href="${path}?page=${page}#holdings" rel="${rel}">${name}</a> `;
  return html`<nav class="actions" aria-label="Pages of the holdings">${link(shown - 1, "prev", "Higher values")}${link(shown + 1, "next", "Lower values")}<span class="muted">Page ${shown} of ${last}</span></nav>`;
}
