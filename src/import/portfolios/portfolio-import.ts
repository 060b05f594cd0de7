import { type Database, writeTransaction } from "../../store/database.ts";
import { ProvidersStore } from "../../store/providers.ts";
import { PortfolioWriter } from "../../store/write/portfolios.ts";
import type { Clock } from "../../values/clock.ts";
import type { Ids } from "../../values/ids.ts";
import { OperatorError } from "../../values/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type FeedFile, readFeedFile, refusedFile } from "../feed-file.ts";
import { importing } from "../run-import.ts";
import { Faults } from "./faults.ts";
import { type Plan, planOf } from "./import-plan.ts";
import { knownPortfolio } from "./manage.ts";
import { type PortfolioAdapterName, portfolioAdapters } from "./parsed-rows.ts";
import { type ValidatedRows, validateRows } from "./validate-rows.ts";

/** `replace`: the lots become those of the file; left out, a file brings new rows only. */
type PortfolioImportOptions = {
  portfolioId: string;
  adapter: PortfolioAdapterName;
  replace?: boolean;
  dryRun?: boolean;
};
type PortfolioImportParts = { clock: Clock; ids: Ids; progress?: Progress };

/** Result of an import. `unchanged`: the portfolio already equals the file. */
export type PortfolioImportReport = {
  portfolioId: string;
  file: string;
  adapter: PortfolioAdapterName;
  replace: boolean;
  dryRun: boolean;
  outcome: "imported" | "unchanged";
  /** Lots and ledger rows that are new, lots that say something else than before, and lots that left. */
  lots: number;
  changed: number;
  removed: number;
  transactions: number;
  /** Stored valuations of days that would be valued otherwise now: they stay until they are made again. */
  valuationsWithout: number;
  /** Milliseconds for which the import kept the writer's lock. */
  holdMs: number;
};

/** All or nothing is one transaction, and requests that are charged meanwhile wait for it: this bounds how long. */
const portfolioBodyBytesMax = 4 * 1024 * 1024;

/**
 * Imports the file of lots and ledger rows at `bodyPath` into one portfolio of the database at `databasePath`: all of it, or
 * nothing.
 * @throws {OperatorError} when the file is refused: it names each fault with its line.
 * @throws {StoreRefusal} when the database file cannot be used.
 */
export async function importPortfolio(
  databasePath: string,
  bodyPath: string,
  options: PortfolioImportOptions,
  parts: PortfolioImportParts,
): Promise<PortfolioImportReport> {
  const { progress = silent } = parts;
  try {
    progress.phase("reading");
    const body = await readFeedFile(bodyPath, portfolioBodyBytesMax);
    return await importing(databasePath, (database) => importPortfolioBody(database, body, options, parts), options);
  } finally {
    progress.end();
  }
}

/** Imports on an open handle; the caller holds the import lock, or has a file that nobody else has open. */
export function importPortfolioBody(
  database: Database,
  body: FeedFile,
  { portfolioId, adapter, replace = false, dryRun = false }: PortfolioImportOptions,
  { clock, ids, progress = silent }: PortfolioImportParts,
): PortfolioImportReport {
  const store = new PortfolioWriter(database);
  const portfolio = knownPortfolio(store, portfolioId);
  progress.phase("checking");
  const now = clock.now();
  const rows = readRows(body, { adapter, replace }, database, store, now);
  const plan = planOf(portfolio, rows, { store, ids, now, replace }, body.name);
  const { accountId, added, changed, removed, transactions, firstDay } = plan;
  const valuationsWithout = firstDay === null ? 0 : store.valuationsFrom(portfolioId, accountId, firstDay);
  const isNew = [added, changed, removed, transactions].some(({ length }) => length > 0);
  progress.phase("writing");
  const holdMs = isNew && !dryRun ? write(database, store, portfolioId, plan, clock) : 0;
  return {
    portfolioId,
    file: body.name,
    adapter,
    replace,
    dryRun,
    outcome: isNew ? "imported" : "unchanged",
    lots: added.length,
    changed: changed.length,
    removed: removed.length,
    transactions: transactions.length,
    valuationsWithout,
    holdMs,
  };
}

function write(database: Database, store: PortfolioWriter, portfolioId: string, plan: Plan, clock: Clock): number {
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    // A transfer waits for no import, and the file was meant for the owner of before.
    if (knownPortfolio(store, portfolioId).accountId !== plan.accountId)
      throw new OperatorError(`portfolio ${portfolioId} was given away meanwhile; nothing was changed`);
    store.removeLots(plan.removed);
    store.changeLots(plan.changed);
    store.addLots(plan.added);
    store.addTransactions(plan.transactions);
    store.change(portfolioId, { updatedAt: clock.now() });
  });
  return clock.monotonicMs() - startedMs;
}

function readRows(
  body: FeedFile,
  { adapter, replace }: { adapter: PortfolioAdapterName; replace: boolean },
  database: Database,
  store: PortfolioWriter,
  now: number,
): ValidatedRows {
  const faults = new Faults();
  const parsed = portfolioAdapters[adapter](body, faults);
  const providers = new ProvidersStore(database);
  const lookup = {
    item: remembered((itemId: number) => store.item(itemId)),
    itemsNamed: remembered((name: string) => store.itemsNamed(name)),
    isProvider: remembered((provider: string) => providers.exists(provider)),
  };
  const rows = validateRows(parsed, lookup, now, faults);
  faults.refuse(body.name);
  // A header alone means that no lot is left; an empty file may be one that was cut off.
  if (parsed.length === 0 && !(replace && adapter === "csv")) throw refusedFile(body.name, "it holds no row");
  return rows;
}

function remembered<Key, Value>(look: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, look(key));
    return known.get(key)!;
  };
}
