import { html } from "lit-html";
import { addDays } from "../../../values/time/time-text.ts";
import type { Api } from "../../browser/api.ts";
import { byId, element } from "../../browser/dom.ts";
import { clearMessages, showProblem, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { ChartView } from "./chart.ts";
import { type ChartState, comparedMax, itemIdOf, readChart, writeChart } from "./chart-address.ts";
import { Compare } from "./compare.ts";
import { csvOf, fileName } from "./csv.ts";
import { showFacts, showItem, showProviders, showSwitches } from "./facts.ts";
import { History } from "./history.ts";
import { itemText, loadChart, readsOf, type Wanted } from "./load.ts";
import { type ProviderLine, providerLines } from "./quotes.ts";
import { planOf, unaskedRequestsMax } from "./ranges.ts";
import { findSiblings } from "./siblings.ts";
import { Toolbar } from "./toolbar.ts";
import type { Chart, Item, Provider, Resolution, Row, Side } from "./types.ts";

const itemId = itemIdOf(location.pathname) ?? 0;

/**
 * What the page knows. `pairs`: sides and providers at which the item was quoted in the last 30 days or is now. `note`: what the next
 * drawing tells besides.
 */
const state: {
  chart: ChartState;
  drawn: Chart | null;
  item: Item | null;
  compared: Item[];
  siblings: readonly Item[];
  providers: readonly Provider[];
  pairs: { side: Side; provider: string }[];
  today: string;
  isFree: boolean;
  history: History | null;
  abort: AbortController;
  note: string;
} = {
  chart: readChart(location.search),
  drawn: null,
  item: null,
  compared: [],
  siblings: [],
  providers: [],
  pairs: [],
  today: "",
  isFree: false,
  history: null,
  abort: new AbortController(),
  note: "",
};

const view = new ChartView({ onToggle: toggle, onZoom: (zoom) => change({ zoom }, false) });
const toolbar = new Toolbar(
  (part) => change(part),
  (part) => costText(costOf({ ...state.chart, ...part })),
);
const session = new Session({
  onKey: loadProviders,
  // What was asked before to open the page is of its cost.
  onOpen: () => loadItem(0),
  onForget: () => {
    state.abort.abort();
    view.clear();
    byId("item", HTMLElement).hidden = true;
  },
});
new Compare({
  api: () => session.api,
  onItem: (item) => addCompared(item),
  onError: (error) => session.showError(error),
});

byId("csv", HTMLButtonElement).addEventListener("click", () => saveCsv());
byId("copy", HTMLButtonElement).addEventListener("click", () => {
  // A page that came over plain HTTP from elsewhere has no clipboard.
  if (navigator.clipboard === undefined) return showStatus("The address of this page is the link.");
  void navigator.clipboard.writeText(location.href).then(() => showStatus("The link is copied."));
});
byId("refresh", HTMLButtonElement).addEventListener("click", () => {
  state.history?.forget();
  void loadItem(session.api?.sent ?? 0);
});
addEventListener("popstate", () => {
  state.chart = readChart(location.search);
  leaveOutUnknown();
  void draw();
});
// Its name is of the catalog, which takes an access.
byId("name", HTMLElement).textContent = `Item ${itemId}`;
session.start();

/** Tries the key on what the page needs of all items: the providers, and the plan. */
async function loadProviders(api: Api) {
  state.providers = (await api.all("listProviders", {})).rows;
  leaveOutUnknown();
  state.isFree = (await api.plan()) === "free";
  state.history = new History(api);
}

/** Takes providers that there are not out of the choice, as a mistyped address has them; the next drawing says so. */
function leaveOutUnknown() {
  const names = state.providers.map(({ provider }) => provider);
  const unknown = state.chart.providers.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  state.chart = { ...state.chart, providers: state.chart.providers.filter((name) => names.includes(name)) };
  state.note = `There is no provider ${unknown.join(", ")}; there are ${names.join(", ")}. `;
}

/**
 * Loads the item with its prices, siblings and last 30 days, then draws.
 * @param before Requests that were sent for something else.
 */
async function loadItem(before: number) {
  const { api } = session;
  const { history } = state;
  if (api === null || history === null) return;
  clearMessages();
  const signal = begin();
  showStatus("Loading …");
  try {
    const { data, meta } = await api.call("getItem", { item_id: itemId }, { signal });
    state.item = data;
    state.today = meta.generated_at.slice(0, 10);
    showItem(data);
    byId("item", HTMLElement).hidden = false;
    const [siblings, lines, days] = await Promise.all([
      findSiblings(api, data, signal),
      loadQuotes(api, signal),
      loadDays(history, signal),
      loadCompared(api, signal),
    ]);
    state.siblings = siblings;
    state.pairs = pairsOf(lines, days);
    const lastDay = state.isFree ? addDays(state.today, -1) : state.today;
    showFacts(
      lines,
      days.filter(({ side }) => side === "ask"),
      lastDay,
      state.providers,
    );
    await draw(before);
  } catch (error) {
    if (!signal.aborted) session.showError(error);
  }
  session.showCost();
}

async function loadQuotes(api: Api, signal: AbortSignal): Promise<ProviderLine[] | null> {
  byId("providers", HTMLElement).hidden = state.isFree;
  if (state.isFree) return null;
  const { data, meta } = await api.call("getMarketPrices", { item_id: itemId }, { signal });
  const lines = providerLines(data, state.providers);
  showProviders(
    lines,
    state.providers.map(({ provider }) => provider),
    meta.generated_at,
  );
  return lines;
}

/** Reads the days that changes are shown over; a chart of the same days takes them from there. */
async function loadDays(history: History, signal: AbortSignal): Promise<Row[]> {
  const { resolution, windows } = planOf(
    { range: "30d", from: "", to: "", resolution: "daily" },
    state.today,
    state.isFree,
  );
  const sides: readonly Side[] = state.isFree ? ["ask"] : ["ask", "bid"];
  const answers = await Promise.all(
    sides.flatMap((side) =>
      windows.map((window) => history.read({ itemId, resolution, side, provider: null, window }, signal)),
    ),
  );
  return answers.flatMap(({ rows }) => rows);
}

async function loadCompared(api: Api, signal: AbortSignal) {
  const known = new Map(state.compared.map((item) => [item.item_id, item]));
  const missing = state.chart.compared.filter((id) => !known.has(id) && id !== itemId);
  if (missing.length > 0) {
    const { data } = await api.call("listItems", { item_ids: missing.join(","), limit: missing.length }, { signal });
    for (const item of data) known.set(item.item_id, item);
  }
  state.compared = state.chart.compared.flatMap((id) => known.get(id) ?? []);
  state.chart = { ...state.chart, compared: state.compared.map(({ item_id }) => item_id) };
}

function pairsOf(lines: readonly ProviderLine[] | null, days: readonly Row[]) {
  const quoted = (lines ?? []).flatMap(({ provider: { provider }, ask, bid }) => [
    ...(ask === null ? [] : [{ side: "ask" as Side, provider }]),
    ...(bid === null ? [] : [{ side: "bid" as Side, provider }]),
  ]);
  const observed = days.flatMap(({ side, provider }) => (provider === null ? [] : [{ side, provider }]));
  const pairs = new Map([...quoted, ...observed].map((pair) => [`${pair.side} ${pair.provider}`, pair]));
  return [...pairs.values()];
}

/** Abandons what is still on its way: it must not replace the newest choice. Returns the signal of the newest. */
function begin() {
  state.abort.abort();
  state.abort = new AbortController();
  return state.abort.signal;
}

/** Takes a part of the choice, keeps it in the address, and draws unless the chart shows it already. */
function change(part: Partial<ChartState>, isDrawn = true) {
  state.chart = { ...state.chart, ...part };
  history.replaceState(null, "", `${location.pathname}${writeChart(state.chart)}`);
  if (isDrawn) void draw();
  else if (state.item !== null) showChoice(state.item);
}

/** Shows the choice in the controls, and in the links to other exteriors, editions and phases, which keep it. */
function showChoice(item: Item) {
  toolbar.show(state.chart, state.isFree);
  showSwitches(item, state.siblings, writeChart({ ...state.chart, compared: [], zoom: null }));
}

/** @param key A provider's slug, or the id of a compared item. */
function toggle(key: string) {
  if (state.chart.compared.length > 0) {
    state.compared = state.compared.filter(({ item_id }) => String(item_id) !== key);
    change({ compared: state.compared.map(({ item_id }) => item_id) });
    return;
  }
  const all = [
    ...new Set([...(state.drawn?.series ?? []).map((one) => one.key), ...state.pairs.map(({ provider }) => provider)]),
  ];
  const shown = state.chart.providers.length === 0 ? all : state.chart.providers;
  const next = shown.includes(key) ? shown.filter((other) => other !== key) : [...shown, key];
  if (next.length === 0) return showStatus("One line stays.");
  change({ providers: all.every((one) => next.includes(one)) ? [] : next });
}

function addCompared(item: Item) {
  const { compared } = state.chart;
  if (item.item_id === itemId || compared.includes(item.item_id)) return showStatus("That item is on the chart.");
  if (compared.length >= comparedMax)
    return showStatus(`At most ${comparedMax + 1} items are compared: take one away first.`);
  state.compared = [...state.compared, item];
  change({
    compared: [...compared, item.item_id],
    isPercent: !state.chart.isLogarithmic && (state.chart.isPercent || compared.length === 0),
  });
}

function wantedFor(chart: ChartState): Wanted {
  const { item, providers, pairs, today, isFree } = state;
  const sides = isFree ? (["ask"] as Side[]) : chart.sides;
  const compared = chart.compared.length === 0 ? [] : state.compared;
  return {
    state: { sides, providers: chart.providers },
    plan: planOf(chart, today, isFree),
    items: item === null ? [] : [item, ...compared],
    providers,
    pairs,
  };
}

/** Returns how many requests a chart takes; of an open range at least those. */
function costOf(chart: ChartState) {
  const { history } = state;
  const wanted = wantedFor(chart);
  const providers = new Set(state.pairs.map(({ provider }) => provider)).size;
  const requests = readsOf(wanted).reduce((sum, read) => sum + (history?.costOf(read, Math.max(1, providers)) ?? 0), 0);
  return { requests, isOpen: wanted.plan.isOpen, resolution: wanted.plan.resolution };
}

function costText({ requests, isOpen, resolution }: ReturnType<typeof costOf>) {
  const text = requests === 0 && !isOpen ? "no request, it is loaded" : requestsText(requests);
  return `${resolution}, ${isOpen ? `${text} ${moreText(resolution)}` : text}`;
}

/** Says what an open range may take besides. */
function moreText(resolution: Resolution) {
  return `and more for each further ${resolution === "daily" ? "year" : "month"}`;
}

function requestsText(count: number) {
  return `${count} ${count === 1 ? "request" : "requests"}`;
}

/**
 * Draws the choice; one that takes many requests waits for a press.
 * @param before Requests sent before the page began to load.
 */
async function draw(before?: number, isWanted = false) {
  const { api } = session;
  const { history, item } = state;
  if (api === null || history === null || item === null) return;
  clearMessages();
  const signal = begin();
  showChoice(item);
  const cost = costOf(state.chart);
  byId("cost-hint", HTMLElement).textContent = "";
  if (cost.requests > unaskedRequestsMax && !isWanted) return offer(cost);
  const sent = before ?? api.sent;
  showStatus("Loading …");
  try {
    const wanted = wantedFor(state.chart);
    const chart = await loadChart(history, wanted, signal);
    signal.throwIfAborted();
    const today = chart.generatedAt.slice(0, 10);
    if (today > state.today && chart.to === state.today) {
      // The page was open over midnight: what ends today ends a day later.
      state.today = today;
      return await draw(sent, isWanted);
    }
    state.drawn = chart;
    view.show(chart, { ...state.chart, sides: wanted.state.sides }, state.isFree);
    const requests = api.sent - sent;
    const subject = before === undefined ? "This chart" : "This page";
    const spent = requests === 0 ? "Drawn from what was loaded." : `${subject} took ${requestsText(requests)}.`;
    showStatus(`${state.note}${spent}`);
    state.note = "";
  } catch (error) {
    if (signal.aborted) return;
    view.clear();
    state.drawn = null;
    session.showError(error);
  }
  session.showCost();
}

/** Asks before many requests are sent. */
function offer(cost: ReturnType<typeof costOf>) {
  view.clear();
  state.drawn = null;
  showStatus("");
  const press = () => void draw(undefined, true);
  const requests = requestsText(cost.requests);
  const more = cost.isOpen ? ` ${moreText(cost.resolution)}` : "";
  view.offer(
    html`<p>This chart takes ${requests}${more}: ${cost.resolution} history of each provider and side by itself, so that each gap has its cause.</p><button type="button" id="draw" @click=${press}>Draw (${requests})</button>`,
  );
}

/** Saves what is seen: the shown lines in the visible time. */
function saveCsv() {
  const { drawn, item, chart } = state;
  if (drawn === null || item === null) return showProblem("Nothing to save", "The chart is not drawn.");
  const range = view.visible;
  const isShown = (key: string) =>
    chart.compared.length > 0 || chart.providers.length === 0 || chart.providers.includes(key);
  const name = itemText(item);
  const text = csvOf(
    drawn,
    drawn.series.filter(({ key }) => isShown(key)),
    { item: name, range },
  );
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  element("a", { href: address, download: fileName(name, range) }).click();
  URL.revokeObjectURL(address);
}
