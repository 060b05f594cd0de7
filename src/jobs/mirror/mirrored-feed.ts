import { createHash } from "node:crypto";
import { believableSaveTime } from "../../import/guards/body.ts";
import { findingTexts, unjudgedTexts } from "../../import/guards/findings.ts";
import type { AcceptedFeed } from "../../import/quotes/accept-feed.ts";
import type { FrameTimes } from "../../import/quotes/record-frame.ts";
import { quoteMoveText } from "../../import/quotes/report.ts";
import type { FeedTimes } from "../../store/write/feeds.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { hourMs, hourOf, minuteMs, secondMs } from "../../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../../values/time/clock.ts";
import type { PackedQuotes } from "./body/packed-quotes.ts";
import type { PackedReading } from "./body/packed-reading.ts";
import type { FeedConfig } from "./mirror-config.ts";
import type { MirrorEvents } from "./mirror-events.ts";
import { secretsOf } from "./source/fetch-source.ts";
import type { Fetched, Validator } from "./source/source.ts";
import { withoutSecrets } from "./source/source-secrets.ts";

type FeedParts = { clock: Clock; chance: () => number; events: MirrorEvents };

/** What is kept of an accepted body. `bytes`: about what it takes of the memory. */
export type KeptContent = Pick<AcceptedFeed, "facts" | "itemsWithoutQuote" | "refusedNames" | "savedAt"> & {
  items: PackedQuotes;
  bytes: number;
};

/** The latest verified content, kept in memory. A frame is recorded from it when the source answers that nothing changed. */
export type VerifiedContent = KeptContent & {
  digest: string;
  /** SHA-256 of the body as it came; null: it was unpacked while it came. */
  packedDigest: string | null;
  validator: Validator | null;
  takenAt: number;
  /** Time of publication, UTC ms; null: not published yet. */
  publishedAt: number | null;
};

/** The answer of a source whose body was read in another process, packed. `reading` null: it is the body that the feed has. */
export type ReadAnswer = {
  kind: "read";
  digest: string;
  packedDigest: string;
  bytes: number;
  reading: PackedReading | null;
  validator: Validator | null;
};

/** A body that was received and not checked yet: its bytes, or what was read of them, packed. `size`: unpacked bytes, `at`: UTC ms. */
type ArrivedBody = { content: { bytes: Buffer } | { reading: PackedReading }; size: number; at: number } & Pick<
  VerifiedContent,
  "digest" | "packedDigest" | "validator"
>;

export type DueFrame = { content: VerifiedContent } & Pick<FrameTimes, "verifiedBy" | "checkedAt">;

/** A source that is unchanged for this long has probably stopped. */
const frozenMs = 24 * hourMs;
/** Maximum frames that wait to be recorded while another import holds the file. */
const framesDueMax = 24;

/** One feed of a mirror: when it is polled next, its latest content, and what of it is still to be written. */
export class MirroredFeed {
  readonly config: FeedConfig;
  readonly #parts: FeedParts;
  content: VerifiedContent | null = null;
  arrived: ArrivedBody | null = null;
  /** Time of the latest check, UTC ms, until `feeds.checked_at` has it; else null. */
  uncheckedAt: number | null = null;
  /** The source's own times until the file has them; else null. */
  sourceTimes: Pick<FeedTimes, "savedAt" | "changedAt"> | null = null;
  isUnpublished = false;
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

  /** Returns about how many bytes its contents take of the memory: the latest, and those of frames that are due. */
  get keptBytes(): number {
    return bytesOf([this.content, ...this.framesDue.map(({ content }) => content)]);
  }

  /** Returns the same of the frames that are due alone. */
  get dueBytes(): number {
    return bytesOf(this.framesDue.map(({ content }) => content));
  }

  /** Tells whether the latest content is published and all its frames are recorded. */
  get isWritten(): boolean {
    return !this.isUnpublished && this.framesDue.length === 0;
  }

  /** Returns the time of the latest verification, UTC ms; 0: none yet. */
  get checkedAt(): number {
    return this.#checkedAt;
  }

  /** Returns when the next poll is due, in monotonic ms. Infinity while a poll runs or a body waits to be checked. */
  get nextMs(): number {
    return this.isPolling || this.arrived !== null ? Number.POSITIVE_INFINITY : this.#nextMs;
  }

  /** Takes the source's answer of `at`, UTC ms. Known content is verified at once, a new body waits to be checked. */
  answered(fetched: Exclude<Fetched, { kind: "packed" }> | ReadAnswer, at: number): void {
    const { content } = this;
    if (fetched.kind === "not_modified" && content === null) {
      // The content that the request named was dropped meanwhile: nothing is left that this answer could verify.
      this.#nextMs = this.#parts.clock.monotonicMs();
      return;
    }
    if (fetched.kind !== "not_modified") {
      const arrived = arrivedBody(fetched, at);
      if (arrived !== null && content?.digest !== arrived.digest) {
        this.arrived = arrived;
        return;
      }
      content!.validator = fetched.validator;
      content!.packedDigest = fetched.kind === "read" ? fetched.packedDigest : null;
    }
    const verifiedBy = fetched.kind === "not_modified" ? "not_modified" : "body";
    this.#parts.events.feedUnchanged({ feed: this.name, verified_by: verifiedBy });
    this.#verified(at, verifiedBy);
  }

  /** Takes over the accepted body, of which `kept` is kept. `known`: the feed's times in the file; `isKnown`: the published quotes are the same. */
  accepted({ takenAt, refusals, summary }: AcceptedFeed, kept: KeptContent, known: FeedTimes, isKnown: boolean): void {
    const { items, savedAt } = kept;
    const { size, digest, packedDigest, validator, at } = this.arrived!;
    const isNews = savedAt === null ? !isKnown : savedAt > (this.savedAtMax(known) ?? Number.NEGATIVE_INFINITY);
    this.#changedAt = isNews ? at : (known.changedAt ?? at);
    this.#isFrozen &&= !isNews;
    this.sourceTimes = { savedAt, changedAt: this.#changedAt };
    const publishedAt = isKnown ? known.ingestedAt : null;
    this.content = { ...kept, digest, packedDigest, validator, takenAt, publishedAt };
    this.arrived = null;
    this.isUnpublished = true;
    const counts = { items: items.size, refused: refusals.total, bytes: size };
    this.#parts.events.feedVerified({ feed: this.name, ...counts, ...guardFacts(summary) });
    this.#verified(at, "body");
  }

  /** Records that a poll gave nothing usable, or that the received body was refused. The latest content stays. */
  failed(reason: string, retryAfterMs: number | null): void {
    const { clock, chance, events } = this.#parts;
    this.arrived = null;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.config.intervalMs, this.#failures, retryAfterMs, chance);
    this.#nextMs = clock.monotonicMs() + delayMs;
    const safe = withoutSecrets(reason, secretsOf(this.config.source));
    events.feedFailed({ feed: this.name, reason: safe, failures: this.#failures, retry_ms: delayMs });
  }

  /** Drops the frame that is due first. The latest content stays. */
  dropFrame(reason: string): void {
    const due = this.framesDue.shift();
    if (due !== undefined) this.frameDropped(due, reason);
  }

  /** Reports a frame that was due and will not be recorded. */
  frameDropped({ checkedAt }: DueFrame, reason: string): void {
    const hour = hourOf(checkedAt);
    // The hour is not over: the next check queues another frame.
    if (hour === this.#frameHour) this.#frameHour = null;
    this.#parts.events.frameDropped({ feed: this.name, hour: toTimestamp(hour * hourMs), reason });
  }

  /**
   * Returns the later save time of the latest content and of the feed in the file, UTC ms; null: neither has one. A time in the
   * future, which an earlier version took from a wrong body, counts as none.
   */
  savedAtMax(known: Pick<FeedTimes, "savedAt">): number | null {
    const savedAt = believableSaveTime(known.savedAt, this.#parts.clock.now(), this.config.guards);
    const own = this.content?.savedAt ?? null;
    return own === null || savedAt === null ? (own ?? savedAt) : Math.max(own, savedAt);
  }

  /** Records that the latest content is published since `at`, UTC ms. */
  published(at: number | null): void {
    if (this.content !== null) this.content.publishedAt = at;
    this.isUnpublished = false;
  }

  /**
   * Drops the latest content because it cannot be published, and its frames, whose prices were never in the cache. Frames of what was
   * published before stay.
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

  /** Drops the latest content, so that the next poll asks for the whole body. Frames that are due stay. */
  dropContent(): void {
    this.content = null;
    this.isUnpublished = false;
  }

  /** Reports a poll that starts later than one interval after it was due. */
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

  /** Reports once when the source's save time lies far behind a check, and again after it had caught up. */
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

/** Returns the bytes of contents; one that is there more than once counts once. */
function bytesOf(contents: readonly (VerifiedContent | null)[]): number {
  let sum = 0;
  for (const content of new Set(contents)) sum += content?.bytes ?? 0;
  return sum;
}

/** Returns the body of an answer; null: it is the one that the feed has. */
function arrivedBody(answer: Extract<Fetched, { kind: "body" }> | ReadAnswer, at: number): ArrivedBody | null {
  const { validator } = answer;
  if (answer.kind === "body") {
    const digest = createHash("sha256").update(answer.bytes).digest("hex");
    return { content: { bytes: answer.bytes }, size: answer.bytes.length, digest, packedDigest: null, validator, at };
  }
  const { reading, bytes, digest, packedDigest } = answer;
  return reading === null ? null : { content: { reading }, size: bytes, digest, packedDigest, validator, at };
}

const firstRetryMs = 30 * secondMs;
const retryMaxMs = 15 * minuteMs;

/**
 * Returns the wait in ms after the `failures`-th failure in a row. It doubles each time, up to the interval or 15 minutes, whichever
 * is longer. Between half and all of it is taken, so that mirrors of one source do not return together. `chance` is in [0, 1).
 * A longer Retry-After of the source wins.
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

/** Returns the changes of an accepted body and the texts of its guards, without empty fields. */
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
