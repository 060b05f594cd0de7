import { ranked, searchPage } from "../../../client/find-items.ts";
import type { Api } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { clearMessages, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { addressOfFragment } from "./chart-address.ts";
import { type MarketRow, readDetails } from "./details.ts";
import { Filters } from "./filters.ts";
import { type ListState, readList, wantedOf, writeList } from "./list-address.ts";
import type { SortColumn } from "./list-order.ts";
import { type Found, foundTable } from "./list-table.ts";
import type { Provider } from "./types.ts";

// The server sends addresses of the former charts page here; what they ask for stands in the fragment, which only the browser sees.
const charted = addressOfFragment(location.hash);
if (charted !== null) location.replace(charted);

const state: {
  rows: MarketRow[];
  nextCursor: number | null;
  generatedAt: string;
  list: ListState;
  providers: Provider[];
  plan: string;
  hasDays: boolean;
  abort: AbortController;
} = {
  rows: [],
  nextCursor: null,
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

/** Tries the key on the requests of the filters: the providers, and the plan. */
async function loadProviders(api: Api) {
  state.providers = (await api.all("listProviders", {})).rows;
  state.plan = await api.plan();
  filters.offer(state.providers, state.plan);
  filters.show(state.list);
}

/** Takes the fields into the address and searches. */
function search() {
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

/** Loads the first page, or adds the one after `cursor`. */
async function load(cursor?: number) {
  const { api } = session;
  if (api === null) return;
  clearMessages();
  state.abort.abort();
  state.abort = new AbortController();
  const { signal } = state.abort;
  found.ariaBusy = "true";
  if (shown !== null) draw({ ...shown, nearest: null });
  try {
    const page = await searchPage(api, wantedOf(state.list), cursor, { signal });
    const known = new Set(cursor === undefined ? [] : state.rows.map(({ item }) => item.item_id));
    const items = page.items.filter(({ item_id }) => !known.has(item_id));
    const fresh = ranked(items, page.readAs ?? state.list.q).map((item): MarketRow => ({ item, details: null }));
    state.rows = cursor === undefined ? fresh : [...state.rows, ...fresh];
    state.nextCursor = page.nextCursor;
    state.generatedAt = page.generatedAt;
    show(page.readAs);
    if (fresh.length > 0) await loadDetails(api, fresh, signal);
    found.ariaBusy = "false";
  } catch (error) {
    if (signal.aborted) return;
    found.hidden = true;
    session.showError(error);
  }
}

/** Adds current prices and the last days to rows. */
async function loadDetails(api: Api, rows: readonly MarketRow[], signal: AbortSignal) {
  const ids = rows.map(({ item }) => item.item_id);
  const when = { today: state.generatedAt.slice(0, 10), isFree: state.plan === "free" };
  const details = await readDetails(api, ids, when, signal);
  state.rows = state.rows.map((row) => ({ ...row, details: details.get(row.item.item_id) ?? row.details }));
  state.hasDays = api.isTogether;
  show();
}

function show(nearest: string | null = null) {
  const { rows, nextCursor, list, providers, generatedAt, plan, hasDays } = state;
  draw({
    rows,
    list,
    providers,
    generatedAt,
    hasMore: nextCursor !== null,
    total: null,
    isFree: plan === "free",
    hasDays,
    nearest,
  });
  known.hidden = list.q !== "" || Object.keys(list.filters).length > 0;
  found.hidden = false;
}

function draw(content: Found) {
  shown = content;
  const change = (part: Partial<ListState>) => {
    state.list = { ...state.list, ...part };
    history.replaceState(null, "", address());
    show(shown?.nearest);
  };
  const onSort = (sort: SortColumn | null, isDescending: boolean) => change({ sort, isDescending });
  const onColumns = (columns: readonly SortColumn[]) => change({ columns });
  const onMore = () => void load(state.nextCursor ?? undefined);
  fill("found", foundTable(content, { onSort, onColumns, onMore, onNearest: searchFor }));
}
