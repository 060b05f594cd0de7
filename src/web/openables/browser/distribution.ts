import { nothing } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { plural } from "../../../values/text/counted.ts";
import { byId, fill } from "../../browser/dom.ts";
import { pointOfKey } from "../../browser/plot-parts.ts";
import { type Bin, type Distribution, distributionOf, sum } from "./bins.ts";
import { distributionPicture } from "./distribution-picture.ts";
import { tierText } from "./labels.ts";
import type { OpenableDetail, Outcome } from "./types.ts";

/** Shows the chance of each value, and its share of the expected value. */
export class DistributionView {
  #host = byId("distribution", HTMLElement);
  #shown: { openable: OpenableDetail; outcomes: readonly Outcome[] } | null = null;
  #distribution: Distribution | null = null;
  #index = 0;
  #width = 0;

  constructor() {
    new ResizeObserver(() => {
      if (this.#host.clientWidth !== this.#width) this.#draw();
    }).observe(this.#host);
    this.#host.addEventListener("keydown", (event) => {
      const index = pointOfKey(event.key, this.#index, this.#bins.length - 1);
      if (index === null) return;
      event.preventDefault();
      this.#describe(index);
      fill("spoken", byId("bin", HTMLElement).textContent);
    });
    this.#host.addEventListener("pointermove", ({ target }) => {
      const mark = target instanceof Element ? target.closest("[data-bin]") : null;
      if (mark !== null) this.#describe(Number(mark.getAttribute("data-bin")));
    });
  }

  show(openable: OpenableDetail, outcomes: readonly Outcome[]): void {
    this.#shown = { openable, outcomes };
    this.#index = 0;
    this.#draw();
  }

  clear(): void {
    this.#shown = null;
    this.#distribution = null;
    fill("distribution", nothing);
    fill("bin", nothing);
  }

  #draw(): void {
    const width = this.#host.clientWidth;
    this.#width = width;
    if (this.#shown === null || width === 0) return;
    const { openable, outcomes } = this.#shown;
    const { current, pool } = openable;
    const priced = outcomes.flatMap(({ value_cents }) => value_cents ?? []);
    const isEmpty = current === null || priced.length === 0;
    byId("box-note", HTMLElement).hidden = this.#host.hidden = isEmpty;
    if (isEmpty) return;
    const marked = [current.cost_cents, current.expected_value_cents ?? []].flat();
    const all = [...priced, ...marked];
    const decades = Math.max(1, Math.log10(Math.max(...all) / Math.max(1, Math.min(...all))));
    const perDecade = Math.min(12, Math.max(3, Math.round(width / decades / 26)));
    this.#distribution = distributionOf(outcomes, pool.tiers, perDecade, marked);
    fill("distribution", distributionPicture(this.#distribution, current, width));
    this.#describe(this.#index);
  }

  get #bins(): readonly Bin[] {
    const { bins = [], unpriced = null } = this.#distribution ?? {};
    return unpriced === null ? bins : [...bins, unpriced];
  }

  #describe(index: number): void {
    this.#index = index;
    const bin = this.#bins[index];
    if (bin === undefined || this.#shown === null) return;
    fill("bin", textOf(bin, bin === this.#distribution?.unpriced, this.#shown.openable));
    for (const mark of this.#host.querySelectorAll("[data-bin]"))
      mark.classList.toggle("chosen", mark.getAttribute("data-bin") === String(index));
  }
}

function textOf(bin: Bin, isUnpriced: boolean, { pool }: OpenableDetail): string {
  const range = bin.first === bin.last ? dollars(bin.first) : `${dollars(bin.first)} to ${dollars(bin.last)}`;
  const tiers = pool.tiers.flatMap(({ tier }, index) => {
    const count = bin.outcomes.filter((one) => one.tier === tier).length;
    return count === 0 ? [] : [`${tierText(tier)} ${percentText(bin.chance[index] ?? 0)} (${count})`];
  });
  const worth = isUnpriced
    ? "contribution unknown"
    : `${percentText(sum(bin.worth))} of the priced outcomes' contribution`;
  const count = plural(bin.outcomes.length, "outcome");
  return `${isUnpriced ? "No price" : range}: ${percentText(sum(bin.chance))} of openings, ${count}, ${worth}. ${tiers.join(", ")}.`;
}

function percentText(value: number): string {
  return value !== 0 && value < 0.001 ? "under 0.001 %" : `${value.toFixed(3)} %`;
}
