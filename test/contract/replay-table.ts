import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";
import { changesBodies, changesRequests, changesRows } from "./replay-changes.ts";
import { extensionRequests, extensionRows, fourNames, threeItemsThen } from "./replay-extensions.ts";
import { dailyRows, historyRequests, historyRows } from "./replay-history.ts";
import { openableRequests, openableRows } from "./replay-openables.ts";
import { callerAt, portfolioRequests, portfolioRows, readerAt } from "./replay-portfolios.ts";
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
import { type CallerName, get, type Makers, pageOf, type Replay, type Row, type Subjects } from "./replay-subjects.ts";

const noSuchItem = 2_147_483_647;

/** Values of the examples of request bodies. */
export function requestBodies(subjects: Subjects): Record<string, object> {
  return {
    BatchRequestThreeItems: { item_ids: [subjects.phased, subjects.unquoted, noSuchItem] },
    BatchRequestFiltered: { item_ids: [subjects.observed], provider: "northgate", side: "ask" },
    ResolveRequestFourNames: fourNames,
    KnownRequestThreeItems: threeItemsThen(subjects),
    ...changesBodies(subjects),
    DayExportDaily: dailyRows,
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
    ...extensionRequests(subjects),
    ...changesRequests(subjects),
    ...historyRequests(subjects),
    ...openableRequests(),
    ...portfolioRequests(subjects),
  };
}

/** The replay of every recorded answer by its name, for the operation that gives it. */
export function replayTable(subjects: Subjects): Record<string, Row> {
  const sound = soundRequests(subjects);
  const asIs =
    (caller: CallerName, state?: State) =>
    (operation: OperationId): Replay => ({
      caller: callerAt(operation, caller),
      request: sound[operation],
      ...(state && { state }),
    });
  const ask =
    (request: RawRequest, state?: State, caller: CallerName = "builder") =>
    (): Replay => ({ caller, request, ...(state && { state }) });
  const withQuery =
    (query: string) =>
    (operation: OperationId): Replay => {
      const { target, ...rest } = sound[operation];
      const request = { ...rest, target: `${target.split("?")[0]}?${query}` };
      return { caller: readerAt(operation), request };
    };
  const withCursor =
    (query: string): Row =>
    (operation) => {
      const page = pageOf[operation];
      if (page === undefined) throw new Error(`${operation} has no first page`);
      return withQuery(`${query}&after=${subjects[page]}`)(operation);
    };
  const makers: Makers = { asIs, ask, withQuery, withCursor };
  return {
    ...successes(subjects, makers),
    ...extensionRows(subjects, makers),
    ...changesRows(subjects, makers),
    ...historyRows(subjects, makers),
    ...openableRows(subjects, makers),
    ...portfolioRows(subjects, makers),
    ...refusals(subjects, makers),
  };
}

function successes(subjects: Subjects, { ask }: Makers): Record<string, Row> {
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
    ItemsSearch: ask(get(`/v1/items?q=${encodeURIComponent("волны керамбит fn")}&limit=2`)),
    ItemsFreePlan: ask(get(`/v1/items?cursor=${phased - 1}&limit=2`), undefined, "free"),
    ItemsFiltered: ask(
      get("/v1/items?item_type=Knife&phase=Ruby&stat_counter=false&provider=northgate&ask_min=100000&limit=2"),
    ),
    FreePlanItemFilter: ask(get("/v1/items?ask_max=1000"), undefined, "free"),
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
  const sound = soundRequests(subjects);
  const withBody =
    (body: string): Row =>
    (operation) => ({ caller: "builder", request: { ...sound[operation], body } });
  const ofItem =
    (id: string | number): Row =>
    (operation) => ({
      caller: "builder",
      request: get(sound[operation].target.replace(/^(\/v1\/items\/)[0-9]+/, `$1${id}`)),
    });
  return {
    MalformedRequest: withQuery("q=%zz"),
    CredentialInUrl: withQuery(`key=itemtape_live_${"x".repeat(36)}`),
    UnknownParameter: withQuery("verbose=1"),
    PageLimitTooLarge: withQuery("limit=101"),
    EmptySearch: withQuery("q="),
    UnknownItemType: withQuery("item_type=Rifle"),
    ItemIdsWithSpaces: withQuery("item_ids=1,+2"),
    AskBoundsReversed: withQuery("ask_min=2&ask_max=1"),
    RepeatedCursor: withQuery("cursor=1&cursor=2"),
    InvalidItemId: ofItem("007"),
    InvalidCursor: withQuery("after=eyJ2IjoxfQ"),
    CursorMismatch: withQuery(`after=${subjects.foreignCursor}`),
    UnknownProviderInQuery: withQuery("provider=nowhere"),
    UnknownProviderInBody: ask(batch({ item_ids: [1], provider: "nowhere" })),
    RepeatedItemIds: ask(batch({ item_ids: [1, 2, 1] })),
    BodyNotJson: withBody("item_ids=1"),
    BatchLimitExceeded: ask(batch({ item_ids: Array.from({ length: 101 }, (_, index) => index + 1) })),
    InvalidApiKey: asIs("unknown"),
    ExpiredApiKey: asIs("expired"),
    RevokedApiKey: asIs("revoked"),
    PlanUpgradeRequired: asIs("free"),
    InsufficientScope: asIs("portfolioToken"),
    AccountDisabled: asIs("disabled"),
    EndpointNotFoundProblem: (operation) => ({
      caller: "builder",
      request: { method: "DELETE", target: sound[operation].target },
    }),
    ItemNotFoundProblem: ofItem(noSuchItem),
    RequestTooLargeProblem: withBody(" ".repeat(16 * 1024 + 1)),
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

function batch(body: object | undefined): RawRequest {
  return {
    method: "POST",
    target: "/v1/markets/batch",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
