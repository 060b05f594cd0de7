import { dollars } from "../../../values/money/money-text.ts";
import { ageText } from "../../../values/time/time-text.ts";
import { byId, element, shape } from "../../browser/dom.ts";
import { intervalPicture, scaleAxis, scaleEnd } from "./interval.ts";
import { modeNames, noCalculation, percent, splitRemarks, stateText, typeNames, withheldText } from "./labels.ts";
import { writeFragment } from "./selection.ts";
import type { Calculation, Openable, Selection } from "./types.ts";

/** Sort keys of a container; null is unknown and stands last in either order. */
const sortKeys: Record<string, (one: Openable) => string | number | null> = {
  name: ({ name }) => name.toLowerCase(),
  cost: ({ current }) => current?.cost_cents ?? null,
  expected_value: ({ current }) => current?.expected_value_cents ?? null,
  return: ({ current }) => numberOf(current?.return_pct),
  profit_chance: ({ current }) => numberOf(current?.profit_chance_pct),
  coverage: ({ current }) => numberOf(current?.priced_probability_mass_pct),
  age: ({ current }) => (current === null ? null : -Date.parse(current.calculated_at)),
};

/** All containers of one mode: those that the fields leave over, in the chosen order. */
export class List {
  #root = byId("list", HTMLElement);

  hide() {
    this.#root.hidden = true;
  }

  /** @param now When the API answered. */
  show(openables: readonly Openable[], selection: Selection, now: string) {
    const found = sorted(
      openables.filter((one) => matches(one, selection)),
      selection,
    );
    const end = scaleEnd(found.map(({ current }) => current));
    byId("found", HTMLElement).textContent =
      `${found.length} of ${openables.length} containers, at ${modeNames[selection.mode]}`;
    byId("scale-note", HTMLElement).textContent =
      `Drawn: the expected value (●) between its lower and upper bound, as a share of the container's own cost, which is the upright line; the axis ends at ${end} %.`;
    byId("scale", HTMLElement).replaceChildren(scaleAxis(end));
    const calculations = openables.flatMap(({ current }) => (current === null ? [] : [current]));
    const { common, ofOne } = splitRemarks(calculations);
    const ages = new Set(calculations.map(({ calculated_at }) => ageText(calculated_at, now)));
    const once = [...common, ...(ages.size === 1 ? [`calculated ${[...ages][0]} ago`] : [])];
    byId("common", HTMLElement).textContent = once.length === 0 ? "" : `All of them: ${once.join(" · ")}.`;
    const about = { end, now, remarksOf: ofOne, showsAge: ages.size > 1, showsStale: !common.some(isStaleness) };
    byId("rows", HTMLElement).replaceChildren(...found.map((one) => rowOf(one, selection, about)));
    for (const head of this.#root.querySelectorAll("th[data-sort]")) {
      const isSorted = head.getAttribute("data-sort") === selection.sort;
      head.setAttribute("aria-sort", isSorted ? (selection.order === "asc" ? "ascending" : "descending") : "none");
    }
    this.#root.hidden = false;
  }

  /** Puts the focus on a container that was left, else on the heading. */
  focus(slug: string | null) {
    const link = slug === null ? null : this.#root.querySelector(`tr[data-slug="${slug}"] a`);
    (link instanceof HTMLElement ? link : byId("found", HTMLElement)).focus();
  }
}

function matches({ name, slug, type, active }: Openable, selection: Selection) {
  const wanted = selection.text.trim().toLowerCase();
  return (
    (name.toLowerCase().includes(wanted) || slug.includes(wanted)) &&
    (selection.type === "" || selection.type === type) &&
    (selection.state === "" || (selection.state === "active") === active)
  );
}

function sorted(openables: readonly Openable[], { sort, order }: Selection) {
  const keyOf = sortKeys[sort] ?? (() => null);
  const keyed = openables.map((openable) => ({ openable, key: keyOf(openable) }));
  const sign = order === "asc" ? 1 : -1;
  keyed.sort((a, b) => {
    if (a.key !== b.key && (a.key === null || b.key === null)) return a.key === null ? 1 : -1;
    if (a.key !== null && b.key !== null && a.key !== b.key) return a.key < b.key ? -sign : sign;
    // A container without a calculation comes after those that have bounds.
    const known = Number(b.openable.current !== null) - Number(a.openable.current !== null);
    return known === 0 ? (a.openable.name < b.openable.name ? -1 : 1) : known;
  });
  return keyed.map(({ openable }) => openable);
}

/**
 * What the rows of a list have in common: the end of the scale in percent, when the API answered, what to remark of each, and whether a
 * row says when it was calculated and that it is stale.
 */
type About = {
  end: number;
  now: string;
  remarksOf: (current: Calculation) => string[];
  showsAge: boolean;
  showsStale: boolean;
};

const isStaleness = (remark: string) => remark.startsWith("stale");

function rowOf(openable: Openable, selection: Selection, about: About) {
  const { slug, name, type, current, requires_key } = openable;
  const facts = [
    typeNames[type],
    ...(openable.active ? [] : [stateText(openable)]),
    ...(requires_key ? [] : ["no key needed"]),
  ];
  const title = element(
    "td",
    { role: "rowheader", class: "name" },
    placeholder(type),
    element(
      "div",
      {},
      element("a", { href: writeFragment({ ...selection, slug }) }, name),
      element("small", {}, facts.join(" · ")),
    ),
  );
  const cells = current === null ? [cell("", "nothing", element("span", {}, noCalculation))] : cellsOf(current, about);
  if (current === null) cells[0]?.setAttribute("colspan", "8");
  return element("tr", { role: "row", "data-slug": slug, class: openable.active ? "" : "retired" }, title, ...cells);
}

function cellsOf(current: Calculation, about: About) {
  const { end, now } = about;
  const { expected_value_lower_cents: lower, expected_value_upper_cents: upper } = current;
  const bounds = lower === upper ? "" : `${dollars(lower)} to ${dollars(upper)}`;
  const chances = [current.profit_chance_lower_pct, current.profit_chance_upper_pct].map(percent);
  const range = chances[0] === chances[1] ? "" : `${chances[0]?.replace(" %", "")} to ${chances[1]}`;
  const coverage = current.price_coverage;
  const legs = `${dollars(current.container_cost_cents)} + ${current.key_cost_cents === 0 ? "no key" : `key ${dollars(current.key_cost_cents)}`}`;
  return [
    cell("Cost", "number", strong(dollars(current.cost_cents)), small(legs)),
    cell(
      "Value",
      "number",
      strong(current.expected_value_cents === null ? "held back" : dollars(current.expected_value_cents)),
      small(bounds),
    ),
    cell("", "interval", intervalPicture(current, end)),
    cell(
      "Return",
      "number",
      strong(current.return_pct === null ? "–" : percent(current.return_pct)),
      small(current.expected_profit_cents === null ? "" : profitText(current.expected_profit_cents)),
    ),
    cell(
      "Profit chance",
      "number",
      strong(current.profit_chance_pct === null ? "held back" : percent(current.profit_chance_pct)),
      small(range),
    ),
    cell(
      "Coverage",
      "number coverage",
      strong(percent(current.priced_probability_mass_pct)),
      small(`${coverage.priced_outcome_count} of ${coverage.outcome_count} priced`),
    ),
    cell(
      "Confidence",
      "quality",
      element("strong", { class: `confidence ${current.confidence}` }, current.confidence),
      ...(current.stale && about.showsStale ? [element("span", { class: "stale" }, "stale")] : []),
      ...(about.showsAge ? [small(`calculated ${ageText(current.calculated_at, now)} ago`)] : []),
      ...(current.price_as_of === null ? [] : [small(`prices ${ageText(current.price_as_of, now)} old`)]),
    ),
    notes(current, about),
  ];
}

/** Lists the notes on the figures of this container alone. */
function notes(current: Calculation, { remarksOf }: About) {
  const withheld = withheldText(current);
  const remarks = remarksOf(current).join(" · ");
  return cell(
    "",
    "notes",
    ...(withheld === null ? [] : [element("small", { class: "remark" }, withheld)]),
    ...(remarks === "" ? [] : [small(remarks)]),
  );
}

function cell(label: string, kind: string, ...content: Node[]) {
  return element("td", { role: "cell", class: kind, ...(label === "" ? {} : { "data-label": label }) }, ...content);
}

const strong = (text: string) => element("strong", {}, text);
const small = (text: string) => element("small", {}, text);

function profitText(cents: number) {
  return `${cents < 0 ? "loss" : "profit"} ${dollars(Math.abs(cents))}`;
}

function numberOf(text: string | null | undefined) {
  return text === null || text === undefined ? null : Number(text);
}

const outlines = {
  case: "M3 11h26v14H3zM3 11l4-5h18l4 5M13 11v4h6v-4",
  souvenir_package: "M4 9h24v16H4zM4 15h24M16 9v16M16 9c-6-7-9 0 0 0c6-7 9 0 0 0",
  capsule: "M11 6h10a9 9 0 0 1 0 20H11a9 9 0 0 1 0-20zM16 6v20",
  other: "M5 8h22v16H5z",
};

/** Pictures of containers lie on other servers, which this page does not ask: a drawing of its kind stands for it. */
export function placeholder(type: Openable["type"]) {
  const root = shape("svg", { class: "kind", width: 32, height: 32, viewBox: "0 0 32 32", "aria-hidden": "true" });
  root.append(shape("path", { d: outlines[type] ?? outlines.other }));
  return root;
}
