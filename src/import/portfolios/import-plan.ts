import { firstDayOf } from "../../domain/portfolio-value.ts";
import type {
  HoldingRecord,
  PortfolioRecord,
  PortfolioWriter,
  RemovedLot,
  TransactionRecord,
} from "../../store/write/portfolios.ts";
import type { Ids } from "../../values/ids.ts";
import { displayText } from "../../values/text/display-text.ts";
import { refusedFile } from "../feed-file.ts";
import type { Faults } from "./faults.ts";
import { isSteam } from "./sources.ts";
import type { ValidatedLot, ValidatedRows, ValidatedTransaction } from "./validate-rows.ts";

/**
 * Changes of an import. `accountId` is the owner at planning time. `moved` holds lots with only a new kind. `most` lists the kinds that
 * lose more than half of their lots.
 */
export type Plan = {
  accountId: string;
  added: HoldingRecord[];
  changed: HoldingRecord[];
  moved: HoldingRecord[];
  removed: HoldingRecord[];
  most: readonly Loss[];
  transactions: TransactionRecord[];
  /** The first day (since 1970) with a changed value. Null if no value changes. */
  firstDay: number | null;
};

/** Number of lots of a kind before an import, and number of removed ones. */
export type Loss = { source: string; lots: number; removed: number };

/** `sources` are the kinds of the files, `name` is their name. */
type PlanParts = {
  store: PortfolioWriter;
  ids: Ids;
  now: number;
  replace: boolean;
  sources: ReadonlySet<string>;
  name: string;
};

/** Maximum lots and ledger rows of a portfolio. Reads count and sort them, so their cost grows with this number. */
const portfolioRowsTotalMax = 20_000;

/**
 * Plans the changes to a portfolio from the rows of files. With `replace`, its lots of the kinds `sources` are replaced by the files' lots.
 * Conflicting rows are added to the faults of their file.
 * @throws {OperatorError} when the rows do not fit into the portfolio.
 */
export function planOf(portfolio: PortfolioRecord, rows: ValidatedRows, parts: PlanParts): Plan {
  const { portfolioId, accountId } = portfolio;
  const { store, replace, sources } = parts;
  const stored = new StoredRows(store, portfolio);
  const lots = rows.lots.map((row) => plannedLot(row, portfolioId, stored, parts));
  const lotOf = new Map(lots.map(({ record }) => [record.integrationRef!, record]));
  const transactions = rows.transactions.map((row) => {
    const holdingId = namedLot(row, lotOf.get(row.lotRef!), stored);
    return plannedTransaction(row, { portfolioId, accountId, holdingId }, stored, parts);
  });
  const leftOut = new Set(rows.unresolved.map(({ ref }) => ref));
  const changes = replace
    ? stored.replacedBy(lots, transactions, { sources, leftOut })
    : stored.withNew(lots, transactions);
  refuseTooMany(portfolioId, stored, changes, parts.name);
  const most = stored.losses(changes.removed).filter(({ lots: all, removed }) => removed * 2 > all);
  return {
    accountId,
    ...changes,
    moved: stored.moved(lots, changes.changed),
    most,
    firstDay: firstDayIn(changes, stored),
  };
}

function plannedLot(
  row: ValidatedLot,
  portfolioId: string,
  stored: StoredRows,
  { ids, now, replace }: PlanParts,
): Planned<HoldingRecord> {
  const before = stored.lot(row.ref);
  // A lot never changes its item, because ledger rows refer to it. A lot with the same reference but another item is new.
  const isSame = before !== undefined && (!replace || before.itemId === row.itemId);
  const removed = before === undefined ? stored.removedLot(row.ref, row.itemId) : undefined;
  const known = isSame ? before : removed;
  const { line, faults, unitCostCents, acquiredDay } = row;
  const fields = { ...commonOf(row), unitCostCents, acquiredDay };
  // Only an inventory changes the context of an asset. A table keeps it.
  const source = isSteam(row.source) || !isSame ? row.source : (before.source ?? row.source);
  return {
    line,
    faults,
    isAsset: isSteam(row.source),
    record: {
      portfolioId,
      holdingId: known?.holdingId ?? ids.handle("hl_"),
      ...(known !== undefined && isSteam(row.source) ? withKnownDetails(fields, known) : fields),
      origin: isSame ? before.origin : "import",
      createdAt: known?.createdAt ?? now,
      updatedAt: now,
      source,
    },
  };
}

/** Fills in fields of a known asset that an inventory lacks. */
function withKnownDetails<Row extends LotDetails>(row: Row, known: LotDetails): Row {
  return {
    ...row,
    unitCostCents: row.unitCostCents ?? known.unitCostCents,
    costEstimated: row.unitCostCents === null ? known.costEstimated : row.costEstimated,
    acquiredDay: row.acquiredDay ?? known.acquiredDay,
    notes: row.notes ?? known.notes,
    externalAccountId: row.externalAccountId ?? known.externalAccountId,
  };
}

/** Fields of a lot that an inventory never has. */
type LotDetails = Pick<RemovedLot, "unitCostCents" | "costEstimated" | "acquiredDay" | "notes" | "externalAccountId">;

function plannedTransaction(
  row: ValidatedTransaction,
  keys: { portfolioId: string; accountId: string; holdingId: string | null },
  stored: StoredRows,
  { ids, now }: PlanParts,
): Planned<TransactionRecord> {
  const { line, faults, kind, unitAmountCents, feeCents, totalAmountCents, provider, occurredDay, occurredAt } = row;
  const transactionId = stored.ledgerRow(row.ref)?.transactionId ?? ids.handle("tx_");
  const amounts = { unitAmountCents, feeCents, totalAmountCents };
  const fields = { ...keys, ...commonOf(row), transactionId, kind, ...amounts, provider };
  return { line, faults, isAsset: false, record: { ...fields, occurredDay, occurredAt, recordedAt: now } };
}

function commonOf({
  itemId,
  quantity,
  costEstimated,
  notes,
  externalAccountId,
  ref,
}: ValidatedLot | ValidatedTransaction) {
  return { itemId, quantity, costEstimated, notes, externalAccountId, integrationRef: ref };
}

/** Returns the lot that a ledger row refers to. It is in the file, in the portfolio, or named by the row's earlier import. */
function namedLot(
  { line, faults, ref, lotRef, itemId }: ValidatedTransaction,
  ofFile: HoldingRecord | undefined,
  stored: StoredRows,
): string | null {
  if (lotRef === null) return null;
  const lot = ofFile ?? stored.lot(lotRef);
  if (lot === undefined) {
    const before = stored.ledgerRow(ref)?.holdingId ?? null;
    if (before !== null && !stored.has(before)) return before;
    faults.add(line, "lot_ref", `neither the file nor the portfolio has a lot \`${displayText(lotRef)}\``);
    return null;
  }
  if (lot.itemId !== itemId) faults.add(line, "lot_ref", `its lot has item ${lot.itemId}, this row has item ${itemId}`);
  return lot.holdingId;
}

type Changes = Pick<Plan, "added" | "changed" | "removed" | "transactions">;

function refuseTooMany(
  portfolioId: string,
  stored: StoredRows,
  { added, removed, transactions }: Changes,
  name: string,
): void {
  const grown = added.length + transactions.length;
  const rows = stored.count - removed.length + grown;
  if (grown === 0 || rows <= portfolioRowsTotalMax) return;
  throw refusedFile(
    name,
    `portfolio ${portfolioId} would have ${rows} lots and ledger rows, but the maximum is ${portfolioRowsTotalMax}`,
  );
}

/** Returns the first day with a changed value. Null if no value changes. Changes in notes and references alone do not change a value. */
function firstDayIn({ added, changed, removed }: Changes, stored: StoredRows): number | null {
  const valuedOtherwise = changed.flatMap((lot) => {
    const before = stored.lot(lot.integrationRef!)!;
    const isSame = changedFields(before, lot).every((field) => !valuedFields.includes(field));
    return isSame ? [] : [before, lot];
  });
  const days = [...added, ...removed, ...valuedOtherwise].map(firstDayOf);
  return days.length === 0 ? null : days.reduce((first, day) => Math.min(first, day));
}

const valuedFields = ["quantity", "unit_cost", "acquired_on"];

/** A record built from a row, with the row's line and the faults of its file. `isAsset` is true for a row of an inventory. */
type Planned<Row> = { line: number; faults: Faults; isAsset: boolean; record: Row };

/** Rows of a portfolio before an import: all lots, and the ledger rows and removed lots of its current owner. */
class StoredRows {
  /** Number of lots and ledger rows, including ledger rows of earlier owners. */
  readonly count: number;
  readonly #lots: readonly HoldingRecord[];
  readonly #lotIds: ReadonlySet<string>;
  readonly #lotsByRef: ReadonlyMap<string | null, HoldingRecord>;
  readonly #transactionsByRef: ReadonlyMap<string | null, TransactionRecord>;
  readonly #removedByRef: ReadonlyMap<string, RemovedLot>;

  constructor(store: PortfolioWriter, { portfolioId, accountId }: PortfolioRecord) {
    const transactions = store.transactionsWithRefs(portfolioId, accountId);
    this.#lots = store.lots(portfolioId);
    this.#lotIds = new Set(this.#lots.map(({ holdingId }) => holdingId));
    this.#lotsByRef = new Map(this.#lots.map((row) => [row.integrationRef, row]));
    this.#transactionsByRef = new Map(transactions.map((row) => [row.integrationRef, row]));
    this.#removedByRef = store.removedLots(portfolioId, accountId);
    this.count = this.#lots.length + store.transactionCount(portfolioId);
  }

  lot(ref: string): HoldingRecord | undefined {
    return this.#lotsByRef.get(ref);
  }

  removedLot(ref: string, itemId: number): RemovedLot | undefined {
    const found = this.#removedByRef.get(ref);
    return found?.itemId === itemId ? found : undefined;
  }

  has(holdingId: string): boolean {
    return this.#lotIds.has(holdingId);
  }

  ledgerRow(ref: string): TransactionRecord | undefined {
    return this.#transactionsByRef.get(ref);
  }

  /**
   * Adds all records of tables, or none if each is already stored with the same fields. A mixture is a fault. Of inventories, adds the
   * assets that are not stored.
   */
  withNew(lots: readonly Planned<HoldingRecord>[], transactions: readonly Planned<TransactionRecord>[]): Changes {
    const all = [...lots, ...transactions];
    const isNew = ({ record }: Planned<HoldingRecord | TransactionRecord>) => this.#known(record) === undefined;
    const hasNewRows = all.some((one) => isNew(one) && !one.isAsset);
    for (const { line, faults, isAsset, record } of all.filter((one) => !isNew(one))) {
      const fields = changedFields(this.#known(record)!, record);
      const fix = "kind" in record || fields.includes("record") ? "" : "; `--replace` replaces it";
      if (fields.length > 0)
        faults.add(line, "integration_ref", `was imported before with another ${fields.join(", ")}${fix}`);
      else if (hasNewRows && !isAsset)
        faults.add(
          line,
          "integration_ref",
          "was imported before; a file must have only new rows or no new rows; use `--replace` for a longer list",
        );
    }
    const kept = { changed: [], removed: [] };
    return { ...kept, added: inOrder(lots.filter(isNew)), transactions: inOrder(transactions.filter(isNew)) };
  }

  /**
   * Replaces the lots of the kinds `sources` by the files' lots. Lots in `leftOut` stay. Ledger rows are only added; a stored row with
   * other fields is a fault.
   */
  replacedBy(
    lots: readonly Planned<HoldingRecord>[],
    transactions: readonly Planned<TransactionRecord>[],
    { sources, leftOut }: { sources: ReadonlySet<string>; leftOut: ReadonlySet<string> },
  ): Changes {
    for (const { line, faults, record } of [...lots, ...transactions]) {
      const before = this.#known(record);
      const fields = before === undefined ? [] : changedFields(before, record);
      if (fields.includes("record") || (fields.length > 0 && "kind" in record))
        faults.add(
          line,
          "integration_ref",
          `was imported before with another ${fields.join(", ")}; ledger rows are only added`,
        );
    }
    const kept = new Set(lots.map(({ record }) => record.holdingId));
    const refs = new Set(lots.map(({ record }) => record.integrationRef));
    const isChanged = ({ record }: Planned<HoldingRecord>) =>
      this.has(record.holdingId) && changedFields(this.#known(record)!, record).length > 0;
    const isGone = ({ holdingId, integrationRef, source }: HoldingRecord) =>
      !kept.has(holdingId) &&
      !leftOut.has(integrationRef ?? "") &&
      // A lot of another item has its reference now, or the files hold its kind completely.
      (refs.has(integrationRef) || (source !== null && sources.has(source)));
    return {
      added: inOrder(lots.filter(({ record }) => !this.has(record.holdingId))),
      changed: inOrder(lots.filter(isChanged)),
      removed: this.#lots.filter(isGone),
      transactions: inOrder(transactions.filter(({ record }) => this.#known(record) === undefined)),
    };
  }

  /** Returns stored lots that a file only moves to another kind. */
  moved(lots: readonly Planned<HoldingRecord>[], changed: readonly HoldingRecord[]): HoldingRecord[] {
    const written = new Set(changed.map(({ holdingId }) => holdingId));
    return lots.flatMap(({ record: { integrationRef, holdingId, source } }) => {
      const before = this.lot(integrationRef!);
      const isMoved = before?.holdingId === holdingId && before.source !== source && !written.has(holdingId);
      return isMoved ? [{ ...before, source }] : [];
    });
  }

  /** Counts the lots of each kind with removed lots. */
  losses(removed: readonly HoldingRecord[]): Loss[] {
    const lots = Map.groupBy(this.#lots, ({ source }) => source);
    const lost = Map.groupBy(removed, ({ source }) => source);
    return [...lost].flatMap(([source, gone]) =>
      source === null ? [] : [{ source, lots: lots.get(source)!.length, removed: gone.length }],
    );
  }

  #known({ integrationRef }: HoldingRecord | TransactionRecord): HoldingRecord | TransactionRecord | undefined {
    return this.#lotsByRef.get(integrationRef) ?? this.#transactionsByRef.get(integrationRef);
  }
}

/** Compared fields with their import names. If a row changed between lot and ledger row, the fields of only one kind differ. */
const comparedFields = {
  itemId: "item",
  quantity: "quantity",
  unitCostCents: "unit_cost",
  costEstimated: "cost_estimated",
  acquiredDay: "acquired_on",
  holdingId: "lot_ref",
  kind: "kind",
  unitAmountCents: "unit_amount",
  feeCents: "fee",
  totalAmountCents: "total_amount",
  provider: "provider",
  occurredDay: "occurred_on",
  occurredAt: "occurred_at",
  notes: "notes",
  externalAccountId: "external_account_id",
} as const;

function changedFields(before: object, after: object): string[] {
  const isOtherKind = "kind" in before !== "kind" in after;
  if (isOtherKind) return ["record"];
  return Object.entries(comparedFields)
    .filter(([field]) => Reflect.get(before, field) !== Reflect.get(after, field))
    .map(([, name]) => name);
}

/** Sorts records in storage order, so that a transaction touches few pages. */
function inOrder<Row extends HoldingRecord | TransactionRecord>(planned: readonly Planned<Row>[]): Row[] {
  const keyOf = (row: Row) => ("transactionId" in row ? row.transactionId : row.holdingId);
  const dayIn = (row: Row) => ("transactionId" in row ? row.occurredDay : 0);
  return planned
    .map(({ record }) => record)
    .sort((one, other) => dayIn(one) - dayIn(other) || (keyOf(one) < keyOf(other) ? -1 : 1));
}
