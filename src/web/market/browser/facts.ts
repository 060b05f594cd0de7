import { html, nothing } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { ageText, dateText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import { basisText, type Change, changesOf, percentText } from "./changes.ts";
import { colourOf, letterOf } from "./load.ts";
import { pictureOf } from "./picture.ts";
import { bestQuotes, type ProviderLine } from "./quotes.ts";
import { type Choice, switchesOf } from "./siblings.ts";
import type { Item, Provider, Row } from "./types.ts";

const kindNames = { wear: "Exterior", edition: "Edition", phase: "Phase" };

/** Shows name, picture and tags of the item. */
export function showItem(item: Item) {
  const { market_hash_name, phase, type, rarity } = item;
  document.title = `${market_hash_name}${phase === null ? "" : ` · ${phase}`} · Itemtape`;
  byId("name", HTMLElement).textContent = market_hash_name;
  fill("picture", pictureOf(item));
  const tags = [phase, type, rarity].filter((tag) => tag !== null);
  fill(
    "tags",
    tags.map((tag) => html`<span class="tag">${tag}</span>`),
  );
}

/**
 * Shows links to the other exteriors, editions and phases, with their lowest asks if known.
 * @param search Query that preserves the state of the chart.
 */
export function showSwitches(item: Item, siblings: readonly Item[], search: string) {
  const linkOf = ({ text, item: other, isCurrent }: Choice) => {
    const cents = other?.best_ask_cents ?? null;
    const content = html`${text}${cents === null ? nothing : html`<span class="muted">${dollars(cents)}</span>`}`;
    if (isCurrent || other === null) return html`<span class="choice-link" aria-current="true">${content}</span>`;
    const href = `/items/${other.item_id}${search}`;
    return html`<a class="choice-link" href=${href} title=${other.market_hash_name}>${content}</a>`;
  };
  const switches = switchesOf(item, siblings);
  fill(
    "switches",
    switches.map(({ kind, choices }) => html`<nav aria-label=${kindNames[kind]}>${choices.map(linkOf)}</nav>`),
  );
}

/** A figure with its label and a note. */
type Fact = { name: string; label: string; value: unknown; note: unknown; noteClass?: string; hint?: string };

function factOf({ name, label, value, note, noteClass = "muted", hint }: Fact) {
  return html`<div data-fact=${name} title=${hint ?? nothing}><dt>${label}</dt><dd>${value}</dd><dd class=${noteClass}>${note}</dd></div>`;
}

function noFigure(text: string) {
  return html`<span class="muted">${text}</span>`;
}

/**
 * Shows lowest ask, highest bid, spread and changes. Pass null as `lines` if the plan excludes current prices.
 * @param days Daily asks of the last 30 days.
 * @param lastDay Last day of the changes.
 */
export function showFacts(
  lines: readonly ProviderLine[] | null,
  days: readonly Row[],
  lastDay: string,
  providers: readonly Provider[],
) {
  const nameOf = (slug: string) => providers.find(({ provider }) => provider === slug)?.name ?? slug;
  const ofLastDay = days.filter(({ date, amount }) => date === lastDay && amount !== null);
  const asking =
    lines === null
      ? ofLastDay.flatMap(({ provider }) => provider ?? [])
      : lines.flatMap(({ provider, ask }) => (ask === null ? [] : [provider.provider]));
  const parts = lines === null ? [dayFact(ofLastDay.at(-1), lastDay, nameOf)] : quoteFacts(lines);
  const made = changesOf(days, lastDay).map(({ days: count, change }) =>
    changeFact(count, change, { lastDay, asking, nameOf }),
  );
  fill("facts", [...parts, ...made].map(factOf));
}

/** @param row Last completed day, for the Free plan. */
function dayFact(row: Row | undefined, lastDay: string, nameOf: (slug: string) => string): Fact {
  const note = `${row?.provider ? nameOf(row.provider) : "Main platform"}; paid plans show current prices`;
  const value = row === undefined ? noFigure("not observed") : dollars(row.amount);
  return { name: "day", label: `Ask of ${dateText(lastDay)}`, value, note };
}

function quoteFacts(lines: readonly ProviderLine[]): Fact[] {
  const { ask, bid } = bestQuotes(lines);
  const quoteFact = (name: string, label: string, quote: typeof ask, none: string) => ({
    name,
    label,
    value: quote === null ? noFigure("none") : dollars(quote.amount),
    note: quote === null ? none : providerLink(quote.provider.name, quote.url),
  });
  return [
    quoteFact("ask", "Lowest ask", ask, "no offers known"),
    quoteFact("bid", "Highest bid", bid, "no buy orders known"),
    spreadFact(ask?.amount ?? null, bid?.amount ?? null),
  ];
}

function spreadFact(ask: number | null, bid: number | null): Fact {
  const named = { name: "spread", label: "Spread" };
  if (ask === null || bid === null) return { ...named, value: noFigure("–"), note: "needs both prices" };
  const spread = ask - bid;
  const share = `${((spread / ask) * 100).toFixed(1)} % of the ask`.replace("-", "−");
  return { ...named, value: dollars(spread), note: spread < 0 ? `${share}: crossed` : share };
}

/** Returns a change with the compared amounts and providers, which may differ from the current providers. */
function changeFact(
  days: number,
  change: Change | null,
  { lastDay, asking, nameOf }: { lastDay: string; asking: readonly string[]; nameOf: (slug: string) => string },
): Fact {
  const named = { name: `change-${days}`, label: `${days} ${days === 1 ? "day" : "days"}` };
  if (change === null) return { ...named, value: noFigure("–"), note: "not enough history" };
  const { from, to, providers, sinceDate } = change;
  const { text, isPart } = basisText(providers, asking, nameOf);
  const trend = to > from ? "rise" : to < from ? "fall" : "";
  return {
    ...named,
    value: html`<span class="change"><span class=${trend}>${percentText(from, to)}</span> <small>${dollars(from)} → ${dollars(to)}</small></span>`,
    note: text,
    noteClass: isPart ? "basis part" : "basis muted",
    hint: `Lowest daily ask of ${providers.map(nameOf).join(", ")} on ${dateText(sinceDate)}, then on ${dateText(lastDay)}`,
  };
}

/**
 * Shows a row per provider that quotes the item.
 * @param order Slugs in the order of letters and colours. Providers in `chosen` are coloured.
 */
export function showProviders(
  lines: readonly ProviderLine[],
  { order, chosen }: { order: readonly string[]; chosen: readonly string[] },
  now: string,
) {
  const rows = lines.map((line) => {
    const number = order.indexOf(line.provider.provider);
    return providerRow(line, { number, isChosen: chosen.includes(line.provider.provider) }, now);
  });
  fill("provider-rows", rows);
  byId("no-quotes", HTMLElement).hidden = lines.length > 0;
  byId("provider-table", HTMLElement).hidden = lines.length === 0;
}

/** Links to the offer's address from the feed, without a referrer. */
function providerLink(name: string, url: string | null) {
  if (url === null) return name;
  return html`<a href=${url} target="_blank" rel="noopener noreferrer nofollow ugc">${name} ↗</a>`;
}

function providerRow(
  { provider, ask, bid, spread, url, asOf }: ProviderLine,
  { number, isChosen }: { number: number; isChosen: boolean },
  now: string,
) {
  const chip = number < 0 ? nothing : html`<span class="chip">${letterOf(number)}</span>`;
  const cell = (label: string, text: string | null, hint: string | null = null) =>
    html`<td class="number" role="cell" data-label=${label} title=${hint ?? nothing}>${text ?? unknown}</td>`;
  const checked = provider.last_checked_at;
  return html`<tr class="series-${isChosen ? colourOf(Math.max(0, number)) : 0}" role="row" data-provider=${provider.provider}
><th scope="row" role="rowheader"><span class="provider">${chip}${providerLink(provider.name, url)}</span></th
>${cell("Ask", ask === null ? "–" : dollars(ask.amount))}${cell(
    "Bid",
    bid === null ? "–" : dollars(bid.amount),
    bid === null ? "No buy orders known" : null,
  )}${cell("Spread", spread === null ? "–" : dollars(spread))}${
    ask !== null && ask.quantity === null
      ? cell("Qty", null, "Quantity unknown")
      : cell("Qty", ask === null ? "–" : String(ask.quantity))
  }${
    asOf === null
      ? cell("Age", null, "Age unknown")
      : cell("Age", shortAge(asOf, now), "Since the market last showed the older of its two prices")
  }${
    checked === null
      ? cell("Checked", null, "Last check unknown")
      : cell("Checked", shortAge(checked, now), checkedHint(provider, now))
  }</tr>`;
}

function checkedHint({ unchanged_since: since }: Provider, now: string): string {
  const hint = "Since we last asked";
  return since === null ? hint : `${hint}; unchanged for ${shortAge(since, now)}`;
}

/** A dash that screen readers announce as "unknown". */
const unknown = html`<span aria-hidden="true">–</span><span class="hidden">unknown</span>`;

/** Returns an age in its largest unit: `3 h`. */
function shortAge(timestamp: string, now: string) {
  return ageText(timestamp, now).split(" ").slice(0, 2).join(" ");
}
