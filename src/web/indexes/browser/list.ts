import { dateText, instantText } from "../../../values/time/time-text.ts";
import { byId, element } from "../../browser/dom.ts";
import { showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { changeText, levelText } from "./levels.ts";
import type { PriceIndex } from "./types.ts";

const section = byId("found", HTMLElement);
let indexes: readonly PriceIndex[] = [];

const session = new Session({
  async onKey(api) {
    indexes = (await api.all("listIndexes", { limit: 100 })).rows;
  },
  async onOpen() {
    showStatus("");
    section.hidden = false;
    const count = indexes.length;
    byId("found-count", HTMLElement).textContent =
      count === 0 ? "No index is kept here" : `${count} ${count === 1 ? "index" : "indexes"}`;
    byId("rows", HTMLElement).replaceChildren(...indexes.map(rowOf));
  },
  onForget() {
    section.hidden = true;
  },
});
session.start();

function rowOf(index: PriceIndex) {
  const { index_id, name, description, active, value, base_value, base_date } = index;
  const change = value === null ? null : (Number(value) / Number(base_value) - 1) * 100;
  const tone = change === null || change === 0 ? "" : change > 0 ? "up" : "down";
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row" },
      element("a", { href: `/indexes/${encodeURIComponent(index_id)}` }, name),
      ...(active ? [] : [element("span", { class: "tag" }, "closed")]),
      element("p", { class: "muted" }, description),
    ),
    element("td", { class: "number level" }, levelText(value)),
    element(
      "td",
      { class: "number" },
      element("span", { class: tone }, change === null ? "–" : changeText(change)),
      element("p", { class: "muted" }, dateText(base_date)),
    ),
    element("td", { class: "number" }, `${index.priced_constituent_count} of ${index.constituent_count}`),
    element("td", { class: "number" }, `${index.coverage_pct} %`),
    element("td", {}, index.weighting),
    element("td", {}, `method ${index.methodology_version}, members ${index.membership_version}`),
    element("td", {}, instantText(index.calculated_at)),
  );
}
