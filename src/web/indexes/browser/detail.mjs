/** @import { Api } from "../../browser/api.mjs" */
/** @import { Day, Member, PriceIndex } from "./types.mjs" */

import { dollars } from "../../../values/money/money-text.mjs";
import { addDays, dateText, instantText } from "../../../values/time/time-text.mjs";
import { byId, element } from "../../browser/dom.mjs";
import { showStatus } from "../../browser/messages.mjs";
import { Session } from "../../browser/session.mjs";
import { LevelView } from "./level-view.mjs";
import { changeOver, changeText, daysOf, levelText } from "./levels.mjs";

const windowDays = 366;
const membersPage = 200;
const indexId = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/v1/indexes/${encodeURIComponent(indexId)}`;
const picture = byId("picture", HTMLElement);
const version = byId("version", HTMLSelectElement);
const more = byId("more", HTMLButtonElement);
const view = new LevelView();

/** `members`: aborts a read of members that a newer one replaces. @type {{ index: PriceIndex | null, today: string, nextMembers: string | null, members: AbortController }} */
const state = { index: null, today: "", nextMembers: null, members: new AbortController() };

const session = new Session({
  async onKey(api) {
    const { data, meta } = await api.get(path);
    state.index = data;
    state.today = meta.generated_at.slice(0, 10);
  },
  onOpen: open,
  onForget() {
    picture.hidden = true;
    view.clear();
  },
});
version.addEventListener("change", () => void loadMembers(false));
more.addEventListener("click", () => void loadMembers(true));
session.start();

async function open() {
  const { api } = session;
  const { index, today } = state;
  if (api === null || index === null) return;
  document.title = `${index.name} · Itemtape`;
  byId("title", HTMLElement).textContent = index.name;
  byId("subtitle", HTMLElement).textContent = index.description;
  picture.hidden = false;
  version.replaceChildren(
    ...Array.from({ length: index.membership_version }, (_, at) => String(index.membership_version - at)).map((name) =>
      element("option", { value: name }, name),
    ),
  );
  byId("facts", HTMLElement).replaceChildren(...factsOf(index));
  await attempt(async () => {
    const days = await readDays(api, index, today);
    byId("headline", HTMLElement).replaceChildren(...headlineOf(index, days));
    view.show(days);
  });
  await loadMembers(false);
}

/** Reads a year of levels of the methodology that the index has now. @param {Api} api @param {PriceIndex} index @param {string} today */
async function readDays(api, index, today) {
  const window = { from: addDays(today, 1 - windowDays), to: today };
  const { rows } = await api.all(`${path}/history`, { ...window, limit: 1000 });
  const days = daysOf(window, rows, index);
  // A younger index begins at the left.
  const first = days.findIndex(({ state: of }) => of !== "not_begun");
  return first > 0 ? days.slice(Math.min(first, days.length - 2)) : days;
}

/** @param {boolean} isNext */
async function loadMembers(isNext) {
  const { api } = session;
  if (api === null) return;
  state.members.abort();
  state.members = new AbortController();
  const { signal } = state.members;
  await attempt(async () => {
    const wanted = {
      membership_version: version.value,
      limit: membersPage,
      after: isNext ? (state.nextMembers ?? undefined) : undefined,
    };
    const { data, meta } = await api.get(`${path}/members`, wanted, signal);
    signal.throwIfAborted();
    const rows = data.map(memberRow);
    const body = byId("members", HTMLElement);
    if (isNext) body.append(...rows);
    else body.replaceChildren(...rows);
    state.nextMembers = meta.next_page;
    more.hidden = meta.next_page === null;
  }, signal);
}

/** @param {() => Promise<void>} work @param {AbortSignal} [signal] */
async function attempt(work, signal) {
  showStatus("Loading …");
  try {
    await work();
    showStatus("");
  } catch (error) {
    if (signal?.aborted) return;
    session.showError(error);
  }
  session.showCost();
}

/** @param {PriceIndex} index @param {readonly Day[]} days */
function headlineOf(index, days) {
  const last = days.findLast(({ row }) => row !== null);
  const day = last === undefined ? "" : `, ${dateText(last.date)}`;
  const changes = /** @type {const} */ ([
    ["1 day", 1],
    ["7 days", 7],
    ["30 days", 30],
  ]).map(([name, count]) => {
    const change = changeOver(days, count);
    if ("missing" in change) return figure(name, "unknown", "muted", change.missing);
    return figure(name, changeText(change.pct), change.pct > 0 ? "up" : change.pct < 0 ? "down" : "");
  });
  const priced = `${index.priced_constituent_count} of ${index.constituent_count} members`;
  return [
    figure(`Level${day}`, levelText(index.value), "level"),
    ...changes,
    figure("Coverage", `${index.coverage_pct} %`, "", priced),
  ];
}

/** @param {string} name @param {string} value @param {string} tone @param {string} [note] */
function figure(name, value, tone, note = "") {
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", { class: tone }, value),
    element("dd", { class: "note" }, note),
  );
}

/** @param {PriceIndex} index */
function factsOf(index) {
  const capitalization = index.capitalization_cents === null ? "unknown" : dollars(Number(index.capitalization_cents));
  return /** @type {const} */ ([
    ["Weighting", index.weighting],
    ["Capitalization", capitalization],
    ["Base", `${levelText(index.base_value)} on ${dateText(index.base_date)}`],
    ["Methodology", `version ${index.methodology_version}`],
    ["Members", `version ${index.membership_version}`],
    ["State", index.active ? "active" : "closed"],
    ["Oldest observation", instantText(index.as_of)],
    ["Calculated", instantText(index.calculated_at)],
    ["Id", index.index_id],
  ]).map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)));
}

/** Roles are written out: laid out for a phone, rows and cells are no table to some browsers. @param {Member} member */
function memberRow({ item_id, market_hash_name, phase, weight_pct, added_on, removed_on }) {
  return element(
    "tr",
    { role: "row" },
    element(
      "th",
      { scope: "row", role: "rowheader" },
      element("a", { href: `/items/${item_id}` }, market_hash_name),
      ...(phase === null ? [] : [element("span", { class: "tag" }, phase)]),
    ),
    element("td", { class: "number", role: "cell" }, weight_pct === null ? "unknown" : `${weight_pct} %`),
    element("td", { role: "cell", "data-label": "Added" }, dateText(added_on)),
    element("td", { role: "cell", "data-label": "Removed" }, removed_on === null ? "–" : dateText(removed_on)),
  );
}
