import { acceptFeedInBatches, type ImportCatalog, withKeptNames } from "../../import/quotes/accept-feed.ts";
import type { FeedReading } from "../../import/quotes/observation.ts";
import { isPublished } from "../../import/quotes/publish.ts";
import { closeDatabase, type Database, deferCheckpoints, openWriter, writeTransaction } from "../../store/database.ts";
import { holdLock } from "../../store/lock.ts";
import { StoreRefusal } from "../../store/refusal.ts";
import { importBusyMs } from "../../store/write/batches.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { minuteMs, secondMs } from "../../values/calendar.ts";
import { DayFinalizer } from "../days/day-finalizer.ts";
import { faultText, isOwnFault } from "./feed-fault.ts";
import { sourceName } from "./fetch-source.ts";
import { recordDueFrames } from "./frame-recorder.ts";
import type { MirroredFeed } from "./mirrored-feed.ts";
import { Publisher } from "./publisher.ts";
import { refuseUnlessExpected } from "./validate-body.ts";
import { runPaused, type WriterParts } from "./writer-parts.ts";

const lockRetryMs = 5 * secondMs;
const failureRetryMaxMs = 5 * minuteMs;

/**
 * Writes what the feeds of a mirror have: checks, bodies, frames, publications, finalized days. Everything but the time of a check
 * waits for its turn while another import holds the file, and is written in short transactions.
 */
export class MirrorWriter {
  readonly #feeds: readonly MirroredFeed[];
  readonly #parts: WriterParts;
  readonly #catalog: ImportCatalog;
  readonly #publisher: Publisher;
  readonly #finalizer: DayFinalizer;
  #retryMs = 0;
  #failures = 0;
  #isWaiting = false;

  constructor(feeds: readonly MirroredFeed[], parts: WriterParts) {
    this.#feeds = feeds;
    this.#parts = parts;
    this.#catalog = withKeptNames(parts.catalog);
    this.#publisher = new Publisher(feeds, parts);
    this.#finalizer = new DayFinalizer(feeds, parts);
  }

  /** When there is something to write next, on the monotonic clock. */
  get nextMs(): number {
    return this.#hasWork() ? this.#retryMs : Math.max(this.#retryMs, this.#publisher.nextMs);
  }

  /** Whether something waits that is not merely a publication held back. */
  get isBehind(): boolean {
    return this.#hasWork();
  }

  /** Writes what is due. Never throws but for the reason of an aborted signal: what could not be written is kept and tried again. */
  async write(): Promise<void> {
    const { clock, databasePath, events, signal } = this.#parts;
    if (clock.monotonicMs() < this.nextMs) return;
    try {
      const database = openWriter(databasePath, importBusyMs);
      try {
        this.#writeChecks(database);
        this.#publisher.noticeOthers(database);
        if (this.#hasWork() || clock.monotonicMs() >= this.#publisher.nextMs) await this.#writeLocked(database);
      } finally {
        closeDatabase(database);
      }
      this.#failures = 0;
    } catch (error) {
      signal.throwIfAborted();
      this.#failures += 1;
      const delayMs = Math.min(failureRetryMaxMs, lockRetryMs * 2 ** Math.min(this.#failures - 1, 10));
      this.#retryMs = clock.monotonicMs() + delayMs;
      events.mirrorFailed({ reason: (error as Error).message, retry_ms: delayMs });
    }
  }

  #hasWork(): boolean {
    return (
      !this.#finalizer.isFinalized ||
      this.#feeds.some(
        ({ arrived, uncheckedAt, framesDue }) => arrived !== null || uncheckedAt !== null || framesDue.length > 0,
      )
    );
  }

  async #writeLocked(database: Database): Promise<void> {
    const { clock, databasePath, events, signal } = this.#parts;
    const lock = tryLock(databasePath);
    if (lock === null) {
      this.#retryMs = clock.monotonicMs() + lockRetryMs;
      if (!this.#isWaiting) events.mirrorWaiting({ retry_ms: lockRetryMs });
      this.#isWaiting = true;
      return;
    }
    this.#isWaiting = false;
    try {
      deferCheckpoints(database);
      for (const feed of this.#feeds) await this.#takeBody(database, feed);
      this.#writeChecks(database);
      const failure = await this.#publisher.publish(database).then(
        () => null,
        (error: Error) => error,
      );
      signal.throwIfAborted();
      // A frame tells when its content was published, and is recorded also when that fails.
      for (const feed of this.#feeds) await recordDueFrames(database, feed, this.#parts);
      if (failure !== null) throw failure;
      await this.#finalizer.finalize(database);
    } finally {
      lock.release();
    }
  }

  /** Says at once when a source was verified, beside any import. A feed that is new to the file has no row yet. */
  #writeChecks(database: Database): void {
    for (const feed of this.#feeds) {
      const { name, uncheckedAt, heard } = feed;
      if (uncheckedAt === null) continue;
      writeTransaction(database, () => new FeedWriter(database).recordCheck(name, uncheckedAt, heard));
      feed.uncheckedAt = null;
      feed.heard = null;
    }
  }

  /** A body that cannot be taken in is dropped and told of, whatever the reason: the others go on. */
  async #takeBody(database: Database, feed: MirroredFeed): Promise<void> {
    if (feed.arrived === null) return;
    const { adapter, source } = feed.config;
    const body = { name: sourceName(source), bytes: feed.arrived.bytes };
    try {
      const others = this.#feeds.filter((other) => other !== feed);
      const { clock } = this.#parts;
      const known = new FeedWriter(database).times(feed.name);
      const expected = { others, savedBefore: feed.savedAtMax(known), now: clock.now() };
      const demand = (reading: FeedReading) => refuseUnlessExpected(body, reading, feed, expected);
      const steps = acceptFeedInBatches(database, body, { adapter, demand }, { clock, catalog: this.#catalog });
      const { value } = await runPaused(steps, this.#parts);
      // After a start only the published quotes tell whether a source without save times has said this already.
      const isKnown = feed.held === null && value.savedAt === null && isPublished(database, value);
      feed.taken(value, known, isKnown);
    } catch (error) {
      if (!isOwnFault(error, this.#parts.signal)) throw error;
      feed.failed(faultText(error), null);
    }
  }
}

function tryLock(databasePath: string): { release(): void } | null {
  try {
    return holdLock(databasePath, "import");
  } catch (error) {
    if (error instanceof StoreRefusal && error.kind === "in_use") return null;
    throw error;
  }
}
