/** @import { Item, Provider, Selection } from "./types.mjs" */
import { Api, ProblemError } from "./api.mjs";
import { Controls } from "./controls.mjs";
import { byId, element } from "./dom.mjs";
import { loadChart } from "./load.mjs";
import { Picture } from "./picture.mjs";
import { ItemSearch } from "./search.mjs";
import { readFragment, writeFragment } from "./selection.mjs";

/** Where the key is kept for this tab, and only if that is asked for. */
const keptKey = "itemtape-key";

const controls = new Controls();
const picture = new Picture();
const keyField = byId("key", HTMLInputElement);
const keep = byId("keep", HTMLInputElement);

/** @type {{ api: Api | null, providers: readonly Provider[], today: string, item: Item | null, abort: AbortController }} */
const state = { api: null, providers: [], today: "", item: null, abort: new AbortController() };

const search = new ItemSearch(
  { input: byId("item", HTMLInputElement), list: byId("items", HTMLElement), hint: byId("item-hint", HTMLElement) },
  { api: () => state.api, onItem: choose, onError: tellError },
);

byId("key-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const key = keyField.value.trim();
  keyField.value = "";
  if (keep.checked) sessionStorage.setItem(keptKey, key);
  void connect(key);
});
byId("forget", HTMLButtonElement).addEventListener("click", () => {
  forget();
  tell("The key is forgotten.");
});
byId("chart-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  void draw();
});
addEventListener("hashchange", () => void showFragment());

const kept = sessionStorage.getItem(keptKey);
if (kept !== null) void connect(kept);

/** Tries the key on the list of providers, which is needed anyway. @param {string} key */
async function connect(key) {
  clearMessages();
  if (!/^[\x21-\x7e]+$/.test(key)) return tellProblem("That is no key", "A key is one word such as itemtape_live_…");
  const api = new Api(key, (seconds, { title }) => tell(`${title}: going on in ${seconds} s`));
  try {
    const providers = [];
    for (let after; after !== null; ) {
      const { data, meta } = await api.get("/v1/providers", { after });
      providers.push(...data);
      state.today = meta.generated_at.slice(0, 10);
      after = meta.next_page;
    }
    state.api = api;
    state.providers = providers;
  } catch (error) {
    tellError(error);
    return;
  }
  controls.offer(state.providers);
  controls.enable(true);
  byId("key-form", HTMLFormElement).hidden = true;
  byId("key-used", HTMLElement).hidden = false;
  byId("key-end", HTMLElement).textContent = `…${key.slice(-4)}`;
  tellCost();
  await showFragment();
}

function forget() {
  state.abort.abort();
  state.api = null;
  sessionStorage.removeItem(keptKey);
  picture.clear();
  controls.enable(false);
  byId("key-form", HTMLFormElement).hidden = false;
  byId("key-used", HTMLElement).hidden = true;
  keyField.focus();
}

/** Shows what the address asks for, and draws it if it names an item. */
async function showFragment() {
  const selection = readFragment(location.hash);
  const known = selection.providers.filter((slug) => state.providers.some(({ provider }) => provider === slug));
  controls.show({ ...selection, providers: known.length > 0 ? known : defaultProviders() });
  if (state.api === null || selection.itemId === null) return;
  try {
    const { data } = await state.api.get(`/v1/items/${selection.itemId}`);
    state.item = data;
    search.show(data);
  } catch (error) {
    tellError(error);
    return;
  }
  await draw();
}

/** The main platform, which every plan may see; without one, the first provider. */
function defaultProviders() {
  const main = state.providers.find(({ kind }) => kind === "main_platform") ?? state.providers[0];
  return main === undefined ? [] : [main.provider];
}

/** @param {Item} item */
function choose(item) {
  state.item = item;
  void draw();
}

async function draw() {
  clearMessages();
  const { api, item } = state;
  const selection = controls.read(item?.item_id ?? null);
  const lack = controls.lacks(selection);
  if (api === null || item === null || lack !== null) return tellProblem("Not yet", lack ?? "Enter a key first.");
  history.replaceState(null, "", writeFragment(selection));
  state.abort.abort();
  state.abort = new AbortController();
  const { signal } = state.abort;
  const onProgress = (/** @type {number} */ done, /** @type {number} */ total) =>
    tell(`Loading ${done + 1} of ${total} …`);
  try {
    const asked = { ...selection, itemId: item.item_id };
    const chart = await loadChart(api, asked, { providers: state.providers, today: state.today, signal, onProgress });
    state.today = chart.series[0]?.meta.generated_at.slice(0, 10) ?? state.today;
    picture.show(chart, item);
    tell(`This chart took ${chart.requests} ${chart.requests === 1 ? "request" : "requests"}.`);
  } catch (error) {
    if (signal.aborted) return;
    picture.clear();
    tellError(error);
  }
  tellCost();
}

/** @param {string} text */
function tell(text) {
  byId("status", HTMLElement).textContent = text;
}

function tellCost() {
  const { api } = state;
  if (api === null) return;
  const left = api.quotaRemaining === null ? "" : `, ${api.quotaRemaining} left this month`;
  const refused = api.refused === 0 ? "" : `, ${api.refused} refused`;
  byId("cost", HTMLElement).textContent = `${api.sent} sent with this key${refused}${left}`;
}

function clearMessages() {
  tell("");
  byId("problem", HTMLElement).replaceChildren();
}

/** @param {unknown} error */
function tellError(error) {
  tell("");
  if (!(error instanceof ProblemError)) {
    tellProblem("No answer", error instanceof Error ? error.message : String(error));
    return;
  }
  const { title, detail = "", type, code, status, request_id } = error.problem;
  const facts = element("p", { class: "muted" }, `HTTP ${status} · request_id ${request_id}`);
  const link = /^\/problems\/[a-z_]+$/.test(type)
    ? [element("p", {}, element("a", { href: type }, `What ${code} means`))]
    : [];
  tellProblem(title, detail, ...(code === "plan_upgrade_required" ? freeOffer() : []), ...link, facts);
  if (status === 401) forget();
}

/** @param {string} title @param {string} detail @param {...Node} more */
function tellProblem(title, detail, ...more) {
  byId("problem", HTMLElement).replaceChildren(element("h2", {}, title), element("p", {}, detail), ...more);
}

/** What the Free plan can chart, one press away. */
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
