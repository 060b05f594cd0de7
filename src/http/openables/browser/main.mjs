/** @import { Api } from "../../browser/api.mjs" */
/** @import { Openable, Selection } from "./types.mjs" */
import { ProblemError } from "../../browser/api.mjs";
import { byId, element } from "../../browser/dom.mjs";
import { clearMessages, tell } from "../../browser/messages.mjs";
import { Session } from "../../browser/session.mjs";
import { Controls } from "./controls.mjs";
import { Detail } from "./detail.mjs";
import { List } from "./list.mjs";
import { loadDetail, loadHistory, loadList } from "./load.mjs";
import { readFragment, writeFragment } from "./selection.mjs";

const list = new List();
const detail = new Detail();
const controls = new Controls({ onList: changeList, onMode: changeMode, onHistory: changeHistory });

/** @type {{ selection: Selection, loaded: { mode: string, openables: Openable[], now: string } | null, now: string, abort: AbortController }} */
const state = { selection: readFragment(location.hash), loaded: null, now: "", abort: new AbortController() };

const session = new Session({
  onKey: (api) => show(api),
  onOpen: async () => controls.enable(true),
  onForget: () => {
    state.abort.abort();
    state.loaded = null;
    list.hide();
    detail.hide();
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

/** Loads and shows what is selected. Throws what the API refuses. @param {Api} api */
async function show(api) {
  clearMessages();
  state.abort.abort();
  state.abort = new AbortController();
  const { signal } = state.abort;
  const { selection } = state;
  const before = api.sent;
  controls.show(selection);
  if (selection.slug === null) {
    detail.hide();
    if (state.loaded?.mode !== selection.mode) {
      list.hide();
      tell("Loading …");
      state.loaded = { mode: selection.mode, ...(await loadList(api, selection, signal)) };
    }
    showList();
  } else {
    list.hide();
    detail.hide();
    tell("Loading …");
    const loaded = await loadDetail(api, selection, signal);
    state.now = loaded.now;
    detail.show(loaded, selection);
    await showHistory(api, signal);
  }
  const count = api.sent - before;
  tell(count === 0 ? "" : `This took ${count} ${count === 1 ? "request" : "requests"}.`);
}

function showList() {
  if (state.loaded !== null) list.show(state.loaded.openables, state.selection, state.loaded.now);
}

/** A history that is refused leaves the rest standing. @param {Api} api @param {AbortSignal} signal */
async function showHistory(api, signal) {
  try {
    const answer = await loadHistory(api, state.selection, state.now, signal);
    detail.history.show(state.selection.granularity, answer);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status === 401) throw error;
    detail.history.clear();
    const { title, detail: says = "", status, request_id } = error.problem;
    byId("history-problem", HTMLElement).replaceChildren(
      element("h2", {}, title),
      element("p", {}, says),
      element("p", { class: "muted" }, `HTTP ${status} · request_id ${request_id}`),
    );
  }
}

/** The fields above the list say otherwise: no request is needed. @param {Partial<Selection>} change */
function changeList(change) {
  state.selection = { ...state.selection, ...change };
  history.replaceState(null, "", writeFragment(state.selection));
  controls.show(state.selection);
  showList();
}

/** @param {Selection["mode"]} mode */
function changeMode(mode) {
  state.selection = { ...state.selection, mode };
  history.replaceState(null, "", writeFragment(state.selection));
  void attempt(show);
}

/** @param {Partial<Selection>} change */
function changeHistory(change) {
  state.selection = { ...state.selection, ...change };
  history.replaceState(null, "", writeFragment(state.selection));
  void attempt((api) => showHistory(api, state.abort.signal));
}

/** Says what went wrong; what was abandoned for something newer says nothing. @param {(api: Api) => Promise<void>} work */
async function attempt(work) {
  const { api } = session;
  if (api === null) return controls.show(state.selection);
  try {
    await work(api);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    session.tellError(error);
  }
  session.tellCost();
}

function freeAdvice() {
  const link = element("a", { href: "/charts" }, "charts page");
  return element("p", {}, "The Free plan does not see what containers are worth; it sees prices on the ", link, ".");
}
