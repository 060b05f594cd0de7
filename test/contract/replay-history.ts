import type { OperationId } from "../../src/contract/types.ts";
import { correctedDay } from "../../src/demo/instants.ts";
import type { RawRequest } from "../support/client.ts";
import { leftCatalog, sealedUpTo, supersededLongAgo } from "./replay-states.ts";
import { demo, get, type Makers, type Row, type Subjects } from "./replay-subjects.ts";

const { equalIndex, capitalizationIndex, recordedDay, rebalancedOn, today } = demo;
const oneDay = `from=${recordedDay}&to=${recordedDay}`;
/** Half past six of the documented day, before its later frames. */
const knownAt = "known_at=2026-01-15T06:30:00Z";
const dayMs = 86_400_000;
/** A day of the demo whose prices an import corrected on `recordedDay`. */
const correctedDate = beside(recordedDay, 1 - correctedDay.daysAgo);

/** The request body that the examples show. */
export const dailyRows = { resolution: "daily" };

/** A sound request of each operation that reads histories, indexes or exchange rates. */
export function historyRequests({ plain }: Subjects) {
  return {
    getDailyPriceHistory: get(`/v1/items/${plain}/history`),
    getHourlyPriceHistory: get(`/v1/items/${plain}/history/hourly`),
    listHistoryDays: get("/v1/history/days"),
    listDataEvents: get("/v1/data-events"),
    streamHistoryDay: dayExport(recordedDay, dailyRows),
    listIndexes: get("/v1/indexes"),
    getIndex: get(`/v1/indexes/${equalIndex}`),
    getIndexHistory: get(`/v1/indexes/${equalIndex}/history`),
    listIndexMembers: get(`/v1/indexes/${equalIndex}/members`),
    listExchangeRates: get("/v1/exchange-rates"),
    getExchangeRateHistory: get("/v1/exchange-rates/EUR/history"),
  } satisfies Partial<Record<OperationId, RawRequest>>;
}

/** The rows of their examples. */
export function historyRows(subjects: Subjects, makers: Makers): Record<string, Row> {
  return {
    ...rowsOfDays(subjects, makers),
    ...hourlyRows(subjects, makers),
    ...dayRows(subjects, makers),
    ...indexRows(subjects, makers),
    ...rateRows(subjects, makers),
    ...refusedParameters(makers),
    ...refusedNames(subjects, makers),
    ...refusedCursors(subjects, makers),
  };
}

function rowsOfDays(subjects: Subjects, { ask }: Makers): Record<string, Row> {
  const { phased, plain, observed, unquoted, vanishing, dailyPage } = subjects;
  const daily = (itemId: number, query: string) => get(`/v1/items/${itemId}/history?${query}`);
  return {
    DailyHistoryDefaultWindow: ask(daily(plain, "provider=steam&limit=2")),
    DailyHistoryFirstPage: ask(daily(plain, "provider=steam&from=2026-01-09&to=2026-01-12&limit=2")),
    DailyHistoryLastPage: ask(daily(plain, `after=${dailyPage}`)),
    DailyHistoryBids: ask(daily(observed, `provider=northgate&side=bid&from=${recordedDay}&to=${today}`)),
    DailyHistoryFreePlan: ask(daily(plain, `from=2026-01-13&to=${recordedDay}`), undefined, "free"),
    DailyHistoryKnownAt: ask(daily(plain, `provider=steam&from=${recordedDay}&to=${today}&${knownAt}`)),
    DailyHistoryBeforeCorrection: ask(
      daily(phased, `provider=northgate&from=${correctedDate}&to=${correctedDate}&known_at=2026-01-14T12:00:00Z`),
    ),
    DailyHistoryCorrected: ask(daily(phased, `provider=northgate&from=${correctedDate}&to=${correctedDate}`)),
    DailyHistoryEmpty: ask(daily(unquoted, `from=2026-01-13&to=${recordedDay}`)),
    DailyHistoryLeftCatalog: ask(daily(vanishing, oneDay), leftCatalog(vanishing)),
    FreePlanBids: ask(daily(plain, "side=bid"), undefined, "free"),
    FreePlanOtherProvider: ask(daily(plain, "provider=northgate"), undefined, "free"),
    FreePlanKnownAt: ask(daily(plain, knownAt), undefined, "free"),
    FreePlanToday: ask(daily(plain, `from=${today}&to=${today}`), undefined, "free"),
    FreePlanOlderDays: ask(daily(plain, "from=2025-12-15&to=2025-12-16"), undefined, "free"),
  };
}

function hourlyRows(subjects: Subjects, { ask }: Makers): Record<string, Row> {
  const { plain, observed, recorded, vanishing, hourlyPage, vanishingPage, vanishingAnywherePage } = subjects;
  const hourly = (itemId: number, query: string) => get(`/v1/items/${itemId}/history/hourly?${query}`);
  return {
    HourlyHistoryFirstPage: ask(hourly(plain, `${oneDay}&limit=3`)),
    HourlyHistoryLastPage: ask(hourly(plain, `after=${hourlyPage}`)),
    HourlyHistoryDefaultWindow: ask(hourly(recorded, "limit=1")),
    HourlyHistoryItemMissing: ask(hourly(vanishing, `after=${vanishingPage}&limit=2`)),
    HourlyHistoryNullProvider: ask(hourly(vanishing, `after=${vanishingAnywherePage}&limit=2`)),
    HourlyHistoryNoQuote: ask(hourly(plain, `provider=steam&side=bid&from=${today}&to=${today}&limit=1`)),
    HourlyHistoryBids: ask(hourly(observed, `provider=northgate&side=bid&from=${today}&to=${today}&limit=2`)),
    HourlyHistoryKnownAt: ask(hourly(plain, `provider=steam&from=${today}&to=${today}&${knownAt}`)),
    HourlyHistoryEmpty: ask(hourly(plain, "from=2026-01-10&to=2026-01-10")),
    HourlyHistoryLeftCatalog: ask(hourly(vanishing, `${oneDay}&limit=1`), leftCatalog(vanishing)),
  };
}

function dayRows({ plain, daysPage }: Subjects, { ask }: Makers): Record<string, Row> {
  const hourly = { resolution: "hourly" };
  const day = Date.parse(recordedDay) / dayMs;
  const fewItems = sealedUpTo(day, plain - 1);
  const first = { ...dailyRows, revision: 1 };
  return {
    HistoryDaysFirstPage: ask(get("/v1/history/days?limit=1")),
    DataEventsFirstPage: ask(get("/v1/data-events?limit=2")),
    DataEventsOneKind: ask(get("/v1/data-events?kind=items_moved&limit=1")),
    DataEventsFreePlan: ask(get("/v1/data-events?kind=days_replaced&limit=1"), undefined, "free"),
    DataEventsEmpty: ask(get("/v1/data-events?kind=index_revised&from=2020-01-01&to=2020-01-01")),
    HistoryDaysNextPage: ask(get(`/v1/history/days?limit=1&after=${daysPage}`), undefined, "free"),
    DayComplete: ask(dayExport(recordedDay, dailyRows), fewItems),
    DayHourly: ask(dayExport(recordedDay, hourly), fewItems),
    DayByRevision: ask(dayExport(recordedDay, first), fewItems),
    RevisionNotKept: ask(dayExport(recordedDay, first), supersededLongAgo(day)),
    RevisionNotFound: ask(dayExport(recordedDay, { ...dailyRows, revision: 9 })),
    FreePlanRevision: ask(dayExport(recordedDay, first), undefined, "free"),
    DayFreePlan: ask(dayExport(recordedDay, dailyRows), fewItems, "free"),
    NoSuchDay: ask(dayExport("2026-02-30", hourly)),
    FreePlanHourlyDay: ask(dayExport(recordedDay, hourly), undefined, "free"),
    FreePlanOlderDay: ask(dayExport("2025-12-15", dailyRows), undefined, "free"),
    DayNotOver: ask(dayExport(today, dailyRows)),
    DayNotFoundProblem: ask(dayExport("2020-01-01", dailyRows)),
  };
}

function dayExport(date: string, body: unknown): RawRequest {
  return {
    method: "POST",
    target: `/v1/history/days/${date}/export`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function indexRows(subjects: Subjects, { ask }: Makers): Record<string, Row> {
  const { methodology, uncoveredDay, indexesPage, levelsPage, membersPage } = subjects;
  const levels = (query: string) => get(`/v1/indexes/${equalIndex}/history?${query}`);
  const members = (query: string) => get(`/v1/indexes/${equalIndex}/members?${query}`);
  return {
    IndexesFirstPage: ask(get("/v1/indexes?limit=1")),
    IndexesLastPage: ask(get(`/v1/indexes?after=${indexesPage}`)),
    IndexEqual: ask(get(`/v1/indexes/${equalIndex}`)),
    IndexCapitalization: ask(get(`/v1/indexes/${capitalizationIndex}`)),
    IndexHistoryFirstPage: ask(levels("limit=2")),
    IndexHistoryLastPage: ask(levels(`after=${levelsPage}`)),
    IndexHistoryValueNull: ask(levels(`from=${beside(uncoveredDay, -1)}&to=${beside(uncoveredDay, 1)}`)),
    IndexHistoryMembershipChange: ask(levels(`from=${beside(rebalancedOn, -1)}&to=${rebalancedOn}`)),
    IndexHistoryOneMethodology: ask(levels(`methodology_version=${methodology}&${oneDay}`)),
    IndexHistoryKnownAt: ask(levels(`from=2026-01-12&to=${recordedDay}&${knownAt}`)),
    IndexHistoryEmpty: ask(levels("from=2025-12-01&to=2025-12-02")),
    IndexMembersFirstPage: ask(members("limit=2")),
    IndexMembersLastPage: ask(members(`after=${membersPage}`)),
    IndexMembersOlderVersion: ask(members("membership_version=1&limit=2")),
  };
}

function rateRows({ ratesPage, ratePointsPage }: Subjects, { ask }: Makers): Record<string, Row> {
  const points = (query: string) => get(`/v1/exchange-rates/EUR/history?${query}`);
  return {
    ExchangeRatesFirstPage: ask(get("/v1/exchange-rates?limit=2")),
    ExchangeRatesLastPage: ask(get(`/v1/exchange-rates?after=${ratesPage}`)),
    ExchangeRatesOneCurrency: ask(get("/v1/exchange-rates?currency=EUR")),
    ExchangeRateHistoryOverWeekend: ask(points("from=2026-01-09&to=2026-01-13")),
    ExchangeRateHistoryFirstPage: ask(points("limit=2")),
    ExchangeRateHistoryLastPage: ask(points(`after=${ratePointsPage}`)),
    ExchangeRateHistoryKnownAt: ask(points(`from=2026-01-13&to=${today}&${knownAt}`)),
    ExchangeRateHistoryEmpty: ask(points("from=2026-01-10&to=2026-01-11")),
  };
}

function refusedParameters({ withQuery }: Makers): Record<string, Row> {
  return {
    InvalidSide: withQuery("side=both"),
    InvalidDate: withQuery("from=yesterday"),
    NoSuchDate: withQuery("from=2026-02-30"),
    FromAfterTo: withQuery("from=2026-01-12&to=2026-01-09"),
    ToInFuture: withQuery("to=2026-01-16"),
    KnownAtInFuture: withQuery("known_at=2026-01-15T12:00:00.001Z"),
    KnownAtTooEarly: withQuery("known_at=2020-01-01T00:00:00Z"),
    HoursKnownAtTooEarly: withQuery("known_at=2020-01-01T00:00:00Z"),
    NoSuchKnownAt: withQuery("known_at=2026-02-30T00:00:00Z"),
    YearWindowTooLarge: withQuery(`from=2025-01-01&to=${today}`),
    MonthWindowTooLarge: withQuery(`from=2025-12-15&to=${today}`),
    HistoryLimitTooLarge: withQuery("limit=1001"),
    MemberLimitTooLarge: withQuery("limit=501"),
    ExchangeRateLimitTooLarge: withQuery("limit=201"),
    LimitTooSmall: withQuery("limit=0"),
    InvalidCurrencyInQuery: withQuery("currency=eur"),
    MembershipVersionZero: withQuery("membership_version=0"),
    UnknownMembershipVersion: withQuery("membership_version=99"),
    UnknownMethodologyVersionProblem: withQuery("methodology_version=none-99"),
  };
}

function refusedNames(subjects: Subjects, { ask, withQuery }: Makers): Record<string, Row> {
  const sound: Partial<Record<OperationId, RawRequest>> = historyRequests(subjects);
  const ofIndex =
    (id: string): Row =>
    (operation) =>
      ask(get(sound[operation]?.target.replace(equalIndex, id) ?? ""))();
  return {
    InvalidIndexId: ofIndex("Knives"),
    IndexNotFoundProblem: ofIndex("nowhere"),
    InvalidCurrencyInPath: ask(get("/v1/exchange-rates/eur/history")),
    CurrencyNotFoundProblem: ask(get("/v1/exchange-rates/XTS/history")),
    ListedCurrencyNotFoundProblem: withQuery("currency=XTS"),
  };
}

/** A valid cursor of the same operation with other parameters than it was made for. */
function refusedCursors({ unquoted, hourlyPage }: Subjects, { ask, withCursor }: Makers): Record<string, Row> {
  return {
    CursorOfOtherSide: withCursor("side=bid"),
    CursorOfOtherItem: ask(get(`/v1/items/${unquoted}/history/hourly?after=${hourlyPage}`)),
    CursorOfOtherWindow: withCursor("from=2026-01-08"),
    CursorOfOtherVersion: withCursor("membership_version=1"),
    CursorOfOtherCurrency: withCursor("currency=EUR"),
  };
}

/** The day `days` days after `day`. */
function beside(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}
