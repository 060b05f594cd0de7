import { html, nothing } from "lit-html";
import { byId, fill } from "../../browser/dom.ts";
import { showSources } from "../../browser/sources.ts";
import { DistributionView } from "./distribution.ts";
import { factGroups, leadFigures } from "./facts.ts";
import { HistoryView } from "./history.ts";
import { intervalPicture, ownScaleEnd, scaleAxis } from "./interval.ts";
import { lowestTier, modeNames, noCalculation, staleText, stateText, typeNames, withheldText } from "./labels.ts";
import type { LoadedDetail } from "./load.ts";
import { bestDrops, showOutcomes, tierTable } from "./outcomes.ts";
import { addressOf } from "./selection.ts";
import type { Calculation, OpenableDetail, Outcome, Selection } from "./types.ts";

const title = byId("title", HTMLElement);
const subtitle = byId("subtitle", HTMLElement);

/** Page part of one container: its value, outcomes and history. */
export class Detail {
  history = new HistoryView();
  #distribution = new DistributionView();
  #root = byId("detail", HTMLElement);
  #loaded: LoadedDetail | null = null;
  /** Title and subtitle of the page for the list of all containers. */
  #head = { title: title.textContent, subtitle: subtitle.textContent };

  constructor() {
    // Cleared, because a template renders the text from here on.
    subtitle.textContent = "";
    fill("subtitle", this.#head.subtitle);
    byId("outcome-rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillOutcomes());
  }

  hide(): void {
    this.#root.hidden = true;
    this.#distribution.clear();
    this.history.clear();
  }

  /** Restores title and subtitle of the list of all containers. */
  leave(): void {
    this.hide();
    this.#showHead(this.#head.title, this.#head.subtitle, null);
  }

  show(loaded: LoadedDetail, selection: Selection): void {
    this.hide();
    this.#loaded = loaded;
    const { openable, outcomes, now } = loaded;
    const { current } = openable;
    this.#showHead(openable.name, subtitleOf(openable, selection), addressOf({ ...selection, slug: null }));
    const notices = noticesOf(loaded).map((text) => html`<p class="notice">${text}</p>`);
    fill("notice", notices);
    fill("lead", current === null ? nothing : leadFigures(loaded, current));
    fill("worth", current === null ? nothing : worthOf(current));
    byId("made-of", HTMLElement).hidden = current === null;
    fill("facts", current === null ? nothing : factGroups(openable, current, now));
    showSources(loaded.sources);
    const drops = bestDrops(openable, outcomes);
    byId("drops", HTMLElement).hidden = drops === null;
    fill("drop-rows", drops ?? nothing);
    fill("distribution-note", distributionNote(outcomes));
    fill("tiers", tierTable(openable, outcomes));
    this.#root.hidden = false;
    this.#distribution.show(openable, outcomes);
    fill("outcomes", nothing);
    this.#fillOutcomes();
  }

  focus(): void {
    title.focus();
  }

  /** @param back Address of the list; null on the list itself. */
  #showHead(name: string, facts: unknown, back: string | null): void {
    document.title = `${name} · Itemtape`;
    title.textContent = name;
    fill("subtitle", facts);
    byId("crumbs", HTMLElement).hidden = back === null;
    if (back !== null) byId("back", HTMLAnchorElement).href = back;
  }

  #fillOutcomes(): void {
    if (this.#loaded === null || !byId("outcome-rows", HTMLDetailsElement).open) return;
    if (byId("outcomes", HTMLElement).childElementCount === 0) showOutcomes(this.#loaded);
  }
}

/** Returns sentences about missing or unreliable figures. */
function noticesOf({ openable: { current, pool }, isWhole }: LoadedDetail): string[] {
  const stale = current === null ? null : staleText(current);
  return [
    current === null ? noCalculation : withheldText(current, lowestTier(pool.tiers)),
    stale === null ? null : `${capital(stale)}.`,
    isWhole ? null : "A new calculation was just published. Load the page again.",
  ].filter((text) => text !== null);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function worthOf(current: Calculation) {
  const end = ownScaleEnd(current);
  return html`<div class="interval">${scaleAxis(end)}${intervalPicture(current, end)}</div>`;
}

function subtitleOf(openable: OpenableDetail, { mode }: Selection) {
  const { type, released_on, item_id, outcome_count } = openable;
  const facts = [
    typeNames[type],
    stateText(openable),
    ...(released_on === null ? [] : [`released ${released_on}`]),
    `${outcome_count} outcomes`,
    modeNames[mode],
  ];
  return html`${facts.join(" · ")} · <a href="/items/${item_id}">its own price</a>`;
}

function distributionNote(outcomes: readonly Outcome[]): string {
  const count = (state: Outcome["status"]) => outcomes.filter(({ status }) => status === state).length;
  const [priced, unpriced, excluded] = [count("priced"), count("unpriced"), count("excluded")];
  const never = excluded === 0 ? "" : ` ${excluded} of the pool cannot drop.`;
  if (priced === 0) return `None of the ${unpriced} outcomes is priced.${never}`;
  const all =
    unpriced === 0 ? `All ${priced} outcomes are priced` : `${priced} of ${priced + unpriced} outcomes are priced`;
  return `${all}. Log scale.${never}`;
}
