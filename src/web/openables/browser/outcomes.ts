import { html, nothing } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { wearNames } from "../../../values/text/item-names.ts";
import { ageText } from "../../../values/time/time-text.ts";
import { fill } from "../../browser/dom.ts";
import { percent, tierColour, tierLetter, tierText } from "./labels.ts";
import type { LoadedDetail } from "./load.ts";
import { contributionMicros, halfUp, microDollars, oneIn, share } from "./numbers.ts";
import type { OpenableDetail, Outcome } from "./types.ts";

const rowsFirst = 60;
const tierHeads = ["Rarity", "Weight", "Odds", "Items", "Priced", "Contributes", "Share of the priced value"];
const dropHeads = ["Drop", "Odds", "Value", "Rarity"];
const wearAtEnd = new RegExp(` \\((?:${wearNames.join("|")})\\)$`);
const dropsMax = 8;
const outcomeHeads = ["Outcome", "Rarity", "Chance", "", "Value", "Contributes", "Share", "Value of"];

/** An outcome with its share of the expected value in millionths of a dollar; null if its value is unknown. */
type Line = { outcome: Outcome; micros: bigint | null };

/** Renders a table of the tiers with odds, priced share, and share of the expected value. */
export function tierTable({ pool }: OpenableDetail, outcomes: readonly Outcome[]) {
  const lines = linesOf(outcomes);
  const total = totalOf(lines);
  const rows = pool.tiers.map(({ tier, weight, probability_pct, item_count, priced_probability_mass_pct }, index) => {
    const own = lines.filter(({ outcome, micros }) => outcome.tier === tier && micros !== null);
    const micros = own.length === 0 ? null : totalOf(own);
    const contents = [
      tierName(tier, index),
      weight,
      percent(probability_pct),
      item_count,
      priced_probability_mass_pct === null ? "no calculation" : percent(priced_probability_mass_pct),
      micros === null ? "unknown" : dollars(halfUp(micros, 10_000n)),
      micros === null || total === 0n ? "unknown" : `${share(micros, total, 1)} %`,
    ];
    return html`<tr class=${tierColour({ tier }, index)} role="row">${cells(tierHeads, contents)}</tr>`;
  });
  return table("tiers-table", tierHeads, rows);
}

/** Renders a table of the most valuable finishes with their odds over all wears. Returns null if none has a price. */
export function bestDrops({ pool }: OpenableDetail, outcomes: readonly Outcome[]) {
  const finishes = Map.groupBy(
    outcomes.filter(({ status }) => status !== "excluded"),
    ({ market_hash_name: name, phase, tier }) => `${finishName(name)} ${phase ?? ""} ${tier}`,
  );
  const worth = ({ value_cents: cents }: Outcome) => cents ?? 0;
  const drops = [...finishes.values()]
    .map((all) => all.toSorted((a, b) => worth(b) - worth(a)))
    .filter(([best]) => best !== undefined && best.value_cents !== null)
    .sort(([a], [b]) => worth(b!) - worth(a!))
    .slice(0, dropsMax);
  const rows = drops.map((all) => {
    const [best, last] = [all[0]!, all.findLast(({ value_cents: cents }) => cents !== null)!];
    const numerator = all.reduce((sum, one) => sum + BigInt(one.probability_numerator), 0n);
    const odds = oneIn({ ...best, probability_numerator: String(numerator) });
    const value = best.value_cents === last.value_cents ? "" : `${dollars(last.value_cents)} to `;
    const place = pool.tiers.findIndex(({ tier }) => tier === best.tier);
    const contents = [
      linkOf(best, finishName(best.market_hash_name)),
      odds,
      `${value}${dollars(best.value_cents)}`,
      tierName(best.tier, place),
    ];
    return html`<tr class=${tierColour(best, place)} role="row">${cells(dropHeads, contents)}</tr>`;
  });
  return rows.length === 0 ? null : table("drops-table", dropHeads, rows);
}

/** Returns the name of an item without wear and StatTrak. */
function finishName(name: string): string {
  return name.replace(wearAtEnd, "").replace("StatTrak™ ", "");
}

function linkOf({ item_id, market_hash_name, phase }: Outcome, name = market_hash_name) {
  const tag = phase === null ? nothing : html`<span class="tag">${phase}</span>`;
  return html`<a href="/items/${item_id}">${name}</a>${tag}`;
}

/**
 * Shows outcomes by descending share of the expected value, then unpriced outcomes, then impossible ones. A long list is shown completely
 * after a press.
 */
export function showOutcomes(loaded: LoadedDetail): void {
  const lines = linesOf(loaded.outcomes);
  const total = totalOf(lines);
  const tiers = new Map(loaded.openable.pool.tiers.map(({ tier }, index) => [tier, index]));
  const show = (count: number) => {
    const rows = lines
      .slice(0, count)
      .map((line) => outcomeRow(line, tiers.get(line.outcome.tier) ?? 0, total, loaded));
    const rest = lines.length - count;
    const showAll = () => show(lines.length);
    const more = html`<button type="button" class="quiet" @click=${showAll}>${`Show the other ${rest}`}</button>`;
    fill("outcomes", html`${table("outcomes-table", outcomeHeads, rows)}${rest > 0 ? more : nothing}`);
  };
  show(rowsFirst);
}

function linesOf(outcomes: readonly Outcome[]): Line[] {
  const rank = { priced: 0, unpriced: 1, excluded: 2 };
  // Chance times value; without a value the chance.
  const orderOf = (one: Outcome) => BigInt(one.probability_numerator) * BigInt(one.value_cents ?? 1);
  return outcomes
    .map((outcome) => ({ outcome, micros: contributionMicros(outcome), order: orderOf(outcome) }))
    .sort((a, b) => rank[a.outcome.status] - rank[b.outcome.status] || Number(b.order - a.order));
}

function totalOf(lines: readonly Line[]): bigint {
  return lines.reduce((sum, { micros }) => sum + (micros ?? 0n), 0n);
}

function outcomeRow({ outcome, micros }: Line, tierIndex: number, total: bigint, { names, now }: LoadedDetail) {
  const { tier, status, item_id, value_as_of: valueAsOf } = outcome;
  const high = outcome.recent_high_cents === null ? "" : `, highest of 90 days ${dollars(outcome.recent_high_cents)}`;
  const ceiling = outcome.above_ceiling_cents;
  const unknown =
    status === "excluded" ? "–" : ceiling === null ? "unknown" : `unknown, may be above ${dollars(ceiling)}`;
  const age = valueAsOf === null ? "of unknown age" : `${ageText(valueAsOf, now)} old`;
  const values =
    status === "priced" && micros !== null
      ? [
          dollars(outcome.value_cents),
          microDollars(micros),
          `${share(micros, total, 2)} %`,
          `${names.get(outcome.value_provider ?? "") ?? outcome.value_provider}, ${age}`,
        ]
      : [status === "excluded" ? "cannot drop" : `no price${high}`, unknown, unknown, "–"];
  const contents = [
    linkOf(outcome),
    tierName(tier, tierIndex),
    percent(outcome.probability_pct),
    oneIn(outcome),
    ...values,
  ];
  const kind = `${tierColour(outcome, tierIndex)} ${status}`;
  return html`<tr class=${kind} data-item=${item_id} role="row">${cells(outcomeHeads, contents)}</tr>`;
}

function tierName(tier: string, index: number) {
  return html`<span class="chip">${tierLetter(index)}</span>${tierText(tier)}`;
}

/** Renders the cells of a row with explicit roles: in the phone layout, some browsers drop table semantics. */
function cells(heads: readonly string[], [first, ...others]: readonly unknown[]) {
  return [
    html`<th scope="row" role="rowheader" data-label=${heads[0]}>${first}</th>`,
    others.map((content, index) => html`<td role="cell" data-label=${heads[index + 1]}>${content}</td>`),
  ];
}

function table(id: string, heads: readonly string[], rows: readonly unknown[]) {
  const head = heads.map((name) => html`<th scope="col" role="columnheader">${name}</th>`);
  return html`<table id=${id} class="rows" role="table">
    <thead role="rowgroup"><tr role="row">${head}</tr></thead>
    <tbody role="rowgroup">${rows}</tbody>
  </table>`;
}
