import type { Meta } from "../../../client/types.ts";
import { dollars } from "../../../values/money/money-text.ts";
import { dateText, instantText } from "../../../values/time/time-text.ts";
import { byId, element } from "../../browser/dom.ts";
import { HistoryPlots } from "./history-plot.ts";
import { pointsOf, states, versionsOf } from "./history-points.ts";
import { percent } from "./labels.ts";
import type { HistoryRow, Point, Selection } from "./types.ts";

/** Expected value, cost and return over time, with each gap and each change of version. */
export class HistoryView {
  #plots: HistoryPlots | null = null;
  /** What is drawn. */
  #points: readonly Point[] = [];
  /** All of the window. */
  #all: readonly Point[] = [];
  #isDaily = true;
  #index = 0;
  #host = byId("plots", HTMLElement);

  constructor() {
    this.#host.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#plots?.fit()).observe(this.#host);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#plots?.recolour());
    byId("history-rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillRows());
  }

  show(
    granularity: Selection["granularity"],
    { rows, meta }: { rows: HistoryRow[]; meta: Meta<"getOpenableHistory"> },
  ) {
    this.clear();
    this.#isDaily = granularity === "day";
    this.#all = pointsOf(granularity, meta, rows);
    this.#points = withoutLongStart(this.#all);
    const versions = versionsOf(this.#points).map(
      ({ row }) => `${row.methodology_version}, revision ${row.revision_number} from ${instantText(row.ts)}`,
    );
    const [gaps = "", list = ""] = meta.missing_points.split(/: /);
    const counted = rows.length === 0 ? "Nothing was recorded" : `${rows.length} points, ${versions.join("; ")}`;
    byId("history-note", HTMLElement).textContent =
      `${meta.from} to ${meta.to} (UTC): ${counted}. Gaps: ${gaps}.${this.#undrawn()}`;
    byId("gaps", HTMLElement).hidden = list === "";
    byId("gap-list", HTMLElement).textContent = list;
    this.#host.hidden = rows.length === 0;
    if (rows.length === 0) return;
    this.#plots = new HistoryPlots(this.#host, this.#points, (index) => this.#describe(index, false));
    byId("marks", HTMLElement).replaceChildren(...this.#legend());
    const last = this.#points.findLastIndex(({ row }) => row !== null);
    this.#describe(Math.max(0, last), false);
    this.#fillRows();
  }

  clear() {
    this.#plots?.destroy();
    this.#plots = null;
    this.#points = [];
    this.#all = [];
    this.#host.hidden = true;
    for (const id of ["history-note", "point", "marks", "all-rows", "history-problem"])
      byId(id, HTMLElement).replaceChildren();
  }

  /** Says what is left out of the picture. */
  #undrawn() {
    const first = this.#points[0];
    if (first === undefined || this.#points.length === this.#all.length) return "";
    return ` Nothing was recorded before ${timeText(first, this.#isDaily)}: the picture begins there, the table has all.`;
  }

  #legend() {
    const seen = new Set(this.#points.map(({ state }) => state));
    const gaps = Object.entries(states).filter(([state]) => seen.has(state as Point["state"]));
    const entry = (letter: string, name: string, description: string, kind = "") =>
      element("li", {}, element("span", { class: `chip ${kind}` }, letter), element("b", {}, name), `: ${description}`);
    return [
      ...gaps.map(([state, { letter, name, description }]) => entry(letter, name, description, state)),
      ...(versionsOf(this.#points).length > 1
        ? [
            entry(
              "┆",
              "Upright line",
              "another revision of the pool or another methodology begins; the lines before and after are not joined",
            ),
          ]
        : []),
    ];
  }

  #describe(index: number, aloud: boolean) {
    const point = this.#points[index];
    if (point === undefined) return;
    this.#index = index;
    const text = pointText(point, this.#isDaily);
    byId("point", HTMLElement).textContent = text;
    if (aloud) byId("point-spoken", HTMLElement).textContent = text;
  }

  #fillRows() {
    const place = byId("all-rows", HTMLElement);
    if (!byId("history-rows", HTMLDetailsElement).open || place.childElementCount > 0 || this.#points.length === 0)
      return;
    place.replaceChildren(pointTable(this.#all, this.#isDaily));
  }

  #key(event: KeyboardEvent) {
    const last = this.#points.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: this.#index - 1,
      ArrowRight: this.#index + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = Math.min(last, Math.max(0, target));
    this.#plots?.moveTo(index);
    this.#describe(index, true);
  }
}

/** Leaves a gap at the start out where it is more than a quarter of the window: an empty picture shows nothing. */
function withoutLongStart(points: readonly Point[]) {
  const first = points.findIndex(({ row }) => row !== null);
  return first > points.length / 4 ? points.slice(first) : points;
}

function timeText({ at }: Point, isDaily: boolean) {
  const ts = new Date(at * 1000).toISOString();
  return isDaily ? dateText(ts.slice(0, 10)) : instantText(ts);
}

/** Describes one point in a sentence. */
function pointText(point: Point, isDaily: boolean) {
  const { row, state } = point;
  const time = timeText(point, isDaily);
  if (row === null) return `${time}: ${states[state === "not_begun" ? state : "no_row"].name.toLowerCase()}.`;
  const { expected_value_cents, return_pct, cost_cents, methodology_version, revision_number } = row;
  const value =
    expected_value_cents === null ? "expected value held back" : `expected value ${dollars(expected_value_cents)}`;
  return `${time}: ${value}, cost ${dollars(cost_cents)}, return ${return_pct === null ? "held back" : percent(return_pct)}; ${methodology_version}, revision ${revision_number}.`;
}

function pointTable(points: readonly Point[], isDaily: boolean) {
  const heads = [
    "Time",
    "Expected value",
    "Cost",
    "Profit",
    "Return",
    "Profit chance",
    "Priced",
    "Prices of",
    "Methodology",
    "Revision",
    "Recorded",
  ];
  const orHeldBack = (text: string | null) => text ?? "held back";
  const money = (cents: number | null) => (cents === null ? "held back" : dollars(cents));
  const rows = points.map((point) => {
    const { row, state } = point;
    const time = element("th", { scope: "row" }, timeText(point, isDaily));
    if (row === null) {
      const why = states[state === "not_begun" ? state : "no_row"].name.toLowerCase();
      return element("tr", { class: state }, time, element("td", { colspan: String(heads.length - 1) }, why));
    }
    const texts = [
      money(row.expected_value_cents),
      dollars(row.cost_cents),
      money(row.expected_profit_cents),
      orHeldBack(row.return_pct && percent(row.return_pct)),
      orHeldBack(row.profit_chance_pct && percent(row.profit_chance_pct)),
      percent(row.priced_probability_mass_pct),
      instantText(row.price_as_of),
      row.methodology_version,
      String(row.revision_number),
      instantText(row.recorded_at),
    ];
    return element("tr", { class: state }, time, ...texts.map((text) => element("td", {}, text)));
  });
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)));
  return element("table", { class: "rows" }, element("thead", {}, head), element("tbody", {}, ...rows));
}
