import { refusedFile } from "../../../import/feed-file.ts";
import { findingText, type GuardName } from "../../../import/guards/findings.ts";
import { logRefusal } from "../../../import/guards/log.ts";
import { acceptFeedInBatches } from "../../../import/quotes/accept-feed.ts";
import type { FeedBefore } from "../../../import/quotes/compared-books.ts";
import { ItemNames } from "../../../import/quotes/name-index.ts";
import type { ListedReading } from "../../../import/quotes/observation.ts";
import { isPublished } from "../../../import/quotes/publish.ts";
import { recordFrameInBatches } from "../../../import/quotes/record-frame.ts";
import {
  checkpoint,
  closeDatabase,
  type Database,
  deferCheckpoints,
  openWriter,
  setCacheKib,
  writeTransaction,
} from "../../../store/database.ts";
import { importBusyMs } from "../../../store/write/batches.ts";
import { type FeedFacts, FeedWriter } from "../../../store/write/feeds.ts";
import { GuardAcceptanceWriter } from "../../../store/write/guard-acceptances.ts";
import { storageFailure } from "../../../values/failure/storage-failure.ts";
import { backoffMs } from "../../../values/time/backoff.ts";
import { hourMs, minuteMs, secondMs } from "../../../values/time/calendar.ts";
import { toTimestamp } from "../../../values/time/clock.ts";
import { DayFinalizer } from "../../days/day-finalizer.ts";
import { tryLock } from "../../try-lock.ts";
import { PackingCollector } from "../body/compressed-quotes.ts";
import type { DueFrame, MirroredFeed } from "../mirrored-feed.ts";
import { sourceName } from "../source/fetch-source.ts";
import { cachedOf, evictFor } from "./cached-content.ts";
import { faultText, isOwnFault } from "./feed-fault.ts";
import { Publisher } from "./publisher.ts";
import { runPaused, type WriterParts } from "./writer-parts.ts";

/** A generation is written and read once in order, so a larger page cache saves nothing. */
const cacheKib = 4 * 1024;
const lockRetryMs = 5 * secondMs;
const failureRetry = { firstMs: lockRetryMs, maxMs: 5 * minuteMs };

/**
 * Writes the results of a mirror: check times, bodies, frames, publications and finalized days. Check times are written at once. All other
 * writes wait while another import holds the file, and use short transactions.
 */
export class MirrorWriter {
  readonly #feeds: readonly MirroredFeed[];
  readonly #parts: WriterParts;
  readonly #names = new ItemNames();
  readonly #publisher: Publisher;
  readonly #finalizer: DayFinalizer;
  #retryMs = 0;
  #failures = 0;
  #isWaiting = false;

  constructor(feeds: readonly MirroredFeed[], parts: WriterParts) {
    this.#feeds = feeds;
    this.#parts = parts;
    this.#publisher = new Publisher(feeds, parts);
    this.#finalizer = new DayFinalizer(feeds, parts);
  }

  /** Returns the time of the next write, in monotonic ms. */
  get nextMs(): number {
    return this.isBehind ? this.#retryMs : Math.max(this.#retryMs, this.#publisher.nextMs);
  }

  /** Returns whether anything other than a postponed publication waits to be written. */
  get isBehind(): boolean {
    return (
      !this.#finalizer.isFinalized ||
      this.#feeds.some(
        ({ received, uncheckedAt, framesDue }) => received !== null || uncheckedAt !== null || framesDue.length > 0,
      )
    );
  }

  /**
   * Writes the due results. Failed writes are kept and retried.
   * @throws The signal's reason when it is aborted; no other error.
   */
  async write(): Promise<void> {
    const { clock, databasePath, events, signal } = this.#parts;
    if (clock.monotonicMs() < this.nextMs) return;
    try {
      const database = openWriter(databasePath, importBusyMs, { keeps: "market" });
      try {
        deferCheckpoints(database);
        setCacheKib(database, cacheKib);
        this.#writeChecks(database);
        this.#publisher.noticeOthers(database);
        if (this.isBehind || clock.monotonicMs() >= this.#publisher.nextMs) await this.#writeLocked(database);
        // No request waits now. A server with private data in PostgreSQL has no thread for checkpoints.
        checkpoint(database);
      } finally {
        closeDatabase(database);
      }
      this.#failures = 0;
    } catch (error) {
      signal.throwIfAborted();
      this.#failures += 1;
      const delayMs = backoffMs(this.#failures, failureRetry);
      this.#retryMs = clock.monotonicMs() + delayMs;
      const failure = storageFailure(error);
      if (failure !== null) events.storageErred(failure);
      events.mirrorFailed({ reason: (error as Error).message, retry_ms: delayMs });
    }
  }

  async #writeLocked(database: Database): Promise<void> {
    const { clock, databasePath, events, signal } = this.#parts;
    const lock = tryLock(databasePath, "import");
    if (lock === null) {
      this.#retryMs = clock.monotonicMs() + lockRetryMs;
      if (!this.#isWaiting) events.mirrorWaiting({ retry_ms: lockRetryMs });
      this.#isWaiting = true;
      return;
    }
    this.#isWaiting = false;
    try {
      for (const feed of this.#feeds) await this.#acceptBody(database, feed);
      this.#writeChecks(database);
      const failure = await this.#publisher.publish(database).then(
        () => null,
        (error: Error) => error,
      );
      signal.throwIfAborted();
      // A frame contains the publication time of its content. It is recorded even if the publication must be retried.
      for (const feed of this.#feeds) await recordDueFrames(database, feed, this.#parts);
      if (failure !== null) throw failure;
      await this.#finalizer.finalize(database);
    } finally {
      lock.release();
    }
  }

  /** Writes the time of each check at once, even during an import. A new feed has no row in the file yet. */
  #writeChecks(database: Database): void {
    for (const feed of this.#feeds) {
      const { name, uncheckedAt, sourceTimes } = feed;
      if (uncheckedAt === null) continue;
      writeTransaction(database, () => new FeedWriter(database).recordCheck(name, uncheckedAt, sourceTimes));
      feed.uncheckedAt = null;
      feed.sourceTimes = null;
    }
  }

  /** Accepts the received body. A rejected body is dropped and reported; the other feeds continue. */
  async #acceptBody(database: Database, feed: MirroredFeed): Promise<void> {
    if (feed.received === null) return;
    const { adapter, source } = feed.config;
    const { content } = feed.received;
    const digest = Buffer.from(feed.received.digest, "hex");
    const name = sourceName(source);
    const body = { name, digest, ...("bytes" in content ? content : { reading: content.reading.open() }) };
    try {
      const others = this.#feeds.filter((other) => other !== feed);
      const { clock } = this.#parts;
      const known = new FeedWriter(database).times(feed.name);
      const expected = { others, savedBefore: feed.savedAtMax(known) };
      const demand = (reading: ListedReading) => refuseUnlessExpected(name, reading, feed, expected);
      const pending = new GuardAcceptanceWriter(database).pending(feed.name) as GuardName[];
      // An acceptance is for one body, even if that body is not published yet.
      const accepted = pending.filter((guard) => !feed.acceptances.has(guard));
      const acceptCommand = acceptCommandOf(feed.name);
      const guarded = { thresholds: feed.config.guards, accepted, acceptCommand, before: lastAccepted(database, feed) };
      const batches = acceptFeedInBatches(
        database,
        body,
        { adapter, demand, ...guarded },
        { clock, names: this.#names, collect: () => new PackingCollector() },
      );
      const { value } = await runPaused(batches, this.#parts);
      const cached = cachedOf(value);
      evictFor(this.#feeds, { feed, name, cached }, this.#parts.cachedBytesMax);
      // After a start, only the published quotes show whether content without a save time is new.
      const isKnown = feed.content === null && value.savedAt === null && isPublished(database, value);
      for (const guard of accepted) {
        const broken = value.summary.guards.find((one) => one.guard === guard && one.verdict === "broken");
        feed.acceptances.set(guard, broken === undefined ? null : findingText(broken));
      }
      feed.accepted(value, cached, known, isKnown);
    } catch (error) {
      if (!isOwnFault(error, this.#parts.signal)) throw error;
      logRefusal(database, error);
      feed.failed(faultText(error), null);
    }
  }
}

/**
 * Returns the prices of the last accepted body, even if it is not published yet. Undefined if no content is cached or its quotes were
 * dropped.
 */
function lastAccepted(database: Database, { name, content }: MirroredFeed): FeedBefore | undefined {
  if (content === null || (new FeedWriter(database).itemCount(name) ?? 0) === 0) return undefined;
  return { items: content.items, itemCount: content.items.size };
}

/** Returns the command that accepts the next body of a feed despite these guards. */
function acceptCommandOf(feed: string): (guards: readonly GuardName[]) => string {
  return (guards) => `npx itemtape mirror accept ${feed} --guard ${guards.join(",")}`;
}

/** Records the due frames. A frame that cannot be recorded is dropped and reported; the next verification queues another. */
async function recordDueFrames(database: Database, feed: MirroredFeed, parts: WriterParts): Promise<void> {
  // Removed from the queue first: a concurrent check may fill the queue, which would drop the oldest frame.
  for (let due = feed.framesDue.shift(); due !== undefined; due = feed.framesDue.shift()) {
    try {
      await record(database, feed.name, due, parts);
    } catch (error) {
      if (!isOwnFault(error, parts.signal)) {
        feed.framesDue.unshift(due);
        throw error;
      }
      feed.frameDropped(due, faultText(error));
      if (!isKnown(database, feed.name, due)) feed.dropContent();
    }
  }
}

async function record(database: Database, feed: string, due: DueFrame, parts: WriterParts): Promise<void> {
  const { clock, events } = parts;
  const { verifiedBy, checkedAt, content } = due;
  const ingestedAt = content.publishedAt ?? content.takenAt;
  const times = { verifiedBy, ingestedAt, checkedAt, recordedAt: clock.now() };
  const batches = recordFrameInBatches(database, content, times, { clock });
  const { value, lockHeldMsMax } = await runPaused(batches, parts);
  if (value.outcome !== "recorded") return;
  const { hour, items, quotes } = value;
  const facts = { feed, hour: toTimestamp(hour * hourMs), verified_by: verifiedBy, items, quotes };
  events.frameRecorded({ ...facts, hold_ms_max: Math.round(lockHeldMsMax) });
}

/** Returns whether the file still has the feed's providers: another file may have replaced it. */
function isKnown(database: Database, feed: string, { content }: DueFrame): boolean {
  const known = new Set(new FeedWriter(database).providersOf(feed));
  return content.facts.providers.every(({ provider }) => known.has(provider));
}

/** The other feeds of the mirror, and the latest save time of this feed's earlier bodies. Null if no save time is known. */
type Expected = { others: readonly MirroredFeed[]; savedBefore: number | null };

/**
 * Checks the additional rules of a mirror: the configured feed and providers, and a save time not before the previous body's. Writes
 * nothing.
 * @throws {OperatorError} when the body breaks a rule.
 */
function refuseUnlessExpected(
  name: string,
  { facts, savedAt }: ListedReading,
  feed: MirroredFeed,
  { others, savedBefore }: Expected,
): void {
  if (facts.feed !== feed.name) throw refusedFile(name, `it belongs to the feed ${facts.feed}, not of ${feed.name}`);
  refuseOtherProviders(name, facts, feed, others);
  if (savedAt === null) return;
  if (savedBefore !== null && savedAt < savedBefore) {
    const times = `${toTimestamp(savedAt)}, before the ${toTimestamp(savedBefore)} of the previous one`;
    throw refusedFile(name, `its save time is ${times}`);
  }
}

function refuseOtherProviders(
  name: string,
  facts: FeedFacts,
  { config, name: feed }: MirroredFeed,
  others: readonly MirroredFeed[],
): void {
  const covered = facts.providers.map(({ provider }) => provider);
  if (config.providers !== null) {
    const expected = new Set(config.providers);
    const isExact = covered.length === expected.size && covered.every((provider) => expected.has(provider));
    if (!isExact) {
      const covers = `it covers the providers ${covered.join(", ")} but the feed ${feed} is set to`;
      throw refusedFile(name, `${covers} ${config.providers.join(", ")}`);
    }
  }
  for (const other of others) {
    const theirs = new Set(other.config.providers ?? other.content?.facts.providers.map(({ provider }) => provider));
    const foreign = covered.find((provider) => theirs.has(provider));
    if (foreign === undefined) continue;
    throw refusedFile(name, `it covers ${foreign}, which is a provider of the feed ${other.name}`);
  }
}
