import { nearestSearch, searchPage } from "../../../client/find-items.ts";
import type { Api } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { clearMessages, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { addressOfFragment } from "./chart-address.ts";
import { Filters } from "./filters.ts";
import { type ListState, readList, wantedOf, writeList } from "./list-address.ts";
import type { SortColumn } from "./list-order.ts";
import { type Found, foundTable } from "./list-table.ts";
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
const found = byId("found", HTMLElement);
const known = byId("known", HTMLElement);
/** The table as it is on the page. */
let shown: Found | null = null;

const session: Session = new Session({
  onKey: loadProviders,
  onOpen: () => load(),
  onForget: () => {
    state.abort.abort();
    found.hidden = true;
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
for (const button of known.querySelectorAll("button"))
  button.addEventListener("click", () => searchFor(button.textContent ?? ""));
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

function searchFor(q: string) {
  filters.show({ ...state.list, q });
  search();
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
  if (shown !== null) draw({ ...shown, nearest: null });
  const before = api.sent;
  try {
    const page = await searchPage(api, wantedOf(state.list), cursor, { signal });
    const known = new Set(cursor === undefined ? [] : state.items.map(({ item_id }) => item_id));
    const fresh = page.items.filter(({ item_id }) => !known.has(item_id));
    state.items = cursor === undefined ? fresh : [...state.items, ...fresh];
    state.nextCursor = page.nextCursor;
    state.generatedAt = page.generatedAt;
    const { text, filters: searched } = page.wanted;
    if (searched.phase !== state.list.filters.phase) {
      state.list = { ...state.list, q: text ?? "", filters: { ...state.list.filters, phase: searched.phase ?? "" } };
      history.replaceState(null, "", address());
      filters.show(state.list);
    }
    show();
    if (state.items.length === 0 && state.list.q !== "") {
      const nearest = await nearestSearch(api, state.list.q, { signal });
      show(nearest);
    }
    const sent = api.sent - before;
    showStatus(`This took ${sent} ${sent === 1 ? "request" : "requests"}.`);
  } catch (error) {
    if (signal.aborted) return;
    found.hidden = true;
    session.showError(error);
  }
  session.showCost();
}

function show(nearest: string | null = null) {
  const { items, nextCursor, list, generatedAt, plan } = state;
  draw({ items, list, generatedAt, hasMore: nextCursor !== null, isFree: plan === "free", nearest });
  known.hidden = list.q !== "" || Object.keys(list.filters).length > 0;
  found.hidden = false;
}

function draw(content: Found) {
  shown = content;
  const onSort = (sort: SortColumn | null, isDescending: boolean) => {
    state.list = { ...state.list, sort, isDescending };
    history.replaceState(null, "", address());
    show(shown?.nearest);
  };
  const onMore = () => void load(state.nextCursor ?? undefined);
  fill("found", foundTable(content, { onSort, onMore, onNearest: searchFor }));
}
