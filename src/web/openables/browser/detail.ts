import { byId, element } from "../../browser/dom.ts";
import { DistributionView } from "./distribution.ts";
import { factGroups, leadFigures } from "./facts.ts";
import { HistoryView } from "./history.ts";
import { intervalPicture, ownScaleEnd, scaleAxis } from "./interval.ts";
import { modeNames, noCalculation, staleText, stateText, typeNames, withheldText } from "./labels.ts";
import { outcomeTable, tierTable } from "./outcomes.ts";
import { writeFragment } from "./selection.ts";
import type { Openable, OpenableDetail, Outcome, Selection } from "./types.ts";

/** One container: what it is worth, its outcomes, its history. */
export class Detail {
  history = new HistoryView();
  #distribution = new DistributionView();
  #root = byId("detail", HTMLElement);
  #fillOutcomes = () => {};
  /** The head of the page while it shows all containers. */
  #head = {
    title: byId("title", HTMLElement).textContent ?? "",
    subtitle: byId("subtitle", HTMLElement).textContent ?? "",
  };

  constructor() {
    byId("outcome-rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillOutcomes());
  }

  hide() {
    this.#root.hidden = true;
    this.#distribution.clear();
    this.history.clear();
  }

  /** Gives the head of the page back to the list of all containers. */
  leave() {
    this.hide();
    const { title, subtitle } = this.#head;
    document.title = `${title} · Itemtape`;
    byId("title", HTMLElement).textContent = title;
    byId("subtitle", HTMLElement).textContent = subtitle;
    byId("crumbs", HTMLElement).hidden = true;
  }

  show(
    {
      openable,
      outcomes,
      now,
      isWhole,
    }: { openable: OpenableDetail; outcomes: readonly Outcome[]; now: string; isWhole: boolean },
    selection: Selection,
  ) {
    this.hide();
    const { current } = openable;
    byId("back", HTMLAnchorElement).href = writeFragment({ ...selection, slug: null });
    byId("crumbs", HTMLElement).hidden = false;
    document.title = `${openable.name} · Itemtape`;
    byId("title", HTMLElement).textContent = openable.name;
    byId("subtitle", HTMLElement).replaceChildren(...subtitleOf(openable, selection));
    const notices = current === null ? [capital(noCalculation)] : [capital(staleText(current)), withheldText(current)];
    if (!isWhole)
      notices.push(
        "The outcomes are of another calculation than the figures: a new one has just been published. Load the page again.",
      );
    byId("notice", HTMLElement).replaceChildren(
      ...notices.flatMap((text) => (text === null ? [] : [element("p", { class: "notice" }, text)])),
    );
    byId("lead", HTMLElement).replaceChildren(...(current === null ? [] : leadFigures(openable, current, now)));
    byId("worth", HTMLElement).replaceChildren(...(current === null ? [] : worthOf(current)));
    byId("made-of", HTMLElement).hidden = current === null;
    byId("facts", HTMLElement).replaceChildren(...(current === null ? [] : factGroups(openable, current, now)));
    byId("distribution-note", HTMLElement).textContent = distributionNote(outcomes);
    byId("tiers", HTMLElement).replaceChildren(tierTable(openable, outcomes));
    this.#root.hidden = false;
    this.#distribution.show(openable, outcomes);
    const place = byId("outcomes", HTMLElement);
    place.replaceChildren();
    this.#fillOutcomes = () => {
      if (place.childElementCount === 0) place.replaceChildren(outcomeTable(openable, outcomes, now));
    };
    if (byId("outcome-rows", HTMLDetailsElement).open) this.#fillOutcomes();
  }

  focus() {
    byId("title", HTMLElement).focus();
  }
}

/** Makes a sentence of a remark. */
function capital(text: string | null) {
  return text === null ? null : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

function worthOf(current: NonNullable<Openable["current"]>) {
  const end = ownScaleEnd(current);
  return [element("div", { class: "interval" }, scaleAxis(end), intervalPicture(current, end))];
}

function subtitleOf(openable: OpenableDetail, { mode }: Selection) {
  const { type, released_on, item_id, outcome_count } = openable;
  const facts = [
    typeNames[type],
    stateText(openable),
    ...(released_on === null ? [] : [`released ${released_on}`]),
    `${outcome_count} outcomes`,
    `at ${modeNames[mode]}`,
  ];
  return [`${facts.join(" · ")} · `, element("a", { href: `/items/${item_id}` }, "its own price")];
}

function distributionNote(outcomes: readonly Outcome[]) {
  const count = (state: Outcome["status"]) => outcomes.filter(({ status }) => status === state).length;
  const [priced, unpriced, excluded] = [count("priced"), count("unpriced"), count("excluded")];
  const never = excluded === 0 ? "" : ` ${excluded} named in the pool cannot come out and take no part.`;
  if (priced === 0)
    return `None of the ${unpriced} outcomes has a price in this mode, so there is nothing to draw.${never}`;
  return `${priced} outcomes with a price, on a scale where each decade is as wide; ${unpriced === 0 ? "none is without" : `${unpriced} without one, hatched and apart`}. However rare, a mark is at least 2 px high.${never}`;
}
