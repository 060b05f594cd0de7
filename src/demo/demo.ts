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
import { sealDaysInBatches } from "../store/write/seal-days.ts";
import { type Ids, systemIds } from "../values/ids.ts";
import { type Progress, silent } from "../values/progress.ts";
import { dayMs, dayOf, hourMs } from "../values/time/calendar.ts";
import { clockAt } from "../values/time/clock.ts";
import type { Book } from "../wire/quotes.ts";
import { recordedDays } from "./frames.ts";
import { createDemoHistory, knownDailyDays } from "./history.ts";
import { type DemoList, readDemoList } from "./list.ts";
import { type DemoFeed, DemoMarket, demoFeeds, factsOf } from "./market.ts";
import { createDemoOpenables } from "./openables.ts";
import { createDemoPortfolios, transferDemoPortfolios } from "./portfolios.ts";
import type { DemoItem } from "./prices.ts";

/** Milliseconds before the anchor at which the first bodies came in. */
const earlyAgoMs = 6 * hourMs;
const allJoinedPpm = 1_000_000;
/** The login of the Builder account's owner. */
export const demoLogin = "demo";

/** The secrets of the demo accounts, which nothing can show again. */
export type DemoKeys = {
  builder: string;
  free: string;
  /** Personal tokens of the two accounts. Of what the first one selects, a portfolio is deleted and another transferred. */
  builderToken: string;
  freeToken: string;
  /** The secret of the one-time link that sets the password of the Builder account's owner. */
  ownerInvite: string;
};

/** `list`: what the world has items of. */
type DemoParts = { anchorAt: number; ids: Ids; dailyDays: number; progress: Progress; list: DemoList };

/**
 * Fills a new file with the demo world: real item names, made-up prices and providers, a Builder and a Free account with
 * portfolios. A pure function of `anchorAt` (UTC ms), `ids`, `dailyDays` and `list`; item ids depend on `list` alone.
 */
function createDemoWorld(database: Database, { anchorAt, ids, dailyDays, progress, list }: DemoParts): DemoKeys {
  progress.phase("reading the catalog");
  const market = new DemoMarket(createDemoCatalog(database, list, anchorAt), anchorAt);
  progress.phase("publishing quotes");
  publishDemoQuotes(database, market, anchorAt);
  const written = createDemoHistory(database, market, { anchorAt, dailyDays, progress });
  runAtOnce(sealDaysInBatches(database, dayOf(anchorAt), clockAt(anchorAt), { progress, written }));
  progress.phase("calculating returns");
  const listed = list.items.filter((item) => !("containerType" in item) || "contents" in item);
  const drafts = cs2LibPools(documentsOf({ ...list, items: listed }));
  createDemoOpenables(database, drafts, { anchorAt, market });
  markDemo(database, anchorAt);
  return createDemoAccounts(database, anchorAt, ids);
}

/**
 * Imports the catalog on the day on which frames with all items begin, so that older frames, which name few items, say nothing of
 * the others. Items that were added to the list later come last: the others keep their ids.
 */
function createDemoCatalog(database: Database, list: DemoList, anchorAt: number): DemoItem[] {
  const { variants } = buildCatalog({ cs2Lib: documentsOf(list), csgoApi: null });
  const keys = new Set(list.known.map((id) => `cs2-lib:${id}`));
  const added = variants.filter(({ sourceKeys }) => sourceKeys.some((key) => keys.has(key)));
  const names = new Set(added.map(({ marketHashName }) => marketHashName));
  const isAdded = ({ marketHashName }: CatalogVariant) => names.has(marketHashName);
  const inOrder = [...variants.filter((variant) => !isAdded(variant)), ...variants.filter(isAdded)];
  importCatalog(database, inOrder, (dayOf(anchorAt) - recordedDays.all + 1) * dayMs);
  return [...readItems(database).values()];
}

/** Publishes what the feeds said some hours ago and what they say now, in the order in which their bodies came in. */
function publishDemoQuotes(database: Database, market: DemoMarket, anchorAt: number): void {
  const earlyAt = anchorAt - earlyAgoMs;
  const [northgate, bazaar, steam] = demoFeeds as [DemoFeed, DemoFeed, DemoFeed];
  for (const feed of [steam, bazaar]) publishFeed(database, feed, market.earlyQuotes(feed, earlyAt), earlyAt, true);
  for (const feed of [northgate, bazaar, steam]) publishFeed(database, feed, market.quotes(feed), market.lastAt, false);
}

function publishFeed(
  database: Database,
  feed: DemoFeed,
  items: ReadonlyMap<number, Book>,
  at: number,
  isEarly: boolean,
): void {
  const clock = clockAt(at);
  // The bodies of the main platform tell when they were saved.
  const savedAt = feed.feed === "steam" ? at : null;
  runAtOnce(publishInBatches(database, [{ facts: factsOf(feed, isEarly), items, checkedAt: at, savedAt }], { clock }));
  new FeedWriter(database).recordJoined(feed.feed, allJoinedPpm);
}

/**
 * Makes a demo file at `path`. Returns the secrets, which `ids` draws. Accounts, portfolios, lots and transactions have the same ids
 * in each demo, so that the contract's examples and the code samples name things that are there. `dailyDays`: completed days with
 * daily asks of items that players know.
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
      // One transaction: a page that changes many times is written once.
      setCacheKib(database, 64 * 1024);
      keys = writeTransaction(database, () => createDemoWorld(database, parts));
    });
  } finally {
    progress.end();
  }
  return keys!;
}

/** Returns ids whose handles are counted. A secret that is drawn counts as well, as in the recorded examples. */
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
