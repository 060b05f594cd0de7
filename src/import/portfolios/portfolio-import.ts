import { type Database, writeTransaction } from "../../store/database.ts";
import { LotAsks } from "../../store/read/lot-asks.ts";
import type { HoldingGroupRow } from "../../store/read/owner-holdings.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { type PortfolioRecord, PortfolioWriter } from "../../store/write/portfolios.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { displayText } from "../../values/text/display-text.ts";
import { comparableName } from "../../values/text/item-names.ts";
import type { Clock } from "../../values/time/clock.ts";
import { type FeedFile, readFeedFile, refusedFile } from "../feed-file.ts";
import { type OddCost, oddCosts } from "../guards/lot-costs.ts";
import { importing } from "../run-import.ts";
import { Faults } from "./faults.ts";
import { type Loss, type Plan, planOf } from "./import-plan.ts";
import { knownPortfolio } from "./manage.ts";
import { type ParsedFile, type PortfolioAdapterName, portfolioAdapters } from "./parsed-rows.ts";
import { nameByContent, type ParsedRow } from "./rows.ts";
import { formSource, sourceText, steamSource, tableSource } from "./sources.ts";
import { type InventoryPage, missingItems } from "./steam-inventory.ts";
import { importBefore } from "./undo.ts";
import { type FileRows, type Unresolved, type ValidatedRows, validateRows } from "./validate-rows.ts";

/** A file to import. */
export type PortfolioFile = FeedFile & { adapter: PortfolioAdapterName };
/** The path of a file to import. */
type PortfolioPath = { path: string; adapter: PortfolioAdapterName };

/**
 * Options of an import.
 *
 * `replace` replaces the lots of the files' kinds by the files' lots; without it only new rows are added. `removeMost` permits removing
 * more than half of the lots of a kind. `account` is the name of the inventories' Steam account; absent for the unnamed account.
 *
 * `leaveOut` skips and reports lots with an unknown name, or an ambiguous name without an entry in `choices` (item by reference). Otherwise
 * such lots are faults. `state` is the portfolio's state at the preview; a changed state is rejected.
 */
type PortfolioImportOptions = {
  portfolioId: string;
  replace?: boolean;
  removeMost?: boolean;
  account?: string;
  dryRun?: boolean;
  leaveOut?: boolean;
  choices?: ReadonlyMap<string, number>;
  state?: string;
  /** True if an owner entered the rows in a form. */
  isForm?: boolean;
};
/** `authorize` is called first in the writing transaction. An exception in it prevents all changes. */
type PortfolioImportParts = { clock: Clock; ids: Ids; progress?: Progress; authorize?: () => void };

/** A lot that an import adds or removes. The name is null if this node does not have the item yet. */
export type ImportedLot = {
  item: Pick<HoldingGroupRow, "itemId" | "marketHashName" | "phase">;
  quantity: number;
  unitCostCents: number | null;
};

/** Result of an import. `file` and `adapter` cover all files. `unchanged` means that the portfolio already equals the files. */
export type PortfolioImportReport = {
  portfolioId: string;
  file: string;
  adapter: string;
  replace: boolean;
  dryRun: boolean;
  outcome: "imported" | "unchanged";
  /** Numbers of new lots, changed lots, removed lots and new ledger rows. */
  lots: number;
  changed: number;
  removed: number;
  transactions: number;
  /** Lots with a change only in their asset's context. */
  moved: number;
  /** The new lots, the removed lots, and the lots left out. */
  added: readonly ImportedLot[];
  gone: readonly ImportedLot[];
  leftOut: readonly Unresolved[];
  /** New and changed lots with a cost far from the item's asks, as a warning. */
  oddCosts: readonly { name: string | null; finding: OddCost }[];
  /** Kinds that lose more than half of their lots. */
  most: readonly Loss[];
  /** The missing items that the file itself reports, as text. Null if it is complete. */
  cutOff: string | null;
  /** The portfolio's state behind this plan. */
  state: string;
  /** Number of stored valuations that the new lots would change. They stay until recalculated. */
  valuationsWithout: number;
  /** Time that the import held the write lock, in ms. */
  holdMs: number;
};

/** Maximum file size. One transaction writes the file while charged requests wait, so this limits the wait. */
const rowsBytesMax = 4 * 1024 * 1024;
/** Larger, because an inventory contains much more data per item than is read. */
export const inventoryBytesMax = 8 * 1024 * 1024;
/** Maximum item names in the message about removing most lots of a kind. */
const goneMax = 5;
/** Inventories contain medals and coins, which no market sells. */
const leaveOutHint = "`--leave-out` imports the others and lists these";

/**
 * Imports files of lots and ledger rows into one portfolio of the database at `databasePath`, all together or none.
 * @throws {OperatorError} when a file is rejected. The message lists each fault with its line.
 * @throws {StoreRefusal} when the database file cannot be used.
 */
export async function importPortfolio(
  databasePath: string,
  paths: readonly PortfolioPath[],
  options: PortfolioImportOptions,
  parts: PortfolioImportParts,
): Promise<PortfolioImportReport> {
  const { progress = silent } = parts;
  try {
    progress.phase("reading");
    const files = await readPortfolioFiles(paths);
    return await importing(databasePath, (database) => importPortfolioFiles(database, files, options, parts), options);
  } finally {
    progress.end();
  }
}

/** Reads the files of an import. */
export async function readPortfolioFiles(paths: readonly PortfolioPath[]): Promise<PortfolioFile[]> {
  const files: PortfolioFile[] = [];
  for (const { path, adapter } of paths) files.push({ ...(await readFeedFile(path, bytesMaxOf(adapter))), adapter });
  return files;
}

/** Returns the maximum bytes of an uncompressed file. */
export function bytesMaxOf(adapter: PortfolioAdapterName): number {
  return adapter === "steam-inventory" ? inventoryBytesMax : rowsBytesMax;
}

/** Imports on an open handle. Without the import lock, a concurrent change is detected before the write. */
export function importPortfolioFiles(
  database: Database,
  files: readonly PortfolioFile[],
  options: PortfolioImportOptions,
  parts: PortfolioImportParts,
): PortfolioImportReport {
  const { portfolioId, replace = false, removeMost = false, dryRun = false } = options;
  const { clock, ids, progress = silent } = parts;
  const store = new PortfolioWriter(database);
  const portfolio = knownPortfolio(store, portfolioId);
  progress.phase("checking");
  const now = clock.now();
  const state = store.stateOf(portfolioId);
  const name = files.map((file) => file.name).join(", ");
  const { rows, sources, missing, refuse } = readRows(database, store, files, { options, portfolio, now });
  const plan = planOf(portfolio, rows, { store, ids, now, replace, sources, name });
  refuse();
  const { accountId, added, changed, moved, removed, most, transactions, firstDay } = plan;
  const valuationsWithout = firstDay === null ? 0 : store.valuationsFrom(portfolioId, accountId, firstDay);
  const isNew = [added, changed, removed, transactions].some(({ length }) => length > 0);
  if (isNew && options.state !== undefined && options.state !== state)
    throw new OperatorError("the portfolio has changed since this was shown; nothing was imported: check it again");
  const lotOf = ({ itemId, quantity, unitCostCents }: (typeof added)[number]): ImportedLot => ({
    item: store.item(itemId) ?? { itemId, marketHashName: null, phase: null },
    quantity,
    unitCostCents,
  });
  const gone = removed.map(lotOf);
  if (!dryRun && !removeMost && most.length > 0) throw removesMost(name, most, gone);
  progress.phase("writing");
  const writes = (isNew || moved.length > 0) && !dryRun;
  const holdMs = writes ? write(database, store, { portfolioId, plan, state, isNew }, parts) : 0;
  return {
    portfolioId,
    file: name,
    adapter: [...new Set(files.map(({ adapter }) => adapter))].join(", "),
    replace,
    dryRun,
    outcome: isNew || moved.length > 0 ? "imported" : "unchanged",
    lots: added.length,
    changed: changed.length,
    removed: removed.length,
    transactions: transactions.length,
    moved: moved.length,
    added: added.map(lotOf),
    gone,
    leftOut: rows.unresolved,
    oddCosts: oddCostsIn(database, store, [...added, ...changed]),
    most,
    cutOff: missing,
    state,
    valuationsWithout,
    holdMs,
  };
}

function oddCostsIn(database: Database, store: PortfolioWriter, lots: Plan["added"]) {
  const asks = new LotAsks(database);
  const odd = oddCosts(lots, (itemId, day) => asks.near(itemId, day));
  return odd.map((finding) => ({ name: store.item(finding.lot.itemId)?.marketHashName ?? null, finding }));
}

/** Prevents that a wrong file, or another account's file, removes nearly all lots. */
function removesMost(name: string, most: readonly Loss[], gone: readonly ImportedLot[]): OperatorError {
  const items = [...new Set(gone.map(({ item }) => item.marketHashName ?? `item ${item.itemId}`))].sort();
  const more = items.length > goneMax ? [`  and ${items.length - goneMax} more items`] : [];
  return new OperatorError(
    [
      `${name}: it would remove ${lossesText(most)}, like the file of another account; nothing was changed; \`--remove-most\` removes them`,
      ...items.slice(0, goneMax).map((item) => `  would remove ${displayText(item)}`),
      ...more,
    ].join("\n"),
  );
}

/** Describes the kinds with removed lots. */
export function lossesText(most: readonly Loss[]): string {
  return most.map(({ source, lots, removed }) => `${removed} of ${lots} ${sourceText(source)}`).join(" and ");
}

/** `state` is the portfolio's state when the plan was made. */
function write(
  database: Database,
  store: PortfolioWriter,
  { portfolioId, plan, state, isNew }: { portfolioId: string; plan: Plan; state: string; isNew: boolean },
  { clock, authorize }: PortfolioImportParts,
): number {
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    authorize?.();
    // A transfer may happen during an import, and the file was meant for the previous owner.
    if (knownPortfolio(store, portfolioId).accountId !== plan.accountId)
      throw new OperatorError(`portfolio ${portfolioId} was transferred meanwhile; nothing was changed`);
    if (store.stateOf(portfolioId) !== state)
      throw new OperatorError(`portfolio ${portfolioId} was changed meanwhile; nothing was imported: import it again`);
    const before = importBefore(store, portfolioId, plan);
    store.removeLots(plan.removed, plan.accountId, clock.now());
    store.changeLots([...plan.changed, ...plan.moved]);
    store.addLots(plan.added);
    store.addTransactions(plan.transactions);
    if (isNew) store.change(portfolioId, { updatedAt: clock.now() });
    store.keepImport({ portfolioId, accountId: plan.accountId, importedAt: clock.now(), before });
  });
  return clock.monotonicMs() - startedMs;
}

/**
 * Rows of all files. `missing` describes the items that the files report as missing; null if complete. `refuse` throws if there are faults.
 */
type ReadRows = { rows: ValidatedRows; sources: ReadonlySet<string>; missing: string | null; refuse: () => void };
type ReadParts = { options: PortfolioImportOptions; portfolio: PortfolioRecord; now: number };

function readRows(
  database: Database,
  store: PortfolioWriter,
  files: readonly PortfolioFile[],
  { options, portfolio, now }: ReadParts,
): ReadRows {
  const { replace = false, leaveOut = false, choices = new Map(), account = "", isForm = false } = options;
  const source = isForm ? formSource : tableSource;
  const lookup = lookupOf(database, store, portfolio);
  const parsed = files.map(parsedFile);
  nameByContent(
    parsed.flatMap((file) => file.rows),
    lookup.hasLot,
  );
  refuseEmpty(parsed, replace);
  const missing = missingOf(parsed.flatMap(({ pages }) => pages));
  if (replace && missing !== null)
    throw refusedFile(parsed[0]!.faults.name, `${missing}; an incomplete file cannot replace lots`);
  const read = latestAssets(parsed);
  const rows = validateRows(read, { lookup, now, resolution: { choices, leavesOut: leaveOut }, account, source });
  const contexts = parsed.flatMap(({ rows: all }) => all.flatMap(({ context }) => context ?? []));
  const hasTable = files.some(({ adapter }) => adapter !== "steam-inventory");
  const sources = [...contexts.map((context) => steamSource(context, account)), ...(hasTable ? [source] : [])];
  const refuse = () => {
    for (const { faults } of parsed) faults.refuse(faults.place === "asset" && !leaveOut ? leaveOutHint : "");
  };
  refuse();
  return { rows, sources: new Set(sources), missing, refuse };
}

type ParsedPart = FileRows & { file: PortfolioFile; pages: readonly InventoryPage[] };

function parsedFile(file: PortfolioFile): ParsedPart {
  const faults = new Faults(file.name, file.adapter === "steam-inventory" ? "asset" : "line");
  const { rows, pages }: ParsedFile = portfolioAdapters[file.adapter](file, faults);
  return { file, rows, faults, pages };
}

/** Keeps the last inventory row of each asset, and adds fields from table rows of the same lot. */
function latestAssets(files: readonly ParsedPart[]): FileRows[] {
  const refOf = ({ fields }: ParsedRow) => fields.get("integration_ref")?.text ?? "";
  const isTold = ({ context, fields }: ParsedRow) => context === undefined && fields.get("record")?.text === "lot";
  const all = files.flatMap(({ rows }) => rows);
  const assets = new Map(all.filter(({ context }) => context !== undefined).map((row) => [refOf(row), row]));
  const told = new Map(all.filter(isTold).map((row) => [refOf(row), row]));
  return files.map(({ faults, rows }) => ({
    faults,
    rows: rows.flatMap((row) => {
      const asset = assets.get(refOf(row));
      if (row.context !== undefined) return asset === row && !told.has(refOf(row)) ? [row] : [];
      return asset === undefined || !isTold(row) ? [row] : [{ ...row, context: asset.context! }];
    }),
  }));
}

function missingOf(pages: readonly InventoryPage[]): string | null {
  const groups = [...Map.groupBy(pages, ({ context }) => context).values()];
  const missing = groups.flatMap((group) => missingItems(group) ?? []);
  return missing.length === 0 ? null : missing.join("; ");
}

/** A header alone means that no lot is left. An empty file may be truncated. */
function refuseEmpty(files: readonly ParsedPart[], replace: boolean): void {
  const tables = files.filter(({ file }) => file.adapter !== "steam-inventory");
  for (const { file, rows, faults } of tables)
    if (rows.length === 0 && faults.count === 0 && !(replace && file.adapter === "csv"))
      throw refusedFile(file.name, "it has no rows");
  const [first] = files;
  if (tables.length === 0 && first !== undefined && files.every(({ rows, faults }) => rows.length + faults.count === 0))
    throw refusedFile(
      first.file.name,
      "it has no rows: this context has no items; trade-protected items are in context 16, `https://steamcommunity.com/inventory/STEAM_ID/730/16`",
    );
}

function lookupOf(database: Database, store: PortfolioWriter, { portfolioId, accountId }: PortfolioRecord) {
  const providers = new ProvidersStore(database);
  const lots = store.lots(portfolioId);
  const before = [
    ...store.removedLots(portfolioId, accountId).values(),
    ...store.transactionsWithRefs(portfolioId, accountId),
    ...lots,
  ];
  const items = new Map(before.map(({ integrationRef, itemId }) => [integrationRef, itemId]));
  const refs = new Set(lots.map(({ integrationRef }) => integrationRef));
  const named = (name: string) => {
    const exact = store.itemsNamed(name);
    return exact.length > 0 ? exact : store.itemsNamed(comparableName(name));
  };
  return {
    item: remembered((itemId: number) => store.item(itemId)),
    itemsNamed: remembered(named),
    isProvider: remembered((provider: string) => providers.exists(provider)),
    itemOf: (ref: string) => items.get(ref) ?? null,
    hasLot: (ref: string) => refs.has(ref),
  };
}

function remembered<Key, Value>(look: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, look(key));
    return known.get(key)!;
  };
}
