import { createHash } from "node:crypto";
import { believableSaveTime } from "../../import/guards/body.ts";
import { findingTexts, type GuardName, unjudgedTexts } from "../../import/guards/findings.ts";
import type { AcceptedFeed } from "../../import/quotes/accept-feed.ts";
import type { FrameTimes } from "../../import/quotes/record-frame.ts";
import { quoteMoveText } from "../../import/quotes/report.ts";
import type { FeedTimes } from "../../store/write/feeds.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { hourMs, hourOf, minuteMs, secondMs } from "../../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../../values/time/clock.ts";
import type { CompressedQuotes } from "./body/compressed-quotes.ts";
import type { CompressedReading } from "./body/compressed-reading.ts";
import type { FeedConfig } from "./mirror-config.ts";
import type { MirrorEvents } from "./mirror-events.ts";
import { secretsOf } from "./source/fetch-source.ts";
import type { Fetched, Validator } from "./source/source.ts";
import { withoutSecrets } from "./source/source-secrets.ts";

type FeedParts = { clock: Clock; chance: () => number; events: MirrorEvents };

/** The cached content of an accepted body. `bytes` is its approximate memory size. */
export type CachedContent = Pick<AcceptedFeed, "facts" | "itemsWithoutQuote" | "refusedNames" | "savedAt"> & {
  items: CompressedQuotes;
  bytes: number;
};

/** The latest verified content, cached in memory. It supplies the frame when the source reports no change. */
export type VerifiedContent = CachedContent & {
  digest: string;
  /** SHA-256 of the received bytes. Null if the body was decompressed while it arrived. */
  compressedDigest: string | null;
  validator: Validator | null;
  takenAt: number;
  /** Time of publication, UTC ms. Null if it is not published yet. */
  publishedAt: number | null;
};

/** An answer with a body that another process has read. `reading` is null if the feed already has this body. */
export type ReadAnswer = {
  kind: "read";
  digest: string;
  compressedDigest: string;
  bytes: number;
  reading: CompressedReading | null;
  validator: Validator | null;
};

/** A received body that is not checked yet: its bytes, or the compressed result of reading it. `size` is uncompressed; `at` is UTC ms. */
type ReceivedBody = { content: { bytes: Buffer } | { reading: CompressedReading }; size: number; at: number } & Pick<
  VerifiedContent,
  "digest" | "compressedDigest" | "validator"
>;

export type DueFrame = { content: VerifiedContent } & Pick<FrameTimes, "verifiedBy" | "checkedAt">;

/** A source without a change for this long has probably stopped. */
const frozenMs = 24 * hourMs;
/** Maximum frames that wait while another import holds the file. */
const framesDueMax = 24;

/** One feed of a mirror: its poll times, its latest content, and its unwritten results. */
export class MirroredFeed {
  readonly config: FeedConfig;
  readonly #parts: FeedParts;
  content: VerifiedContent | null = null;
  received: ReceivedBody | null = null;
  /** Time of the latest check, UTC ms, until it is stored in `feeds.checked_at`; then null. */
  uncheckedAt: number | null = null;
  /** The source's own times until they are stored; then null. */
  sourceTimes: Pick<FeedTimes, "savedAt" | "changedAt"> | null = null;
  isUnpublished = false;
  /** Acceptances for the unpublished content: its finding by guard, null without one. They are used at its publication. */
  readonly acceptances = new Map<GuardName, string | null>();
  isPolling = false;
  readonly framesDue: DueFrame[] = [];
  #checkedAt = 0;
  #frameHour: number | null = null;
  #failures = 0;
  #nextMs: number;
  #changedAt = 0;
  #isFrozen = false;
  #isBehind = false;

  constructor(config: FeedConfig, parts: FeedParts) {
    this.config = config;
    this.#parts = parts;
    this.#nextMs = parts.clock.monotonicMs();
  }

  get name(): string {
    return this.config.feed;
  }

  /** Returns the approximate memory of its contents in bytes: the latest content and the contents of due frames. */
  get cachedBytes(): number {
    return bytesOf([this.content, ...this.framesDue.map(({ content }) => content)]);
  }

  /** Returns the approximate memory of the due frames alone, in bytes. */
  get dueBytes(): number {
    return bytesOf(this.framesDue.map(({ content }) => content));
  }

  /** Returns whether the latest content is published and all its frames are recorded. */
  get isWritten(): boolean {
    return !this.isUnpublished && this.framesDue.length === 0;
  }

  /** Returns the time of the latest verification, UTC ms. Returns 0 before the first one. */
  get checkedAt(): number {
    return this.#checkedAt;
  }

  /** Returns the time of the next poll, in monotonic ms. Infinity while a poll runs or a body waits to be checked. */
  get nextMs(): number {
    return this.isPolling || this.received !== null ? Number.POSITIVE_INFINITY : this.#nextMs;
  }

  /** Processes the source's answer of `at` (UTC ms). Known content is verified at once; a new body waits to be checked. */
  answered(fetched: Exclude<Fetched, { kind: "packed" }> | ReadAnswer, at: number): void {
    const { content } = this;
    if (fetched.kind === "not_modified" && content === null) {
      // The content of the conditional request was dropped meanwhile, so this answer verifies nothing.
      this.#nextMs = this.#parts.clock.monotonicMs();
      return;
    }
    if (fetched.kind !== "not_modified") {
      const received = receivedBody(fetched, at);
      if (received !== null && content?.digest !== received.digest) {
        this.received = received;
        return;
      }
      content!.validator = fetched.validator;
      content!.compressedDigest = fetched.kind === "read" ? fetched.compressedDigest : null;
    }
    const verifiedBy = fetched.kind === "not_modified" ? "not_modified" : "body";
    this.#parts.events.feedUnchanged({ feed: this.name, verified_by: verifiedBy });
    this.#verified(at, verifiedBy);
  }

  /**
   * Accepts the waiting body and caches `cached`. `known` holds the feed's times in the file. `isKnown` is true if the published quotes are
   * equal.
   */
  accepted(
    { takenAt, refusals, summary }: AcceptedFeed,
    cached: CachedContent,
    known: FeedTimes,
    isKnown: boolean,
  ): void {
    const { items, savedAt } = cached;
    const { size, digest, compressedDigest, validator, at } = this.received!;
    const isNews = savedAt === null ? !isKnown : savedAt > (this.savedAtMax(known) ?? Number.NEGATIVE_INFINITY);
    this.#changedAt = isNews ? at : (known.changedAt ?? at);
    this.#isFrozen &&= !isNews;
    this.sourceTimes = { savedAt, changedAt: this.#changedAt };
    const publishedAt = isKnown ? known.ingestedAt : null;
    this.content = { ...cached, digest, compressedDigest, validator, takenAt, publishedAt };
    this.received = null;
    this.isUnpublished = true;
    const counts = { items: items.size, refused: refusals.total, bytes: size };
    this.#parts.events.feedVerified({ feed: this.name, ...counts, ...guardFacts(summary) });
    this.#verified(at, "body");
  }

  /** Records a poll without a usable answer, or a rejected body. The latest content stays. */
  failed(reason: string, retryAfterMs: number | null): void {
    const { clock, chance, events } = this.#parts;
    this.received = null;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.config.intervalMs, this.#failures, retryAfterMs, chance);
    this.#nextMs = clock.monotonicMs() + delayMs;
    const safe = withoutSecrets(reason, secretsOf(this.config.source));
    events.feedFailed({ feed: this.name, reason: safe, failures: this.#failures, retry_ms: delayMs });
  }

  /** Drops the oldest due frame. The latest content stays. */
  dropFrame(reason: string): void {
    const due = this.framesDue.shift();
    if (due !== undefined) this.frameDropped(due, reason);
  }

  /** Reports a due frame that will not be recorded. */
  frameDropped({ checkedAt }: DueFrame, reason: string): void {
    const hour = hourOf(checkedAt);
    // The hour has not ended: the next check queues another frame.
    if (hour === this.#frameHour) this.#frameHour = null;
    this.#parts.events.frameDropped({ feed: this.name, hour: toTimestamp(hour * hourMs), reason });
  }

  /**
   * Returns the later save time of the latest content and of the feed in the file, UTC ms. Null if neither has one. Ignores a time in the
   * future, which an earlier version may have stored from an invalid body.
   */
  savedAtMax(known: Pick<FeedTimes, "savedAt">): number | null {
    const savedAt = believableSaveTime(known.savedAt, this.#parts.clock.now(), this.config.guards);
    const own = this.content?.savedAt ?? null;
    return own === null || savedAt === null ? (own ?? savedAt) : Math.max(own, savedAt);
  }

  /** Records that the latest content was published at `at` (UTC ms), or null if unknown. */
  published(at: number | null): void {
    if (this.content !== null) this.content.publishedAt = at;
    this.isUnpublished = false;
  }

  /**
   * Drops the latest content because it cannot be published. Also drops its frames, because their prices were never published. Frames of
   * content published before stay.
   */
  unpublishable(reason: string): void {
    const { content } = this;
    for (const due of this.framesDue.splice(0)) {
      if (due.content !== content || due.content.publishedAt !== null) this.framesDue.push(due);
      else this.frameDropped(due, "the feed could not be published");
    }
    this.dropContent();
    this.failed(reason, null);
  }

  /** Drops the latest content, so that the next poll requests the whole body. Due frames stay. */
  dropContent(): void {
    this.content = null;
    this.isUnpublished = false;
    this.acceptances.clear();
  }

  /** Reports a poll that starts more than one interval late. */
  reportLag(): void {
    const lateMs = Math.round(this.#parts.clock.monotonicMs() - this.#nextMs);
    if (lateMs > this.config.intervalMs) this.#parts.events.feedLagging({ feed: this.name, late_ms: lateMs });
  }

  #verified(at: number, verifiedBy: FrameTimes["verifiedBy"]): void {
    const nowMs = this.#parts.clock.monotonicMs();
    this.#failures = 0;
    this.#nextMs = nowMs + this.config.intervalMs;
    this.#checkedAt = at;
    this.uncheckedAt = at;
    this.#queueFrame(at, verifiedBy);
    const unchangedMs = at - this.#changedAt;
    if (this.content !== null && unchangedMs >= frozenMs && !this.#isFrozen) {
      this.#isFrozen = true;
      this.#parts.events.feedFrozen({ feed: this.name, unchanged_ms: unchangedMs });
    }
    this.#reportBehind(at);
  }

  /** Reports a save time far behind the check. Reports once, and again only after the source has caught up. */
  #reportBehind(at: number): void {
    const savedAt = this.content?.savedAt ?? null;
    const behindMs = savedAt === null ? 0 : at - savedAt;
    const isBehind = behindMs >= frozenMs;
    if (savedAt !== null && isBehind && !this.#isBehind) {
      this.#parts.events.feedBehind({ feed: this.name, saved_at: toTimestamp(savedAt), behind_ms: behindMs });
    }
    this.#isBehind = isBehind;
  }

  #queueFrame(at: number, verifiedBy: FrameTimes["verifiedBy"]): void {
    const hour = hourOf(at);
    const { content } = this;
    if (content === null || hour === this.#frameHour) return;
    this.#frameHour = hour;
    this.framesDue.push({ content, verifiedBy, checkedAt: at });
    if (this.framesDue.length > framesDueMax) this.dropFrame(`more than ${framesDueMax} hours wait to be recorded`);
  }
}

/** Returns the total bytes of contents. Repeated contents count once. */
function bytesOf(contents: readonly (VerifiedContent | null)[]): number {
  let sum = 0;
  for (const content of new Set(contents)) sum += content?.bytes ?? 0;
  return sum;
}

/** Returns the body of an answer. Null if the feed already has this body. */
function receivedBody(answer: Extract<Fetched, { kind: "body" }> | ReadAnswer, at: number): ReceivedBody | null {
  const { validator } = answer;
  if (answer.kind === "body") {
    const digest = createHash("sha256").update(answer.bytes).digest("hex");
    return {
      content: { bytes: answer.bytes },
      size: answer.bytes.length,
      digest,
      compressedDigest: null,
      validator,
      at,
    };
  }
  const { reading, bytes, digest, compressedDigest } = answer;
  return reading === null ? null : { content: { reading }, size: bytes, digest, compressedDigest, validator, at };
}

const firstRetryMs = 30 * secondMs;
const retryMaxMs = 15 * minuteMs;

/**
 * Returns the delay in ms after `failures` failures in a row. It doubles up to the longer of the interval and 15 minutes. The result
 * is between half and all of it, so that mirrors do not return together. `chance` is in [0, 1). A longer Retry-After of the source has
 * precedence.
 */
export function retryDelayMs(
  intervalMs: number,
  failures: number,
  retryAfterMs: number | null,
  chance: () => number,
): number {
  const retry = { firstMs: Math.min(intervalMs, firstRetryMs), maxMs: Math.max(intervalMs, retryMaxMs) };
  const wholeMs = backoffMs(failures, retry);
  return Math.max(Math.round(wholeMs * (0.5 + chance() / 2)), retryAfterMs ?? 0);
}

/** Returns the changes of an accepted body and the texts of its guards. Empty fields are left out. */
function guardFacts({ guards, moves }: AcceptedFeed["summary"]) {
  const texts = {
    moves: (moves?.largest ?? []).map(quoteMoveText),
    named: findingTexts(guards, "named"),
    not_judged: unjudgedTexts(guards),
  };
  const said = Object.entries(texts).flatMap(([key, all]) => (all.length === 0 ? [] : [[key, all.join("; ")]]));
  const { came, changed, went } = moves ?? {};
  return { ...(moves === null ? {} : { came, changed, went }), ...Object.fromEntries(said) };
}
