import { type Database, writeTransaction } from "../../store/database.ts";
import type { HoldingGroupRow } from "../../store/read/owner-holdings.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { PortfolioWriter } from "../../store/write/portfolios.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { Clock } from "../../values/time/clock.ts";
import { type FeedFile, readFeedFile, refusedFile } from "../feed-file.ts";
import { importing } from "../run-import.ts";
import { Faults } from "./faults.ts";
import { type Plan, planOf } from "./import-plan.ts";
import { knownPortfolio } from "./manage.ts";
import { type PortfolioAdapterName, portfolioAdapters } from "./parsed-rows.ts";
import { type Unresolved, type ValidatedRows, validateRows } from "./validate-rows.ts";

/**
 * `replace`: the lots become those of the file; left out, a file brings new rows only. `leaveOut`: lots whose name means no item, or
 * several of which `choices` (item by reference) picks none, are left out and reported; otherwise they are faults. `state`: the portfolio's when
 * the same file was looked at; what would change another one is refused.
 */
type PortfolioImportOptions = {
  portfolioId: string;
  adapter: PortfolioAdapterName;
  replace?: boolean;
  dryRun?: boolean;
  leaveOut?: boolean;
  choices?: ReadonlyMap<string, number>;
  state?: string;
};
/** `authorize` is called in the transaction that writes, before it writes: what it throws leaves everything as it was. */
type PortfolioImportParts = { clock: Clock; ids: Ids; progress?: Progress; authorize?: () => void };

/** A lot that an import adds or removes. The name is null where this node does not have the item yet. */
export type ImportedLot = {
  item: Pick<HoldingGroupRow, "itemId" | "marketHashName" | "phase">;
  quantity: number;
  unitCostCents: number | null;
};

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
  /** The new lots, those that left, and those of the file that were left out. */
  added: readonly ImportedLot[];
  gone: readonly ImportedLot[];
  leftOut: readonly Unresolved[];
  /** What the file says that it does not hold; null: nothing. */
  cutOff: string | null;
  /** The portfolio's state for which this was planned. */
  state: string;
  /** Stored valuations of days that would be valued otherwise now: they stay until they are made again. */
  valuationsWithout: number;
  /** Milliseconds for which the import kept the writer's lock. */
  holdMs: number;
};

/** All or nothing is one transaction, and requests that are charged meanwhile wait for it: this bounds how long. */
const rowsBytesMax = 4 * 1024 * 1024;
/** An inventory tells of each item far more than is read. */
export const inventoryBytesMax = 8 * 1024 * 1024;
/** An inventory holds medals and coins that no market sells. */
const leaveOutHint = "`--leave-out` imports the others and tells these";

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
    const body = await readFeedFile(bodyPath, bytesMaxOf(options.adapter));
    return await importing(databasePath, (database) => importPortfolioBody(database, body, options, parts), options);
  } finally {
    progress.end();
  }
}

/** Returns the maximum bytes of an unpacked file. */
export function bytesMaxOf(adapter: PortfolioAdapterName): number {
  return adapter === "steam-inventory" ? inventoryBytesMax : rowsBytesMax;
}

/** Imports on an open handle. Where the caller does not hold the import lock, what another one changed meanwhile is found before it writes. */
export function importPortfolioBody(
  database: Database,
  body: FeedFile,
  options: PortfolioImportOptions,
  parts: PortfolioImportParts,
): PortfolioImportReport {
  const { portfolioId, adapter, replace = false, dryRun = false } = options;
  const { clock, ids, progress = silent } = parts;
  const store = new PortfolioWriter(database);
  const portfolio = knownPortfolio(store, portfolioId);
  progress.phase("checking");
  const now = clock.now();
  const state = store.stateOf(portfolioId);
  const { rows, cutOff } = readRows(body, options, database, store, now);
  const isInventory = adapter === "steam-inventory";
  const plan = planOf(portfolio, rows, { store, ids, now, replace, isInventory }, body.name);
  const { accountId, added, changed, removed, transactions, firstDay } = plan;
  const valuationsWithout = firstDay === null ? 0 : store.valuationsFrom(portfolioId, accountId, firstDay);
  const isNew = [added, changed, removed, transactions].some(({ length }) => length > 0);
  if (isNew && options.state !== undefined && options.state !== state)
    throw new OperatorError("the portfolio was changed since this was shown; nothing was imported: look at it again");
  const lotOf = ({ itemId, quantity, unitCostCents }: (typeof added)[number]): ImportedLot => ({
    item: store.item(itemId) ?? { itemId, marketHashName: null, phase: null },
    quantity,
    unitCostCents,
  });
  progress.phase("writing");
  const holdMs = isNew && !dryRun ? write(database, store, { portfolioId, plan, state }, parts) : 0;
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
    added: added.map(lotOf),
    gone: removed.map(lotOf),
    leftOut: rows.unresolved,
    cutOff,
    state,
    valuationsWithout,
    holdMs,
  };
}

/** `state`: the portfolio's when the plan was made. */
function write(
  database: Database,
  store: PortfolioWriter,
  { portfolioId, plan, state }: { portfolioId: string; plan: Plan; state: string },
  { clock, authorize }: PortfolioImportParts,
): number {
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    authorize?.();
    // A transfer waits for no import, and the file was meant for the owner of before.
    if (knownPortfolio(store, portfolioId).accountId !== plan.accountId)
      throw new OperatorError(`portfolio ${portfolioId} was given away meanwhile; nothing was changed`);
    if (store.stateOf(portfolioId) !== state)
      throw new OperatorError(`portfolio ${portfolioId} was changed meanwhile; nothing was imported: import it again`);
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
  options: PortfolioImportOptions,
  database: Database,
  store: PortfolioWriter,
  now: number,
): { rows: ValidatedRows; cutOff: string | null } {
  const { portfolioId, adapter, replace = false, leaveOut = false, choices = new Map() } = options;
  const isInventory = adapter === "steam-inventory";
  const faults = new Faults(isInventory ? "asset" : "line");
  const parsed = portfolioAdapters[adapter](body, faults);
  if (replace && parsed.cutOff !== null)
    throw refusedFile(body.name, `${parsed.cutOff}; it cannot replace what is held`);
  const providers = new ProvidersStore(database);
  const stored = new Map(store.lots(portfolioId).map(({ integrationRef, itemId }) => [integrationRef, itemId]));
  const lookup = {
    item: remembered((itemId: number) => store.item(itemId)),
    itemsNamed: remembered((name: string) => store.itemsNamed(name)),
    isProvider: remembered((provider: string) => providers.exists(provider)),
    itemOfLot: (ref: string) => stored.get(ref) ?? null,
  };
  const resolution = { choices, leavesOut: leaveOut, guessesPhase: !isInventory };
  const rows = validateRows(parsed.rows, lookup, now, faults, resolution);
  faults.refuse(body.name, isInventory && !leaveOut ? leaveOutHint : "");
  // A header alone means that no lot is left; an empty file may be one that was cut off.
  if (parsed.rows.length === 0 && !(replace && adapter === "csv")) throw refusedFile(body.name, "it holds no row");
  return { rows, cutOff: parsed.cutOff };
}

function remembered<Key, Value>(look: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, look(key));
    return known.get(key)!;
  };
}
