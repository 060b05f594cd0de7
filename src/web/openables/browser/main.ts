import { html, nothing } from "lit-html";
import { type Api, ItemtapeError } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { clearMessages, failureOf, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { Controls } from "./controls.ts";
import { Detail } from "./detail.ts";
import { List } from "./list.ts";
import { loadDetail, loadHistory, loadList } from "./load.ts";
import { addressOf, readAddress } from "./selection.ts";
import type { Openable, Selection } from "./types.ts";

const freeAdvice = html`<p>Not on the Free plan. Builder and higher plans show cost, value and odds of each container here.</p>`;

let selection = readAddress(location);
/** Selection that is shown or being loaded. */
let shown: Selection | null = null;
let loaded: { mode: string; openables: Openable[]; now: string } | null = null;
/** Latest time of the API. */
let now = "";
let abort = new AbortController();
let historyAbort = new AbortController();

const content = byId("content", HTMLElement);
const list = new List();
const detail = new Detail();
const controls = new Controls({
  // Filters the loaded list, without a request.
  onList: (change) => {
    choose(change);
    controls.show(selection);
    list.restart();
    showList();
  },
  onMode: (mode) => {
    choose({ mode });
    void attempt(show);
  },
  onHistory: (change) => {
    choose(change);
    void attempt(showHistory);
  },
});

const session = new Session({
  onKey: (api) => show(api),
  onOpen: async () => {
    controls.enable(true);
    // A choice before the sign-in could not be loaded yet.
    if (selection !== shown) await attempt(show);
  },
  onForget: () => {
    abandon();
    loaded = null;
    list.hide();
    detail.leave();
    controls.enable(false);
  },
  advice: ({ code }) => (code === "plan_upgrade_required" ? freeAdvice : nothing),
});

addEventListener("popstate", follow);
// Handled here, so that the list and the containers share one page and the list is only read once.
document.addEventListener("click", (event) => {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#rows a, #back, #other-mode") : null;
  if (link === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  follow();
});
byId("reload", HTMLButtonElement).addEventListener("click", () => {
  loaded = null;
  void attempt(show);
});
choose({});
controls.show(selection);
session.start();

function choose(change: Partial<Selection>) {
  selection = { ...selection, ...change };
  history.replaceState(null, "", addressOf(selection));
}

/** Shows the page for the changed address. */
function follow() {
  const left = selection.slug;
  selection = readAddress(location);
  void attempt(async (api) => {
    await show(api);
    scrollTo(0, 0);
    if (selection.slug === null) list.focus(left);
    else detail.focus();
  });
}

/** Aborts running requests, which must not replace the newest selection. */
function abandon() {
  abort.abort();
  historyAbort.abort();
}

/** Loads and shows the selection. The page is marked busy until the newest selection is shown. */
async function show(api: Api) {
  clearMessages();
  abandon();
  abort = new AbortController();
  const { signal } = abort;
  shown = selection;
  controls.show(shown);
  content.ariaBusy = "true";
  try {
    await (shown.slug === null ? showAll(api, shown, signal) : showOne(api, shown, signal));
    signal.throwIfAborted();
    showStatus("");
  } finally {
    if (!signal.aborted) content.ariaBusy = "false";
  }
}

async function showAll(api: Api, wanted: Selection, signal: AbortSignal) {
  detail.leave();
  if (loaded?.mode !== wanted.mode) {
    list.hide();
    showStatus("Loading …");
    loaded = { mode: wanted.mode, ...(await loadList(api, wanted, signal)) };
  }
  showList();
}

async function showOne(api: Api, wanted: Selection, signal: AbortSignal) {
  list.hide();
  detail.hide();
  showStatus("Loading …");
  const answer = await loadDetail(api, wanted, signal);
  now = answer.now;
  detail.show(answer, wanted);
  await showHistory(api);
}

function showList() {
  if (loaded?.mode === selection.mode) list.show(loaded.openables, selection, loaded.now);
}

/** Loads the history and replaces a running request. A refusal leaves the rest of the page unchanged. */
async function showHistory(api: Api) {
  historyAbort.abort();
  historyAbort = new AbortController();
  const { signal } = historyAbort;
  // Fixed now, because the selection may change before the rows arrive.
  const wanted = selection;
  try {
    detail.history.show(wanted.granularity, await loadHistory(api, wanted, now, signal));
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ItemtapeError) || error.status === 401) throw error;
    detail.history.clear();
    const { title, detail: why, facts } = failureOf(error);
    fill("history-problem", html`<h2>${title}</h2><p>${why}</p><p class="muted">${facts}</p>`);
  }
}

/** Runs `work` and shows its error, unless it was aborted. */
async function attempt(work: (api: Api) => Promise<void>) {
  const { api } = session;
  if (api === null) return controls.show(selection);
  try {
    await api.visit(() => work(api));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    session.showError(error);
  }
}
