import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";
import type { State } from "./replay-states.ts";

/** The caller of a request. Each replay has a separate account. */
export type CallerName =
  | "builder"
  | "free"
  | "none"
  | "unknown"
  | "expired"
  | "revoked"
  | "disabled"
  | "portfolioToken"
  | "portfolioOwner"
  | "builderMinuteUsed"
  | "tokenMinuteUsed";

/** The making of an example: the caller, the state of the world, and the request. */
export type Replay = { caller: CallerName; state?: State; request: RawRequest };

/** The making of the example at the operation that shows it. */
export type Row = (operation: OperationId) => Replay;

/** Makers of rows: the operation's valid request, another request, or the valid request with another query or cursor. */
export type Makers = {
  asIs: (caller: CallerName, state?: State) => Row;
  ask: (request: RawRequest, state?: State, caller?: CallerName) => () => Replay;
  withQuery: (query: string) => Row;
  /** The query, with the cursor of a first page from the operation. */
  withCursor: (query: string) => Row;
};

/** Names of the items that requests are about: `[market_hash_name, phase]`. */
export const subjectNames = {
  phased: ["★ Karambit | Doppler (Factory New)", "Phase 4"],
  unphased: ["★ Karambit | Doppler (Factory New)", null],
  /** Quoted by northgate on both sides, with the source's times. */
  observed: ["★ Huntsman Knife | Gamma Doppler (Factory New)", "Phase 1"],
  /** Quoted by northgate and steam. */
  plain: ["★ Karambit", null],
  /** Recorded by the hour for 31 days. */
  recorded: ["AWP | Asiimov (Field-Tested)", null],
  unquoted: ["★ Flip Knife", null],
  /** Quoted by steam alone, and absent from its feed in the hours 9 to 12 of a recorded day. */
  vanishing: ["AUG | Triqua (Field-Tested)", null],
} as const satisfies Record<string, readonly [string, string | null]>;

/** Ids found in the demo world, besides the items. */
export type Found = Record<keyof typeof subjectNames, number> & {
  /** The largest id. */
  last: number;
  /** Digest of the market's identity part. */
  identity: string;
  /** Methodology of the index `equalIndex`, and how many members it has now. */
  methodology: string;
  memberCount: number;
  /** A day on which that index has too little coverage for a value. */
  uncoveredDay: string;
  /** How many containers are shown. */
  openableCount: number;
  /** How many outcomes `demo.phasedOpenable` has, and the position of one with a phase. */
  outcomeCount: number;
  phasedPosition: number;
  /** Position of an outcome of `demo.openable` that has no price any more but a recent high. */
  soldOutPosition: number;
  /** Position of the outcome of `demo.narrowedOpenable` that has no chance. */
  excludedPosition: number;
  /** Portfolios of the demo's Builder account, and one of the Free account. */
  inventory: string;
  showcase: string;
  emptyShelf: string;
  savings: string;
};

/** Subjects of the table's requests: ids found in the demo world, and `meta.next_page` of some first pages. */
export type Subjects = Found & Record<PageName | PortfolioPageName, string> & { foreignCursor: string };

export type PageName = keyof ReturnType<typeof firstPages>;
export type PortfolioPageName = keyof ReturnType<typeof portfolioPages>;

/** Facts of the demo world that it exports nowhere else. */
export const demo = {
  equalIndex: "knives-equal",
  capitalizationIndex: "cases-capitalization",
  /** First day of the second version of the members. */
  rebalancedOn: "2026-01-05",
  /** A day with frames from its first hour to its last, three of its 24 hours without one of steam. */
  recordedDay: "2026-01-14",
  today: "2026-01-15",
  /** A point in both modes, with the source's times in one of them; some outcomes are sold out. */
  openable: "kilowatt-case",
  /** Paint phases are among its outcomes. */
  phasedOpenable: "dreams-nightmares-case",
  /** Too little of it is priced for a point. */
  heldBackOpenable: "community-sticker-capsule-1",
  /** Enough of it is priced for a point, but less than 80 % of one tier. */
  lowOpenable: "recoil-case",
  /** One of its outcomes has no chance. */
  narrowedOpenable: "stockholm-2021-mirage-souvenir-package",
  /** Only the main platform and a trading one ask for the container. */
  uncalculatedOpenable: "spectrum-2-case",
  retiredOpenable: "chroma-2-case",
  /** The published generation, and the previous one. */
  generation: "g5",
  olderGeneration: "g4",
  /** Has a second revision since the beginning of 2026-01-09. */
  revisedOpenable: "spectrum-2-case",
} as const;

const oneDay = `from=${demo.recordedDay}&to=${demo.recordedDay}`;

/** The request of each first page with a cursor for another request. */
export function firstPages(found: Found) {
  const { plain, vanishing, memberCount, openableCount, outcomeCount, phasedPosition } = found;
  const { soldOutPosition, excludedPosition } = found;
  return {
    providersPage: "/v1/providers?limit=2",
    changesPage: "/v1/changelog?limit=2",
    dailyPage: `/v1/items/${plain}/history?provider=steam&from=2026-01-09&to=2026-01-12&limit=2`,
    /** Of 21 rows. */
    hourlyPage: `/v1/items/${plain}/history/hourly?provider=steam&${oneDay}&limit=19`,
    /** Ends with the hour 7, the sixth that has a frame: the next one is the last before the item vanishes. */
    vanishingPage: `/v1/items/${vanishing}/history/hourly?provider=steam&${oneDay}&limit=6`,
    vanishingAnywherePage: `/v1/items/${vanishing}/history/hourly?${oneDay}&limit=6`,
    daysPage: "/v1/history/days?limit=1",
    indexesPage: "/v1/indexes?limit=1",
    levelsPage: `/v1/indexes/${demo.equalIndex}/history?from=2026-01-10&to=2026-01-12&limit=2`,
    membersPage: `/v1/indexes/${demo.equalIndex}/members?limit=${memberCount - 2}`,
    ratesPage: "/v1/exchange-rates?limit=2",
    ratePointsPage: "/v1/exchange-rates/EUR/history?from=2026-01-09&to=2026-01-13&limit=2",
    openablesPage: `/v1/openables?limit=${openableCount - 2}`,
    openablesCashPage: `/v1/openables?valuation_mode=cash_ask&limit=${openableCount - 2}`,
    snapshotsPage: `/v1/openables/${demo.openable}/history?from=2026-01-07&to=2026-01-13&limit=4`,
    outcomesPage: `/v1/openables/${demo.phasedOpenable}/outcomes?limit=${outcomeCount - 3}`,
    phasedPage: `/v1/openables/${demo.phasedOpenable}/outcomes?limit=${phasedPosition}`,
    soldOutPage: `/v1/openables/${demo.openable}/outcomes?limit=${soldOutPosition}`,
    /** The next page begins with the outcome before the impossible one. */
    excludedPage: `/v1/openables/${demo.narrowedOpenable}/outcomes?limit=${excludedPosition - 1}`,
  };
}

/** The same for portfolios, which the two demo accounts read with their personal tokens. */
export function portfolioPages({ inventory, savings }: Found) {
  const path = `/v1/me/portfolios/${inventory}`;
  const freePath = `/v1/me/portfolios/${savings}`;
  return {
    portfoliosPage: "/v1/me/portfolios?limit=2",
    holdingsPage: `${path}/holdings?limit=2`,
    transactionsPage: `${path}/transactions?from=2026-01-02&to=2026-01-11&limit=2`,
    valuationsPage: `${path}/history?from=2026-01-10&to=2026-01-12&limit=2`,
    freePortfoliosPage: "/v1/me/portfolios?limit=1",
    freeHoldingsPage: `${freePath}/holdings?limit=1`,
    freeTransactionsPage: `${freePath}/transactions?limit=1`,
    freeValuationsPage: `${freePath}/history?limit=1`,
  };
}

/** A first page of each operation that has a second page. */
export const pageOf: Partial<Record<OperationId, PageName | PortfolioPageName>> = {
  getDailyPriceHistory: "dailyPage",
  getHourlyPriceHistory: "hourlyPage",
  getIndexHistory: "levelsPage",
  listIndexMembers: "membersPage",
  listExchangeRates: "ratesPage",
  getExchangeRateHistory: "ratePointsPage",
  listOpenables: "openablesPage",
  getOpenableHistory: "snapshotsPage",
  listOpenableOutcomes: "soldOutPage",
  listPortfolios: "portfoliosPage",
  listPortfolioHoldings: "holdingsPage",
  listPortfolioTransactions: "transactionsPage",
  getPortfolioHistory: "valuationsPage",
};

export function get(target: string): RawRequest {
  return { method: "GET", target };
}
