import type {
  HoldingRecord,
  PortfolioRecord,
  PortfolioWriter,
  TransactionRecord,
} from "../../store/write/portfolios.ts";
import type { Faults } from "./faults.ts";

/** A record that a row of a file becomes, and the row's line. */
export type Planned<Row> = { line: number; record: Row };

type Changes = {
  added: HoldingRecord[];
  changed: HoldingRecord[];
  removed: HoldingRecord[];
  transactions: TransactionRecord[];
};

/** Rows of a portfolio before an import: its lots, and of the ledger what its present owner recorded. */
export class StoredRows {
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

/** Returns the columns in which two records differ. */
export function changedFields(before: object, after: object): string[] {
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
