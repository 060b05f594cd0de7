import type { BatchFigures, Count, CounterName, Observer, RequestFigures } from "../ops/observer.ts";
import type { CheckpointEvent } from "../store/file/checkpoints.ts";
import type { EventFacts, Reports } from "../values/event-facts.ts";
import { type StorageFailureFacts, storageFailure } from "../values/failure/storage-failure.ts";
import { createLog, type Log, type LogLines } from "./log.ts";
import { LogDestination, openStandardError } from "./log-destination.ts";

/** Counters by event name. Metrics and tests read them. */
type Counters = Map<string, number>;

export type Events = ReturnType<typeof createEvents>;

type RequestFacts = RequestFigures & { request_id: string; key_id: string | null };
type StreamFacts = { request_id: string; outcome: string; items: number; bytes: number; duration_ms: number };

/** Level of the event's line, the counter that it increments (null for none), and the message. */
type EventRow = readonly [level: keyof Log, counter: CounterName | null, message: string];

/** Events that write one line each. */
const eventTable: Readonly<Record<keyof EventFacts, EventRow>> = {
  malformedRequest: ["debug", "malformed_requests", "malformed request"],
  listening: ["info", null, "listening"],
  draining: ["info", null, "draining"],
  stopped: ["info", null, "stopped"],
  documentWithoutBase: ["warn", null, "contract served without the server's address: SDKs need --public-url"],
  signInSucceeded: ["info", "sign_ins", "signed in"],
  signInFailed: ["warn", "sign_ins_failed", "sign-in failed"],
  passwordSet: ["info", "passwords_set", "password set"],
  signedOutEverywhere: ["info", "sign_outs_everywhere", "signed out everywhere"],
  feedVerified: ["info", "feeds_verified", "feed verified: new content"],
  feedUnchanged: ["debug", "feeds_unchanged", "feed verified: unchanged"],
  feedFailed: ["warn", "feeds_failed", "feed failed; its published quotes stay"],
  feedFrozen: ["warn", "feeds_frozen", "feed frozen: its source answers without news"],
  feedBehind: ["warn", "feeds_behind", "feed behind: its source answers with old content"],
  guardAccepted: ["warn", "guards_accepted", "guard broken by a body that an operator accepted"],
  feedLagging: ["warn", "feeds_lagging", "feed polled late: the mirror does not keep up"],
  frameRecorded: ["info", "frames_recorded", "frame recorded"],
  frameDropped: ["warn", "frames_dropped", "frame dropped: its hour may be missing in histories"],
  generationPublished: ["info", "generations_published", "generation published"],
  publicationPostponed: ["debug", "publications_postponed", "publication postponed: the last one was too recent"],
  daysFinalized: ["info", "days_settled", "days finalized"],
  mirrorWaiting: ["info", "mirror_waits", "mirror waits: another import is writing"],
  mirrorFailed: ["error", "mirror_failures", "mirror failed; it tries again"],
  mirrorDied: ["error", "mirror_deaths", "mirror died; it restarts"],
  roiCalculated: ["info", "roi_runs", "returns of openables calculated"],
  roiSkipped: ["warn", "roi_skips", "openable not calculated; its published returns stay"],
  roiWaiting: ["info", "roi_waits", "calculation of returns waits: another one is running"],
  roiFailed: ["error", "roi_failures", "calculation of returns failed; the published returns stay"],
  termsConflicted: ["warn", null, "terms: a mapping forbids passing on prices; the operator's setting stays"],
  releaseSealed: ["info", "releases_sealed", "release sealed"],
  releaseFailed: ["error", "release_failures", "release not sealed; the last one stays"],
  releaseTaken: ["info", "releases_taken", "release taken"],
  releaseRefused: ["error", "releases_refused", "release not taken; the last one is served"],
  releaseStale: ["warn", "releases_stale", "release stale: its publisher has sealed nothing newer"],
  releaseExpired: [
    "error",
    "releases_expired",
    "signed metadata expired; nothing newer is taken, the last release is served",
  ],
  portfoliosValued: ["info", "valuations", "portfolios valued"],
  valuationFailed: ["error", "valuation_failures", "valuation of portfolios failed; the stored values stay"],
};

/** Minimum time between two log lines of an event that anonymous callers can trigger in bulk. */
const massIntervalMs = 1_000;
const flushMsMax = 500;

/**
 * Creates one function per event, which writes the log line and increments the counter. Record types list each field, so headers, query
 * strings and secrets cannot reach the log. Never throws. With `isForPeople` lines are plain text instead of JSON.
 */
export function createEvents(level: string, destination?: LogLines, { isForPeople = false } = {}) {
  const counters: Counters = new Map();
  const count: Count = (name, times = 1) => void counters.set(name, (counters.get(name) ?? 0) + times);
  let observer: Observer | null = null;
  const standardError = new LogDestination(openStandardError, (lines) => {
    count("log_lines_dropped", lines);
    log.warn({ lines }, "log lines were dropped: the log could not be written");
  });
  const log = createLog(level, destination ?? standardError, { isForPeople });
  const storage = storageEvents(log, count);
  return {
    counters,
    /** Resolves when all lines are written, or after 500 ms: a blocked log must not delay the exit. */
    flushed: () => standardError.flush(flushMsMax),
    /** Sends figures to `given` from now on. */
    observe(given: Observer) {
      observer = given;
    },
    /**
     * True if `requestAnswered` has a listener. Single requests are logged only on `debug`, because the ledger records every charged one.
     */
    get reportsRequests(): boolean {
      return level === "debug" || observer !== null;
    },
    /** Number of dropped log lines, including drops that are not in the counter yet. */
    get logLinesDropped(): number {
      return (counters.get("log_lines_dropped") ?? 0) + standardError.dropped;
    },
    requestAnswered(facts: RequestFacts) {
      count("requests");
      observer?.requestAnswered(facts);
      log.debug(facts, "request answered");
    },
    streamStarted() {
      observer?.exportStarted();
    },
    streamEnded(facts: StreamFacts) {
      count(`stream_${facts.outcome}`);
      observer?.exportEnded(facts);
      log.info(facts, "export ended");
    },
    /** An export was refused after `streamStarted`: its client received a problem before the first byte. */
    streamNotBegun() {
      observer?.exportEnded({ outcome: "not_begun", items: 0, bytes: 0 });
    },
    batchAnswered(figures: BatchFigures) {
      observer?.batchAnswered(figures);
    },
    /** Storage failures have their own event: otherwise each request would log one line. */
    internalError(facts: { request_id: string; operation: string | null }, error: unknown) {
      count("internal_errors");
      if (storage.reportIfStorageFailure(error)) return;
      log.error({ ...facts, err: errorFacts(error) }, "internal error");
    },
    ...tableEvents(log, count),
    ...massEvents(log, count),
    ...storage,
    ...processEvents(log, count),
  };
}

/** Creates the events that anonymous callers can trigger in bulk. Each line shows the number of occurrences since the previous line. */
function massEvents(log: Log, count: Count) {
  const event = (counter: CounterName, message: string) => {
    const report = atMostEach(massIntervalMs, (times) => log.warn({ times }, message));
    return () => {
      count(counter);
      report();
    };
  };
  return {
    connectionDropped: event(
      "connections_dropped",
      "connection dropped: connections-max or connections-per-address-max reached",
    ),
    connectionCut: event("connections_cut", "connection cut: too many unread answers"),
    requestShed: event("requests_shed", "request refused: in-flight-max reached"),
    signInThrottled: event("sign_ins_throttled", "sign-in refused: too many wrong passwords"),
  };
}

function tableEvents(log: Log, count: Count): Reports<EventFacts> {
  const events = Object.entries(eventTable).map(([name, [level, counter, message]]) => {
    const report = (facts: object) => {
      if (counter !== null) count(counter);
      log[level](facts, message);
    };
    return [name, report];
  });
  return Object.fromEntries(events) as Reports<EventFacts>;
}

/** Creates the process events that carry an error. */
function processEvents(log: Log, count: Count) {
  return {
    warned({ name, message }: Error) {
      count("warnings");
      log.warn({ err: { type: name, message } }, "warning of the runtime");
    },
    crashed(error: unknown) {
      count("crashes");
      log.fatal(
        { err: { type: (error as Error).name, message: (error as Error).message, stack: (error as Error).stack } },
        "unexpected failure; the server stops",
      );
    },
  };
}

function storageEvents(log: Log, count: Count) {
  const listeners: ((failure: StorageFailureFacts) => void)[] = [];
  let last: StorageFailureFacts | null = null;
  const report = atMostEach(massIntervalMs, (times) =>
    log.error({ times, ...last }, "storage cannot be read or written"),
  );
  return {
    storageErred(failure: StorageFailureFacts) {
      count("storage_errors");
      last = failure;
      report();
      for (const listener of listeners) listener(failure);
    },
    /** Reports `error` if it is a storage failure. Returns whether it is one. */
    reportIfStorageFailure(error: unknown): boolean {
      const failure = storageFailure(error);
      if (failure !== null) this.storageErred(failure);
      return failure !== null;
    },
    /** Registers `listener` for every storage failure of any read or write. */
    onStorageErred: (listener: (failure: StorageFailureFacts) => void) => void listeners.push(listener),
    storageFailed(error: unknown) {
      count("storage_failures");
      log.fatal(
        { err: { type: (error as Error).name, message: (error as Error).message } },
        "storage failed; the server stops",
      );
    },
    /** `failing_ms` is 0 if the disk is full. */
    checkpoint(event: CheckpointEvent) {
      const { kind, ...facts } = event;
      count(`checkpoints_${kind}`);
      if (kind === "done") log.debug(facts, "checkpoint: the write-ahead log is in the file");
      else if (kind === "failed") log.error(facts, "checkpoint failed: the write-ahead log grows");
      else if (kind === "held_back") log.warn(facts, "a reader keeps the write-ahead log from being emptied");
      else log.info(facts, "the write-ahead log is no longer held back");
    },
    /** `what` must be a sentence without an address. */
    otherPrivateSchema(what: string) {
      log.warn({}, what);
    },
    secondNameFound() {
      count("second_names");
      log.warn({}, "the database file has a second name; remove it: writes under that name are lost");
    },
  };
}

/** Logs runtime warnings of all threads. By default Node prints them as plain text between the log lines. */
export function logWarnings(events: Events): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => events.warned(warning));
}

function errorFacts(error: unknown) {
  if (error instanceof Error) return { type: error.name, message: error.message, stack: error.stack };
  return { type: "thrown", message: String(error) };
}

/** Returns a throttled function. It reports its first call at once, and later calls together every `ms`. */
function atMostEach(ms: number, report: (times: number) => void): () => void {
  let times = 0;
  let isQuiet = false;
  const next = () => {
    isQuiet = times > 0;
    if (!isQuiet) return;
    report(times);
    times = 0;
    setTimeout(next, ms).unref();
  };
  return () => {
    times += 1;
    if (!isQuiet) next();
  };
}
