import { dollars } from "../../../values/money/money-text.ts";
import { addDays, dateText, instantText } from "../../../values/time/time-text.ts";
import type { Api } from "../../browser/api.ts";
import { byId, element } from "../../browser/dom.ts";
import { showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { LevelView } from "./level-view.ts";
import { changeOver, changeText, daysOf, levelText } from "./levels.ts";
import type { Day, Member, PriceIndex } from "./types.ts";

const windowDays = 366;
const membersPage = 200;
const indexId = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const picture = byId("picture", HTMLElement);
const version = byId("version", HTMLSelectElement);
const more = byId("more", HTMLButtonElement);
const view = new LevelView();

/** `members`: aborts a read of members that a newer one replaces. */
const state: { index: PriceIndex | null; today: string; nextMembers: string | null; members: AbortController } = {
  index: null,
  today: "",
  nextMembers: null,
  members: new AbortController(),
};

const session = new Session({
  async onKey(api) {
    const { data, meta } = await api.call("getIndex", { index_id: indexId });
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

/** Reads a year of levels of the methodology that the index has now. */
async function readDays(api: Api, index: PriceIndex, today: string) {
  const window = { from: addDays(today, 1 - windowDays), to: today };
  const { rows } = await api.all("getIndexHistory", { index_id: indexId, ...window, limit: 1000 });
  const days = daysOf(window, rows, index);
  // A younger index begins at the left.
  const first = days.findIndex(({ state: of }) => of !== "not_begun");
  return first > 0 ? days.slice(Math.min(first, days.length - 2)) : days;
}

async function loadMembers(isNext: boolean) {
  const { api } = session;
  if (api === null) return;
  state.members.abort();
  state.members = new AbortController();
  const { signal } = state.members;
  await attempt(async () => {
    const wanted = {
      index_id: indexId,
      membership_version: Number(version.value),
      limit: membersPage,
      after: isNext ? (state.nextMembers ?? undefined) : undefined,
    };
    const { data, meta } = await api.call("listIndexMembers", wanted, { signal });
    signal.throwIfAborted();
    const rows = data.map(memberRow);
    const body = byId("members", HTMLElement);
    if (isNext) body.append(...rows);
    else body.replaceChildren(...rows);
    state.nextMembers = meta.next_page;
    more.hidden = meta.next_page === null;
  }, signal);
}

async function attempt(work: () => Promise<void>, signal?: AbortSignal) {
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

function headlineOf(index: PriceIndex, days: readonly Day[]) {
  const last = days.findLast(({ row }) => row !== null);
  const day = last === undefined ? "" : `, ${dateText(last.date)}`;
  const changes = (
    [
      ["1 day", 1],
      ["7 days", 7],
      ["30 days", 30],
    ] as const
  ).map(([name, count]) => {
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

function figure(name: string, value: string, tone: string, note: string = "") {
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", { class: tone }, value),
    element("dd", { class: "note" }, note),
  );
}

function factsOf(index: PriceIndex) {
  const capitalization = index.capitalization_cents === null ? "unknown" : dollars(Number(index.capitalization_cents));
  return (
    [
      ["Weighting", index.weighting],
      ["Capitalization", capitalization],
      ["Base", `${levelText(index.base_value)} on ${dateText(index.base_date)}`],
      ["Methodology", `version ${index.methodology_version}`],
      ["Members", `version ${index.membership_version}`],
      ["State", index.active ? "active" : "closed"],
      ["Oldest observation", instantText(index.as_of)],
      ["Calculated", instantText(index.calculated_at)],
      ["Id", index.index_id],
    ] as const
  ).map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)));
}

/** Roles are written out: laid out for a phone, rows and cells are no table to some browsers. */
function memberRow({ item_id, market_hash_name, phase, weight_pct, added_on, removed_on }: Member) {
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
