import { html } from "lit-html";
import { nearestSearch, searchPage } from "../../../client/find-items.ts";
import type { Api } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { clearMessages, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { addressOfFragment } from "./chart-address.ts";
import { Filters } from "./filters.ts";
import type { ListState } from "./list-address.ts";
import { readList, wantedOf, writeList } from "./list-address.ts";
import { ListTable } from "./list-table.ts";
import type { ListedItem, Provider } from "./types.ts";

// The server sends addresses of the former charts page here; what they ask for stands in the fragment, which only the browser sees.
const charted = addressOfFragment(location.hash);
if (charted !== null) location.replace(charted);

const state: {
  items: ListedItem[];
  nextCursor: number | null;
  generatedAt: string;
  list: ListState;
  plan: string;
  abort: AbortController;
} = {
  items: [],
  nextCursor: null,
  generatedAt: "",
  list: readList(location.search),
  plan: "",
  abort: new AbortController(),
};

const filters = new Filters(() => search());
const table = new ListTable((sort, isDescending) => {
  state.list = { ...state.list, sort, isDescending };
  history.replaceState(null, "", address());
  show();
});
const more = byId("more", HTMLButtonElement);
const known = byId("known", HTMLElement);
const nearest = byId("nearest", HTMLElement);
const nearestButton = byId("nearest-search", HTMLButtonElement);

const session: Session = new Session({
  onKey: loadProviders,
  onOpen: () => load(),
  onForget: () => {
    state.abort.abort();
    table.hide();
    // Without an access a press on a known item could show nothing.
    known.hidden = true;
    filters.forget();
  },
});

byId("search", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
byId("clear", HTMLButtonElement).addEventListener("click", () => {
  filters.show({ q: "", filters: {} });
  search();
});
for (const button of [nearestButton, ...known.querySelectorAll("button")]) {
  button.addEventListener("click", () => {
    filters.show({ ...state.list, q: button.textContent ?? "" });
    search();
  });
}
more.addEventListener("click", () => void load(state.nextCursor ?? undefined));
addEventListener("popstate", () => {
  state.list = readList(location.search);
  filters.show(state.list);
  void load();
});
filters.show(state.list);
session.start();

/** Tries the key on what the filters need: the providers, and the plan. */
async function loadProviders(api: Api) {
  const providers: Provider[] = (await api.all("listProviders", {})).rows;
  state.plan = await api.plan();
  filters.offer(providers, state.plan);
  filters.show(state.list);
}

/** Takes what the fields hold into the address and asks for it. */
function search() {
  if (!byId("search", HTMLFormElement).reportValidity()) return;
  if (session.api === null) showStatus("Nothing is read yet: sign in, or use a key.");
  const { sort, isDescending } = state.list;
  state.list = { ...filters.read(), sort, isDescending };
  history.pushState(null, "", address());
  void load();
}

function address() {
  return `${location.pathname}${writeList(state.list)}`;
}

/** Loads the first page, or adds the one after `cursor`. */
async function load(cursor?: number) {
  const { api } = session;
  if (api === null) return;
  clearMessages();
  state.abort.abort();
  state.abort = new AbortController();
  const { signal } = state.abort;
  showStatus("Loading …");
  nearest.hidden = true;
  const before = api.sent;
  try {
    const found = await searchPage(api, wantedOf(state.list), cursor, { signal });
    const known = new Set(cursor === undefined ? [] : state.items.map(({ item_id }) => item_id));
    const fresh = found.items.filter(({ item_id }) => !known.has(item_id));
    state.items = cursor === undefined ? fresh : [...state.items, ...fresh];
    state.nextCursor = found.nextCursor;
    state.generatedAt = found.generatedAt;
    const { text, filters: searched } = found.wanted;
    if (searched.phase !== state.list.filters.phase) {
      state.list = { ...state.list, q: text ?? "", filters: { ...state.list.filters, phase: searched.phase ?? "" } };
      history.replaceState(null, "", address());
      filters.show(state.list);
    }
    show();
    if (state.items.length === 0 && state.list.q !== "") {
      const meant = await nearestSearch(api, state.list.q, { signal });
      nearest.hidden = meant === null;
      nearestButton.textContent = meant ?? "";
    }
    const sent = api.sent - before;
    showStatus(`This took ${sent} ${sent === 1 ? "request" : "requests"}.`);
  } catch (error) {
    if (signal.aborted) return;
    table.hide();
    session.showError(error);
  }
  session.showCost();
}

function show() {
  const { items, nextCursor, list, generatedAt, plan } = state;
  table.show({ items, list, generatedAt, hasMore: nextCursor !== null, isFree: plan === "free" });
  known.hidden = list.q !== "" || Object.keys(list.filters).length > 0;
  more.hidden = nextCursor === null;
  fill("more", html`Load 100 more<span class="muted"> (1 request)</span>`);
}
