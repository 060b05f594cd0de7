import { statSync } from "node:fs";
import { Gate } from "./access/admission.ts";
import { Credentials } from "./access/credentials.ts";
import { GroupCommitLedger } from "./access/group-commit-ledger.ts";
import type { Ledger } from "./access/ledger.ts";
import type { PlanTable } from "./access/plans.ts";
import { RateLimiter } from "./access/rate-limiter.ts";
import { UsageReader } from "./access/usage.ts";
import type { Config } from "./config.ts";
import { loadContract } from "./contract/document.ts";
import { Catalog } from "./domain/catalog.ts";
import { MarketSnapshot } from "./domain/market-snapshot.ts";
import { Providers } from "./domain/providers.ts";
import { Quotes } from "./domain/quotes.ts";
import { Reference } from "./domain/reference.ts";
import { SearchIndex } from "./domain/search-index.ts";
import { Status } from "./domain/status.ts";
import { Usage } from "./domain/usage.ts";
import type { Events } from "./events.ts";
import { InFlight } from "./http/in-flight.ts";
import { type Domain, operationTable } from "./http/operations.ts";
import { PageTurns } from "./http/page-turns.ts";
import { createPages } from "./http/pages.ts";
import { buildRegistry } from "./http/registry.ts";
import { createHttpServer, type ServerOptions } from "./http/server.ts";
import { releaseName } from "./release.ts";
import { CatalogStore } from "./store/catalog.ts";
import { type Database, openReader } from "./store/database.ts";
import { refuseUnlessOurs } from "./store/file.ts";
import { holdLock } from "./store/lock.ts";
import { MarketSnapshotStore } from "./store/market-snapshot.ts";
import { MarketStateStore } from "./store/market-state.ts";
import { ProvidersStore } from "./store/providers.ts";
import { QuotesStore } from "./store/quotes.ts";
import { StoreRefusal } from "./store/refusal.ts";
import type { Clock } from "./values/clock.ts";
import type { Ids } from "./values/ids.ts";

export type AppParts = {
  config: Pick<Config, "host" | "port" | "connectionsMax" | "inFlightMax">;
  databasePath: string;
  clock: Clock;
  ids: Ids;
  events: Events;
  /** What tests and measurements put in the place of the product's own. */
  instead?: { ledger?: Ledger; plans?: PlanTable; release?: string; server?: Partial<ServerOptions> };
};

export type App = {
  port: number;
  /** Resolves when the program cannot go on: the storage failed or the file is no longer the one that was opened. */
  failed: Promise<Error>;
  /** Drains and closes, in the order in which nothing can be lost. `clean`: no answer had to be cut. */
  close(drainMs: number): Promise<{ clean: boolean }>;
};

const sameFileCheckMs = 2000;

/** The composition root: opens the file, builds each floor on the one below and listens. Throws StoreRefusal. */
export async function startApp(parts: AppParts): Promise<App> {
  const { config, databasePath, clock, ids, events, instead = {} } = parts;
  const release = instead.release ?? releaseName();
  refuseUnlessOurs(databasePath);
  const lock = holdLock(databasePath, "serve");
  const opened: (() => unknown)[] = [];
  try {
    const ledger = instead.ledger ?? (await GroupCommitLedger.open(databasePath));
    opened.push(() => ledger.close());
    const reader = openReader(databasePath);
    opened.push(() => reader.$client.close());
    const domain = buildDomain(reader, clock, release);
    const limiter = new RateLimiter();
    const plans = instead.plans === undefined ? {} : { plans: instead.plans };
    const gate = new Gate({ ledger, limiter, clock, ...plans });
    const contract = loadContract();
    const turns = new PageTurns();
    const inFlight = new InFlight();
    const surfaceParts = {
      credentials: new Credentials(reader),
      gate,
      reference: domain.reference,
      turns,
      inFlight,
      clock,
      events,
    };
    const { surface } = await buildRegistry(contract, operationTable(domain), surfaceParts);
    const pages = createPages(contract, events);
    const limits = { connectionsMax: config.connectionsMax, inFlightMax: config.inFlightMax, ...instead.server };
    const server = createHttpServer({ surface, pages, inFlight, clock, ids, events }, limits);
    const port = await server.listen(config.host, config.port);
    void domain.index.refresh();
    const replaced = watchFile(databasePath);
    const failed = Promise.race([ledger.fatal, replaced.promise]);
    failed.then((error) => events.storageFailed(error));
    events.listening({ address: config.host, port, release });
    return {
      port,
      failed,
      async close(drainMs) {
        replaced.stop();
        const outcome = await server.close({ drainMs, interruptExports: () => void turns.interruptAll() });
        domain.index.close();
        // The ledger goes last: only a connection that can write empties the log when it is the last one.
        reader.$client.close();
        await ledger.close();
        lock.release();
        return outcome;
      },
    };
  } catch (error) {
    // A thread that is left behind would keep the process from ending.
    for (const close of opened.toReversed()) await close();
    lock.release();
    throw error;
  }
}

function buildDomain(
  reader: Database,
  clock: Clock,
  release: string,
): Domain & { index: SearchIndex; reference: Reference } {
  const state = new MarketStateStore(reader);
  const providers = new ProvidersStore(reader);
  const catalogStore = new CatalogStore(reader);
  const index = new SearchIndex({ catalog: catalogStore, state });
  return {
    index,
    reference: new Reference({ state, providers }),
    status: new Status({ state, clock, release }),
    catalog: new Catalog({ store: catalogStore, state, index }),
    quotes: new Quotes({ store: new QuotesStore(reader), providers }),
    providers: new Providers(providers),
    snapshot: new MarketSnapshot({ state, store: new MarketSnapshotStore(reader) }),
    usage: new Usage(new UsageReader(reader)),
  };
}

/** A file that is moved or replaced under a running server would take charges that nobody will ever read. */
function watchFile(path: string): { promise: Promise<Error>; stop(): void } {
  const { ino } = statSync(path);
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<Error>((resolve) => {
    timer = setInterval(() => {
      if (statSync(path, { throwIfNoEntry: false })?.ino !== ino)
        resolve(new StoreRefusal("missing", path, "the file was moved or replaced while the server ran"));
    }, sameFileCheckMs);
    timer.unref();
  });
  return { promise, stop: () => clearInterval(timer) };
}
