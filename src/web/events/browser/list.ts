import { html, nothing } from "lit-html";
import { plural } from "../../../values/text/counted.ts";
import { dateText, instantText } from "../../../values/time/time-text.ts";
import { type Api, answerOf } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { clearMessages, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { eventsAddress, readShown, type Shown } from "./address.ts";
import type { DataEvent } from "./types.ts";
import { causeText, countText, fieldText, kinds, timeText, titleOf, windowText } from "./words.ts";

const rowsOfPage = 50;
const section = byId("found", HTMLElement);
const filters = byId("filters", HTMLFormElement);
const more = byId("more", HTMLButtonElement);
const kindField = byId("kind", HTMLSelectElement);
const feedField = byId("feed", HTMLSelectElement);

let shown = readShown(location.search);
let events: DataEvent[] = [];
let next: string | null = null;
let feeds: readonly string[] = [];
let since: string | null = null;
/** Aborts a read when a newer one starts. */
let abort = new AbortController();

const session = new Session({
  onKey: read,
  async onOpen() {
    section.hidden = false;
    filters.hidden = false;
    draw();
    const target = document.getElementById(location.hash.slice(1));
    if (target !== null && section.contains(target)) location.replace(location.hash);
  },
  onForget() {
    abort.abort();
    section.hidden = true;
    filters.hidden = true;
    fill("events", nothing);
  },
});
for (const field of [kindField, feedField])
  field.addEventListener("change", () => change({ kind: kindField.value, feed: feedField.value }));
more.addEventListener("click", () => void attempt(older));
addEventListener("popstate", () => {
  shown = readShown(location.search);
  void attempt(read);
});
session.start();

/** Reads the first page of the shown events, with the feeds and the begin of the log. */
async function read(api: Api): Promise<void> {
  const [list, status] = await api.readBatch([
    ["listDataEvents", { ...given(), limit: rowsOfPage }],
    ["getStatus", {}],
  ]);
  const { data, meta } = answerOf(list);
  events = data;
  next = meta.next_page;
  const state = answerOf(status).data;
  feeds = state.feeds.map(({ feed }) => feed);
  since = state.known_since;
}

async function older(api: Api): Promise<void> {
  if (next === null) return;
  const { data, meta } = await api.call("listDataEvents", { ...given(), limit: rowsOfPage, after: next });
  events = [...events, ...data];
  next = meta.next_page;
}

function given() {
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== ""));
}

function change(part: Partial<Shown>): void {
  shown = { ...shown, ...part };
  history.pushState(null, "", eventsAddress(shown));
  void attempt(read);
}

/** Reads and draws, unless a newer read started meanwhile. */
async function attempt(work: (api: Api) => Promise<void>): Promise<void> {
  const { api } = session;
  if (api === null) return;
  clearMessages();
  abort.abort();
  abort = new AbortController();
  const { signal } = abort;
  showStatus("Loading …");
  try {
    await api.visit(() => work(api));
    if (signal.aborted) return;
    draw();
  } catch (error) {
    if (!signal.aborted) session.showError(error);
  }
}

function draw(): void {
  const kindNames = Object.entries(kinds).map(([kind, { name }]) => [kind, name] as const);
  fillChoices("kind", "All kinds", shown.kind, kindNames);
  fillChoices(
    "feed",
    "All feeds",
    shown.feed,
    feeds.map((feed) => [feed, feed] as const),
  );
  drawLimits();
  const count = next === null ? plural(events.length, "event") : `The newest ${events.length} events`;
  byId("found-count", HTMLElement).textContent = events.length === 0 ? "No events" : count;
  fill("events", events.map(entryOf));
  const isGap = events.length === 0 && shown.kind === "gap" && shown.provider !== "";
  showStatus(isGap ? "No hour is missing in these days: the feed named no price of the item." : "");
  more.hidden = next === null;
  fill("since", `The log begins on ${instantText(since)}. Earlier gaps and revisions have no entry.`);
}

/** @param names Values with their texts. A chosen value beyond them is kept. */
function fillChoices(id: string, all: string, chosen: string, names: readonly (readonly [string, string])[]): void {
  const known = names.some(([value]) => value === chosen) || chosen === "" ? names : [...names, [chosen, chosen]];
  fill(
    id,
    [["", all], ...known].map(
      ([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
    ),
  );
  byId(id, HTMLSelectElement).value = chosen;
}

/** Shows the provider and the days of the address, which have no field. */
function drawLimits(): void {
  const { provider, from, to } = shown;
  const days = from === "" && to === "" ? "" : from === to ? dateText(from) : `${dayText(from)} – ${dayText(to)}`;
  const texts = [provider, days].filter((text) => text !== "");
  byId("limits", HTMLElement).hidden = texts.length === 0;
  const remove = () => change({ provider: "", from: "", to: "" });
  fill("limits", html`${texts.join(" · ")} <button type="button" class="link" @click=${remove}>Show all</button>`);
}

function dayText(date: string): string {
  return date === "" ? "…" : dateText(date);
}

function entryOf(event: DataEvent) {
  const about = [subjectOf(event), windowText(event), countText(event)].filter((part) => part !== "");
  const revision = [event.before, event.after].map((state) => state?.revision);
  const revised = event.before === null ? nothing : html`revision ${revision[0]} to ${revision[1] ?? "none"} · `;
  return html`<li id=${`event-${event.event_id}`}><time datetime=${event.at}>${timeText(event)}</time><div>
<h3>${titleOf(event)}${event.guard === null ? nothing : html`: <code>${event.guard}</code>`}</h3>
<p>${about.map((part) => [part, " · "])}${revised}<span class="muted">cause: ${causeText(event)}</span></p>${detailsOf(event)}</div></li>`;
}

/** Returns the subject of an event, with a link to its page. */
function subjectOf({ feed, provider, index_id, openable }: DataEvent) {
  if (index_id !== null) return html`<a href="/indexes/${index_id}">${index_id}</a>`;
  if (openable !== null) return html`<a href="/openables/${openable}">${openable}</a>`;
  return provider ?? feed ?? "";
}

function detailsOf(event: DataEvent) {
  const { figure, item_ids, changes, before, after, body_digest } = event;
  const items = item_ids.map((id, place) => html`${place > 0 ? ", " : ""}<a href="/items/${id}">${id}</a>`);
  const entries = [
    ["Figure", figure],
    ["Items", items.length === 0 ? null : items],
    ...changes.map((change) => [changeName(change), html`${change.before ?? "none"} → ${change.after ?? "none"}`]),
    ["Digest before", digestText(before?.digest)],
    ["Digest after", digestText(after?.digest)],
    ["Hourly before", digestText(before?.hourly_digest)],
    ["Hourly after", digestText(after?.hourly_digest)],
    ["Body", digestText(body_digest)],
  ].filter(([, value]) => value !== null);
  if (entries.length === 0) return nothing;
  return html`<details><summary>Details</summary><dl>${entries.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`,
  )}</dl></details>`;
}

function changeName({ field, item_id, currency }: DataEvent["changes"][number]): string {
  const of = currency ?? (item_id === null ? "" : `item ${item_id}`);
  return of === "" ? fieldText(field) : `${fieldText(field)}, ${of}`;
}

function digestText(digest: string | null | undefined) {
  return digest == null ? null : html`<code>${digest}</code>`;
}
