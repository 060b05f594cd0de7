import { html, nothing } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { plural } from "../../../values/text/counted.ts";
import { ageText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import { why } from "../../browser/why.ts";
import { intervalPicture, scaleAxis, scaleEnd } from "./interval.ts";
import { modeNames, noCalculation, percent, splitRemarks, stateText, typeNames, withheldText } from "./labels.ts";
import { addressOf } from "./selection.ts";
import type { Calculation, Openable, Selection } from "./types.ts";

/** Number of containers shown at first, and added by each press on the button. */
const pageSize = 50;

const numberOf = (text: string | null | undefined) => (text == null ? null : Number(text));

/** Sort keys of a container. Null means unknown, and is last in both orders. */
const sortKeys: Readonly<Record<string, (one: Openable) => string | number | null>> = {
  name: ({ name }) => name.toLowerCase(),
  cost: ({ current }) => current?.cost_cents ?? null,
  expected_value: ({ current }) => current?.expected_value_cents ?? null,
  return: ({ current }) => numberOf(current?.return_pct),
  profit_chance: ({ current }) => numberOf(current?.profit_chance_pct),
  coverage: ({ current }) => numberOf(current?.priced_probability_mass_pct),
  age: ({ current }) => (current === null ? null : -Date.parse(current.calculated_at)),
};

/** Data that all rows share: end of the scale in percent, time of the response, remarks per row, and which facts each row shows. */
type About = {
  end: number;
  now: string;
  remarksOf: (current: Calculation) => string[];
  showsAge: boolean;
  showsStale: boolean;
};

/** List of the containers of one mode that match the fields, in the chosen order. */
export class List {
  #root = byId("list", HTMLElement);
  #more = byId("more", HTMLButtonElement);
  #count = pageSize;
  #showAgain = () => {};

  constructor() {
    this.#more.addEventListener("click", () => {
      const next = this.#count;
      this.#count += pageSize;
      this.#showAgain();
      this.#root.querySelectorAll<HTMLElement>("#rows a")[next]?.focus();
    });
  }

  /** Shows only the first page again, after a new choice. */
  restart(): void {
    this.#count = pageSize;
  }

  hide(): void {
    this.#root.hidden = true;
  }

  /** @param now Time of the API's response. */
  show(openables: readonly Openable[], selection: Selection, now: string): void {
    const found = sorted(
      openables.filter((one) => matches(one, selection)),
      selection,
    );
    this.#showAgain = () => this.show(openables, selection, now);
    const shown = found.slice(0, this.#count);
    const calculations = calculationsOf(openables);
    const isEmpty = openables.length === 0;
    const isUnpriced = !isEmpty && calculations.length === 0;
    const other = selection.mode === "cash_ask" ? "steam_gross" : "cash_ask";
    byId("none-yet", HTMLElement).hidden = !isEmpty;
    byId("none-priced", HTMLElement).hidden = !isUnpriced;
    byId("other-mode", HTMLAnchorElement).href = addressOf({ ...selection, mode: other });
    byId("containers", HTMLElement).hidden = found.length === 0;
    this.#more.hidden = shown.length === found.length;
    fill("found", isEmpty ? "No containers yet" : headingOf(shown.length, found.length, selection));
    const end = scaleEnd(calculationsOf(found));
    fill("scale", scaleAxis(end));
    const { common, ofOne } = splitRemarks(calculations);
    const ages = new Set(calculations.map(({ calculated_at }) => ageText(calculated_at, now)));
    const shared = common.map((remark) => remark.replace(/^stale: /, ""));
    const once = [...shared, ...(ages.size === 1 ? [`calculated ${[...ages][0]} ago`] : [])];
    fill("common", once.length === 0 ? "" : `All: ${once.join(" · ")}.`);
    const showsStale = !common.some((remark) => remark.startsWith("stale"));
    const about = { end, now, remarksOf: ofOne, showsAge: ages.size > 1, showsStale };
    fill(
      "rows",
      shown.map((one) => rowOf(one, selection, about)),
    );
    for (const head of this.#root.querySelectorAll("th[data-sort]")) {
      const isSorted = head.getAttribute("data-sort") === selection.sort;
      head.setAttribute("aria-sort", isSorted ? (selection.order === "asc" ? "ascending" : "descending") : "none");
    }
    this.#root.hidden = false;
  }

  /** Focuses the container that the visitor returns from, else the heading. */
  focus(slug: string | null): void {
    const link = slug === null ? null : this.#root.querySelector<HTMLElement>(`tr[data-slug="${slug}"] a`);
    (link ?? byId("found", HTMLElement)).focus();
  }
}

function headingOf(shown: number, found: number, { mode }: Selection): string {
  if (found === 0) return "No containers match.";
  const counted = plural(found, "container");
  return `${shown < found ? `Showing ${shown} of ${counted}` : counted}, ${modeNames[mode]}`;
}

function calculationsOf(openables: readonly Openable[]): Calculation[] {
  return openables.flatMap(({ current }) => current ?? []);
}

function matches({ name, slug, type, active }: Openable, selection: Selection): boolean {
  const wanted = selection.text.trim().toLowerCase();
  return (
    (name.toLowerCase().includes(wanted) || slug.includes(wanted)) &&
    (selection.type === "" || selection.type === type) &&
    (selection.state === "" || (selection.state === "active") === active)
  );
}

function sorted(openables: readonly Openable[], { sort, order }: Selection): Openable[] {
  const keyed = openables.map((openable) => ({ openable, key: sortKeys[sort]?.(openable) ?? null }));
  const sign = order === "asc" ? 1 : -1;
  keyed.sort((a, b) => {
    if (a.key !== b.key && (a.key === null || b.key === null)) return a.key === null ? 1 : -1;
    if (a.key !== null && b.key !== null && a.key !== b.key) return a.key < b.key ? -sign : sign;
    // Containers without a calculation follow containers with bounds only.
    const known = Number(b.openable.current !== null) - Number(a.openable.current !== null);
    return known === 0 ? (a.openable.name < b.openable.name ? -1 : 1) : known;
  });
  return keyed.map(({ openable }) => openable);
}

function rowOf(openable: Openable, selection: Selection, about: About) {
  const { slug, name, type, current, active, requires_key } = openable;
  const facts = [
    typeNames[type],
    ...(active ? [] : [stateText(openable)]),
    ...(requires_key ? [] : ["no key needed"]),
  ].join(" · ");
  const link = html`<a href=${addressOf({ ...selection, slug })}>${name}</a>`;
  const none = html`<td role="cell" class="nothing" colspan="7"><span>–</span>${why(name, noCalculation)}</td>`;
  return html`<tr role="row" data-slug=${slug} class=${active ? "" : "retired"}>
    <td role="rowheader" class="name">${drawing(type)}<div>${link}${small(facts)}</div></td>
    ${current === null ? none : cellsOf(openable, current, about)}
  </tr>`;
}

function cellsOf(
  { name, lowest_tier: lowest }: Openable,
  current: Calculation,
  { end, now, remarksOf, showsAge, showsStale }: About,
) {
  const { expected_value_lower_cents: lower, expected_value_upper_cents: upper, price_coverage: coverage } = current;
  const [low, high] = [percent(current.profit_chance_lower_pct), percent(current.profit_chance_upper_pct)];
  const key = current.key_cost_cents === 0 ? "no key" : `key ${dollars(current.key_cost_cents)}`;
  const profit = current.expected_profit_cents;
  const withheld = withheldText(current, lowest);
  const remarks = remarksOf(current);
  const mark = why(name, [
    withheld === null ? nothing : html`<p>${withheld}</p>`,
    remarks.length === 0 ? nothing : html`<ul>${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`,
  ]);
  return [
    cell("Cost", dollars(current.cost_cents), `${dollars(current.container_cost_cents)} + ${key}`),
    cell(
      "Value",
      withheld === null ? dollars(current.expected_value_cents) : html`–${mark}`,
      lower === upper ? "" : `${dollars(lower)} to ${dollars(upper)}`,
    ),
    html`<td role="cell" class="interval">${intervalPicture(current, end)}</td>`,
    cell(
      "Return",
      current.return_pct === null ? "–" : percent(current.return_pct),
      profit === null ? "" : `${profit < 0 ? "loss" : "profit"} ${dollars(Math.abs(profit))}`,
    ),
    cell(
      "Profit chance",
      current.profit_chance_pct === null ? "–" : percent(current.profit_chance_pct),
      low === high ? "" : `${low.replace(" %", "")} to ${high}`,
    ),
    cell(
      "Coverage",
      percent(current.priced_probability_mass_pct),
      `${coverage.priced_outcome_count} of ${coverage.outcome_count} priced`,
      "number coverage",
    ),
    html`<td role="cell" class="quality" data-label="Confidence">${[
      html`<strong class="confidence ${current.confidence}">${current.confidence}</strong>`,
      withheld === null && remarks.length > 0 ? mark : nothing,
      current.stale && showsStale ? html`<span class="stale">stale</span>` : nothing,
      showsAge ? small(`calculated ${ageText(current.calculated_at, now)} ago`) : nothing,
      current.price_as_of === null ? nothing : small(`prices ${ageText(current.price_as_of, now)} old`),
    ]}</td>`,
  ];
}

const small = (text: string) => html`<small>${text}</small>`;

function cell(label: string, figure: unknown, note: string, kind = "number") {
  return html`<td role="cell" class=${kind} data-label=${label}><strong>${figure}</strong>${small(note)}</td>`;
}

const outlines = {
  case: "M3 11h26v14H3zM3 11l4-5h18l4 5M13 11v4h6v-4",
  souvenir_package: "M4 9h24v16H4zM4 15h24M16 9v16M16 9c-6-7-9 0 0 0c6-7 9 0 0 0",
  capsule: "M11 6h10a9 9 0 0 1 0 20H11a9 9 0 0 1 0-20zM16 6v20",
  other: "M5 8h22v16H5z",
};

/** Draws a symbol for the type of a container. Pictures are not used, because they are on other servers. */
function drawing(type: Openable["type"]) {
  return html`<svg class="kind" width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
    <path d=${outlines[type] ?? outlines.other} />
  </svg>`;
}
