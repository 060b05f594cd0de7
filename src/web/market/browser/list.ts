import { ranked, searchPage } from "../../../client/find-items.ts";
import { type Api, pageReadMax } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { itemNames, mostOffered } from "../../browser/item-names.ts";
import { clearMessages, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { showSources } from "../../browser/sources.ts";
import { addressOfFragment } from "./chart-address.ts";
import { Combobox } from "./combobox.ts";
import { type Details, type MarketRow, readDetails } from "./details.ts";
import { Filters } from "./filters.ts";
import { type ListState, readList, wantedOf, writeList } from "./list-address.ts";
import type { SortColumn } from "./list-order.ts";
import { type Found, foundTable } from "./list-table.ts";
import { type ItemName, loadNames } from "./names.ts";
import type { Provider } from "./types.ts";

// The server redirects the former charts page here. Its parameters are in the fragment, which only the browser sees.
const charted = addressOfFragment(location.hash);
if (charted !== null) location.replace(charted);

const state: {
  rows: MarketRow[];
  nextCursor: number | null;
  /** Items of the whole search, best first; null if the server searched. */
  named: readonly ItemName[] | null;
  readAs: string | null;
  /** Number of items at the start of `named` with a special order, and this order. */
  first: { count: number; by: "offers" | "ask" };
  generatedAt: string;
  list: ListState;
  providers: Provider[];
  plan: string;
  hasDays: boolean;
  abort: AbortController;
} = {
  rows: [],
  nextCursor: null,
  named: null,
  readAs: null,
  first: { count: 0, by: "ask" },
  generatedAt: "",
  list: readList(location.search),
  providers: [],
  plan: "",
  hasDays: false,
  abort: new AbortController(),
};

const filters = new Filters(() => search());
const found = byId("found", HTMLElement);
const known = byId("known", HTMLElement);

const session: Session = new Session({
  onKey: loadProviders,
  onOpen: () => load(),
  onForget: () => {
    state.abort.abort();
    found.hidden = true;
    showSources([]);
    // Hidden, because without an access these searches would show nothing.
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
const suggestions = new Combobox({
  id: "q",
  isFirstActive: false,
  onItem: ({ item_id }) => location.assign(`/items/${item_id}`),
  onEnter: () => search(),
});
session.start();

/** Tests the access by reading the providers and the plan. */
async function loadProviders(api: Api) {
  const { rows, meta } = await api.all("listProviders", {});
  state.providers = rows;
  showSources(rows.filter(({ active }) => active));
  state.generatedAt = meta.generated_at;
  state.plan = await api.plan();
  filters.offer(rows, state.plan);
  filters.show(state.list);
}

/** Returns whether the page searches locally: words without filters, and an access with combined reads. */
function isLocal(api: Api) {
  const { q, filters: chosen } = state.list;
  return api.isPageRead && !q.includes('"') && Object.keys(chosen).length === 0;
}

/** Copies the fields into the address, and searches. */
function search() {
  suggestions.close();
  if (!byId("search", HTMLFormElement).reportValidity()) return;
  if (session.api === null) showStatus("Sign in, or paste an API key.");
  state.list = { ...state.list, ...filters.read() };
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

/**
 * Loads the first page, or appends the next. Words without filters are searched in the page's list of names, so only the rows need a
 * request. Other searches use the server.
 */
async function load(isMore = false) {
  const { api } = session;
  if (api === null) return;
  clearMessages();
  state.abort.abort();
  state.abort = new AbortController();
  const { signal } = state.abort;
  found.ariaBusy = "true";
  try {
    if (!isMore) await searchNames(api);
    signal.throwIfAborted();
    const { named } = state;
    await api.visit(() =>
      named === null ? loadFromServer(api, isMore, signal) : loadNamed(api, named, isMore, signal),
    );
    found.ariaBusy = "false";
  } catch (error) {
    if (signal.aborted) return;
    found.hidden = true;
    session.showError(error);
  }
}

async function searchNames(api: Api) {
  const { q } = state.list;
  state.first = { count: 0, by: "ask" };
  const all = isLocal(api) && q === "" ? await offeredFirst() : [];
  const found = isLocal(api) && q !== "" ? ((await loadNames())?.find(q) ?? null) : null;
  state.named = found?.items ?? (all.length === 0 ? null : all);
  state.readAs = found?.readAs ?? null;
}

/** Returns all items, starting with the most offered or most expensive ones. */
async function offeredFirst(): Promise<readonly ItemName[]> {
  const [names, { by, item_ids: ids }] = await Promise.all([itemNames(), mostOffered()]);
  const byId = new Map(names.map((name) => [name.item_id, name]));
  const first = ids.flatMap((id) => byId.get(id) ?? []);
  state.first = { count: first.length, by };
  for (const { item_id: id } of first) byId.delete(id);
  return [...first, ...byId.values()];
}

async function loadNamed(api: Api, named: readonly ItemName[], isMore: boolean, signal: AbortSignal) {
  const start = isMore ? state.rows.length : 0;
  const ids = named.slice(start, start + pageReadMax.items).map(({ item_id }) => item_id);
  const { items, details } = await read(api, ids, true, signal);
  const rows = items.map((item): MarketRow => ({ item, details: details.get(item.item_id) ?? null }));
  state.rows = isMore ? [...state.rows, ...rows] : rows;
  show();
}

async function loadFromServer(api: Api, isMore: boolean, signal: AbortSignal) {
  const cursor = isMore ? (state.nextCursor ?? undefined) : undefined;
  const page = await searchPage(api, wantedOf(state.list), cursor, { signal });
  const known = new Set(isMore ? state.rows.map(({ item }) => item.item_id) : []);
  const items = page.items.filter(({ item_id }) => !known.has(item_id));
  state.readAs = page.readAs;
  const fresh = ranked(items, page.readAs ?? state.list.q).map((item): MarketRow => ({ item, details: null }));
  state.rows = isMore ? [...state.rows, ...fresh] : fresh;
  state.nextCursor = page.nextCursor;
  state.generatedAt = page.generatedAt;
  show();
  if (fresh.length === 0) return;
  const ids = fresh.map(({ item }) => item.item_id).slice(0, pageReadMax.items);
  const { details } = await read(api, ids, false, signal);
  state.rows = state.rows.map((row) => ({ ...row, details: details.get(row.item.item_id) ?? row.details }));
  show();
}

/** Reads current prices and the last days, and with `isListed` the items themselves. */
async function read(api: Api, ids: readonly number[], isListed: boolean, signal: AbortSignal) {
  state.hasDays = api.isPageRead;
  if (ids.length === 0) return { items: [], details: new Map<number, Details>() };
  const wanted = { today: state.generatedAt.slice(0, 10), isFree: state.plan === "free", isListed };
  return readDetails(api, ids, wanted, signal);
}

function show() {
  const { rows, nextCursor, named, list, plan } = state;
  draw({
    ...state,
    hasMore: named === null ? nextCursor !== null : named.length > rows.length,
    total: named?.length ?? null,
    isFree: plan === "free",
  });
  known.hidden = list.q !== "" || Object.keys(list.filters).length > 0;
  found.hidden = false;
}

function draw(content: Found) {
  const change = (part: Partial<ListState>) => {
    state.list = { ...state.list, ...part };
    history.replaceState(null, "", address());
    show();
  };
  const onSort = (sort: SortColumn | null, isDescending: boolean) => change({ sort, isDescending });
  const onColumns = (columns: readonly SortColumn[]) => change({ columns });
  fill("found", foundTable(content, { onSort, onColumns, onMore: () => void load(true), onMeant: searchFor }));
}
