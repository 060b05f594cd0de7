import { createHash } from "node:crypto";
import type { AcceptedFeed } from "../../import/quotes/accept-feed.ts";
import type { FrameTimes } from "../../import/quotes/record-frame.ts";
import type { FeedTimes } from "../../store/write/feeds.ts";
import { hourMs, hourOf, minuteMs, secondMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import type { FeedConfig } from "./mirror-config.ts";
import type { MirrorEvents } from "./mirror-events.ts";
import type { Fetched, Validator } from "./source.ts";

export type FeedParts = { clock: Clock; chance: () => number; events: MirrorEvents };

/** Content that was verified last, kept in memory: what a frame is recorded from when the source says that nothing changed. */
export type HeldContent = Pick<AcceptedFeed, "facts" | "items" | "itemsWithoutQuote" | "savedAt"> & {
  digest: string;
  validator: Validator | null;
  takenAt: number;
  /** When it was published; null as long as that is held back. */
  publishedAt: number | null;
};

/** A body that came and was not judged yet. */
export type ArrivedBody = { bytes: Buffer; digest: string; validator: Validator | null; at: number };

export type DueFrame = { content: HeldContent } & Pick<FrameTimes, "verifiedBy" | "checkedAt">;

/** A source that says the same for so long has probably stopped. */
export const frozenMs = 24 * hourMs;
/** Hours that wait to be recorded, should another import hold the file for that long. */
const framesDueMax = 24;

/** One feed of a mirror: when it is polled next, what it last said, and what of that is still to be written. */
export class MirroredFeed {
  readonly config: FeedConfig;
  readonly #parts: FeedParts;
  held: HeldContent | null = null;
  arrived: ArrivedBody | null = null;
  /** The last verification, as long as `feeds.checked_at` does not say it. */
  uncheckedAt: number | null = null;
  /** What the source said of its own times, as long as the file does not say it. */
  heard: Pick<FeedTimes, "savedAt" | "changedAt"> | null = null;
  isUnpublished = false;
  isPolling = false;
  readonly framesDue: DueFrame[] = [];
  #checkedAt = 0;
  #frameHour: number | null = null;
  #failures = 0;
  #nextMs: number;
  #changedAt = 0;
  #isFrozen = false;

  constructor(config: FeedConfig, parts: FeedParts) {
    this.config = config;
    this.#parts = parts;
    this.#nextMs = parts.clock.monotonicMs();
  }

  get name(): string {
    return this.config.feed;
  }

  /** When it was verified last, UTC milliseconds. */
  get checkedAt(): number {
    return this.#checkedAt;
  }

  /** When the next poll is due, on the monotonic clock. A body that was not judged yet comes first. */
  get nextMs(): number {
    return this.isPolling || this.arrived !== null ? Number.POSITIVE_INFINITY : this.#nextMs;
  }

  /** What the source answered at `at`: known content is verified at once, a new body waits to be judged. */
  answered(fetched: Fetched, at: number): void {
    const { held } = this;
    if (fetched.kind === "not_modified" && held === null) {
      // What it was asked about was let go of meanwhile: there is nothing that this could verify.
      this.#nextMs = this.#parts.clock.monotonicMs();
      return;
    }
    if (fetched.kind === "body") {
      const digest = createHash("sha256").update(fetched.bytes).digest("hex");
      if (held?.digest !== digest) {
        this.arrived = { bytes: fetched.bytes, digest, validator: fetched.validator, at };
        return;
      }
      held.validator = fetched.validator;
    }
    const verifiedBy = fetched.kind;
    this.#parts.events.feedUnchanged({ feed: this.name, verified_by: verifiedBy });
    this.#verified(at, verifiedBy);
  }

  /** The body that had arrived is to be trusted. `known` is what the file says; `isKnown`: the body says what is published. */
  taken(taken: AcceptedFeed, known: FeedTimes, isKnown: boolean): void {
    const { facts, items, itemsWithoutQuote, savedAt, takenAt, refusals } = taken;
    const { bytes, digest, validator, at } = this.arrived!;
    const isNews = savedAt === null ? !isKnown : savedAt > (this.savedAtMax(known) ?? Number.NEGATIVE_INFINITY);
    this.#changedAt = isNews ? at : (known.changedAt ?? at);
    this.#isFrozen &&= !isNews;
    this.heard = { savedAt, changedAt: this.#changedAt };
    const publishedAt = isKnown ? known.ingestedAt : null;
    this.held = { facts, items, itemsWithoutQuote, savedAt, digest, validator, takenAt, publishedAt };
    this.arrived = null;
    this.isUnpublished = true;
    const counts = { items: items.size, refused: refusals.total, bytes: bytes.length };
    this.#parts.events.feedVerified({ feed: this.name, ...counts });
    this.#verified(at, "body");
  }

  /** A poll gave nothing usable, or the body that had arrived was refused. What is held stays. */
  failed(reason: string, retryAfterMs: number | null): void {
    const { clock, chance, events } = this.#parts;
    this.arrived = null;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.config.intervalMs, this.#failures, retryAfterMs, chance);
    this.#nextMs = clock.monotonicMs() + delayMs;
    events.feedFailed({ feed: this.name, reason, failures: this.#failures, retry_ms: delayMs });
  }

  /** The frame that is due first cannot be recorded: it is dropped, and what is held stays. */
  unrecorded(reason: string): void {
    const { clock, events } = this.#parts;
    this.framesDue.shift();
    this.#frameHour = null;
    const retryMs = Math.max(0, Math.round(this.#nextMs - clock.monotonicMs()));
    events.feedFailed({ feed: this.name, reason, failures: this.#failures, retry_ms: retryMs });
  }

  /** The latest save time of a body of this source, of those held and of those that the file has taken in. */
  savedAtMax({ savedAt }: Pick<FeedTimes, "savedAt">): number | null {
    const held = this.held?.savedAt ?? null;
    return held === null || savedAt === null ? (held ?? savedAt) : Math.max(held, savedAt);
  }

  /** What is held is in the published generation since `at`. */
  published(at: number | null): void {
    if (this.held !== null) this.held.publishedAt = at;
    this.isUnpublished = false;
  }

  /** Lets go of what is held, so that the next poll asks and judges anew. Hours that were verified stay due. */
  letGo(): void {
    this.held = null;
    this.isUnpublished = false;
  }

  /** Lets go of everything that came from the source. */
  forget(): void {
    this.letGo();
    this.framesDue.length = 0;
    this.#frameHour = null;
  }

  /** Tells when the machine does not keep up, before a poll. */
  tellIfLate(): void {
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
    if (this.held !== null && unchangedMs >= frozenMs && !this.#isFrozen) {
      this.#isFrozen = true;
      this.#parts.events.feedFrozen({ feed: this.name, unchanged_ms: unchangedMs });
    }
  }

  #queueFrame(at: number, verifiedBy: FrameTimes["verifiedBy"]): void {
    const hour = hourOf(at);
    const { held } = this;
    if (held === null || hour === this.#frameHour) return;
    this.#frameHour = hour;
    this.framesDue.push({ content: held, verifiedBy, checkedAt: at });
    if (this.framesDue.length > framesDueMax) this.framesDue.shift();
  }
}

const firstRetryMs = 30 * secondMs;
const retryMaxMs = 15 * minuteMs;

/**
 * How long to wait after the `failures`-th failure in a row: twice as long each time, up to the interval or 15 minutes, whichever
 * is longer, and between half and all of it, so that mirrors of one source do not come back together. `chance` is in [0, 1).
 * A source that asked to be left alone is left alone for longer.
 */
export function retryDelayMs(
  intervalMs: number,
  failures: number,
  retryAfterMs: number | null,
  chance: () => number,
): number {
  const longestMs = Math.max(intervalMs, retryMaxMs);
  const wholeMs = Math.min(longestMs, Math.min(intervalMs, firstRetryMs) * 2 ** Math.min(failures - 1, 30));
  return Math.max(Math.round(wholeMs * (0.5 + chance() / 2)), retryAfterMs ?? 0);
}
