import { html, nothing } from "lit-html";
import { dateText, instantText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import { showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { changeText, levelText, percentChange, toneOf } from "./levels.ts";
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
    fill("rows", indexes.map(rowOf));
  },
  onForget() {
    section.hidden = true;
  },
});
session.start();

function rowOf(index: PriceIndex) {
  const change = index.value === null ? null : percentChange(index.value, index.base_value);
  const since = html`<span class=${toneOf(change)}>${change === null ? "–" : changeText(change)}</span>`;
  const closed = index.active ? nothing : html`<span class="tag">closed</span>`;
  const link = html`<a href="/indexes/${encodeURIComponent(index.index_id)}">${index.name}</a>`;
  const numbers = [
    html`${since}<p class="muted">${dateText(index.base_date)}</p>`,
    `${index.priced_constituent_count} of ${index.constituent_count}`,
    `${index.coverage_pct} %`,
  ];
  const texts = [
    index.weighting,
    `method ${index.methodology_version}, members ${index.membership_version}`,
    instantText(index.calculated_at),
  ];
  return html`<tr>${[
    html`<th scope="row">${link}${closed}<p class="muted">${index.description}</p></th>`,
    html`<td class="number level">${levelText(index.value)}</td>`,
    numbers.map((content) => html`<td class="number">${content}</td>`),
    texts.map((text) => html`<td>${text}</td>`),
  ]}</tr>`;
}
