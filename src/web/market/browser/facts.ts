import { dollars } from "../../../values/money/money-text.ts";
import { ageText, dateText } from "../../../values/time/time-text.ts";
import { byId, element } from "../../browser/dom.ts";
import type { Change } from "./changes.ts";
import { basisText, changesOf, percentText } from "./changes.ts";
import { colourOf, letterOf } from "./load.ts";
import type { ProviderLine } from "./quotes.ts";
import { bestQuotes } from "./quotes.ts";
import { switchesOf } from "./siblings.ts";
import type { Item, Provider, Row } from "./types.ts";

const kindNames = { wear: "Exterior", edition: "Edition", phase: "Phase" };

/** Shows what the item is. */
export function showItem(item: Item) {
  const { market_hash_name, phase, type, rarity } = item;
  document.title = `${market_hash_name}${phase === null ? "" : ` · ${phase}`} · Itemtape`;
  byId("name", HTMLElement).textContent = market_hash_name;
  const tags = [phase, type, rarity].filter((tag) => tag !== null);
  byId("tags", HTMLElement).replaceChildren(...tags.map((tag) => element("span", { class: "tag" }, tag)));
}

/**
 * Shows the other exteriors, editions and phases as links, with their lowest asks where they are known.
 * @param search The query that keeps the chart as it is.
 */
export function showSwitches(item: Item, siblings: readonly Item[], search: string) {
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

function fact(name: string, label: string, value: Node | string, ...notes: (Node | string)[]) {
  const lines = notes.map((note) => (typeof note === "string" ? element("dd", { class: "muted" }, note) : note));
  return element("div", { "data-fact": name }, element("dt", {}, label), element("dd", {}, value), ...lines);
}

/** What stands where there is no figure. */
function noFigure(text: string) {
  return element("span", { class: "muted" }, text);
}

/**
 * Shows lowest ask, highest bid, spread and changes; `lines` null: the plan has no current prices.
 * @param days Daily asks of the last 30 days.
 * @param lastDay The day until which changes are shown.
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
  byId("facts", HTMLElement).replaceChildren(...parts, ...made);
}

/** @param row That of the last completed day, for the Free plan. */
function dayFact(row: Row | undefined, lastDay: string, nameOf: (slug: string) => string) {
  return fact(
    "day",
    `Ask of ${dateText(lastDay)}`,
    row === undefined ? noFigure("not observed") : dollars(row.amount),
    `${row?.provider ? nameOf(row.provider) : "Main platform"}; current prices need Builder, Trader or Quant`,
  );
}

function quoteFacts(lines: readonly ProviderLine[]) {
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

function spreadFact(ask: number | null, bid: number | null) {
  if (ask === null || bid === null) return fact("spread", "Spread", noFigure("–"), "needs an ask and a bid");
  const spread = ask - bid;
  const share = `${((spread / ask) * 100).toFixed(1)} % of the ask`.replace("-", "−");
  return fact("spread", "Spread", dollars(spread), spread < 0 ? `${share}: crossed` : share);
}

/** Shows a change with the amounts and the providers that it compares: they may be others than those whose lowest ask stands beside it. */
function changeFact(
  days: number,
  change: Change | null,
  { lastDay, asking, nameOf }: { lastDay: string; asking: readonly string[]; nameOf: (slug: string) => string },
) {
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

/**
 * Shows a line per provider that quotes the item.
 * @param order Slugs in the order that gives letters and colours.
 */
export function showProviders(lines: readonly ProviderLine[], order: readonly string[], now: string) {
  byId("provider-rows", HTMLElement).replaceChildren(
    ...lines.map(({ provider, ask, bid, spread, url, asOf }) => {
      const number = order.indexOf(provider.provider);
      const chip = number < 0 ? [] : [element("span", { class: "chip" }, letterOf(number))];
      // An offer of a feed leads where the feed says: the other side learns nothing of this page.
      const rules = { target: "_blank", rel: "noopener noreferrer nofollow ugc" };
      const name = url === null ? provider.name : element("a", { href: url, ...rules }, `${provider.name} ↗`);
      const cell = (label: string, text: string | null, title = "") => {
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

/** Returns an age in its largest unit alone: `3 h`. */
function shortAge(timestamp: string, now: string) {
  return ageText(timestamp, now).split(" ").slice(0, 2).join(" ");
}
