import { firstDayOf } from "../../domain/portfolio-value.ts";
import type {
  HoldingRecord,
  PortfolioRecord,
  PortfolioWriter,
  TransactionRecord,
} from "../../store/write/portfolios.ts";
import type { Ids } from "../../values/ids.ts";
import { displayText } from "../../values/text/display-text.ts";
import { refusedFile } from "../feed-file.ts";
import { Faults } from "./faults.ts";
import type { ValidatedLot, ValidatedRows, ValidatedTransaction } from "./validate-rows.ts";

/** Changes of an import. `accountId`: the owner for whom it was planned. */
export type Plan = {
  accountId: string;
  added: HoldingRecord[];
  changed: HoldingRecord[];
  removed: HoldingRecord[];
  transactions: TransactionRecord[];
  /** The first day that would be valued otherwise, since 1970; null: none. */
  firstDay: number | null;
};

/**
 * `isInventory`: the file tells what is held at one moment and no more. Lots that are known keep what it does not tell, and a file may
 * have them beside new ones.
 */
type PlanParts = { store: PortfolioWriter; ids: Ids; now: number; replace: boolean; isInventory: boolean };

/** Maximum lots and ledger rows of a portfolio. Reads count and sort them, so the cost of a read grows with their number. */
const portfolioRowsTotalMax = 20_000;

/**
 * Plans what the rows of the file `name` change in a portfolio; `replace`: its lots become those of the file.
 * @throws {OperatorError} when rows do not fit together or into the portfolio, or were imported before.
 */
export function planOf(portfolio: PortfolioRecord, rows: ValidatedRows, parts: PlanParts, name: string): Plan {
  const { portfolioId, accountId } = portfolio;
  const { store, replace, isInventory } = parts;
  const stored = new StoredRows(store, portfolio);
  const faults = new Faults();
  const lots = rows.lots.map((row) => plannedLot(row, portfolioId, stored, parts));
  const lotOf = new Map(lots.map(({ record }) => [record.integrationRef!, record]));
  const transactions = rows.transactions.map((row) => {
    const holdingId = namedLot(row, lotOf.get(row.lotRef!), stored, faults);
    return plannedTransaction(row, { portfolioId, accountId, holdingId }, stored, parts);
  });
  const changes = replace
    ? stored.replacedBy(lots, transactions, faults)
    : stored.withNew(lots, transactions, faults, isInventory);
  faults.refuse(name);
  refuseTooMany(portfolioId, stored, changes, name);
  return { accountId, ...changes, firstDay: firstDayIn(changes, stored) };
}

function plannedLot(
  row: ValidatedLot,
  portfolioId: string,
  stored: StoredRows,
  { ids, now, replace, isInventory }: PlanParts,
): Planned<HoldingRecord> {
  const before = stored.lot(row.ref);
  // A lot is of one item for ever: ledger rows name it. What takes the place of one of another item is a new lot.
  const isSame = before !== undefined && (!replace || before.itemId === row.itemId);
  const { line, unitCostCents, acquiredDay } = row;
  const kept = isSame && isInventory ? keptFields(before) : {};
  return {
    line,
    record: {
      portfolioId,
      holdingId: isSame ? before.holdingId : ids.handle("hl_"),
      ...commonOf(row),
      unitCostCents,
      acquiredDay,
      ...kept,
      origin: isSame ? before.origin : "import",
      createdAt: isSame ? before.createdAt : now,
      updatedAt: now,
    },
  };
}

/** Returns the fields of a lot that no inventory has. */
function keptFields({ unitCostCents, costEstimated, acquiredDay, notes, externalAccountId }: HoldingRecord) {
  return { unitCostCents, costEstimated, acquiredDay, notes, externalAccountId };
}

function plannedTransaction(
  row: ValidatedTransaction,
  keys: { portfolioId: string; accountId: string; holdingId: string | null },
  stored: StoredRows,
  { ids, now }: PlanParts,
): Planned<TransactionRecord> {
  const { line, kind, unitAmountCents, feeCents, totalAmountCents, provider, occurredDay, occurredAt } = row;
  const transactionId = stored.ledgerRow(row.ref)?.transactionId ?? ids.handle("tx_");
  const amounts = { unitAmountCents, feeCents, totalAmountCents };
  const fields = { ...keys, ...commonOf(row), transactionId, kind, ...amounts, provider };
  return { line, record: { ...fields, occurredDay, occurredAt, recordedAt: now } };
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

/** Returns the lot that a ledger row names: one of the file, of the portfolio, or of before, if the row was imported with it. */
function namedLot(
  { line, ref, lotRef, itemId }: ValidatedTransaction,
  ofFile: HoldingRecord | undefined,
  stored: StoredRows,
  faults: Faults,
): string | null {
  if (lotRef === null) return null;
  const lot = ofFile ?? stored.lot(lotRef);
  if (lot === undefined) {
    const before = stored.ledgerRow(ref)?.holdingId ?? null;
    if (before !== null && !stored.has(before)) return before;
    faults.add(line, "lot_ref", `neither the file nor the portfolio has a lot \`${displayText(lotRef)}\``);
    return null;
  }
  if (lot.itemId !== itemId)
    faults.add(line, "lot_ref", `its lot is of item ${lot.itemId}, this row of item ${itemId}`);
  return lot.holdingId;
}

type Changes = Omit<Plan, "accountId" | "firstDay">;

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
    `portfolio ${portfolioId} would have ${rows} lots and ledger rows, and has at most ${portfolioRowsTotalMax}`,
  );
}

/** Returns the first day whose value changes; null: none. A change of notes and references alone changes no value. */
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

/** A record that a row of a file becomes, and the row's line. */
type Planned<Row> = { line: number; record: Row };

/** Rows of a portfolio before an import: its lots, and of the ledger what its present owner recorded. */
class StoredRows {
  /** Lots and ledger rows, those of earlier owners too. */
  readonly count: number;
  readonly #lots: readonly HoldingRecord[];
  readonly #lotIds: ReadonlySet<string>;
  readonly #lotsByRef: ReadonlyMap<string | null, HoldingRecord>;
  readonly #transactionsByRef: ReadonlyMap<string | null, TransactionRecord>;

  constructor(store: PortfolioWriter, { portfolioId, accountId }: PortfolioRecord) {
    const transactions = store.transactionsWithRefs(portfolioId, accountId);
    this.#lots = store.lots(portfolioId);
    this.#lotIds = new Set(this.#lots.map(({ holdingId }) => holdingId));
    this.#lotsByRef = new Map(this.#lots.map((row) => [row.integrationRef, row]));
    this.#transactionsByRef = new Map(transactions.map((row) => [row.integrationRef, row]));
    this.count = this.#lots.length + store.transactionCount(portfolioId);
  }

  lot(ref: string): HoldingRecord | undefined {
    return this.#lotsByRef.get(ref);
  }

  has(holdingId: string): boolean {
    return this.#lotIds.has(holdingId);
  }

  ledgerRow(ref: string): TransactionRecord | undefined {
    return this.#transactionsByRef.get(ref);
  }

  /**
   * Adds all records, or none if each is stored already with the same fields. Anything between is a fault; `mixes`: it adds those that
   * are not stored.
   */
  withNew(
    lots: readonly Planned<HoldingRecord>[],
    transactions: readonly Planned<TransactionRecord>[],
    faults: Faults,
    mixes: boolean,
  ): Changes {
    const all = [...lots, ...transactions];
    const known = all.filter(({ record }) => this.#known(record) !== undefined);
    for (const { line, record } of known) {
      const fields = changedFields(this.#known(record)!, record);
      const fix = "kind" in record || fields.includes("record") ? "" : "; `--replace` takes it";
      if (fields.length > 0)
        faults.add(line, "integration_ref", `was imported before with another ${fields.join(", ")}${fix}`);
      else if (known.length < all.length && !mixes)
        faults.add(line, "integration_ref", "was imported before; a file has either only new rows or none");
    }
    const isNew = ({ record }: Planned<HoldingRecord | TransactionRecord>) => this.#known(record) === undefined;
    const kept = { changed: [], removed: [] };
    return { ...kept, added: inOrder(lots.filter(isNew)), transactions: inOrder(transactions.filter(isNew)) };
  }

  /** Replaces the lots by those of the file. Ledger rows are only added: one that is stored with other fields is a fault. */
  replacedBy(
    lots: readonly Planned<HoldingRecord>[],
    transactions: readonly Planned<TransactionRecord>[],
    faults: Faults,
  ): Changes {
    for (const { line, record } of [...lots, ...transactions]) {
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
    const isChanged = ({ record }: Planned<HoldingRecord>) =>
      this.has(record.holdingId) && changedFields(this.#known(record)!, record).length > 0;
    return {
      added: inOrder(lots.filter(({ record }) => !this.has(record.holdingId))),
      changed: inOrder(lots.filter(isChanged)),
      removed: this.#lots.filter(({ holdingId }) => !kept.has(holdingId)),
      transactions: inOrder(transactions.filter(({ record }) => this.#known(record) === undefined)),
    };
  }

  #known({ integrationRef }: HoldingRecord | TransactionRecord): HoldingRecord | TransactionRecord | undefined {
    return this.#lotsByRef.get(integrationRef) ?? this.#transactionsByRef.get(integrationRef);
  }
}

/** Fields that are compared, with their names in an import; a row that was a lot and is a ledger row now differs in all that only one of them has. */
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

/** Sorts records into the order of the stored rows, so that a transaction touches few pages. */
function inOrder<Row extends HoldingRecord | TransactionRecord>(planned: readonly Planned<Row>[]): Row[] {
  const keyOf = (row: Row) => ("transactionId" in row ? row.transactionId : row.holdingId);
  const dayIn = (row: Row) => ("transactionId" in row ? row.occurredDay : 0);
  return planned
    .map(({ record }) => record)
    .sort((one, other) => dayIn(one) - dayIn(other) || (keyOf(one) < keyOf(other) ? -1 : 1));
}
