import { html, nothing } from "lit-html";
import type { Answer } from "../../../client/types.ts";
import { dollars } from "../../../values/money/money-text.ts";
import { plural } from "../../../values/text/counted.ts";
import { addDays, dateText, instantText } from "../../../values/time/time-text.ts";
import { answerOf } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { eventsAddress } from "../../events/browser/address.ts";
import { LevelView } from "./level-view.ts";
import {
  advice,
  changeDays,
  changeOver,
  changeText,
  daysOf,
  levelText,
  numberText,
  pricedText,
  toneOf,
} from "./levels.ts";
import type { Day, Member, PriceIndex } from "./types.ts";

const windowDays = 366;
const membersPage = 200;
const index_id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const picture = byId("picture", HTMLElement);
const version = byId("version", HTMLSelectElement);
const more = byId("more", HTMLButtonElement);
const view = new LevelView();

let index: PriceIndex | null = null;
let today = "";
let members: Member[] = [];
let nextMembers: string | undefined;
/** Aborts a read of members when a newer one starts. */
let membersAbort = new AbortController();

const session = new Session({
  async onKey(api) {
    const { data, meta } = await api.call("getIndex", { index_id });
    index = data;
    today = meta.generated_at.slice(0, 10);
  },
  onOpen: open,
  onForget() {
    picture.hidden = true;
    view.clear();
  },
  advice,
});
version.addEventListener("change", () => void loadMembers(false));
more.addEventListener("click", () => void loadMembers(true));
session.start();

async function open() {
  const { api } = session;
  if (api === null || index === null) return;
  const shown = index;
  document.title = `${shown.name} · Itemtape`;
  byId("title", HTMLElement).textContent = shown.name;
  byId("subtitle", HTMLElement).textContent = shown.description;
  picture.hidden = false;
  const versions = Array.from({ length: shown.membership_version }, (_, at) => shown.membership_version - at);
  fill(
    "version",
    versions.map((name) => html`<option value=${name}>${name}</option>`),
  );
  version.value = String(shown.membership_version);
  fill("facts", factsOf(shown));
  await attempt(async () => {
    const window = { from: addDays(today, 1 - windowDays), to: today };
    const [levels, list, status] = await api.readBatch([
      ["getIndexHistory", { index_id, ...window, limit: 1000 }],
      ["listIndexMembers", membersOf(undefined)],
      ["getStatus", {}],
    ]);
    const days = begun(daysOf(window, answerOf(levels).data, shown));
    fill("headline", headlineOf(shown, days));
    byId("levels", HTMLElement).hidden = days.every(({ row }) => row === null);
    const since = answerOf(status).data.known_since;
    view.show(shown.name, days, ({ date, recorded_at }) =>
      since === null || recorded_at < since ? null : eventsAddress({ kind: "index_revised", from: date, to: date }),
    );
    showMembers(answerOf(list), false);
  });
}

/** Removes the days before the start of a young index. */
function begun(days: readonly Day[]): readonly Day[] {
  const first = days.findIndex(({ state }) => state !== "not_begun");
  return first > 0 ? days.slice(Math.min(first, days.length - 2)) : days;
}

async function loadMembers(isNext: boolean) {
  const { api } = session;
  if (api === null) return;
  membersAbort.abort();
  membersAbort = new AbortController();
  const { signal } = membersAbort;
  await attempt(async () => {
    const answer = await api.call("listIndexMembers", membersOf(isNext ? nextMembers : undefined), { signal });
    signal.throwIfAborted();
    showMembers(answer, isNext);
  }, signal);
}

function membersOf(after: string | undefined) {
  return { index_id, membership_version: Number(version.value), limit: membersPage, after };
}

function showMembers({ data, meta }: Answer<"listIndexMembers">, isNext: boolean) {
  members = isNext ? [...members, ...data] : data;
  fill("members", members.map(memberRow));
  nextMembers = meta.next_page ?? undefined;
  more.hidden = meta.next_page === null;
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
}

function headlineOf(index: PriceIndex, days: readonly Day[]) {
  const last = days.findLast(({ row }) => row !== null);
  // Without any level, the text of the level already reports it.
  const changes = (last === undefined ? [] : changeDays).map((count) => {
    const name = plural(count, "day");
    const change = changeOver(days, count);
    if ("missing" in change) return figure(name, "–", "muted", change.missing);
    return figure(name, changeText(change.pct), toneOf(change.pct));
  });
  return [
    figure(`Level${last === undefined ? "" : `, ${dateText(last.date)}`}`, levelText(index, today), "level"),
    ...changes,
    figure("Coverage", `${index.coverage_pct ?? 0} %`, "", `${pricedText(index)} members`),
  ];
}

function figure(name: string, value: string, tone: string, note = "") {
  return html`<div><dt>${name}</dt><dd class=${tone}>${value}</dd><dd class="note">${note}</dd></div>`;
}

function factsOf(index: PriceIndex) {
  const facts = [
    ["Weighting", index.weighting],
    ["Capitalization", dollars(index.capitalization_cents === null ? null : Number(index.capitalization_cents))],
    ["Base", `${numberText(index.base_value)} on ${dateText(index.base_date)}`],
    ["Methodology", `version ${index.methodology_version}`],
    ["Members", `version ${index.membership_version}`],
    ["State", index.active ? "active" : "closed"],
    ["Oldest observation", instantText(index.as_of)],
    ["Calculated", instantText(index.calculated_at)],
    ["Id", index.index_id],
  ];
  return facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`);
}

/** Explicit roles: some browsers drop table semantics from rows and cells in the phone layout. */
function memberRow({ item_id, market_hash_name, phase, weight_pct, added_on, removed_on }: Member) {
  const tag = phase === null ? nothing : html`<span class="tag">${phase}</span>`;
  const removed = removed_on === null ? "–" : dateText(removed_on);
  return html`<tr role="row">${[
    html`<th scope="row" role="rowheader"><a href="/items/${item_id}">${market_hash_name}</a>${tag}</th>`,
    html`<td class="number" role="cell">${weight_pct === null ? "unknown" : `${weight_pct} %`}</td>`,
    html`<td role="cell" data-label="Added">${dateText(added_on)}</td>`,
    html`<td role="cell" data-label="Removed">${removed}</td>`,
  ]}</tr>`;
}
