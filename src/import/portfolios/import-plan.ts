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
import { changedFields, type Planned, StoredRows } from "./repository.ts";
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
