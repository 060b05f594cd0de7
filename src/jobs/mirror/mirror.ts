import { setMaxListeners } from "node:events";
import { minuteMs } from "../../values/time/calendar.ts";
import { BodyBudget, type BodySize, bodiesBytesMax, compressedBytesMax } from "./body/body-budget.ts";
import type { BodyReader } from "./body/body-reader.ts";
import { secretSaidBack } from "./body/read-body.ts";
import { MemoryQueue } from "./memory-queue.ts";
import type { FeedConfig } from "./mirror-config.ts";
import { MirroredFeed, type ReadAnswer } from "./mirrored-feed.ts";
import { MirrorWriter } from "./publish/mirror-writer.ts";
import type { WriterParts } from "./publish/writer-parts.ts";
import { fetchSource, type Source, secretsOf, sourceName } from "./source/fetch-source.ts";
import { type Fetched, type FetchParts, SourceFailure, type SourceLimits, type Validator } from "./source/source.ts";
import { holdsSecret } from "./source/source-secrets.ts";

type MirrorParts = WriterParts & {
  /** Returns a number in [0, 1), which spreads the polls after failures. */
  chance: () => number;
  /** Maximum total size of the bodies of all feeds, in bytes. Absent for the default. */
  bodiesBytesMax?: number;
  /** Reads bodies in another process. If absent, this process decompresses and reads them. */
  reader?: BodyReader | undefined;
  fetch?: (source: Source, validator: Validator | null, limits: SourceLimits, parts: FetchParts) => Promise<Fetched>;
};

type CompressedFetch = Extract<Fetched, { kind: "packed" }>;

/** Maximum sleep. The mirror rechecks its clock, because clocks jump and machines suspend. */
const sleepMaxMs = minuteMs;

/**
 * Polls feeds and writes their content. Fetches run concurrently, writes one after another. Published quotes stay until a complete and
 * valid body replaces them, even if a source misbehaves. The caller holds the mirror lock.
 */
export class Mirror {
  readonly feeds: readonly MirroredFeed[];
  readonly #parts: MirrorParts;
  readonly #writer: MirrorWriter;
  readonly #polls = new Set<Promise<void>>();
  readonly #budget: BodyBudget;
  /** Beside a server, reading bodies and writing results run one at a time, because each needs much memory. */
  readonly #turns = new MemoryQueue();
  /** Bodies that are being received or wait to be checked. */
  readonly #held = new Map<MirroredFeed, BodySize>();

  constructor(configs: readonly FeedConfig[], parts: MirrorParts) {
    this.#parts = parts;
    // Each running poll adds a listener; Node warns about a leak above ten.
    setMaxListeners(0, parts.signal);
    this.feeds = configs.map((config) => new MirroredFeed(config, parts));
    this.#writer = new MirrorWriter(this.feeds, parts);
    const own = parts.reader === undefined ? bodiesBytesMax : compressedBytesMax;
    this.#budget = new BodyBudget(parts.bodiesBytesMax ?? own);
  }

  /** Runs until the signal is aborted. A running transaction is completed; the next start finishes partial work. */
  async run(): Promise<void> {
    const { signal } = this.#parts;
    try {
      while (!signal.aborted) {
        this.startPolls();
        await this.write();
        await this.#restUntil(this.nextMs);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await Promise.allSettled(this.#polls);
      for (const feed of this.feeds) while (feed.framesDue.length > 0) feed.dropFrame("the mirror ends");
    }
  }

  /** Polls all feeds that are due, waits for them and writes the results. A publication may be postponed. */
  async turn(): Promise<void> {
    this.startPolls();
    await Promise.all(this.#polls);
    await this.write();
  }

  /**
   * Polls every feed once and writes the results. Waits for another import for at most `waitMaxMs`. Returns false if some results could not
   * be written.
   */
  async once(waitMaxMs: number): Promise<boolean> {
    const { clock, signal } = this.#parts;
    const endMs = clock.monotonicMs() + waitMaxMs;
    await this.turn();
    while (this.isBehind && clock.monotonicMs() < endMs && !signal.aborted) {
      await this.#restUntil(Math.min(endMs, this.#writer.nextMs));
      await this.write();
    }
    return !this.isBehind;
  }

  /** Starts all polls that are due. */
  startPolls(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    for (const feed of this.feeds) {
      if (feed.nextMs > nowMs) continue;
      feed.reportLag();
      const poll = this.#poll(feed).finally(() => this.#polls.delete(poll));
      this.#polls.add(poll);
    }
  }

  async write(): Promise<void> {
    const write = () => this.#writer.write();
    const isDue = this.#parts.clock.monotonicMs() >= this.#writer.nextMs;
    const isInTurn = isDue && this.#parts.reader !== undefined;
    try {
      await (isInTurn ? this.#turns.take(write, { isUrgent: true }) : write());
    } finally {
      for (const feed of this.#held.keys()) if (!feed.isPolling && feed.received === null) this.#release(feed);
    }
  }

  /** Returns the time of the next poll or write, in monotonic ms. */
  get nextMs(): number {
    return Math.min(this.#writer.nextMs, ...this.feeds.map(({ nextMs }) => nextMs));
  }

  /** Returns whether anything other than a postponed publication waits to be written. */
  get isBehind(): boolean {
    return this.#writer.isBehind;
  }

  /** Waits until `dueMs`, or until a poll or the mirror ends. */
  async #restUntil(dueMs: number): Promise<void> {
    const waitMs = Math.min(sleepMaxMs, dueMs - this.#parts.clock.monotonicMs());
    if (waitMs <= 0) return;
    const { signal } = this.#parts;
    let wake = () => {};
    const slept = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const timer = setTimeout(wake, waitMs);
    signal.addEventListener("abort", wake, { once: true });
    await Promise.race([...this.#polls, slept]);
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
  }

  async #poll(feed: MirroredFeed): Promise<void> {
    const { clock, signal, reader, fetch = fetchSource } = this.#parts;
    const { source, limits } = feed.config;
    feed.isPolling = true;
    try {
      const bodySize = this.#budget.open();
      this.#held.set(feed, bodySize);
      const fetching = { now: clock.now, signal, bodySize, staysCompressed: reader !== undefined };
      const fetched = await fetch(source, feed.content?.validator ?? null, limits, fetching);
      const answer = await this.#contentOf(feed, fetched, bodySize);
      feed.answered(answer, clock.now());
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof SourceFailure ? error.message : `unexpected: ${(error as Error).message}`;
      feed.failed(reason, error instanceof SourceFailure ? error.retryAfterMs : null);
    } finally {
      feed.isPolling = false;
      if (feed.received === null) this.#release(feed);
    }
  }

  /** Returns the content of an answer. Another process reads a compressed body, unless the feed already has it. */
  async #contentOf(
    feed: MirroredFeed,
    fetched: Fetched,
    bodySize: BodySize,
  ): Promise<Exclude<Fetched, CompressedFetch> | ReadAnswer> {
    if (fetched.kind === "packed") return this.#read(feed, fetched, bodySize);
    const secrets = secretsOf(feed.config.source);
    if (fetched.kind === "body" && holdsSecret(fetched.bytes, secrets)) throw new SourceFailure(secretSaidBack);
    return fetched;
  }

  async #read(feed: MirroredFeed, body: CompressedFetch, bodySize: BodySize): Promise<ReadAnswer> {
    const { clock, signal, reader } = this.#parts;
    const { source, limits, adapter } = feed.config;
    const { blocks, contentEncoding, compressedDigest, validator } = body;
    const known = feed.content;
    if (known?.compressedDigest === compressedDigest) {
      return { kind: "read", digest: known.digest, compressedDigest, bytes: 0, reading: null, validator };
    }
    const { bytesMax, timeoutMs } = limits;
    const secrets = secretsOf(source);
    const order = { name: sourceName(source), adapter, contentEncoding, bytesMax, at: clock.now(), secrets };
    const reply = await this.#turns.take(() => reader!.read(order, blocks, { timeoutMs, signal, bodySize }));
    if ("refusal" in reply) throw new SourceFailure(reply.refusal);
    return { kind: "read", compressedDigest, validator, ...reply };
  }

  #release(feed: MirroredFeed): void {
    this.#held.get(feed)?.release();
    this.#held.delete(feed);
  }
}
