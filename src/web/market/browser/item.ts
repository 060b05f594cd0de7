import { html } from "lit-html";
import { addDays } from "../../../values/time/time-text.ts";
import type { Api, PartResult } from "../../browser/api.ts";
import { byId } from "../../browser/dom.ts";
import { clearMessages, showProblem, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { showSources } from "../../browser/sources.ts";
import { copyLink, saveFile } from "../../browser/take.ts";
import { ChartView } from "./chart.ts";
import { type ChartState, comparedMax, itemIdOf, readChart, writeChart } from "./chart-address.ts";
import type { Offered } from "./combobox.ts";
import { compareField } from "./compare.ts";
import { csvOf, fileName } from "./csv.ts";
import { showFacts, showItem, showProviders, showSwitches } from "./facts.ts";
import { History, partOf, type Read } from "./history.ts";
import { KnownField } from "./known.ts";
import { itemText, knownReadsOf, loadChart, readsOf, type Wanted } from "./load.ts";
import { type ProviderLine, providerLines } from "./quotes.ts";
import { openingRange, planOf, rangeOfZoom, unaskedRequestsMax } from "./ranges.ts";
import { findSiblings } from "./siblings.ts";
import { Toolbar } from "./toolbar.ts";
import type { Chart, Item, Provider, Row, Side } from "./types.ts";

const itemId = itemIdOf(location.pathname) ?? 0;

/**
 * State of the page. `pairs` are the sides and providers with quotes now or in the last 30 days. `lines` are the current quotes, null if
 * the plan excludes them. `note` is a sentence for the next drawing. `isFirst` is true until the range has been fitted to the data.
 */
const state: {
  chart: ChartState;
  drawn: Chart | null;
  item: Item | null;
  compared: Offered[];
  siblings: readonly Item[];
  providers: readonly Provider[];
  lines: readonly ProviderLine[] | null;
  generatedAt: string;
  pairs: { side: Side; provider: string }[];
  today: string;
  isFree: boolean;
  knownSince: string | null;
  history: History | null;
  abort: AbortController;
  note: string;
  isFirst: boolean;
} = {
  chart: readChart(location.search),
  drawn: null,
  item: null,
  compared: [],
  siblings: [],
  providers: [],
  lines: null,
  generatedAt: "",
  pairs: [],
  today: "",
  isFree: false,
  knownSince: null,
  history: null,
  abort: new AbortController(),
  note: "",
  isFirst: true,
};

const view = new ChartView({
  onToggle: toggle,
  onOthers: (isHidden) => change({ providers: isHidden ? view.chosen : [] }),
  onZoom: (zoom) => change({ zoom }, false),
});
const toolbar = new Toolbar((part) => change(part));
const knownField = new KnownField((known) => change({ known }));
const session = new Session({
  onKey: loadProviders,
  onOpen: () => loadItem(),
  onForget: () => {
    state.abort.abort();
    view.clear();
    byId("item", HTMLElement).hidden = true;
  },
});
compareField({
  api: () => session.api,
  onItem: (item) => addCompared(item),
  onError: (error) => session.showError(error),
});

byId("csv", HTMLButtonElement).addEventListener("click", () => saveCsv());
byId("copy", HTMLButtonElement).addEventListener("click", () => void copyLink());
byId("refresh", HTMLButtonElement).addEventListener("click", () => {
  state.history?.forget();
  void loadItem();
});
addEventListener("popstate", () => {
  state.chart = readChart(location.search);
  leaveOutUnknown();
  void draw();
});
// The name is only available with an access.
byId("name", HTMLElement).textContent = `Item ${itemId}`;
session.start();

/** Tests the access by reading the providers and the plan. */
async function loadProviders(api: Api) {
  const { rows, meta } = await api.all("listProviders", {});
  state.providers = rows;
  state.today = meta.generated_at.slice(0, 10);
  leaveOutUnknown();
  state.isFree = (await api.plan()) === "free";
  state.knownSince = (await api.call("getStatus")).data.known_since;
  state.history = new History(api);
}

/** Removes unknown providers, such as from a mistyped address, from the state. The next drawing shows a note about them. */
function leaveOutUnknown() {
  const names = state.providers.map(({ provider }) => provider);
  const unknown = state.chart.providers.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  state.chart = { ...state.chart, providers: state.chart.providers.filter((name) => names.includes(name)) };
  state.note = `Unknown provider: ${unknown.join(", ")}.`;
}

/** Loads the item with its prices and last 30 days in one read, then its siblings, and draws. */
async function loadItem() {
  const { api } = session;
  const { history } = state;
  if (api === null || history === null) return;
  clearMessages();
  const signal = begin();
  showStatus("Loading …");
  try {
    const { item, lines, days } = await readPage(api, history, signal);
    state.item = item;
    showItem(item);
    byId("item", HTMLElement).hidden = false;
    byId("providers", HTMLElement).hidden = state.isFree;
    const [siblings] = await Promise.all([findSiblings(api, item, signal), loadCompared(api, signal)]);
    state.siblings = siblings;
    state.lines = lines;
    state.pairs = pairsOf(lines, days);
    const shown = new Set(state.pairs.map(({ provider }) => provider));
    showSources(state.providers.filter(({ provider }) => shown.has(provider)));
    if (state.isFirst) {
      const opening = openingRange(days, state.today, location.search, state.isFree);
      state.chart = { ...state.chart, ...(opening ?? rangeOfZoom(state.chart, state.today)) };
    }
    state.isFirst = false;
    const lastDay = state.isFree ? addDays(state.today, -1) : state.today;
    showFacts(
      lines,
      days.filter(({ side }) => side === "ask"),
      lastDay,
      state.providers,
    );
    await draw();
  } catch (error) {
    if (!signal.aborted) session.showError(error);
  }
}

/** Reads the item, its quotes, and the days for changes. These days are cached for the chart. */
async function readPage(api: Api, history: History, signal: AbortSignal) {
  const reads = dayReads();
  const id = { item_id: itemId };
  const [of, days] = [["getItem", id] as const, reads.map(partOf)];
  const [item, ...others] = state.isFree
    ? await api.readBatch([of, ...days] as const, signal)
    : await api.readBatch([of, ["getMarketPrices", id], ...days] as const, signal);
  if (item.answer === null) throw item.refusal;
  const quotes = state.isFree ? null : (others.shift() as PartResult<"getMarketPrices">);
  if (quotes?.refusal) throw quotes.refusal;
  history.hold(reads, others as PartResult<"getDailyPriceHistory">[]);
  const { data, meta } = item.answer;
  state.today = meta.generated_at.slice(0, 10);
  state.generatedAt = meta.generated_at;
  const answers = await history.readAll(dayReads(), signal);
  const lines = quotes?.answer ? providerLines(quotes.answer.data, state.providers) : null;
  return { item: data, lines, days: answers.flatMap(({ rows }) => rows) };
}

/** Returns the reads for the last 30 days. */
function dayReads(): Read[] {
  const range = { range: "30d", from: "", to: "", resolution: "daily" } as const;
  const { resolution, windows } = planOf(range, state.today, state.isFree);
  const sides: readonly Side[] = state.isFree ? ["ask"] : ["ask", "bid"];
  return sides.flatMap((side) => windows.map((window) => ({ itemId, resolution, side, provider: null, window })));
}

async function loadCompared(api: Api, signal: AbortSignal) {
  const known = new Map<number, Offered>(state.compared.map((item) => [item.item_id, item]));
  const missing = state.chart.compared.filter((id) => !known.has(id) && id !== itemId);
  if (missing.length > 0) {
    const { data } = await api.call("listItems", { item_ids: missing, limit: missing.length }, { signal });
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

/** Aborts earlier requests, which must not replace newer results. Returns the signal for the next requests. */
function begin() {
  byId("item", HTMLElement).ariaBusy = "true";
  state.abort.abort();
  state.abort = new AbortController();
  return state.abort.signal;
}

/** Changes part of the state and updates the address. Pass false as `isDrawn` if the chart already shows it. */
function change(part: Partial<ChartState>, isDrawn = true) {
  state.chart = { ...state.chart, ...part };
  history.replaceState(null, "", `${location.pathname}${writeChart(state.chart)}`);
  if (isDrawn) void draw();
  else if (state.item !== null) showChoice(state.item);
}

/** Shows the state in the controls, and in the links to other exteriors, editions and phases. */
function showChoice(item: Item) {
  const { isFree, knownSince, generatedAt } = state;
  toolbar.show(state.chart, isFree);
  knownField.show(state.chart.known, { isFree, since: knownSince, now: generatedAt });
  showSwitches(item, state.siblings, writeChart({ ...state.chart, compared: [], zoom: null }));
}

/** @param key Slug of a provider, or id of a compared item. */
function toggle(key: string) {
  if (state.chart.compared.length > 0) {
    state.compared = state.compared.filter(({ item_id }) => String(item_id) !== key);
    change({ compared: state.compared.map(({ item_id }) => item_id) });
    return;
  }
  const isChosen = view.chosen.includes(key);
  if (isChosen && view.chosen.length === 1) return showStatus("One line stays in colour.");
  change({ chosen: isChosen ? view.chosen.filter((other) => other !== key) : [...view.chosen, key] });
}

function addCompared(item: Offered) {
  const { compared } = state.chart;
  if (item.item_id === itemId || compared.includes(item.item_id)) return showStatus("Already on the chart.");
  if (compared.length >= comparedMax) return showStatus(`At most ${comparedMax + 1} items: remove one first.`);
  state.compared = [...state.compared, item];
  change({
    compared: [...compared, item.item_id],
    isPercent: !state.chart.isLogarithmic && (state.chart.isPercent || compared.length === 0),
  });
}

function wantedFor(chart: ChartState): Wanted {
  const { item, providers, pairs, today, isFree, knownSince } = state;
  const sides = isFree ? (["ask"] as Side[]) : chart.sides;
  const compared = chart.compared.length === 0 ? [] : state.compared;
  return {
    state: { sides, providers: chart.providers, known: chart.known },
    plan: planOf(chart, today, isFree),
    items: item === null ? [] : [item, ...compared],
    providers,
    pairs,
    knownSince,
  };
}

/** Returns the number of requests that a chart needs. */
function requestsOf(wanted: Wanted) {
  const { history } = state;
  const providers = new Set(state.pairs.map(({ provider }) => provider)).size;
  const reads = readsOf(wanted);
  const all = [...reads, ...knownReadsOf(reads, wanted.state.known)];
  return all.reduce((sum, read) => sum + (history?.costOf(read, Math.max(1, providers)) ?? 0), 0);
}

/** Draws the chart. A chart with many requests needs a confirmation first, unless `isWanted`. */
async function draw(isWanted = false) {
  const { api } = session;
  const { history, item } = state;
  if (api === null || history === null || item === null) return;
  clearMessages();
  knownField.clear();
  const signal = begin();
  showChoice(item);
  if (!isWanted && requestsOf(wantedFor(state.chart)) > unaskedRequestsMax) return offer();
  showStatus("Loading …");
  try {
    const wanted = wantedFor(state.chart);
    const chart = await loadChart(history, wanted, signal);
    signal.throwIfAborted();
    const today = chart.generatedAt.slice(0, 10);
    if (today > state.today && chart.to === state.today) {
      // The page was open over midnight, so a range until today ends a day later.
      state.today = today;
      return await draw(isWanted);
    }
    state.drawn = chart;
    show(chart, wanted.state.sides);
    knownField.explain(chart, shownSeries(chart));
    showStatus(state.note);
    state.note = "";
    byId("item", HTMLElement).ariaBusy = "false";
  } catch (error) {
    if (signal.aborted) return;
    view.clear();
    state.drawn = null;
    session.showError(error);
  }
}

/** Shows the chart, and the quotes in the same colours. */
function show(chart: Chart, sides: readonly Side[]) {
  const { isFree, lines, providers, generatedAt } = state;
  const order = (lines ?? []).flatMap(({ provider, ask }) => (ask === null ? [] : [provider.provider]));
  view.show(chart, { ...state.chart, sides }, { isFree, order });
  if (lines === null) return;
  const slugs = providers.map(({ provider }) => provider);
  showProviders(lines, { order: slugs, chosen: state.chart.compared.length > 0 ? [] : view.chosen }, generatedAt);
}

/** Asks for a confirmation before sending many requests. */
function offer() {
  view.clear();
  state.drawn = null;
  showStatus("");
  const press = () => void draw(true);
  view.offer(
    html`<p>Hourly prices of this range need a moment.</p><button type="button" id="draw" @click=${press}>Draw chart</button>`,
  );
  byId("item", HTMLElement).ariaBusy = "false";
}

/** Returns the lines that the choice of providers does not hide. */
function shownSeries({ series }: Chart) {
  const { compared, providers } = state.chart;
  return series.filter(({ key }) => compared.length > 0 || providers.length === 0 || providers.includes(key));
}

/** Saves the shown lines of the visible time as CSV. */
function saveCsv() {
  const { drawn, item } = state;
  if (drawn === null || item === null) return showProblem("Nothing to save", "Draw the chart first.");
  const range = view.visible;
  const name = itemText(item);
  const text = csvOf(drawn, shownSeries(drawn), { item: name, range });
  saveFile(fileName(name, range), text);
}
