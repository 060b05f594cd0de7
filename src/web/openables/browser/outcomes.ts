import { dollars } from "../../../values/money/money-text.ts";
import { ageText } from "../../../values/time/time-text.ts";
import { element } from "../../browser/dom.ts";
import { tierLetter } from "./distribution-picture.ts";
import { percent, tierText } from "./labels.ts";
import { contributionMicros, halfUp, microDollars, oneIn, share } from "./numbers.ts";
import type { OpenableDetail, Outcome } from "./types.ts";

const rowsFirst = 60;
const colours = 8;

type Line = { outcome: Outcome; micros: bigint | null };

/** Makes a table of the tiers: odds, how much of each is priced, and what it contributes. */
export function tierTable({ pool }: OpenableDetail, outcomes: readonly Outcome[]) {
  const lines = linesOf(outcomes);
  const total = lines.reduce((sum, { micros }) => sum + (micros ?? 0n), 0n);
  const rows = pool.tiers.map(({ tier, weight, probability_pct, item_count, priced_probability_mass_pct }, index) => {
    const own = lines.filter(({ outcome, micros }) => outcome.tier === tier && micros !== null);
    const micros = own.length === 0 ? null : own.reduce((sum, line) => sum + (line.micros ?? 0n), 0n);
    return element(
      "tr",
      { class: `series-${(index % colours) + 1}` },
      element("th", { scope: "row" }, element("span", { class: "chip" }, tierLetter(index)), tierText(tier)),
      ...cells(
        String(weight),
        percent(probability_pct),
        String(item_count),
        priced_probability_mass_pct === null ? "no calculation" : percent(priced_probability_mass_pct),
        micros === null ? "unknown" : dollars(Number(halfUp(micros, 10_000n))),
        micros === null || total === 0n ? "unknown" : `${share(micros, total, 1)} %`,
      ),
    );
  });
  return table(
    "tiers-table",
    ["Tier", "Weight", "Odds", "Items", "Priced", "Contributes", "Share of the priced value"],
    rows,
  );
}

/** Outcomes by what they contribute, the greatest first; those without a price after them, those without a chance last. */
export function outcomeTable({ pool }: OpenableDetail, outcomes: readonly Outcome[], now: string) {
  const lines = linesOf(outcomes);
  const total = lines.reduce((sum, { micros }) => sum + (micros ?? 0n), 0n);
  const letters = new Map(pool.tiers.map(({ tier }, index) => [tier, index]));
  const made = (some: readonly Line[]) => some.map((line) => outcomeRow(line, total, letters, now));
  const heads = ["Outcome", "Tier", "Chance", "", "Value", "Contributes", "Share", "Value of"];
  const built = table("outcomes-table", heads, made(lines.slice(0, rowsFirst)));
  if (lines.length <= rowsFirst) return built;
  const click = (event: Event) => {
    built.tBodies[0]?.append(...made(lines.slice(rowsFirst)).map((row) => named(row, heads)));
    (event.target as Element).remove();
  };
  return element(
    "div",
    {},
    built,
    element("button", { type: "button", class: "quiet", click }, `Show the other ${lines.length - rowsFirst}`),
  );
}

function linesOf(outcomes: readonly Outcome[]): Line[] {
  const rank = { priced: 0, unpriced: 1, excluded: 2 };
  const lines = outcomes.map((outcome) => ({ outcome, micros: contributionMicros(outcome), exact: exactOf(outcome) }));
  return lines.sort((a, b) => {
    const order = rank[a.outcome.status] - rank[b.outcome.status];
    if (order !== 0) return order;
    return a.exact === b.exact ? 0 : a.exact > b.exact ? -1 : 1;
  });
}

/** Returns the sort key: chance times value, without a value the chance. */
function exactOf({ probability_numerator, value_cents }: Outcome) {
  return BigInt(probability_numerator) * BigInt(value_cents ?? 1);
}

function outcomeRow({ outcome, micros }: Line, total: bigint, letters: ReadonlyMap<string, number>, now: string) {
  const { market_hash_name, phase, tier, status, item_id } = outcome;
  const index = letters.get(tier) ?? 0;
  const link = element("a", { href: `/items/${item_id}` }, market_hash_name);
  const isPriced = status === "priced";
  const high = outcome.recent_high_cents === null ? "" : `, highest of 90 days ${dollars(outcome.recent_high_cents)}`;
  const unknown = status === "excluded" ? "–" : "unknown";
  const source = isPriced
    ? `${outcome.value_provider}, ${outcome.value_as_of === null ? "of unknown age" : `${ageText(outcome.value_as_of, now)} old`}`
    : "–";
  return element(
    "tr",
    { class: `series-${(index % colours) + 1} ${status}`, "data-item": String(item_id) },
    element("th", { scope: "row" }, link, ...(phase === null ? [] : [element("span", { class: "tag" }, phase)])),
    element("td", {}, element("span", { class: "chip" }, tierLetter(index)), tierText(tier)),
    ...cells(
      percent(outcome.probability_pct),
      oneIn(outcome),
      isPriced ? dollars(outcome.value_cents) : status === "excluded" ? "cannot come out" : `no price${high}`,
      isPriced ? microDollars(micros) : unknown,
      isPriced && micros !== null ? `${share(micros, total, 2)} %` : unknown,
      source,
    ),
  );
}

function cells(...texts: string[]) {
  return texts.map((text) => element("td", {}, text));
}

/** Roles are written out: laid out for a phone, where each value stands beside its name, rows and cells are no table to some browsers. */
function table(id: string, heads: readonly string[], rows: readonly HTMLTableRowElement[]) {
  const columns = heads.map((name) => element("th", { scope: "col", role: "columnheader" }, name));
  const head = element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...columns));
  const body = element("tbody", { role: "rowgroup" }, ...rows.map((row) => named(row, heads)));
  return element("table", { id, class: "rows", role: "table" }, head, body);
}

/** Gives each cell of a row the name of its column. */
function named(row: HTMLTableRowElement, heads: readonly string[]) {
  row.setAttribute("role", "row");
  for (const [index, cell] of [...row.cells].entries()) {
    cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
    cell.dataset.label = heads[index] ?? "";
  }
  return row;
}
