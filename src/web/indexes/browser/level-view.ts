import { dateText } from "../../../values/time/time-text.ts";
import { byId, element } from "../../browser/dom.ts";
import { LevelPlot } from "./level-plot.ts";
import { causes, levelText } from "./levels.ts";
import type { Day } from "./types.ts";

const ranges = [
  ["30D", 30],
  ["90D", 90],
  ["1Y", 366],
] as const;

/** The chart of an index with its ranges, the day under the cursor, the causes of its gaps and all days as a table. */
export class LevelView {
  #plot: LevelPlot | null = null;
  #all: readonly Day[] = [];
  #days: readonly Day[] = [];
  #index = 0;
  #range: number = 90;
  #host = byId("plot", HTMLElement);

  constructor() {
    this.#host.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#plot?.fit()).observe(this.#host);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#plot?.recolour());
    byId("level-rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillRows());
    byId("ranges", HTMLElement).replaceChildren(
      ...ranges.map(([name, count]) => {
        const choose = () => {
          this.#range = count;
          this.#draw();
        };
        return element(
          "button",
          { type: "button", class: "chip-button", "data-range": String(count), click: choose },
          name,
        );
      }),
    );
  }

  show(days: readonly Day[]) {
    this.#all = days;
    this.#draw();
  }

  clear() {
    this.#plot?.destroy();
    this.#plot = null;
    for (const id of ["point", "spoken", "causes", "days"]) byId(id, HTMLElement).replaceChildren();
  }

  #draw() {
    this.clear();
    this.#days = this.#all.slice(-this.#range);
    for (const chip of byId("ranges", HTMLElement).querySelectorAll("button"))
      chip.setAttribute("aria-pressed", String(chip.dataset.range === String(this.#range)));
    this.#plot = new LevelPlot(this.#host, this.#days, (index) => this.#describe(index, false));
    const seen = new Set(this.#days.map(({ state }) => state));
    const entries = Object.entries(causes).filter(([state]) => seen.has(state as Day["state"]));
    byId("causes", HTMLElement).replaceChildren(
      ...entries.map(([state, { letter, name, meaning }]) =>
        element("li", {}, element("span", { class: `chip ${state}` }, letter), element("b", {}, name), `: ${meaning}`),
      ),
    );
    const last = this.#days.findLastIndex(({ row }) => row !== null);
    this.#describe(Math.max(0, last), false);
    this.#fillRows();
  }

  #key(event: KeyboardEvent) {
    const last = this.#days.length - 1;
    const steps = { ArrowLeft: this.#index - 1, ArrowRight: this.#index + 1, Home: 0, End: last };
    const next = Object.entries(steps).find(([key]) => key === event.key)?.[1];
    if (next === undefined) return;
    event.preventDefault();
    const index = Math.min(last, Math.max(0, next));
    this.#plot?.moveTo(index);
    this.#describe(index, true);
  }

  #describe(index: number, isSpoken: boolean) {
    this.#index = index;
    const day = this.#days[index];
    if (day === undefined) return;
    const text = textOf(day);
    byId("point", HTMLElement).replaceChildren(element("b", {}, dateText(day.date)), ` ${text}`);
    if (isSpoken) byId("spoken", HTMLElement).textContent = `${dateText(day.date)}: ${text}`;
  }

  #fillRows() {
    if (!byId("level-rows", HTMLDetailsElement).open) return;
    const head = ["Day", "Level", "Priced members", "Coverage", "Members, version"];
    byId("days", HTMLElement).replaceChildren(
      element(
        "table",
        { class: "index-list" },
        element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...this.#days.toReversed().map(rowOf)),
      ),
    );
  }
}

function textOf({ row, state }: Day) {
  const cause = state === "level" ? "" : causes[state].name;
  if (row === null) return cause;
  const priced = `${row.priced_constituent_count} of ${row.constituent_count} members priced (${row.coverage_pct} %)`;
  return `${row.value === null ? `no level, ${cause}` : levelText(row.value)} · ${priced}`;
}

function rowOf({ date, row, state }: Day) {
  const cells =
    row === null
      ? [causes[state as keyof typeof causes].name, "–", "–", "–"]
      : [
          row.value === null ? `no level: ${causes[(state as keyof typeof causes)].name}` : levelText(row.value),
          `${row.priced_constituent_count} of ${row.constituent_count}`,
          `${row.coverage_pct} %`,
          String(row.membership_version),
        ];
  return element("tr", {}, element("th", { scope: "row" }, date), ...cells.map((text) => element("td", {}, text)));
}
