import { html, nothing } from "lit-html";
import { plural } from "../../../values/text/counted.ts";
import { addDays, dateText } from "../../../values/time/time-text.ts";
import type { Api } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { sparkline } from "../../browser/sparkline.ts";
import {
  advice,
  changeDays,
  changeOver,
  changeText,
  daysOf,
  firstLevelOn,
  levelText,
  percentChange,
  pricedText,
  toneOf,
} from "./levels.ts";
import type { Day, PriceIndex } from "./types.ts";

/** Number of days in the sparkline. */
const lineDays = 30;
const section = byId("found", HTMLElement);
let rows: readonly { index: PriceIndex; days: readonly Day[] }[] = [];
let today = "";

const session = new Session({
  async onKey(api) {
    rows = await read(api);
  },
  async onOpen() {
    showStatus("");
    section.hidden = false;
    const count = rows.length;
    byId("found-count", HTMLElement).textContent = count === 0 ? "No indexes yet" : plural(count, "index", "indexes");
    byId("none-yet", HTMLElement).hidden = count > 0;
    byId("found-table", HTMLElement).hidden = count === 0;
    const [date, other] = new Set(rows.flatMap(({ index }) => firstLevelOn(index, today) ?? []));
    const common = other === undefined && date !== undefined ? date : null;
    byId("first-level", HTMLElement).hidden = common === null;
    fill("first-level", common && `The first level of new indexes is expected on ${dateText(common)}.`);
    fill(
      "rows",
      rows.map((row) => rowOf(row, common)),
    );
  },
  onForget() {
    section.hidden = true;
  },
  advice,
});
session.start();

/** Reads all indexes with their last days. A refused history has no days. */
async function read(api: Api) {
  const { rows: indexes, meta } = await api.all("listIndexes", { limit: 100 });
  today = meta.generated_at.slice(0, 10);
  const window = { from: addDays(today, -lineDays - 1), to: today };
  const parts = indexes.map(({ index_id }) => ["getIndexHistory", { index_id, ...window, limit: 100 }] as const);
  const histories = await api.readBatch<readonly "getIndexHistory"[]>(parts);
  return indexes.map((index, place) => ({ index, days: daysOf(window, histories[place]?.answer?.data ?? [], index) }));
}

/** @param shownDay The expected date that the page already shows, null if it shows none. */
function rowOf({ index, days }: (typeof rows)[number], shownDay: string | null) {
  const sinceBase = index.value === null ? null : percentChange(index.value, index.base_value);
  const changes = changeDays.map((count) => {
    const change = changeOver(days, count);
    return "pct" in change ? change.pct : null;
  });
  const closed = index.active ? nothing : html`<span class="tag">closed</span>`;
  const link = html`<a href="/indexes/${encodeURIComponent(index.index_id)}">${index.name}</a>`;
  const line = sparkline(days.map(({ row }) => (row?.value == null ? null : Number(row.value))));
  return html`<tr>${[
    html`<th scope="row">${link}${closed}<p class="muted">${index.description}</p></th>`,
    html`<td class="number level">${shownDay !== null && firstLevelOn(index, today) === shownDay ? "–" : levelText(index, today)}</td>`,
    changes.map((pct) => html`<td class="number">${tone(pct)}</td>`),
    html`<td>${line ?? "–"}</td>`,
    html`<td class="number">${tone(sinceBase)}<p class="muted">${dateText(index.base_date)}</p></td>`,
    html`<td class="number">${pricedText(index)}</td>`,
  ]}</tr>`;
}

function tone(pct: number | null) {
  return html`<span class=${toneOf(pct)}>${pct === null ? "–" : changeText(pct)}</span>`;
}
