// Entry of the thread that values, makes and fills portfolios for their owners: a thread starts with a file of its own.
import type { PortfolioAnswer, PortfolioCalls, PortfolioRequest } from "../../access/owners/owner-portfolios.ts";
import { OwnerReads } from "../../access/owners/owner-reads.ts";
import { refusalOf } from "../../access/owners/owner-refusal.ts";
import { Owners } from "../../access/owners/owners.ts";
import { PortfolioManager } from "../../import/portfolios/manage.ts";
import { closeDatabase, type Database, openWriter } from "../../store/database.ts";
import { PortfolioWriter } from "../../store/write/portfolios.ts";
import { type Ids, systemIds } from "../../values/ids.ts";
import { serveThread } from "../../worker/host.ts";
import { changePortfolio, createPortfolio, OwnersPortfolio } from "./changes.ts";
import { importUpload } from "./upload.ts";

/** Maximum time a change waits for another writer. It blocks this thread only. */
const busyMs = 750;

serveThread(({ databasePath }: { databasePath: string }) => {
  const database = openWriter(databasePath, busyMs);
  const ids = systemIds();
  return {
    answer({ call, at, args }: PortfolioRequest): PortfolioAnswer {
      try {
        const run = callsAt(at, database, ids)[call] as (...given: readonly unknown[]) => unknown;
        return { value: run(...args) };
      } catch (error) {
        return { refusal: refusalOf(error, databasePath) };
      }
    },
    close: () => closeDatabase(database),
  };
});

function callsAt(at: number, database: Database, ids: Ids): PortfolioCalls {
  const parts = { database, ids, clock: { now: () => at, monotonicMs: () => 0 } };
  const reads = new OwnerReads(database);
  const owners = new Owners(parts);
  const store = new PortfolioWriter(database);
  const manager = new PortfolioManager(parts);
  return {
    list: (accountId) => reads.valuedPortfolios(accountId, at),
    read: (accountId, portfolioId, page) => reads.valuedPortfolio(accountId, portfolioId, page, at),
    create: (sessionHash, facts) =>
      owners.act(sessionHash, { recent: false }, (actor) => createPortfolio(manager, store, { ...actor, at }, facts)),
    change: (sessionHash, portfolioId, facts) =>
      owners.act(sessionHash, { recent: false }, (actor) =>
        changePortfolio(manager, store, { ...actor, at }, { portfolioId, ...facts }),
      ),
    upload: (sessionHash, portfolioId, upload) =>
      importUpload(parts, new OwnersPortfolio(owners, store, { sessionHash, portfolioId, at }), upload),
  };
}
