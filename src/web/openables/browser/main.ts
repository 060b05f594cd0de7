import { type Api, ItemtapeError } from "../../browser/api.ts";
import { byId, element } from "../../browser/dom.ts";
import { clearMessages, failureOf, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { Controls } from "./controls.ts";
import { Detail } from "./detail.ts";
import { List } from "./list.ts";
import { loadDetail, loadHistory, loadList } from "./load.ts";
import { readFragment, writeFragment } from "./selection.ts";
import type { Openable, Selection } from "./types.ts";

const list = new List();
const detail = new Detail();
const controls = new Controls({ onList: changeList, onMode: changeMode, onHistory: changeHistory });

/** `shown` is the selection that was shown last, or is being loaded. */
const state: {
  selection: Selection;
  shown: Selection | null;
  loaded: { mode: string; openables: Openable[]; now: string } | null;
  now: string;
  abort: AbortController;
  historyAbort: AbortController;
} = {
  selection: readFragment(location.hash),
  shown: null,
  loaded: null,
  now: "",
  abort: new AbortController(),
  historyAbort: new AbortController(),
};

const session = new Session({
  onKey: (api) => show(api),
  onOpen: async () => {
    controls.enable(true);
    // Until now a choice could not be asked for.
    if (state.selection !== state.shown) await attempt(show);
  },
  onForget: () => {
    abandon();
    state.loaded = null;
    list.hide();
    detail.leave();
    controls.enable(false);
  },
  advice: ({ code }) => (code === "plan_upgrade_required" ? [freeAdvice()] : []),
});

addEventListener("hashchange", () => {
  const left = state.selection.slug;
  state.selection = readFragment(location.hash);
  void attempt(async (api) => {
    await show(api);
    if (state.selection.slug === null) list.focus(left);
    else detail.focus();
  });
});
byId("reload", HTMLButtonElement).addEventListener("click", () => {
  state.loaded = null;
  void attempt(show);
});
controls.show(state.selection);
session.start();

/** Abandons what is still on its way: it must not replace the newest selection. */
function abandon() {
  state.abort.abort();
  state.historyAbort.abort();
}

/**
 * Loads and shows what is selected.
 * @throws {ItemtapeError | TransportError} when the API does not answer.
 */
async function show(api: Api) {
  clearMessages();
  abandon();
  state.abort = new AbortController();
  const { signal } = state.abort;
  const { selection } = state;
  state.shown = selection;
  const before = api.sent;
  controls.show(selection);
  if (selection.slug === null) {
    detail.leave();
    if (state.loaded?.mode !== selection.mode) {
      list.hide();
      showStatus("Loading …");
      state.loaded = { mode: selection.mode, ...(await loadList(api, selection, signal)) };
    }
    showList();
  } else {
    list.hide();
    detail.hide();
    showStatus("Loading …");
    const loaded = await loadDetail(api, selection, signal);
    state.now = loaded.now;
    detail.show(loaded, selection);
    await showHistory(api);
    signal.throwIfAborted();
  }
  const count = api.sent - before;
  showStatus(count === 0 ? "" : `This took ${count} ${count === 1 ? "request" : "requests"}.`);
}

function showList() {
  const { loaded, selection } = state;
  if (loaded?.mode === selection.mode) list.show(loaded.openables, selection, loaded.now);
}

/** Shows the history in place of one still on its way. A refusal leaves the rest of the page as it is. */
async function showHistory(api: Api) {
  state.historyAbort.abort();
  state.historyAbort = new AbortController();
  const { signal } = state.historyAbort;
  // The rows are of what was asked for, whatever is selected when they come.
  const { selection, now } = state;
  try {
    const answer = await loadHistory(api, selection, now, signal);
    detail.history.show(selection.granularity, answer);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ItemtapeError) || error.status === 401) throw error;
    detail.history.clear();
    const { title, detail: explanation, facts } = failureOf(error);
    byId("history-problem", HTMLElement).replaceChildren(
      element("h2", {}, title),
      element("p", {}, explanation),
      element("p", { class: "muted" }, facts),
    );
  }
}

/** Applies a change of the fields above the list: no request is needed. */
function changeList(change: Partial<Selection>) {
  state.selection = { ...state.selection, ...change };
  history.replaceState(null, "", writeFragment(state.selection));
  controls.show(state.selection);
  showList();
}

function changeMode(mode: Selection["mode"]) {
  state.selection = { ...state.selection, mode };
  history.replaceState(null, "", writeFragment(state.selection));
  void attempt(show);
}

function changeHistory(change: Partial<Selection>) {
  state.selection = { ...state.selection, ...change };
  history.replaceState(null, "", writeFragment(state.selection));
  void attempt(showHistory);
}

/** Runs `work` and shows its failure; work that was abandoned for something newer shows nothing. */
async function attempt(work: (api: Api) => Promise<void>) {
  const { api } = session;
  if (api === null) return controls.show(state.selection);
  try {
    await work(api);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    session.showError(error);
  }
  session.showCost();
}

function freeAdvice() {
  const link = element("a", { href: "/market" }, "market");
  return element(
    "p",
    {},
    "The Free plan does not see what containers are worth; it sees the main platform's daily asks of each item of the ",
    link,
    ".",
  );
}
