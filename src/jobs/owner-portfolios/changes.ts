import { checkedName } from "../../access/accounts.ts";
import type { PortfolioFacts, Undone } from "../../access/owners/owner-portfolios.ts";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import type { Owners } from "../../access/owners/owners.ts";
import type { PortfolioManager } from "../../import/portfolios/manage.ts";
import { undoImport } from "../../import/portfolios/undo.ts";
import type { PortfolioWriter } from "../../store/write/portfolios.ts";

/** An owner and the current time, UTC ms. */
type Actor = { accountId: string; at: number };

/** Limits per owner: portfolios, and lots and ledger rows in all portfolios together. */
const portfoliosMax = 50;
const rowsMax = 40_000;

/** Creates a portfolio and returns its id. The caller holds the transaction. */
export function createPortfolio(
  manager: PortfolioManager,
  store: PortfolioWriter,
  { accountId, at, isFree }: Actor & { isFree: boolean },
  facts: PortfolioFacts,
): string {
  if (store.list(accountId).length >= portfoliosMax)
    throw new OwnerRefusal("conflict", `An account has at most ${portfoliosMax} portfolios.`);
  const { portfolioId } = manager.create({ accountId, isFree, ...checkedFacts(facts) });
  store.addOwnerChange(accountId, at, `portfolio ${portfolioId} was created`);
  return portfolioId;
}

/** Sets name, display currency and price source of a portfolio. The caller holds the transaction. */
export function changePortfolio(
  manager: PortfolioManager,
  store: PortfolioWriter,
  { accountId, at }: Actor,
  { portfolioId, ...facts }: PortfolioFacts & { portfolioId: string },
): void {
  if (store.find(portfolioId)?.accountId !== accountId) throw new OwnerRefusal("unknown_portfolio");
  manager.change(portfolioId, checkedFacts(facts));
  store.addOwnerChange(accountId, at, `portfolio ${portfolioId} was renamed`);
}

/** Undoes the last import of a portfolio. The caller holds the transaction. */
export function undoLastImport(store: PortfolioWriter, { accountId, at }: Actor, portfolioId: string): Undone {
  const portfolio = store.find(portfolioId);
  if (portfolio?.accountId !== accountId) throw new OwnerRefusal("unknown_portfolio");
  if (store.lastImport(portfolio) === null)
    throw new OwnerRefusal(
      "conflict",
      "The portfolio was changed since its last import, so the import can no longer be undone.",
    );
  return undoImport(store, portfolio, at);
}

function checkedFacts({ name, displayCurrency, priceSource = "" }: PortfolioFacts) {
  const source = priceSource === "" ? {} : { priceSource };
  return { name: checkedName("portfolio", name), displayCurrency: displayCurrency.trim().toUpperCase(), ...source };
}

/** A portfolio that a session wants to change. */
export type OwnersPortfolio = {
  portfolioId: string;
  /**
   * Checks that the session is active and its owner has the portfolio. With `writes` the import is also recorded in the activity.
   * @throws {OwnerRefusal} `session_ended`, `account_disabled`, `unknown_portfolio` or `conflict`.
   */
  authorize(asked: { writes: boolean }): void;
};

/** Returns a portfolio for a session. The writing transaction checks the permission again. */
export function ownersPortfolio(
  owners: Owners,
  store: PortfolioWriter,
  { sessionHash, portfolioId, at }: { sessionHash: string; portfolioId: string; at: number },
): OwnersPortfolio {
  const authorize = ({ writes }: { writes: boolean }) =>
    owners.act(sessionHash, { recent: false }, ({ accountId }) => {
      if (store.find(portfolioId)?.accountId !== accountId) throw new OwnerRefusal("unknown_portfolio");
      const rows = store.list(accountId).reduce((sum, { lots, transactions }) => sum + lots + transactions, 0);
      if (rows >= rowsMax)
        throw new OwnerRefusal("conflict", `The portfolios of an account have ${rows} lots and ledger rows already.`);
      if (writes) store.addOwnerChange(accountId, at, `portfolio ${portfolioId} was filled from a file`);
    });
  return { portfolioId, authorize };
}
