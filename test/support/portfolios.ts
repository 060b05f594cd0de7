import type { Database } from "../../src/store/database.ts";

type PortfolioFacts = {
  name?: string;
  displayCurrency?: string;
  isPublic?: boolean;
  priceSource?: string;
  createdAt?: number;
};
type HoldingFacts = {
  itemId?: number;
  quantity?: number;
  unitCostCents?: number | null;
  costEstimated?: boolean;
  acquiredDay?: number | null;
};
type TransactionFacts = {
  holdingId?: string | null;
  kind?: string;
  itemId?: number;
  quantity?: number;
  unitAmountCents?: number | null;
  occurredAt?: number | null;
};
type ValuationFacts = {
  valueCents?: number | null;
  costBasisCents?: number | null;
  holdingCount?: number;
  pricedHoldingCount?: number;
  priceSource?: string | null;
  priceAsOf?: number | null;
  /** Beside the own value of the day. */
  atMain?: boolean;
};

/** Default write time of rows. */
export const writtenAt = Date.UTC(2026, 0, 2);

/** A word that only a private column holds. No answer and no log line may have it. */
export const canaryForm = /canary-[a-z-]+/;

/** An id of the right form that `tag` makes unique. */
export function idOf(prefix: "pf_" | "hl_" | "tx_", tag: string): string {
  return prefix + tag.replaceAll(/[^A-Za-z0-9]/g, "").padStart(24, "0");
}

/** Portfolios as rows, written as another process would. Every private column holds a different canary. */
export class PortfolioRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  portfolio(tag: string, accountId: string, facts: PortfolioFacts = {}): string {
    const portfolioId = idOf("pf_", tag);
    const { name = `Portfolio ${tag}`, displayCurrency = "USD", isPublic = false, priceSource = "steam" } = facts;
    const { createdAt = writtenAt } = facts;
    this.#run(
      "INSERT INTO portfolios VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
      portfolioId,
      accountId,
      name,
      displayCurrency,
      Number(isPublic),
      priceSource,
      ...canaries("portfolio"),
      createdAt,
      createdAt,
    );
    return portfolioId;
  }

  holding(portfolioId: string, tag: string, facts: HoldingFacts = {}): string {
    const holdingId = idOf("hl_", tag);
    const { itemId = 1, quantity = 1, unitCostCents = null, costEstimated = false, acquiredDay = null } = facts;
    this.#run(
      "INSERT INTO holdings VALUES (?, ?, ?, ?, ?, ?, ?, 'manual', ?, ?, ?, ?, ?, 'steam:730:2:canary-holding-steam')",
      portfolioId,
      holdingId,
      itemId,
      quantity,
      unitCostCents,
      Number(costEstimated),
      acquiredDay,
      ...canaries("holding"),
      writtenAt,
      writtenAt,
    );
    return holdingId;
  }

  /** A lot that an import removed for the present owner. */
  removedLot(portfolioId: string, tag: string): void {
    const [notes, account, ref] = canaries("removed");
    const values = [ref, idOf("hl_", tag), 1, null, 0, null, notes, account, writtenAt, writtenAt];
    const places = values.map(() => "?").join(", ");
    this.#run(`INSERT INTO removed_lots VALUES (?, ?, ${places})`, portfolioId, this.#ownerOf(portfolioId), ...values);
  }

  /** Adds a ledger row of the portfolio's current owner. */
  transaction(portfolioId: string, tag: string, occurredDay: number, facts: TransactionFacts = {}): string {
    const transactionId = idOf("tx_", tag);
    const {
      holdingId = null,
      kind = "buy",
      itemId = 1,
      quantity = 1,
      unitAmountCents = null,
      occurredAt = null,
    } = facts;
    this.#run(
      "INSERT INTO portfolio_transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, NULL, ?, ?, ?, ?, ?)",
      portfolioId,
      this.#ownerOf(portfolioId),
      occurredDay,
      transactionId,
      holdingId,
      kind,
      itemId,
      quantity,
      unitAmountCents,
      occurredAt,
      writtenAt,
      ...canaries("transaction"),
    );
    return transactionId;
  }

  /** Adds a valuation for the portfolio's current owner. */
  valuation(portfolioId: string, day: number, facts: ValuationFacts = {}): void {
    const { valueCents = 100, costBasisCents = null, holdingCount = 1, pricedHoldingCount = 1 } = facts;
    const { priceSource = "steam", priceAsOf = null, atMain = false } = facts;
    this.#run(
      `INSERT INTO ${atMain ? "main" : "portfolio"}_valuations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL)`,
      portfolioId,
      this.#ownerOf(portfolioId),
      day,
      valueCents,
      costBasisCents,
      holdingCount,
      pricedHoldingCount,
      priceSource,
      priceAsOf,
      writtenAt,
    );
  }

  select(keyId: string, ...portfolioIds: string[]): void {
    for (const portfolioId of portfolioIds) {
      this.#run("INSERT INTO key_portfolios VALUES (?, ?, ?, '1')", keyId, portfolioId, writtenAt);
    }
  }

  unselect(keyId: string, portfolioId: string): void {
    this.#run("DELETE FROM key_portfolios WHERE key_id = ? AND portfolio_id = ?", keyId, portfolioId);
  }

  transfer(portfolioId: string, accountId: string): void {
    this.#run("UPDATE portfolios SET account_id = ? WHERE portfolio_id = ?", accountId, portfolioId);
  }

  remove(portfolioId: string): void {
    this.#run("UPDATE portfolios SET deleted_at = ? WHERE portfolio_id = ?", writtenAt, portfolioId);
  }

  #ownerOf(portfolioId: string): unknown {
    const owner = this.#database.$client.prepare("SELECT account_id FROM portfolios WHERE portfolio_id = ?");
    return owner.pluck().get(portfolioId);
  }

  #run(text: string, ...values: unknown[]): void {
    this.#database.$client.prepare(text).run(...values);
  }
}

function canaries(table: string): string[] {
  return ["notes", "external-account", "integration"].map((column) => `canary-${table}-${column}`);
}
