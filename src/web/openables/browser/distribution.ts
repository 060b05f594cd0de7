import { dollars } from "../../../values/money/money-text.ts";
import { byId } from "../../browser/dom.ts";
import type { Bin, Distribution } from "./bins.ts";
import { distributionOf, sum } from "./bins.ts";
import { distributionPicture } from "./distribution-picture.ts";
import { tierText } from "./labels.ts";
import type { OpenableDetail, Outcome } from "./types.ts";

/** Shows how often which value comes out, and where the expected value comes from. */
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
    this.#host.addEventListener("keydown", (event) => this.#key(event));
    this.#host.addEventListener("pointermove", (event) => this.#point(event.target));
  }

  show(openable: OpenableDetail, outcomes: readonly Outcome[]) {
    this.#shown = { openable, outcomes };
    this.#index = 0;
    this.#draw();
  }

  clear() {
    this.#shown = null;
    this.#distribution = null;
    this.#host.replaceChildren();
    byId("bin", HTMLElement).textContent = "";
  }

  #draw() {
    const width = this.#host.clientWidth;
    this.#width = width;
    if (this.#shown === null || width === 0) return;
    const { openable, outcomes } = this.#shown;
    const { current, pool } = openable;
    const priced = outcomes.flatMap(({ value_cents }) => (value_cents === null ? [] : [value_cents]));
    byId("box-note", HTMLElement).hidden = this.#host.hidden = current === null || priced.length === 0;
    if (current === null || priced.length === 0) return;
    const marked = [
      current.cost_cents,
      ...(current.expected_value_cents === null ? [] : [current.expected_value_cents]),
    ];
    const decades = Math.max(
      1,
      Math.log10(Math.max(...priced, ...marked) / Math.max(1, Math.min(...priced, ...marked))),
    );
    const perDecade = Math.min(12, Math.max(3, Math.round(width / decades / 26)));
    this.#distribution = distributionOf(outcomes, pool.tiers, perDecade, marked);
    this.#host.replaceChildren(distributionPicture(this.#distribution, current, width));
    this.#describe(false);
  }

  get #bins() {
    const { bins = [], unpriced = null } = this.#distribution ?? {};
    return unpriced === null ? bins : [...bins, unpriced];
  }

  #describe(aloud: boolean) {
    const bin = this.#bins[this.#index];
    if (bin === undefined || this.#shown === null) return;
    const text = binText(bin, bin === this.#distribution?.unpriced, this.#shown.openable);
    byId("bin", HTMLElement).textContent = text;
    if (aloud) byId("spoken", HTMLElement).textContent = text;
    for (const mark of this.#host.querySelectorAll("[data-bin]"))
      mark.classList.toggle("chosen", Number(mark.getAttribute("data-bin")) === this.#index);
  }

  #point(target: EventTarget | null) {
    const mark = target instanceof Element ? target.closest("[data-bin]") : null;
    if (mark === null) return;
    this.#index = Number(mark.getAttribute("data-bin"));
    this.#describe(false);
  }

  #key(event: KeyboardEvent) {
    const last = this.#bins.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: this.#index - 1,
      ArrowRight: this.#index + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#index = Math.min(last, Math.max(0, target));
    this.#describe(true);
  }
}

/** Describes what a bin holds. */
function binText(bin: Bin, isUnpriced: boolean, { pool }: OpenableDetail) {
  const range = bin.first === bin.last ? dollars(bin.first) : `${dollars(bin.first)} to ${dollars(bin.last)}`;
  const tiers = pool.tiers.flatMap(({ tier }, index) => {
    const count = bin.outcomes.filter((one) => one.tier === tier).length;
    return count === 0 ? [] : [`${tierText(tier)} ${percentText(bin.chance[index] ?? 0)} (${count})`];
  });
  const worth = isUnpriced
    ? "contribution unknown"
    : `${percentText(sum(bin.worth))} of what the priced outcomes contribute`;
  const count = `${bin.outcomes.length} ${bin.outcomes.length === 1 ? "outcome" : "outcomes"}`;
  return `${isUnpriced ? "No price" : range}: ${percentText(sum(bin.chance))} of openings, ${count}, ${worth}. ${tiers.join(", ")}.`;
}

function percentText(value: number) {
  return value !== 0 && value < 0.001 ? "under 0.001 %" : `${value.toFixed(3)} %`;
}
