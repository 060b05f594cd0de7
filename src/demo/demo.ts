import { Accounts } from "../access/accounts.ts";
import { Keys } from "../access/keys.ts";
import { Owners } from "../access/owners/owners.ts";
import { buildCatalog } from "../import/catalog/build-catalog.ts";
import { importCatalog } from "../import/catalog/catalog-import.ts";
import { documentsOf } from "../import/catalog/shipped-catalog.ts";
import type { CatalogVariant } from "../import/catalog/variants.ts";
import { cs2LibPools } from "../import/pools/cs2-lib-pools.ts";
import { publishInBatches } from "../import/quotes/publish.ts";
import { type Database, setCacheKib, writeTransaction } from "../store/database.ts";
import { createDatabase } from "../store/file/file.ts";
import { runAtOnce } from "../store/write/batches.ts";
import { readItems } from "../store/write/catalog.ts";
import { markDemo } from "../store/write/demo-mark.ts";
import { FeedWriter } from "../store/write/feeds.ts";
import { setKnownSince } from "../store/write/known-since.ts";
import { ProviderTerms } from "../store/write/provider-terms.ts";
import { type Ids, systemIds } from "../values/ids.ts";
import { type Progress, silent } from "../values/progress.ts";
import { hourMs } from "../values/time/calendar.ts";
import { clockAt } from "../values/time/clock.ts";
import type { Book } from "../wire/quotes.ts";
import { createDemoHistory, knownDailyDays } from "./history.ts";
import { instantsOf, renamedItem } from "./instants.ts";
import { type DemoList, readDemoList } from "./list.ts";
import { type DemoFeed, DemoMarket, demoFeeds, factsOf } from "./market.ts";
import { createDemoOpenables } from "./openables.ts";
import { createDemoPortfolios, transferDemoPortfolios } from "./portfolios.ts";
import type { DemoItem } from "./prices.ts";

/** Age of the first bodies at the anchor, in ms. */
const earlyAgoMs = 6 * hourMs;
const allJoinedPpm = 1_000_000;
/** Login name of the Builder account's owner. */
export const demoLogin = "demo";

/** Secrets of the demo accounts. They cannot be shown again. */
export type DemoKeys = {
  builder: string;
  free: string;
  /** Personal tokens of the two accounts. One portfolio that the Builder token may read is deleted later; another is transferred. */
  builderToken: string;
  freeToken: string;
  /** Secret of the invitation link, which sets the owner's password for the Builder account. */
  ownerInvite: string;
};

/** Parameters of the demo world. `list` selects its catalog rows. */
type DemoParts = { anchorAt: number; ids: Ids; dailyDays: number; progress: Progress; list: DemoList };

/**
 * Fills a new file with the demo world. It has real item names, invented prices and providers, and a Builder and a Free account with
 * portfolios. The result depends only on `anchorAt` (UTC ms), `ids`, `dailyDays` and `list`. Item ids depend only on `list`.
 */
function createDemoWorld(database: Database, { anchorAt, ids, dailyDays, progress, list }: DemoParts): DemoKeys {
  setKnownSince(database, instantsOf(anchorAt).knownSince);
  progress.phase("reading the catalog");
  const market = new DemoMarket(createDemoCatalog(database, list, anchorAt), anchorAt);
  progress.phase("publishing quotes");
  publishDemoQuotes(database, market, anchorAt);
  createDemoHistory(database, market, { anchorAt, dailyDays, progress });
  progress.phase("calculating returns");
  const listed = list.items.filter((item) => !("containerType" in item) || "contents" in item);
  const drafts = cs2LibPools(documentsOf({ ...list, items: listed }));
  createDemoOpenables(database, drafts, { anchorAt, market });
  markDemo(database, anchorAt);
  return createDemoAccounts(database, anchorAt, ids);
}

/**
 * Imports the catalog when the demo becomes known, before the indexes and returns that name its items. One item then has another name.
 * Items added to the list later are imported last, so the other items keep their ids.
 */
function createDemoCatalog(database: Database, list: DemoList, anchorAt: number): DemoItem[] {
  const { variants } = buildCatalog({ cs2Lib: documentsOf(list), csgoApi: null });
  const keys = new Set(list.known.map((id) => `cs2-lib:${id}`));
  const added = variants.filter(({ sourceKeys }) => sourceKeys.some((key) => keys.has(key)));
  const names = new Set(added.map(({ marketHashName }) => marketHashName));
  const isAdded = ({ marketHashName }: CatalogVariant) => names.has(marketHashName);
  const inOrder = [...variants.filter((variant) => !isAdded(variant)), ...variants.filter(isAdded)];
  const { knownSince, renamedAt } = instantsOf(anchorAt);
  const { before, after } = renamedItem;
  const named = ({ marketHashName, ...variant }: CatalogVariant) => {
    return { ...variant, marketHashName: marketHashName === after ? before : marketHashName };
  };
  importCatalog(database, inOrder.map(named), knownSince);
  importCatalog(database, inOrder, renamedAt);
  return [...readItems(database).values()];
}

/** Publishes the quotes of some hours ago, then the current quotes, in order of receipt. */
function publishDemoQuotes(database: Database, market: DemoMarket, anchorAt: number): void {
  const earlyAt = anchorAt - earlyAgoMs;
  const [northgate, bazaar, steam] = demoFeeds as [DemoFeed, DemoFeed, DemoFeed];
  for (const feed of [steam, bazaar]) publishFeed(database, feed, market.earlyQuotes(feed, earlyAt), earlyAt, true);
  for (const feed of [northgate, bazaar, steam]) publishFeed(database, feed, market.quotes(feed), market.lastAt, false);
  const terms = new ProviderTerms(database);
  const invented = { redistribution: "allowed", attribution: "Invented prices of the Itemtape demo" } as const;
  for (const provider of terms.summary().unknown) terms.set(provider, invented);
}

function publishFeed(
  database: Database,
  feed: DemoFeed,
  items: ReadonlyMap<number, Book>,
  at: number,
  isEarly: boolean,
): void {
  const clock = clockAt(at);
  // Only bodies of the main platform contain their save time.
  const savedAt = feed.feed === "steam" ? at : null;
  runAtOnce(publishInBatches(database, [{ facts: factsOf(feed, isEarly), items, checkedAt: at, savedAt }], { clock }));
  new FeedWriter(database).recordJoined(feed.feed, allJoinedPpm);
}

/**
 * Creates a demo file at `path`. Returns the secrets, drawn from `ids`. Accounts, portfolios, lots and transactions have the same ids in
 * each demo, so the contract's examples and the code samples refer to existing rows. `dailyDays` is the number of completed days with daily
 * asks of known items.
 */
export function createDemoFile(
  path: string,
  anchorAt: number,
  {
    ids = systemIds(),
    dailyDays = knownDailyDays,
    progress = silent,
    list = readDemoList(),
  }: Partial<Omit<DemoParts, "anchorAt">> = {},
): DemoKeys {
  const parts = { anchorAt, ids: withFixedHandles(ids), dailyDays, progress, list };
  let keys: DemoKeys | undefined;
  try {
    createDatabase(path, (database) => {
      // A single transaction writes a page once, even if the page changes many times.
      setCacheKib(database, 64 * 1024);
      keys = writeTransaction(database, () => createDemoWorld(database, parts));
    });
  } finally {
    progress.end();
  }
  return keys!;
}

/** Returns ids with numbered handles. A secret also advances the number, as in the recorded examples. */
function withFixedHandles(ids: Ids): Ids {
  let calls = 0;
  return {
    requestId: ids.requestId,
    handle: (prefix) => {
      calls += 1;
      return prefix + `demo${calls.toString(36)}`.padStart(20, "0");
    },
    secret: (length) => {
      calls += 1;
      return ids.secret(length);
    },
  };
}

function createDemoAccounts(database: Database, at: number, ids: Ids): DemoKeys {
  const parts = { database, ids, clock: clockAt(at) };
  const accounts = new Accounts(parts);
  const keys = new Keys(parts);
  const builder = accounts.create("Demo Builder");
  accounts.purchase(builder.accountId, "builder");
  const free = accounts.create("Demo Free");
  const key = (accountId: string) => keys.create(accountId, "demo", 90).secret;
  const projectKeys = { builder: key(builder.accountId), free: key(free.accountId) };
  const accountIds = { builder: builder.accountId, free: free.accountId };
  const selected = createDemoPortfolios(database, { anchorAt: at, ids, accountIds });
  const token = (owner: "builder" | "free") =>
    keys.createPersonal(accountIds[owner], "demo portfolios", 90, selected[owner], true).secret;
  const tokens = { builderToken: token("builder"), freeToken: token("free") };
  transferDemoPortfolios(database, { anchorAt: at, accountIds });
  const { token: ownerInvite } = new Owners(parts).invite(builder.accountId, demoLogin);
  return { ...projectKeys, ...tokens, ownerInvite };
}
