/** @import { Api } from "../../browser/api.mjs" */
/** @import { Item, Provider, Selection } from "./types.mjs" */
import { byId, element } from "../../browser/dom.mjs";
import { clearMessages, showProblem, showStatus } from "../../browser/messages.mjs";
import { Session } from "../../browser/session.mjs";
import { Controls } from "./controls.mjs";
import { loadChart } from "./load.mjs";
import { Picture } from "./picture.mjs";
import { ItemSearch } from "./search.mjs";
import { readFragment, writeFragment } from "./selection.mjs";

const controls = new Controls();
const picture = new Picture();

/** @type {{ providers: readonly Provider[], today: string, item: Item | null, abort: AbortController }} */
const state = { providers: [], today: "", item: null, abort: new AbortController() };

const session = new Session({
  onKey: loadProviders,
  onOpen: () => {
    controls.offer(state.providers);
    controls.enable(true);
    return showFragment();
  },
  onForget: () => {
    state.abort.abort();
    picture.clear();
    controls.enable(false);
  },
  advice: ({ code }) => (code === "plan_upgrade_required" ? freeOffer() : []),
});

const search = new ItemSearch(
  { input: byId("item", HTMLInputElement), list: byId("items", HTMLElement), hint: byId("item-hint", HTMLElement) },
  { api: () => session.api, onItem: choose, onError: (error) => session.showError(error) },
);

byId("chart-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  void draw();
});
addEventListener("hashchange", () => void showFragment());
session.start();

/** Tries the key on the list of providers, which is needed anyway. @param {Api} api */
async function loadProviders(api) {
  const { rows, meta } = await api.all("/v1/providers", {});
  state.providers = rows;
  state.today = meta.generated_at.slice(0, 10);
}

/** Abandons what is still on its way: it must not replace the newest selection. Returns the signal of the newest. */
function begin() {
  state.abort.abort();
  state.abort = new AbortController();
  return state.abort.signal;
}

/** Shows what the address asks for, and draws it if it names an item. */
async function showFragment() {
  clearMessages();
  const signal = begin();
  const selection = readFragment(location.hash);
  const known = selection.providers.filter((slug) => state.providers.some(({ provider }) => provider === slug));
  controls.show({ ...selection, providers: known.length > 0 ? known : defaultProviders() });
  if (session.api === null || selection.itemId === null) return;
  try {
    const { data } = await session.api.get(`/v1/items/${selection.itemId}`, {}, signal);
    state.item = data;
    search.show(data);
  } catch (error) {
    if (!signal.aborted) session.showError(error);
    return;
  }
  await draw();
}

/** Returns the main platform, which every plan may see; without one, the first provider. */
function defaultProviders() {
  const main = state.providers.find(({ kind }) => kind === "main_platform") ?? state.providers[0];
  return main === undefined ? [] : [main.provider];
}

/** @param {Item} item */
function choose(item) {
  begin();
  state.item = item;
  void draw();
}

async function draw() {
  clearMessages();
  const { item } = state;
  const { api } = session;
  const selection = controls.read(item?.item_id ?? null);
  const lack = controls.lacks(selection);
  if (api === null || item === null || lack !== null) return showProblem("Not yet", lack ?? "Enter a key first.");
  history.replaceState(null, "", writeFragment(selection));
  const signal = begin();
  const onProgress = (/** @type {number} */ done, /** @type {number} */ total) =>
    showStatus(`Loading ${done + 1} of ${total} …`);
  try {
    const asked = { ...selection, itemId: item.item_id };
    const chart = await loadChart(api, asked, { providers: state.providers, today: state.today, signal, onProgress });
    state.today = chart.series[0]?.meta.generated_at.slice(0, 10) ?? state.today;
    picture.show(chart, item);
    showStatus(`This chart took ${chart.requests} ${chart.requests === 1 ? "request" : "requests"}.`);
  } catch (error) {
    if (signal.aborted) return;
    picture.clear();
    session.showError(error);
  }
  session.showCost();
}

/** Makes a button that charts what the Free plan can read. */
function freeOffer() {
  const click = () => {
    const itemId = state.item?.item_id ?? null;
    /** @type {Selection} */
    const free = {
      itemId,
      resolution: "daily",
      days: 30,
      from: "",
      to: "",
      sides: ["ask"],
      providers: defaultProviders(),
    };
    controls.show(free);
    void draw();
  };
  return [
    element("p", {}, "The Free plan can chart daily asks of the main platform, the last 30 completed days."),
    element("p", {}, element("button", { type: "button", click }, "Chart that instead")),
  ];
}
