import type { HoldingRecord, PortfolioRecord, PortfolioWriter } from "../../store/write/portfolios.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Plan } from "./import-plan.ts";

/** The state before an import: ids of added lots and ledger rows, and the earlier versions of changed and removed lots. */
type Before = { added: string[]; transactions: string[]; changed: HoldingRecord[]; removed: HoldingRecord[] };

/** Numbers of lots and ledger rows that an undo removed, changed back or restored. */
export type Undone = { [Kind in keyof Before]: number };

/** Returns the text that allows a planned import to be undone. */
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
 * Undoes the last import of a portfolio. Cost, date and notes of a removed lot stay stored under its reference. The caller holds the
 * transaction. `at` is UTC ms.
 * @throws {OperatorError} when no import exists, or the portfolio has changed since.
 */
export function undoImport(store: PortfolioWriter, portfolio: PortfolioRecord, at: number): Undone {
  const { portfolioId, accountId } = portfolio;
  const last = store.lastImport(portfolio);
  if (last === null)
    throw new OperatorError(`portfolio ${portfolioId} has no import to undo: it was changed since the last one`);
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
