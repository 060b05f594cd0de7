import { type FeedQuotes, isPublished, publishInBatches } from "../../../import/quotes/publish.ts";
import { type Database, writeTransaction } from "../../../store/database.ts";
import { GenerationsStore } from "../../../store/read/generations.ts";
import { markReal } from "../../../store/write/demo-mark.ts";
import { FeedWriter } from "../../../store/write/feeds.ts";
import { GuardAcceptanceWriter } from "../../../store/write/guard-acceptances.ts";
import { collectAllGarbage } from "../collect-garbage.ts";
import type { MirroredFeed, VerifiedContent } from "../mirrored-feed.ts";
import { faultText, isOwnFault } from "./feed-fault.ts";
import { runPaused, type WriterParts } from "./writer-parts.ts";

/** Publishes the changes of all feeds together, at most once per configured interval, because each publication ends the running exports. */
export class Publisher {
  readonly #feeds: readonly MirroredFeed[];
  readonly #parts: WriterParts;
  /** The generation that the mirror published. Any other current generation has another publisher. */
  #ownId: number | null = null;
  /** The generation from which `#dueMs` was measured, on the monotonic clock. */
  #measuredId: number | null = null;
  #dueMs = 0;
  #isPostponed = false;

  constructor(feeds: readonly MirroredFeed[], parts: WriterParts) {
    this.#feeds = feeds;
    this.#parts = parts;
  }

  /** Returns the time of the next publication, in monotonic ms. Infinity if all feeds are published. */
  get nextMs(): number {
    return this.#feeds.some(({ isUnpublished }) => isUnpublished) ? this.#dueMs : Number.POSITIVE_INFINITY;
  }

  /** Schedules a feed again if another process replaced its publication, unless the replacement is newer. */
  noticeOthers(database: Database): void {
    const known = new FeedWriter(database);
    const generationId = new GenerationsStore(database).current()?.generationId ?? null;
    if (this.#ownId === null || this.#ownId === generationId) return;
    this.#ownId = generationId;
    for (const feed of this.#feeds) {
      const { savedAt = null } = feed.content ?? {};
      if (savedAt !== null && feed.savedAtMax(known.times(feed.name)) !== savedAt) feed.dropContent();
      feed.isUnpublished = feed.content !== null;
    }
  }

  /**
   * Publishes the due feeds. A feed that cannot be published is dropped and reported; the others are published.
   * @throws {Error} when no feed can be published. All of them stay unpublished.
   */
  async publish(database: Database): Promise<void> {
    const { clock, events } = this.#parts;
    const waiting = this.#feeds.filter(({ isUnpublished, content }) => isUnpublished && content !== null);
    if (waiting.length === 0) {
      this.#isPostponed = false;
      return;
    }
    this.#measure(database);
    const waitMs = this.#dueMs - clock.monotonicMs();
    if (waitMs <= 0) {
      await this.#publishDue(database, waiting);
      this.#isPostponed = false;
      return;
    }
    if (!this.#isPostponed) events.publicationPostponed({ feeds: namesOf(waiting), wait_ms: waitMs });
    this.#isPostponed = true;
    for (const feed of waiting) this.#findPublished(database, feed);
  }

  /** Sets the time of the next publication. A changed wall clock postpones it by at most one interval. */
  #measure(database: Database): void {
    const { clock, publishEveryMs } = this.#parts;
    const current = new GenerationsStore(database).current();
    if (current === null || current.generationId === this.#measuredId) return;
    this.#measuredId = current.generationId;
    if (this.#isPostponed) return;
    const waitMs = Math.min(publishEveryMs, current.ingestedAt + publishEveryMs - clock.now());
    this.#dueMs = Math.max(this.#dueMs, clock.monotonicMs() + Math.max(0, waitMs));
  }

  /** Publishes all feeds together. If that fails, publishes each feed alone, so that one bad feed does not block the others. */
  async #publishDue(database: Database, waiting: readonly MirroredFeed[]): Promise<void> {
    try {
      await this.#publishTogether(database, waiting);
    } catch (error) {
      if (!isOwnFault(error, this.#parts.signal)) throw error;
      if (waiting.length > 1) {
        for (const feed of waiting) await this.#publishDue(database, [feed]);
        return;
      }
      waiting[0]!.unpublishable(faultText(error));
    }
  }

  async #publishTogether(database: Database, waiting: readonly MirroredFeed[]): Promise<void> {
    const { clock, events, publishEveryMs } = this.#parts;
    const fresh = waiting.map(({ content, checkedAt }) => feedQuotesOf(content!, checkedAt));
    const { value, lockHeldMsMax } = await runPaused(publishInBatches(database, fresh, { clock }), this.#parts);
    // The comparison used much memory, and the next step reads bodies.
    collectAllGarbage();
    this.#ownId = value.generationId;
    this.#measuredId = value.generationId;
    const known = new FeedWriter(database);
    for (const feed of waiting) {
      feed.published(known.times(feed.name).ingestedAt);
      this.#useAcceptances(database, feed);
    }
    markReal(database);
    if (value.outcome === "verified") return;
    this.#dueMs = clock.monotonicMs() + publishEveryMs;
    events.generationPublished({
      feeds: namesOf(waiting),
      generation: `g${value.generationId}`,
      items: value.items,
      too_large: value.tooLarge.length,
      hold_ms_max: Math.round(lockHeldMsMax),
    });
  }

  /** Marks the acceptances of the published body as used, and reports the guards that needed them. */
  #useAcceptances(database: Database, { name: feed, acceptances }: MirroredFeed): void {
    if (acceptances.size === 0) return;
    const { clock, events } = this.#parts;
    writeTransaction(database, () => new GuardAcceptanceWriter(database).use(feed, clock.now(), acceptances));
    for (const [guard, finding] of acceptances) if (finding !== null) events.guardAccepted({ feed, guard, finding });
    acceptances.clear();
  }

  /** Sets `publishedAt` of postponed content that equals the published quotes, for its due frames. */
  #findPublished(database: Database, { name, content, checkedAt, framesDue }: MirroredFeed): void {
    if (content === null || content.publishedAt !== null) return;
    if (!framesDue.some((due) => due.content === content)) return;
    try {
      if (!isPublished(database, feedQuotesOf(content, checkedAt))) return;
      content.publishedAt = new FeedWriter(database).times(name).ingestedAt;
    } catch (error) {
      // The publication will report the error.
      if (!isOwnFault(error, this.#parts.signal)) throw error;
    }
  }
}

function namesOf(feeds: readonly MirroredFeed[]): string {
  return feeds.map(({ name }) => name).join(", ");
}

function feedQuotesOf({ facts, items, savedAt }: VerifiedContent, checkedAt: number): FeedQuotes {
  return { facts, items, checkedAt, ...(savedAt === null ? {} : { savedAt }) };
}
