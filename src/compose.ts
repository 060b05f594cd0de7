import { setImmediate as nextTurn } from "node:timers/promises";
import { Admissions } from "./access/admission.ts";
import { Credentials } from "./access/credentials.ts";
import type { Ledger } from "./access/ledger/ledger.ts";
import type { NodesAccess } from "./access/nodes/access.ts";
import type { PasswordCost } from "./access/owners/passwords.ts";
import type { PlanTable } from "./access/plans.ts";
import { RateLimiter } from "./access/rate-limiter.ts";
import { UsageReader } from "./access/usage.ts";
import { ApiHandler } from "./api/api-handler.ts";
import { ConcurrencyLimiter } from "./api/concurrency-limiter.ts";
import { exchangeOf } from "./api/exchange.ts";
import { NodesApiHandler } from "./api/nodes-handler.ts";
import { CurrentMarket, exchangedTable, type ServedDomain, ServedMarket } from "./api/served-market.ts";
import { createHttpServer, type ServerOptions, serverDefaults } from "./api/server.ts";
import { StreamScheduler } from "./api/streams.ts";
import { wireOperations } from "./api/wiring.ts";
import type { Config } from "./config/config.ts";
import { type Contract, loadContract } from "./contract/document.ts";
import { Catalog } from "./domain/catalog.ts";
import { ContractChanges } from "./domain/contract-changes.ts";
import { DailyHistory } from "./domain/daily-history.ts";
import { DataEventLog } from "./domain/data-events.ts";
import { ExchangeRates } from "./domain/exchange-rates.ts";
import { FrameProviderNames } from "./domain/frame-provider-names.ts";
import { GenerationWaiters } from "./domain/generation-waiters.ts";
import { Generations } from "./domain/generations.ts";
import { HistoryDays } from "./domain/history-days.ts";
import { HourlyHistory } from "./domain/hourly-history.ts";
import { Indexes } from "./domain/indexes.ts";
import { itemNames, offeredItems } from "./domain/item-names.ts";
import { KnownPrices } from "./domain/known-prices.ts";
import { MarketChanges } from "./domain/market-changes.ts";
import { MarketSnapshot } from "./domain/market-snapshot.ts";
import { MarketTotals } from "./domain/market-totals.ts";
import { Openables } from "./domain/openables.ts";
import { Portfolios } from "./domain/portfolios.ts";
import { Providers } from "./domain/providers.ts";
import { Quotes } from "./domain/quotes.ts";
import { Reference } from "./domain/reference.ts";
import { SearchIndex } from "./domain/search-index.ts";
import { type DownloadedRelease, Status } from "./domain/status.ts";
import { Usage } from "./domain/usage.ts";
import type { FollowSetup } from "./jobs/follow/follower.ts";
import type { MirrorSetup } from "./jobs/mirror/mirror-setup.ts";
import type { ReleaseSetup } from "./jobs/releases/release-schedule.ts";
import type { Events } from "./log/events.ts";
import { closeDatabase, type Database } from "./store/database.ts";
import { CatalogStore } from "./store/read/catalog.ts";
import { DailyPricesStore } from "./store/read/daily-prices.ts";
import { DataEventsStore } from "./store/read/data-events.ts";
import { DayExports } from "./store/read/day-exports.ts";
import { ExchangeRatesStore } from "./store/read/exchange-rates.ts";
import { ExportStatesStore } from "./store/read/export-states.ts";
import { FramesStore } from "./store/read/frames.ts";
import { GenerationsStore } from "./store/read/generations.ts";
import { IndexesStore } from "./store/read/indexes.ts";
import { ItemNamesStore } from "./store/read/item-names.ts";
import { KnownFramesStore } from "./store/read/known-frames.ts";
import { KnownMoments } from "./store/read/known-moments.ts";
import { KnownReturnsStore } from "./store/read/known-returns.ts";
import { MarketSnapshotStore } from "./store/read/market-snapshot.ts";
import { MarketStateStore } from "./store/read/market-state.ts";
import { MarketTotalsStore } from "./store/read/market-totals.ts";
import { OfferedItemsStore } from "./store/read/offered-items.ts";
import { OpenablesStore } from "./store/read/openables.ts";
import { PortfoliosStore } from "./store/read/portfolios.ts";
import { ProvidersStore } from "./store/read/providers.ts";
import { QuotesStore } from "./store/read/quotes.ts";
import { SealedDaysStore } from "./store/read/sealed-days.ts";
import { SharedReadTransaction } from "./store/read/shared-read.ts";
import type { Ids } from "./values/ids.ts";
import type { Clock } from "./values/time/clock.ts";
import type { DashboardSetup } from "./web/dashboard/routes.ts";
import { lazyPages } from "./web/lazy-pages.ts";

/** Maximum items that a form suggests. */
const suggestionsMax = 10;

export type AppParts = {
  config: Pick<Config, "host" | "port" | "connectionsMax" | "inFlightMax"> &
    Partial<
      Pick<
        Config,
        | "publicUrl"
        | "pageUnits"
        | "itemPictures"
        | "connectionsPerAddressMax"
        | "trustedProxies"
        | "walBytesMax"
        | "opsHost"
        | "opsPort"
      >
    >;
  databasePath: string;
  /** Address of the PostgreSQL database that this node shares with others, null if all data are in the file. */
  privateUrl?: string | null;
  clock: Clock;
  ids: Ids;
  events: Events;
  /** Feeds to poll while serving, in a separate thread. */
  mirror?: Omit<MirrorSetup, "databasePath">;
  /** Target of signed releases. One is sealed after each market change, in a separate thread. */
  releases?: ReleaseSetup;
  /** Source of market releases. The file then contains a downloaded release and is never written to. */
  follow?: FollowSetup;
  /** Ends a start that waits for its first release. */
  ending?: AbortSignal;
  /** Whether to calculate the returns of openables at the scheduled hours, each run in a separate thread. `at_once`: also at the start. */
  roiSchedule?: boolean | "at_once";
  /** True to value portfolios once a day, each run in a separate thread. */
  valuationSchedule?: boolean;
  /** Replacements of the product's own parts, for tests, measurements and sandboxes. */
  instead?: {
    ledger?: Ledger;
    plans?: PlanTable;
    marketClock?: Clock;
    release?: string;
    server?: Partial<ServerOptions>;
    passwordCost?: PasswordCost;
  };
};

/** The clock of accounts and connections, and the clock of market data, which a replay moves by itself. */
type Clocks = { clock: Clock; marketClock: Clock };

/** Read-only handles of the server: point reads and lists, export pages, credentials and usage. */
export type Readers = { market: Database; exports: Database; access: Database };

/** A complete server that does not listen yet. */
export type Composed = {
  /** The open exchanges. */
  readonly concurrency: ConcurrencyLimiter;
  /** The open exports. */
  readonly scheduler: StreamScheduler;
  /** Requests that wait for the next generation. */
  readonly waiters: GenerationWaiters;
  /** Closes the handles of all markets. */
  closeMarkets(): void;
  /** Prepares a market on these handles for serving, between other work. */
  prepareMarket(readers: Readers): Promise<ServedMarket>;
  /** Answers from `market` from now on, and resolves when the handles of the previous market are closed. */
  exchangeMarket(market: ServedMarket): Promise<void>;
  /** Resolves when only the current market is open. `generation`: generation of the next market, null if it has none. */
  marketBeforeIsClosed(generation: string | null): Promise<void>;
  /** Listens and resolves to the port. */
  listen(): Promise<number>;
  /** Closes each connection after its next response. */
  announceEnd(): void;
  /** Drains the server. Nothing reads afterwards. `clean` is false if a response was interrupted. */
  close(drainMs: number): Promise<{ clean: boolean }>;
};

/** Open handles. `nodes`: accounts that many nodes share, null if all accounts are in the file. */
type Handles = {
  ledger: Ledger;
  readers: Readers;
  nodes: NodesAccess | null;
  /** Returns the release of the market, null if the market is the server's own. */
  downloaded: () => DownloadedRelease | null;
};

/** Builds the server on open handles, each layer on the ones below. */
export async function compose(parts: AppParts, release: string, handles: Handles): Promise<Composed> {
  const { ledger, readers, nodes, downloaded } = handles;
  const { config, clock, ids, events, instead = {} } = parts;
  const clocks = { clock, marketClock: instead.marketClock ?? clock };
  const contract = loadContract();
  const waiters = new GenerationWaiters({ currentId: () => markets.current.domain.generations.currentId() });
  const mayBeBehind = parts.follow !== undefined;
  const marketOn = (own: Readers) => {
    const onError = (error: unknown) => void events.reportIfStorageFailure(error);
    const domain = buildDomain({ ...own, nodes, waiters, downloaded, mayBeBehind }, clocks, release, contract, onError);
    return new ServedMarket(domain, () => closeReaders(own));
  };
  const markets = new CurrentMarket(marketOn(readers));
  const plans = instead.plans === undefined ? {} : { plans: instead.plans };
  const counting = { limiter: new RateLimiter(), clock, ...plans };
  const admissions = nodes?.admissions(counting) ?? new Admissions({ ledger, ...counting });
  const scheduler = new StreamScheduler();
  const concurrency = new ConcurrencyLimiter();
  const credentials = nodes?.credentials ?? new Credentials(readers.access);
  const { table, domain } = markets.current;
  const { reference } = domain;
  const handlerParts = { credentials, admissions, reference, scheduler, concurrency, events, ...clocks };
  const handler = nodes === null ? new ApiHandler(handlerParts) : new NodesApiHandler(handlerParts, nodes.credentials);
  const wired = mayBeBehind ? exchangedTable(markets) : table;
  const { apiHandler, performFor, performPage } = await wireOperations(wired, handler);
  if (nodes !== null) nodes.owners.mainPlatform = () => markets.current.domain.reference.mainProvider();
  const pages = composePages(contract, markets, {
    ...parts,
    cost: instead.passwordCost,
    reader: readers.access,
    nodes: nodes?.owners ?? null,
    concurrency,
    performFor,
    performPage,
    names: () => markets.current.during(({ names }) => names.read()),
    offered: () => markets.current.during(({ offered }) => offered.read()),
    suggest: (text) => markets.current.during((own) => suggestions(own, text)),
    refused: admissions.refused,
    downloaded,
  });
  const { connectionsMax, inFlightMax, connectionsPerAddressMax, trustedProxies } = { ...serverDefaults, ...config };
  const limits = { connectionsMax, inFlightMax, connectionsPerAddressMax, trustedProxies, ...instead.server };
  const server = createHttpServer({ apiHandler, pages: pages.middleware, concurrency, clock, ids, events }, limits);
  return {
    concurrency,
    scheduler,
    waiters,
    closeMarkets: () => markets.close(),
    async prepareMarket(own) {
      let market: ServedMarket | null = null;
      try {
        market = marketOn(own);
        await warm(market.domain, markets.current.domain.index.bytes > 0);
        return market;
      } catch (error) {
        if (market === null) closeReaders(own);
        else market.close();
        throw error;
      }
    },
    exchangeMarket(market) {
      const closed = markets.exchange(market);
      waiters.look();
      return closed;
    },
    marketBeforeIsClosed: (generation) => markets.beforeIsClosed(generation),
    listen: () => server.listen(config.host, config.port),
    announceEnd: () => server.announceEnd(),
    async close(drainMs) {
      const interruptExports = () => void scheduler.interruptAll();
      const outcome = await server.close({ drainMs, interruptExports, answered: waiters.close() });
      await pages.close();
      markets.current.domain.index.close();
      return outcome;
    },
  };
}

type PagesSetup = DashboardSetup & Pick<AppParts, "config"> & Pick<Handles, "downloaded">;

/** Creates the pages at the first request for one. The dashboard handles requests before all others. */
function composePages(contract: Contract, markets: CurrentMarket, setup: PagesSetup) {
  const { config, events, downloaded } = setup;
  return lazyPages(events, async () => {
    const { createPages } = await import("./web/pages.ts");
    const { createDashboard } = await import("./web/dashboard/routes.ts");
    const dashboard = createDashboard(setup);
    const others = createPages(contract, events, {
      publicUrl: config.publicUrl,
      itemPictures: config.itemPictures,
      facts: () =>
        markets.current
          .during(async ({ totals }) => totals.read())
          .catch((error: unknown) => {
            events.reportIfStorageFailure(error);
            return null;
          }),
    });
    return {
      middleware: (req, res, next) => {
        exchangeOf(res).showsExpired = downloaded()?.isExpired ?? false;
        dashboard.middleware(req, res, () => others(req, res, next));
      },
      close: () => dashboard.close(),
    };
  });
}

/** Returns the items that a text typed into a form may mean. */
async function suggestions({ index, catalog }: ServedDomain, text: string) {
  await index.refresh();
  return catalog.suggest(text, suggestionsMax);
}

function closeReaders(readers: Readers): void {
  for (const reader of Object.values(readers)) closeDatabase(reader);
}

/** Creates all parts of a domain, one per turn of the event loop, so that a request waits for at most one. */
async function warm(domain: ServedDomain, isSearched: boolean): Promise<void> {
  for (const name of Object.keys(domain) as (keyof ServedDomain)[]) {
    void domain[name];
    await nextTurn();
  }
  if (isSearched) await domain.index.refresh();
}

/**
 * Builds the sources of the operations on the readers' handles. Each part is created at its first use. `onError` receives the storage
 * errors of the status.
 */
export function buildDomain(
  {
    market,
    exports,
    access,
    nodes = null,
    waiters = new GenerationWaiters(new GenerationsStore(market)),
    downloaded,
    mayBeBehind = false,
  }: Readers & Partial<Pick<Handles, "nodes" | "downloaded">> & { waiters?: GenerationWaiters; mayBeBehind?: boolean },
  { clock, marketClock }: Clocks,
  release: string,
  contract: Contract,
  onError: (error: unknown) => void = () => {},
): ServedDomain {
  const shared = SharedReadTransaction.of(market);
  const state = new MarketStateStore(market);
  const providers = new ProvidersStore(market, shared);
  let catalogStore: CatalogStore | undefined;
  const catalogOnce = () => (catalogStore ??= new CatalogStore(market, shared));
  const index = new SearchIndex({ catalog: catalogOnce, state });
  const moments = new KnownMoments(market, shared);
  const reference = new Reference({ state, providers, moments, cursorKey: nodes?.cursorKey ?? null });
  const { cursors } = reference;
  let frames: FramesStore | undefined;
  const framesOnce = () => (frames ??= new FramesStore(market, shared));
  let pastFrames: KnownFramesStore | undefined;
  const pastFramesOnce = () => (pastFrames ??= new KnownFramesStore(market, shared));
  return lazily({
    index: () => index,
    reference: () => reference,
    names: () => itemNames({ names: new ItemNamesStore(market), state }),
    offered: () => offeredItems({ offered: new OfferedItemsStore(market), state }),
    totals: () => new MarketTotals({ store: new MarketTotalsStore(market), clock: marketClock }),
    status: () => new Status({ state, clock: marketClock, release, revision: contract.revision, downloaded, onError }),
    catalog: () => new Catalog({ store: catalogOnce(), state, index }),
    quotes: () => new Quotes({ store: new QuotesStore(market, shared), providers }),
    knownPrices: () =>
      new KnownPrices({
        catalog: catalogOnce(),
        frames: framesOnce(),
        past: pastFramesOnce(),
        providers,
        names: new FrameProviderNames(framesOnce()),
      }),
    dailyHistory: () =>
      new DailyHistory({
        catalog: catalogOnce(),
        prices: new DailyPricesStore(market, shared),
        frames: framesOnce(),
        past: pastFramesOnce(),
        reference,
      }),
    hourlyHistory: () =>
      new HourlyHistory({
        catalog: catalogOnce(),
        frames: framesOnce(),
        past: pastFramesOnce(),
        providers,
        reference,
      }),
    historyDays: () => new HistoryDays({ list: new SealedDaysStore(market, shared), exports: new DayExports(exports) }),
    dataEvents: () => new DataEventLog(new DataEventsStore(market, shared)),
    indexes: () => new Indexes(new IndexesStore(market, shared)),
    exchangeRates: () => new ExchangeRates({ store: new ExchangeRatesStore(market, shared), reference }),
    openables: () =>
      new Openables({ store: new OpenablesStore(market, shared), past: new KnownReturnsStore(market, shared) }),
    // Portfolios use the handle of the credentials. The market's handle shares its transactions, so its access rights could be outdated.
    portfolios: () =>
      new Portfolios({
        store: nodes?.portfolios((itemId) => catalogOnce().naming(itemId)) ?? new PortfoliosStore(access),
        cursors,
        mainPlatform: () => reference.mainProvider(),
      }),
    providers: () => new Providers(providers),
    snapshot: () => new MarketSnapshot(new MarketSnapshotStore(exports)),
    usage: () => new Usage(nodes?.usage ?? new UsageReader(access), clock),
    generations: () =>
      new Generations({
        store: new GenerationsStore(market, shared),
        states: new ExportStatesStore(market, shared),
        waiters,
        mayBeBehind,
      }),
    marketChanges: () => new MarketChanges(new ExportStatesStore(exports), mayBeBehind),
    changes: () => new ContractChanges(contract.document["x-itemtape-changelog"]),
  });
}

/** Returns an object with lazily created properties. Preparing all statements needs a tenth of a server's start. */
function lazily<T extends object>(makers: { readonly [Name in keyof T]: () => T[Name] }): T {
  const made = {} as T;
  for (const name of Object.keys(makers) as (keyof T)[]) {
    Object.defineProperty(made, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = makers[name]();
        Object.defineProperty(made, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return made;
}
