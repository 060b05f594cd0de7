import {
  convertedText,
  type DisplayRate,
  type Holding,
  type Holdings,
  type Totals,
} from "../../../access/owners/holdings.ts";
import type { ValuedPortfolio } from "../../../access/owners/owner-reads.ts";
import { dollars, grouped } from "../../../values/money/money-text.ts";
import { lowestAsk } from "../../../values/price-source.ts";
import { type Html, html } from "../../html.ts";
import { counted, dayName, screenReaderOnly } from "./formatting.ts";

/** Renders one page of the holdings of a portfolio, with totals. */
export function holdingsSection({ portfolio, holdings, rate }: ValuedPortfolio): Html {
  const path = `/dashboard/portfolios/${portfolio.portfolioId}`;
  if (holdings.lots === 0)
    return html`<section aria-labelledby="holdings"><h2 id="holdings">Holdings</h2>
<p>No items yet.</p></section>`;
  return html`<section aria-labelledby="holdings">
<h2 id="holdings">Holdings</h2>
${totals(holdings, rate)}
<p class="muted">${basisOf(holdings, rate)}</p>
${table(holdings)}
${holdings.pages === 1 ? "" : pages(path, holdings.page, holdings.pages)}
</section>`;
}

/** Describes how many lots have both value and cost, and which lots are excluded. */
export function coverageText({ lots, unpriced, uncosted, uncostedValue }: Totals): string {
  const left = [
    ...(unpriced === 0 ? [] : [`${grouped(unpriced)} without a price`]),
    ...(uncosted === 0 ? [] : [`${grouped(uncosted)} without a cost, worth ${dollars(uncostedValue)}`]),
  ];
  if (left.length === 0) return lots === 1 ? "1 lot" : `All ${grouped(lots)} lots`;
  return `${grouped(lots - unpriced - uncosted)} of ${counted(lots, "lot")}: ${left.join("; ")}`;
}

/** Returns value, cost and difference of the same lots. If no lot has both price and cost, the value is of the lots with a price. */
export function amountsOf({ value, cost, uncosted, uncostedValue }: Totals): {
  value: bigint | null;
  cost: bigint | null;
  difference: bigint | null;
} {
  if (value === null || cost === null)
    return { value: uncosted === 0 ? null : uncostedValue, cost: null, difference: null };
  return { value, cost, difference: value - cost };
}

/** Renders an amount in dollars; null if unknown. */
export function amountText(cents: bigint | null): Html {
  return cents === null ? unknown("not known") : html`${dollars(cents)}`;
}

/** Renders a difference with its sign, green above zero and red below. */
export function differenceText(cents: bigint | null): Html {
  if (cents === null) return unknown("–");
  const kind = cents > 0n ? "up" : cents < 0n ? "down" : "level";
  return html`<span class="${kind}">${cents > 0n ? "+" : ""}${dollars(cents)}</span>`;
}

function totals(holdings: Holdings, rate: DisplayRate | null): Html {
  const { value, cost, difference } = amountsOf(holdings);
  const card = (title: string, cents: bigint | null, figure: Html) => {
    const converted = cents === null || rate === null ? "" : html`<p class="muted">${convertedText(cents, rate)}</p>`;
    return html`<section class="card"><h3>${title}</h3><p class="value">${figure}</p>${converted}</section>`;
  };
  return html`<div class="cards">
${card("Value", value, amountText(value))}
${card("Cost", cost, amountText(cost))}
${card("Difference", difference, differenceText(difference))}
</div>
<p id="coverage">${coverageText(holdings)}</p>`;
}

/** Returns the words for a price source. */
export function sourceText(priceSource: string, name: string | null): string {
  return priceSource === lowestAsk ? "the lowest price of all markets" : (name ?? priceSource);
}

/** Renders source and day of the prices, and the rate of converted amounts. */
function basisOf({ provider, providerName, day, lots, unpriced }: Holdings, rate: DisplayRate | null): Html {
  if (provider === null)
    return html`The Free plan values portfolios at the main platform, Steam. This server has no Steam feed.`;
  const source = sourceText(provider, providerName);
  const when = day === null ? "Listing prices now" : `Listing prices of ${dayName(day)}`;
  const asks =
    day === null && lots === unpriced
      ? html`No listing price of the last 30 days: ${source}.`
      : html`${when}, ${source}, before fees.`;
  const converted =
    rate === null
      ? ""
      : html` Converted at ${rate.ratePerUsd} ${rate.currency} per US dollar (<code>${rate.source}</code>, ${dayName(rate.day)}).`;
  return html`${asks}${converted}`;
}

function table({ rows, provider }: Holdings): Html {
  return html`<table class="holdings"><caption class="hidden">Lots by item and cost, the highest value first</caption>
<thead><tr><th scope="col">Item</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Value</th><th scope="col" class="number">Difference${screenReaderOnly(" from cost")}</th><th scope="col" class="number">Share${screenReaderOnly(" of the value")}</th></tr></thead>
<tbody>
${rows.map((row) => rowOf(row, provider === lowestAsk))}</tbody></table>`;
}

function rowOf(row: Holding, isLowest: boolean): Html {
  const { itemId, marketHashName, phase, lots, quantity, costCents, valueCents, differenceCents, shareMilles } = row;
  const lotsText = lots === 1 ? "" : html`<br><span class="muted">${grouped(lots)} lots</span>`;
  return html`<tr><th scope="row">${marketHashName === null ? unnamed(itemId) : html`<a href="/items/${itemId}">${marketHashName}</a>`}${phase === null ? "" : html` <span class="tag">${phase}</span>`}</th>
<td class="number" data-label="Quantity">${grouped(quantity)}${lotsText}</td>
<td class="number" data-label="Cost">${costCents === null ? unknown("unknown") : costText(row, costCents)}</td>
<td class="number" data-label="Value">${valueCents === null ? unknown("no price") : html`${dollars(valueCents)}${priceOf(row, isLowest)}`}</td>
<td class="number" data-label="Difference">${differenceText(differenceCents)}</td>
<td class="number" data-label="Share">${shareMilles === null ? unknown("–") : shareText(shareMilles, valueCents)}</td></tr>
`;
}

/** Renders an item that this node does not know yet, because another node imported it just now. */
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

/** Renders the price per unit if there are several, and the provider of a lowest price. */
function priceOf({ quantity, askCents, askProvider }: Holding, isLowest: boolean): Html {
  const each = quantity === 1 ? [] : [`${dollars(askCents)} each`];
  const facts = [...each, ...(isLowest && askProvider !== null ? [askProvider] : [])];
  return facts.length === 0 ? html`` : html`<br><span class="muted">${facts.join(", ")}</span>`;
}

function unknown(word: string): Html {
  return html`<span class="muted">${word}</span>`;
}

function shareText(milles: bigint, cents: bigint | null): string {
  return milles === 0n && cents !== 0n ? "< 0.1 %" : `${milles / 10n}.${milles % 10n} %`;
}

function pages(path: string, shown: number, last: number): Html {
  const link = (page: number, rel: string, name: string) =>
    page < 1 || page > last ? "" : html`<a href="${path}?page=${page}#holdings" rel="${rel}">${name}</a> `;
  return html`<nav class="actions" aria-label="Pages of the holdings">${link(shown - 1, "prev", "Higher values")}${link(shown + 1, "next", "Lower values")}<span class="muted">Page ${shown} of ${last}</span></nav>`;
}
