import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";
import type { State } from "./replay-states.ts";
import { type CallerName, get, type Makers, pageOf, type Row, type Subjects } from "./replay-subjects.ts";

type PortfolioOperation = keyof ReturnType<typeof portfolioRequests>;

/** A sound request of each operation that reads portfolios. */
export function portfolioRequests({ inventory }: Pick<Subjects, "inventory">) {
  return {
    listPortfolios: get("/v1/me/portfolios"),
    getPortfolio: get(`/v1/me/portfolios/${inventory}`),
    listPortfolioHoldings: get(`/v1/me/portfolios/${inventory}/holdings`),
    listPortfolioTransactions: get(`/v1/me/portfolios/${inventory}/transactions`),
    getPortfolioHistory: get(`/v1/me/portfolios/${inventory}/history`),
  } satisfies Partial<Record<OperationId, RawRequest>>;
}

const operations = Object.keys(portfolioRequests({ inventory: "" }));

/**
 * The caller that replaces `caller` at an operation. Portfolios are read with personal tokens. These tokens have not selected a portfolio.
 */
export function callerAt(operation: OperationId, caller: CallerName): CallerName {
  if (!operations.includes(operation)) return caller;
  if (caller === "builder") return "portfolioToken";
  return caller === "builderMinuteUsed" ? "tokenMinuteUsed" : caller;
}

/** The caller that received the first pages of an operation. */
export function readerAt(operation: OperationId): CallerName {
  return operations.includes(operation) ? "portfolioOwner" : "builder";
}

/** The rows of their examples. */
export function portfolioRows(subjects: Subjects, makers: Makers): Record<string, Row> {
  return {
    ...settings(subjects, makers),
    ...ledger(subjects, makers),
    ...values(subjects, makers),
    ...refused(subjects),
  };
}

/** A request of the owner, with a token that has selected the target. */
function own({ ask }: Makers, target: string, state?: State): Row {
  return ask(get(`/v1/me/portfolios${target}`), state, "portfolioOwner");
}

function settings(subjects: Subjects, makers: Makers): Record<string, Row> {
  const { inventory, showcase, emptyShelf, portfoliosPage, holdingsPage } = subjects;
  return {
    PortfoliosFirstPage: own(makers, "?limit=2"),
    PortfoliosLastPage: own(makers, `?after=${portfoliosPage}`),
    PortfoliosNoneLeft: own(makers, "", allDeleted),
    PortfolioDisplayedInEuro: own(makers, `/${inventory}`),
    PortfolioShared: own(makers, `/${showcase}`),
    HoldingsFirstPage: own(makers, `/${inventory}/holdings?limit=2`),
    HoldingsLastPage: own(makers, `/${inventory}/holdings?after=${holdingsPage}`),
    HoldingsNone: own(makers, `/${emptyShelf}/holdings`),
  };
}

function ledger({ inventory, transactionsPage }: Subjects, makers: Makers): Record<string, Row> {
  const rows = (query: string) => own(makers, `/${inventory}/transactions${query}`);
  return {
    TransactionsDefaultWindow: rows(""),
    TransactionsFirstPage: rows("?from=2026-01-02&to=2026-01-11&limit=2"),
    TransactionsLastPage: rows(`?after=${transactionsPage}`),
    TransactionsEmpty: rows("?from=2026-01-11&to=2026-01-14"),
  };
}

function values({ inventory, showcase, valuationsPage }: Subjects, makers: Makers): Record<string, Row> {
  const points = (query: string) => own(makers, `/${inventory}/history?${query}`);
  return {
    ValuationsDefaultWindow: points("limit=1"),
    ValuationsFirstPage: points("from=2026-01-10&to=2026-01-12&limit=2"),
    ValuationsLastPage: points(`after=${valuationsPage}`),
    ValuationsIncomplete: points("from=2026-01-12&to=2026-01-13"),
    ValuationsValueNull: points("from=2026-01-06&to=2026-01-06"),
    ValuationsLegacySource: points("from=2025-12-05&to=2025-12-10"),
    ValuationsSourceTimes: own(makers, `/${showcase}/history?from=2026-01-14&to=2026-01-14`),
    ValuationsEmpty: points("from=2025-11-01&to=2025-11-02"),
  };
}

function refused(subjects: Subjects): Record<string, Row> {
  const { inventory, showcase, savings } = subjects;
  const sound: Partial<Record<OperationId, RawRequest>> = portfolioRequests(subjects);
  const targetOf = (operation: OperationId, portfolioId: string) =>
    sound[operation]?.target.replace(inventory, portfolioId) ?? "";
  const asOwner = (target: string) => ({ caller: "portfolioOwner" as const, request: get(target) });
  return {
    InsufficientPortfolioScope: (operation) => ({ caller: "builder", request: get(targetOf(operation, inventory)) }),
    PortfolioNotFoundProblem: (operation) => asOwner(targetOf(operation, savings)),
    CursorOfOtherPortfolio: (operation) =>
      asOwner(`${targetOf(operation, showcase)}?after=${subjects[pageOf[operation]!]}`),
    CursorOfOtherAccount: (operation) =>
      asOwner(`${targetOf(operation, savings)}?after=${subjects[foreignPageOf[operation as PortfolioOperation]!]}`),
  };
}

/** A first page that the other account was given. */
const foreignPageOf = {
  listPortfolios: "freePortfoliosPage",
  getPortfolio: null,
  listPortfolioHoldings: "freeHoldingsPage",
  listPortfolioTransactions: "freeTransactionsPage",
  getPortfolioHistory: "freeValuationsPage",
} as const;

/** Every portfolio is deleted. */
const allDeleted: State = (world) => {
  world.sql("UPDATE portfolios SET deleted_at = created_at WHERE deleted_at IS NULL");
  return () => void world.sql("UPDATE portfolios SET deleted_at = NULL WHERE deleted_at = created_at");
};
