/** @import { Change } from "./changes.mjs" */
/** @import { ProviderLine } from "./quotes.mjs" */
/** @import { Item, Provider, Row } from "./types.mjs" */

import { dollars } from "../../../values/money/money-text.mjs";
import { ageText, dateText } from "../../../values/time/time-text.mjs";
import { byId, element } from "../../browser/dom.mjs";
import { basisText, changesOf, percentText } from "./changes.mjs";
import { colourOf, letterOf } from "./load.mjs";
import { bestQuotes } from "./quotes.mjs";
import { switchesOf } from "./siblings.mjs";

const kindNames = { wear: "Exterior", edition: "Edition", phase: "Phase" };

/** Shows what the item is. @param {Item} item */
export function showItem(item) {
  const { market_hash_name, phase, type, rarity } = item;
  document.title = `${market_hash_name}${phase === null ? "" : ` · ${phase}`} · Itemtape`;
  byId("name", HTMLElement).textContent = market_hash_name;
  const tags = [phase, type, rarity].filter((tag) => tag !== null);
  byId("tags", HTMLElement).replaceChildren(...tags.map((tag) => element("span", { class: "tag" }, tag)));
}

/** Shows the other exteriors, editions and phases as links, with their lowest asks where they are known. @param {Item} item @param {readonly Item[]} siblings @param {string} search The query that keeps the chart as it is. */
export function showSwitches(item, siblings, search) {
  const switches = switchesOf(item, siblings);
  byId("switches", HTMLElement).replaceChildren(
    ...switches.map(({ kind, choices }) => {
      const links = choices.map(({ text, item: other, isCurrent }) => {
        const cents = other?.best_ask_cents ?? null;
        const price = cents === null ? [] : [element("span", { class: "muted" }, dollars(cents))];
        if (isCurrent || other === null)
          return element("span", { class: "choice-link", "aria-current": "true" }, text, ...price);
        const link = { class: "choice-link", href: `/items/${other.item_id}${search}`, title: other.market_hash_name };
        return element("a", link, text, ...price);
      });
      return element("nav", { "aria-label": kindNames[kind] }, ...links);
    }),
  );
}

/** @param {string} name @param {string} label @param {Node | string} value @param {...(Node | string)} notes */
function fact(name, label, value, ...notes) {
  const lines = notes.map((note) => (typeof note === "string" ? element("dd", { class: "muted" }, note) : note));
  return element("div", { "data-fact": name }, element("dt", {}, label), element("dd", {}, value), ...lines);
}

/** What stands where there is no figure. @param {string} text */
function noFigure(text) {
  return element("span", { class: "muted" }, text);
}

/**
 * Shows lowest ask, highest bid, spread and changes; `lines` null: the plan has no current prices.
 * @param {readonly ProviderLine[] | null} lines
 * @param {readonly Row[]} days Daily asks of the last 30 days.
 * @param {string} lastDay The day until which changes are shown.
 * @param {readonly Provider[]} providers
 */
export function showFacts(lines, days, lastDay, providers) {
  const nameOf = (/** @type {string} */ slug) => providers.find(({ provider }) => provider === slug)?.name ?? slug;
  const ofLastDay = days.filter(({ date, amount }) => date === lastDay && amount !== null);
  const asking =
    lines === null
      ? ofLastDay.flatMap(({ provider }) => provider ?? [])
      : lines.flatMap(({ provider, ask }) => (ask === null ? [] : [provider.provider]));
  const parts = lines === null ? [dayFact(ofLastDay.at(-1), lastDay, nameOf)] : quoteFacts(lines);
  const made = changesOf(days, lastDay).map(({ days: count, change }) =>
    changeFact(count, change, { lastDay, asking, nameOf }),
  );
  byId("facts", HTMLElement).replaceChildren(...parts, ...made);
}

/** @param {Row | undefined} row That of the last completed day, for the Free plan. @param {string} lastDay @param {(slug: string) => string} nameOf */
function dayFact(row, lastDay, nameOf) {
  return fact(
    "day",
    `Ask of ${dateText(lastDay)}`,
    row === undefined ? noFigure("not observed") : dollars(row.amount),
    `${row?.provider ? nameOf(row.provider) : "Main platform"}; current prices need Builder, Trader or Quant`,
  );
}

/** @param {readonly ProviderLine[]} lines */
function quoteFacts(lines) {
  const { ask, bid } = bestQuotes(lines);
  return [
    fact(
      "ask",
      "Lowest ask",
      ask === null ? noFigure("none") : dollars(ask.amount),
      ask === null ? "no provider offers it" : ask.provider.name,
    ),
    fact(
      "bid",
      "Highest bid",
      bid === null ? noFigure("none") : dollars(bid.amount),
      bid === null ? "no provider wants it" : bid.provider.name,
    ),
    spreadFact(ask?.amount ?? null, bid?.amount ?? null),
  ];
}

/** @param {number | null} ask @param {number | null} bid */
function spreadFact(ask, bid) {
  if (ask === null || bid === null) return fact("spread", "Spread", noFigure("–"), "needs an ask and a bid");
  const spread = ask - bid;
  const share = `${((spread / ask) * 100).toFixed(1)} % of the ask`.replace("-", "−");
  return fact("spread", "Spread", dollars(spread), spread < 0 ? `${share}: crossed` : share);
}

/**
 * Shows a change with the amounts and the providers that it compares: they may be others than those whose lowest ask stands beside it.
 * @param {number} days
 * @param {Change | null} change
 * @param {{ lastDay: string, asking: readonly string[], nameOf: (slug: string) => string }} known
 */
function changeFact(days, change, { lastDay, asking, nameOf }) {
  const [name, label] = [`change-${days}`, `${days} ${days === 1 ? "day" : "days"}`];
  if (change === null) return fact(name, label, noFigure("–"), "no provider observed at both ends");
  const { from, to, providers, sinceDate } = change;
  const { text, isPart } = basisText(providers, asking, nameOf);
  const percent = element("span", { class: to > from ? "rise" : to < from ? "fall" : "" }, percentText(from, to));
  const value = element(
    "span",
    { class: "change" },
    percent,
    " ",
    element("small", {}, `${dollars(from)} → ${dollars(to)}`),
  );
  const made = fact(name, label, value, element("dd", { class: isPart ? "basis part" : "basis muted" }, text));
  made.title = `Lowest daily ask of ${providers.map(nameOf).join(", ")} on ${dateText(sinceDate)}, then on ${dateText(lastDay)}`;
  return made;
}

/** Shows a line per provider that quotes the item. @param {readonly ProviderLine[]} lines @param {readonly string[]} order Slugs in the order that gives letters and colours. @param {string} now */
export function showProviders(lines, order, now) {
  byId("provider-rows", HTMLElement).replaceChildren(
    ...lines.map(({ provider, ask, bid, spread, url, asOf }) => {
      const number = order.indexOf(provider.provider);
      const chip = number < 0 ? [] : [element("span", { class: "chip" }, letterOf(number))];
      // An offer of a feed leads where the feed says: the other side learns nothing of this page.
      const rules = { target: "_blank", rel: "noopener noreferrer nofollow ugc" };
      const name = url === null ? provider.name : element("a", { href: url, ...rules }, `${provider.name} ↗`);
      const cell = (/** @type {string} */ label, /** @type {string | null} */ text, title = "") => {
        const attributes = { class: "number", role: "cell", "data-label": label, ...(title !== "" && { title }) };
        return element("td", attributes, ...(text === null ? unknownParts() : [text]));
      };
      return element(
        "tr",
        { class: `series-${colourOf(Math.max(0, number))}`, role: "row", "data-provider": provider.provider },
        element("th", { scope: "row", role: "rowheader" }, element("span", { class: "provider" }, ...chip, name)),
        cell("Ask", ask === null ? "–" : dollars(ask.amount)),
        cell("Bid", bid === null ? "–" : dollars(bid.amount)),
        cell("Spread", spread === null ? "–" : dollars(spread)),
        ask !== null && ask.quantity === null
          ? cell("Qty", null, "The source does not say how many are offered")
          : cell("Qty", ask === null ? "–" : String(ask.quantity)),
        asOf === null
          ? cell("Age", null, "The source does not say how old its quote is")
          : cell("Age", shortAge(asOf, now), "Since the older of its two quotes was seen at the source"),
        provider.last_checked_at === null
          ? cell("Checked", null, "It is not known when its feed was last checked")
          : cell("Checked", shortAge(provider.last_checked_at, now), "Since its feed was last checked"),
      );
    }),
  );
  byId("no-quotes", HTMLElement).hidden = lines.length > 0;
  byId("provider-table", HTMLElement).hidden = lines.length === 0;
}

/** A dash that is read out as what it means. */
function unknownParts() {
  return [element("span", { "aria-hidden": "true" }, "–"), element("span", { class: "hidden" }, "unknown")];
}

/** Returns an age in its largest unit alone: `3 h`. @param {string} timestamp @param {string} now */
function shortAge(timestamp, now) {
  return ageText(timestamp, now).split(" ").slice(0, 2).join(" ");
}
