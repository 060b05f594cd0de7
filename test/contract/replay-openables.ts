import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";
import { noRunSince } from "./replay-states.ts";
import { demo, get, type Makers, type Row, type Subjects } from "./replay-subjects.ts";

const { openable, phasedOpenable, heldBackOpenable, uncalculatedOpenable, retiredOpenable, revisedOpenable } = demo;
const { lowOpenable, narrowedOpenable, recordedDay, today } = demo;
const oneDay = `from=${recordedDay}&to=${recordedDay}`;
const cash = "valuation_mode=cash_ask";

/** A sound request of each operation about containers. */
export function openableRequests() {
  return {
    listOpenables: get("/v1/openables"),
    getOpenable: get(`/v1/openables/${openable}`),
    getOpenableHistory: get(`/v1/openables/${openable}/history`),
    listOpenableOutcomes: get(`/v1/openables/${openable}/outcomes`),
  } satisfies Partial<Record<OperationId, RawRequest>>;
}

/** The rows of their examples. */
export function openableRows(subjects: Subjects, makers: Makers): Record<string, Row> {
  return {
    ...openables(subjects, makers),
    ...snapshots(subjects, makers),
    ...outcomes(subjects, makers),
    ...refused(subjects, makers),
  };
}

function openables({ openablesPage, openablesCashPage }: Subjects, { ask }: Makers): Record<string, Row> {
  const read = (slug: string, query = "") => get(`/v1/openables/${slug}${query}`);
  return {
    OpenablesFirstPage: ask(get("/v1/openables?limit=2")),
    OpenablesLastPage: ask(get(`/v1/openables?after=${openablesPage}`)),
    OpenablesCashAsk: ask(get(`/v1/openables?${cash}&after=${openablesCashPage}`)),
    OpenablePointPublished: ask(read(openable)),
    OpenableFresh: ask(read(openable, `?${cash}`)),
    OpenableStale: ask(read(openable, `?${cash}`), noRunSince),
    OpenablePointHeldBack: ask(read(heldBackOpenable)),
    OpenablePhasesUnpriced: ask(read(phasedOpenable)),
    OpenableLowConfidence: ask(read(lowOpenable)),
    OpenableNoCalculation: ask(read(uncalculatedOpenable, `?${cash}`)),
    OpenableRetired: ask(read(retiredOpenable)),
  };
}

function snapshots({ snapshotsPage }: Subjects, { ask }: Makers): Record<string, Row> {
  const history = (slug: string, query: string) => get(`/v1/openables/${slug}/history?${query}`);
  return {
    OpenableHistoryFirstPage: ask(history(openable, "limit=2")),
    OpenableHistoryLastPage: ask(history(openable, `after=${snapshotsPage}`)),
    OpenableHistoryHours: ask(history(openable, `granularity=hour&${oneDay}`)),
    OpenableHistoryNewRevision: ask(history(revisedOpenable, "from=2026-01-08&to=2026-01-10")),
    OpenableHistoryCashAsk: ask(history(openable, `${cash}&from=${recordedDay}&to=${today}`)),
    OpenableHistoryPointHeldBack: ask(history(heldBackOpenable, `from=${recordedDay}&to=${today}`)),
    OpenableHistoryOneMethodology: ask(history(openable, `methodology_version=roi-1&${oneDay}`)),
    OpenableHistoryKnownAt: ask(history(openable, `from=${today}&to=${today}&known_at=2026-01-15T06:30:00Z`)),
    OpenableHistoryEmpty: ask(history(openable, "from=2025-12-01&to=2025-12-02")),
  };
}

function outcomes(
  { outcomesPage, phasedPage, soldOutPage, excludedPage }: Subjects,
  { ask }: Makers,
): Record<string, Row> {
  const list = (slug: string, query: string) => get(`/v1/openables/${slug}/outcomes?${query}`);
  return {
    OutcomesFirstPage: ask(list(openable, "limit=2")),
    OutcomesLastPage: ask(list(phasedOpenable, `after=${outcomesPage}`)),
    OutcomesPhasesUnpriced: ask(list(phasedOpenable, `after=${phasedPage}&limit=2`)),
    OutcomesCashAsk: ask(list(openable, `${cash}&limit=2`)),
    OutcomesRecentHigh: ask(list(openable, `after=${soldOutPage}&limit=1`)),
    OutcomesExcluded: ask(list(narrowedOpenable, `after=${excludedPage}&limit=2`)),
    OutcomesNoCalculation: ask(list(uncalculatedOpenable, `${cash}&limit=2`)),
  };
}

function refused({ snapshotsPage }: Subjects, { ask, withQuery, withCursor }: Makers): Record<string, Row> {
  const sound: Partial<Record<OperationId, RawRequest>> = openableRequests();
  const ofOpenable =
    (slug: string): Row =>
    (operation) =>
      ask(get(sound[operation]?.target.replace(openable, slug) ?? ""))();
  return {
    InvalidValuationMode: withQuery("valuation_mode=northgate_gross"),
    InvalidGranularity: withQuery("granularity=minute"),
    InvalidOpenableSlug: ofOpenable("Kilowatt%20Case"),
    OpenableNotFoundProblem: ofOpenable("nowhere-case"),
    UnknownRoiMethodology: withQuery("methodology_version=roi-0"),
    RoiHistoryLimitTooLarge: withQuery("limit=2001"),
    CursorOfOtherMode: withCursor(cash),
    CursorOfOtherGranularity: withCursor("granularity=hour"),
    CursorOfOtherOpenable: ask(get(`/v1/openables/${phasedOpenable}/history?after=${snapshotsPage}`)),
  };
}
