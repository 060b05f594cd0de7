import type { HoldingRecord, PortfolioRecord, PortfolioWriter } from "../../store/write/portfolios.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Plan } from "./import-plan.ts";

/** Ids of lots and ledger rows that an import added, and the lots that it changed or removed as they were. */
type Before = { added: string[]; transactions: string[]; changed: HoldingRecord[]; removed: HoldingRecord[] };

/** Numbers of lots and ledger rows that an undo took out, changed back or brought back. */
export type Undone = { [Kind in keyof Before]: number };

/** Returns the text by which an import that was planned can be taken back. */
export function importBefore(store: PortfolioWriter, portfolioId: string, plan: Plan): string {
  const changed = new Set([...plan.changed, ...plan.moved].map(({ holdingId }) => holdingId));
  const before: Before = {
    added: plan.added.map(({ holdingId }) => holdingId),
    transactions: plan.transactions.map(({ transactionId }) => transactionId),
    changed: store.lots(portfolioId).filter(({ holdingId }) => changed.has(holdingId)),
    removed: plan.removed,
  };
  return JSON.stringify(before);
}

/**
 * Takes the last import of a portfolio back. The cost, date and notes of a lot that leaves stay under its reference. The caller holds the
 * transaction. `at`: UTC ms.
 * @throws {OperatorError} when there is none, or something has changed the portfolio since.
 */
export function undoImport(store: PortfolioWriter, portfolio: PortfolioRecord, at: number): Undone {
  const { portfolioId, accountId } = portfolio;
  const last = store.lastImport(portfolio);
  if (last === null)
    throw new OperatorError(
      `portfolio ${portfolioId} has no import that can be undone: it was changed since the last one`,
    );
  const { added, transactions, changed, removed } = JSON.parse(last.before) as Before;
  const isAdded = new Set(added);
  store.removeLots(
    store.lots(portfolioId).filter(({ holdingId }) => isAdded.has(holdingId)),
    accountId,
    at,
  );
  store.changeLots(changed);
  store.addLots(removed);
  store.removeTransactions(transactions);
  store.forgetImport(portfolioId);
  store.change(portfolioId, { updatedAt: at });
  store.addOwnerChange(accountId, at, `portfolio ${portfolioId} had its last import undone`);
  return {
    added: added.length,
    transactions: transactions.length,
    changed: changed.length,
    removed: removed.length,
  };
}
