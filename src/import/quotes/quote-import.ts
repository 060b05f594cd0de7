import type { Database } from "../../store/database.ts";
import { CatalogStore } from "../../store/read/catalog.ts";
import { type BatchStats, runAtOnce, runBatches } from "../../store/write/batches.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { finishDaysInBatches } from "../../store/write/seal-days.ts";
import { silent } from "../../values/progress.ts";
import { dayOf } from "../../values/time/calendar.ts";
import { type FeedFile, readFeedFile } from "../feed-file.ts";
import type { GuardName } from "../guards/findings.ts";
import { importing } from "../run-import.ts";
import { type AcceptedFeed, type AcceptParts, acceptFeedInBatches, validateFeed } from "./accept-feed.ts";
import type { FeedAdapter } from "./adapters.ts";
import { type Published, publishInBatches } from "./publish.ts";
import { recordFrameInBatches } from "./record-frame.ts";
import type { ImportReport } from "./report.ts";
import { RowSample } from "./row-sample.ts";

export type ImportOptions = {
  adapter: FeedAdapter;
  /** Returns the command that accepts a body despite these guards, if the adapter's name alone is not enough. */
  acceptCommand?: (guards: readonly GuardName[]) => string;
  /** Guards that the operator allows the body to break. */
  accepted?: readonly GuardName[];
  /** Reads and joins, but writes nothing. */
  dryRun?: boolean;
  /** False to publish without recording the frame of the hour. */
  recordFrame?: boolean;
};

export type ImportParts = AcceptParts & {
  /** Pauses between two transactions, so that other writers can run. */
  pause?: (batch: BatchStats) => Promise<void>;
};

/**
 * Imports one file of quotes into the database at `databasePath`, and publishes it. Records it as the frame of its hour if that hour has
 * none. The hour is from the file's save time, or else from the clock. A file older than the published one is only recorded. Beside a
 * running server it holds the write lock only briefly.
 * @throws {OperatorError} when the file is rejected. It is neither published nor recorded.
 * @throws {StoreRefusal} when the database file cannot be used.
 */
export async function importQuotes(
  databasePath: string,
  bodyPath: string,
  options: ImportOptions,
  parts: ImportParts,
): Promise<ImportReport> {
  const { clock, progress = silent } = parts;
  const startedMs = clock.monotonicMs();
  const work = async (database: Database) => {
    progress.phase("reading");
    const body = await readFeedFile(bodyPath);
    return runBatches(importInBatches(database, body, options, parts), parts.pause);
  };
  try {
    const { value, lockHeldMsMax } = await importing(databasePath, work, options);
    return { ...value, lockHeldMsMax, seconds: (clock.monotonicMs() - startedMs) / 1000 };
  } finally {
    progress.end();
  }
}

/** Imports a body into a file that no other process has open yet: the same batches without pauses. */
export function importQuotesAtOnce(
  database: Database,
  body: FeedFile,
  options: ImportOptions,
  parts: AcceptParts,
): ImportReport {
  return runAtOnce(importInBatches(database, body, options, parts));
}

function* importInBatches(
  database: Database,
  body: FeedFile,
  options: ImportOptions,
  parts: AcceptParts,
): Generator<BatchStats, ImportReport> {
  const { clock } = parts;
  const startedMs = clock.monotonicMs();
  const seconds = () => (clock.monotonicMs() - startedMs) / 1000;
  const accepting = { ...options, isDated: true };
  if (options.dryRun === true) {
    const rows = new RowSample();
    const { summary, reading } = validateFeed(database, body, accepting, { ...parts, rows });
    return { ...summary, ...nothingWritten, refused: reading.refusals.list(), rows, seconds: seconds() };
  }
  const acceptedFeed = yield* acceptFeedInBatches(database, body, accepting, parts);
  const { facts, items, takenAt, savedAt, refusals, summary } = acceptedFeed;
  const isLate = summary.olderThan !== null;
  const published = isLate
    ? null
    : yield* publishInBatches(database, [{ facts, items, checkedAt: takenAt, savedAt }], parts);
  const catalog = new CatalogStore(database);
  for (const itemId of published?.tooLarge ?? [])
    refusals.add("record_too_large", catalog.marketName(itemId) ?? `${itemId}`);
  const history = options.recordFrame === false ? noHistory : yield* recordInBatches(database, acceptedFeed, parts);
  const outcome = { ...(published === null ? onlyRecorded : outcomeOf(published)), ...history };
  return { ...summary, ...outcome, refused: refusals.list(), rows: null, lockHeldMsMax: 0, seconds: seconds() };
}

function* recordInBatches(
  database: Database,
  acceptedFeed: AcceptedFeed,
  parts: AcceptParts,
): Generator<BatchStats, Pick<ImportReport, "frame" | "finalizedDays">> {
  const now = parts.clock.now();
  const { facts, takenAt, summary } = acceptedFeed;
  const publishedAt = summary.olderThan === null ? new FeedWriter(database).times(facts.feed).ingestedAt : null;
  const times = { verifiedBy: "body" as const, ingestedAt: publishedAt ?? now, checkedAt: takenAt, recordedAt: now };
  const saved = { ...parts, isSavedBody: acceptedFeed.savedAt !== null };
  const frame = yield* recordFrameInBatches(database, acceptedFeed, times, saved);
  const finalized = yield* finishDaysInBatches(database, dayOf(now), parts.clock, parts);
  return { frame, finalizedDays: finalized.days };
}

const noHistory = { frame: null, finalizedDays: 0 } as const;
const onlyRecorded = { outcome: "recorded", generation: null, published: null } as const;
const nothingWritten = {
  outcome: "dry_run",
  generation: null,
  published: null,
  ...noHistory,
  lockHeldMsMax: 0,
} as const;

function outcomeOf(published: Published): Pick<ImportReport, "outcome" | "generation" | "published"> {
  const { outcome, generationId, items, bytes, digest } = published;
  return { outcome, generation: `g${generationId}`, published: { items, bytes, digest: digest.toString("hex") } };
}
