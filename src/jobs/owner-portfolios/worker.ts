// Entry of the thread that values, creates and fills portfolios for their owners. A thread needs a file of its own.
import { refusalOfStore } from "../../access/nodes/owner-refusals.ts";
import type {
  OwnerPortfoliosSetup,
  PortfolioAnswer,
  PortfolioCalls,
  PortfolioRequest,
  Upload,
} from "../../access/owners/owner-portfolios.ts";
import { OwnerReads } from "../../access/owners/owner-reads.ts";
import { busyRefusal, refusalOf } from "../../access/owners/owner-refusal.ts";
import { Owners } from "../../access/owners/owners.ts";
import { PortfolioManager } from "../../import/portfolios/manage.ts";
import { closeDatabase, type Database, openWriter } from "../../store/database.ts";
import { isUnavailable, ReconnectingClient } from "../../store/postgres/connection.ts";
import { type PortfolioScope, workOnPortfolios } from "../../store/postgres/portfolio-work.ts";
import { PortfolioWriter } from "../../store/write/portfolios.ts";
import { type Ids, systemIds } from "../../values/ids.ts";
import { clockAt } from "../../values/time/clock.ts";
import { serveThread } from "../../worker/thread.ts";
import { changePortfolio, createPortfolio, ownersPortfolio, undoLastImport } from "./changes.ts";
import { importUpload } from "./upload.ts";

/** Maximum wait of a change for another writer, in ms. Only this thread blocks. */
const busyMs = 750;

serveThread(({ databasePath, privateUrl }: OwnerPortfoliosSetup) =>
  privateUrl === null ? onFile(databasePath) : onPrivate(databasePath, privateUrl),
);

function onFile(databasePath: string) {
  const database = openWriter(databasePath, busyMs, { keeps: "private" });
  const ids = systemIds();
  return {
    answer({ call, at, args }: PortfolioRequest): PortfolioAnswer {
      try {
        return { value: run(callsAt(at, { database, ids, marksReal: true })[call], args) };
      } catch (error) {
        return { refusal: refusalOf(error, databasePath) };
      }
    },
    close: () => closeDatabase(database),
  };
}

/** Reads the rows of the call from the private database and the market from the file. The clock is the database's. */
function onPrivate(marketPath: string, privateUrl: string) {
  const kept = new ReconnectingClient(privateUrl);
  const ids = systemIds();
  return {
    async answer({ call, args }: PortfolioRequest): Promise<PortfolioAnswer> {
      const { scope, reads } = needsOf(call, args);
      try {
        const value = await kept.run((client) =>
          workOnPortfolios(client, scope, { marketPath, reads }, (database, at) =>
            run(callsAt(at, { database, ids, marksReal: false })[call], args),
          ),
        );
        return { value };
      } catch (error) {
        return { refusal: refusalOf(isUnavailable(error) ? busyRefusal() : refusalOfStore(error), marketPath) };
      }
    },
    close: () => void kept.close(),
  };
}

/** Calls a function with the arguments of a message. */
function run(call: PortfolioCalls[keyof PortfolioCalls], args: readonly unknown[]): unknown {
  return (call as (...given: readonly unknown[]) => unknown)(...args);
}

/** Returns the rows that a call needs, and whether it only reads. */
function needsOf(call: keyof PortfolioCalls, args: readonly unknown[]): { scope: PortfolioScope; reads: boolean } {
  const [whose, portfolioId, upload] = args as [string, string, Upload];
  if (call === "priceSources") return { scope: { account: { accountId: whose }, lots: null }, reads: true };
  if (call === "list") return { scope: { account: { accountId: whose }, lots: "all" }, reads: true };
  if (call === "read")
    return { scope: { account: { accountId: whose }, lots: portfolioId, removed: portfolioId }, reads: true };
  const account = { sessionHash: whose };
  // The row limit counts all portfolios.
  if (call === "undo") return { scope: { account, lots: "all", removed: portfolioId }, reads: false };
  if (call === "upload") return { scope: { account, lots: "all", removed: portfolioId }, reads: !upload.write };
  return { scope: { account, lots: null }, reads: false };
}

function callsAt(
  at: number,
  { marksReal, ...stored }: { database: Database; ids: Ids; marksReal: boolean },
): PortfolioCalls {
  const { database } = stored;
  const parts = { ...stored, clock: clockAt(at) };
  const reads = new OwnerReads(database);
  const owners = new Owners(parts);
  const store = new PortfolioWriter(database);
  const manager = new PortfolioManager(parts);
  return {
    list: (accountId) => reads.valuedPortfolios(accountId, at),
    read(accountId, portfolioId, page) {
      const valued = reads.valuedPortfolio(accountId, portfolioId, page, at);
      const importedAt = store.lastImport({ portfolioId, accountId })?.importedAt ?? null;
      return valued && { ...valued, importedAt };
    },
    undo: (sessionHash, portfolioId) =>
      owners.act(sessionHash, { recent: false }, (actor) => undoLastImport(store, { ...actor, at }, portfolioId)),
    priceSources: (accountId) => reads.priceSources(accountId, at),
    create: (sessionHash, facts) =>
      owners.act(sessionHash, { recent: false }, (actor) => {
        const isFree = reads.planOf(actor.accountId, at) === "free";
        return createPortfolio(manager, store, { ...actor, at, isFree }, facts);
      }),
    change: (sessionHash, portfolioId, facts) =>
      owners.act(sessionHash, { recent: false }, (actor) =>
        changePortfolio(manager, store, { ...actor, at }, { portfolioId, ...facts }),
      ),
    upload: (sessionHash, portfolioId, upload) =>
      importUpload({ ...parts, marksReal }, ownersPortfolio(owners, store, { sessionHash, portfolioId, at }), upload),
  };
}
