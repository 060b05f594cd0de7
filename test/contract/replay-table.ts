import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";
import {
  aDayLater,
  allSlotsTaken,
  both,
  exporting,
  fileLocked,
  monthUsed,
  nothingPublished,
  onlyItems,
  overloaded,
  publishedMeanwhile,
  type State,
  startsUsed,
  unreadableMeanwhile,
  usedABit,
} from "./replay-states.ts";

/** Who asks. Each replay has an account of its own. */
export type CallerName =
  | "builder"
  | "free"
  | "none"
  | "unknown"
  | "expired"
  | "revoked"
  | "disabled"
  | "portfolioToken"
  | "builderMinuteUsed";

/** How an example comes about: who asks, in which state of the world, for what. */
export type Replay = { caller: CallerName; state?: State; request: RawRequest };

/** How the example comes about at the operation that shows it. */
export type Row = (operation: OperationId) => Replay;

/** What the requests of the table are about, looked up in the demo world by name. */
export type Subjects = {
  phased: number;
  unphased: number;
  observed: number;
  plain: number;
  unquoted: number;
  last: number;
  providersPage: string;
  foreignCursor: string;
};

/** Names of the subjects: `[market_hash_name, phase]`. */
export const subjectNames = {
  phased: ["★ Karambit | Doppler (Factory New)", "Phase 4"],
  unphased: ["★ Karambit | Doppler (Factory New)", null],
  observed: ["★ Huntsman Knife | Gamma Doppler (Factory New)", "Phase 1"],
  plain: ["★ Karambit", null],
  unquoted: ["★ Flip Knife", null],
} as const satisfies Partial<Record<keyof Subjects, readonly [string, string | null]>>;

const noSuchItem = 2_147_483_647;

/** Values of the examples of request bodies. */
export function requestBodies(subjects: Subjects): Record<string, object> {
  return {
    BatchRequestThreeItems: { item_ids: [subjects.phased, subjects.unquoted, noSuchItem] },
    BatchRequestFiltered: { item_ids: [subjects.observed], provider: "northgate", side: "ask" },
  };
}

/** A sound request of each operation. */
export function soundRequests(subjects: Subjects): Record<OperationId, RawRequest> {
  return {
    getStatus: get("/v1/status"),
    listProviders: get("/v1/providers"),
    listItems: get("/v1/items?limit=2"),
    getItem: get(`/v1/items/${subjects.phased}`),
    getMarketPrices: get(`/v1/items/${subjects.phased}/markets`),
    getMarketPricesBatch: batch(requestBodies(subjects).BatchRequestThreeItems),
    streamMarketSnapshot: { method: "POST", target: "/v1/markets/snapshot" },
    getUsage: get("/v1/usage"),
  };
}

/** The replay of every example by its name under `components.examples`, for the operation that shows it. */
export function replayTable(subjects: Subjects): Record<string, Row> {
  const sound = soundRequests(subjects);
  const asIs =
    (caller: CallerName, state?: State) =>
    (operation: OperationId): Replay => ({ caller, request: sound[operation], ...(state && { state }) });
  const ask =
    (request: RawRequest, state?: State, caller: CallerName = "builder") =>
    (): Replay => ({ caller, request, ...(state && { state }) });
  const withQuery =
    (query: string) =>
    (operation: OperationId): Replay => {
      const { target, ...rest } = sound[operation];
      return { caller: "builder", request: { ...rest, target: `${target.split("?")[0]}?${query}` } };
    };
  return { ...successes(subjects, ask), ...refusals(subjects, { asIs, ask, withQuery }) };
}

type Ask = (request: RawRequest, state?: State, caller?: CallerName) => () => Replay;
type Makers = {
  asIs: (caller: CallerName, state?: State) => Row;
  ask: Ask;
  withQuery: (query: string) => Row;
};

function successes(subjects: Subjects, ask: Ask): Record<string, () => Replay> {
  const { phased, unphased, observed, unquoted, plain } = subjects;
  const bodies = requestBodies(subjects);
  const snapshot = { method: "POST", target: "/v1/markets/snapshot" };
  const threeItems = onlyItems([unquoted, plain, phased]);
  return {
    StatusAvailable: ask(get("/v1/status"), undefined, "none"),
    StatusMissing: ask(get("/v1/status"), nothingPublished, "none"),
    StatusStale: ask(get("/v1/status"), aDayLater, "none"),
    ProvidersFirstPage: ask(get("/v1/providers?limit=2")),
    ProvidersLastPage: ask(get(`/v1/providers?after=${subjects.providersPage}`)),
    ItemsFirstPage: ask(get(`/v1/items?cursor=${phased - 1}&limit=2`)),
    ItemsLastPage: ask(get(`/v1/items?cursor=${subjects.last - 2}`)),
    ItemsSearch: ask(get(`/v1/items?q=${encodeURIComponent("керамбит | волны (прямо")}&limit=2`)),
    ItemsFreePlan: ask(get(`/v1/items?cursor=${phased - 1}&limit=2`), undefined, "free"),
    ItemsNothingFound: ask(get("/v1/items?q=dopler")),
    ItemExact: ask(get(`/v1/items/${phased}`)),
    ItemUnphased: ask(get(`/v1/items/${unphased}`)),
    MarketPricesAvailable: ask(get(`/v1/items/${phased}/markets`)),
    MarketPricesOneProvider: ask(get(`/v1/items/${observed}/markets?provider=northgate`)),
    MarketPricesStale: ask(get(`/v1/items/${phased}/markets?provider=northgate`)),
    MarketPricesMissing: ask(get(`/v1/items/${unquoted}/markets`)),
    BatchThreeItems: ask(batch(bodies.BatchRequestThreeItems)),
    BatchFiltered: ask(batch(bodies.BatchRequestFiltered)),
    SnapshotComplete: ask(snapshot, threeItems),
    SnapshotChanged: ask(snapshot, both(threeItems, publishedMeanwhile)),
    SnapshotInterrupted: ask(snapshot, both(threeItems, unreadableMeanwhile)),
    UsageBuilder: ask(get("/v1/usage"), usedABit),
    UsageFree: ask(get("/v1/usage"), undefined, "free"),
  };
}

function refusals(subjects: Subjects, { asIs, ask, withQuery }: Makers): Record<string, Row> {
  const snapshot = { method: "POST", target: "/v1/markets/snapshot" };
  return {
    MalformedRequest: withQuery("q=%zz"),
    CredentialInUrl: withQuery(`key=itemtape_live_${"x".repeat(36)}`),
    UnknownParameter: withQuery("verbose=1"),
    PageLimitTooLarge: withQuery("limit=101"),
    EmptySearch: withQuery("q="),
    RepeatedCursor: withQuery("cursor=1&cursor=2"),
    InvalidItemId: (operation) => ({
      caller: "builder",
      request: get(`/v1/items/007${operation === "getMarketPrices" ? "/markets" : ""}`),
    }),
    InvalidCursor: withQuery("after=eyJ2IjoxfQ"),
    CursorMismatch: withQuery(`after=${subjects.foreignCursor}`),
    UnknownProviderInQuery: withQuery("provider=nowhere"),
    UnknownProviderInBody: ask(batch({ item_ids: [1], provider: "nowhere" })),
    RepeatedItemIds: ask(batch({ item_ids: [1, 2, 1] })),
    BodyNotJson: ask(batch("item_ids=1")),
    BatchLimitExceeded: ask(batch({ item_ids: Array.from({ length: 101 }, (_, index) => index + 1) })),
    InvalidApiKey: asIs("unknown"),
    ExpiredApiKey: asIs("expired"),
    RevokedApiKey: asIs("revoked"),
    PlanUpgradeRequired: asIs("free"),
    InsufficientScope: asIs("portfolioToken"),
    AccountDisabled: asIs("disabled"),
    EndpointNotFoundProblem: (operation) => ({
      caller: "builder",
      request: { method: "DELETE", target: soundRequests(subjects)[operation].target },
    }),
    ItemNotFoundProblem: (operation) => ({
      caller: "builder",
      request: get(`/v1/items/${noSuchItem}${operation === "getMarketPrices" ? "/markets" : ""}`),
    }),
    RequestTooLargeProblem: ask(batch(" ".repeat(16 * 1024 + 1))),
    RateLimited: asIs("builderMinuteUsed"),
    MonthlyQuotaExceeded: asIs("builder", monthUsed),
    SnapshotBusy: ask(snapshot, exporting),
    SnapshotCapacity: ask(snapshot, allSlotsTaken),
    SnapshotDailyLimit: ask(snapshot, startsUsed),
    ServiceUnavailableProblem: (operation) => {
      const reachesTheLedger = operation !== "getStatus" && operation !== "getUsage";
      return asIs("builder", reachesTheLedger ? fileLocked : overloaded)(operation);
    },
    DataUnavailable: asIs("builder", nothingPublished),
    SnapshotUnavailable: asIs("builder", nothingPublished),
  };
}

function get(target: string): RawRequest {
  return { method: "GET", target };
}

function batch(body: unknown): RawRequest {
  return {
    method: "POST",
    target: "/v1/markets/batch",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}
