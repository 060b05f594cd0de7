import { setMaxListeners } from "node:events";
import { minuteMs } from "../../values/time/calendar.ts";
import { BodyBudget, bodiesBytesMax, type HeldBody, packedBytesMax } from "./body/body-budget.ts";
import type { BodyReader } from "./body/body-reader.ts";
import { secretSaidBack } from "./body/read-body.ts";
import { MemoryTurns } from "./memory-turns.ts";
import type { FeedConfig } from "./mirror-config.ts";
import { MirroredFeed, type ReadAnswer } from "./mirrored-feed.ts";
import { MirrorWriter } from "./publish/mirror-writer.ts";
import type { WriterParts } from "./publish/writer-parts.ts";
import { fetchSource, type Source, secretsOf, sourceName } from "./source/fetch-source.ts";
import { type Fetched, type FetchParts, SourceFailure, type SourceLimits, type Validator } from "./source/source.ts";
import { holdsSecret } from "./source/source-secrets.ts";

type MirrorParts = WriterParts & {
  /** A number in [0, 1): spreads the polls after failures. */
  chance: () => number;
  /** Maximum bytes of the bodies of all feeds together, where it is not the program's own. */
  bodiesBytesMax?: number;
  /** Reads bodies in another process; left out: they are unpacked and read in this one. */
  reader?: BodyReader | undefined;
  fetch?: (source: Source, validator: Validator | null, limits: SourceLimits, parts: FetchParts) => Promise<Fetched>;
};

type Packed = Extract<Fetched, { kind: "packed" }>;

/** Clocks jump and machines sleep: the mirror looks at its own at least this often. */
const sleepMaxMs = minuteMs;

/**
 * Polls feeds and writes their content. Fetches run beside each other, writes one after another. Whatever a source does, the
 * published quotes stay until a whole and valid body was received. The caller holds the mirror lock.
 */
export class Mirror {
  readonly feeds: readonly MirroredFeed[];
  readonly #parts: MirrorParts;
  readonly #writer: MirrorWriter;
  readonly #polls = new Set<Promise<void>>();
  readonly #budget: BodyBudget;
  /** Beside a server bodies are read, and what was read of them is written, in turns: each takes memory. */
  readonly #turns = new MemoryTurns();
  /** Bodies that are received or wait to be checked. */
  readonly #held = new Map<MirroredFeed, HeldBody>();

  constructor(configs: readonly FeedConfig[], parts: MirrorParts) {
    this.#parts = parts;
    // Each poll under way listens to it; Node takes more than ten for a leak.
    setMaxListeners(0, parts.signal);
    this.feeds = configs.map((config) => new MirroredFeed(config, parts));
    this.#writer = new MirrorWriter(this.feeds, parts);
    const own = parts.reader === undefined ? bodiesBytesMax : packedBytesMax;
    this.#budget = new BodyBudget(parts.bodiesBytesMax ?? own);
  }

  /** Runs until the signal is aborted; a transaction under way is finished, what is half done is left to the next start. */
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

  /** Polls every feed that is due, waits for all and writes the results. A publication may be postponed. */
  async turn(): Promise<void> {
    this.startPolls();
    await Promise.all(this.#polls);
    await this.write();
  }

  /**
   * Polls every feed once and writes the results, waiting for another import for at most `waitMaxMs`. Returns false when something
   * could not be written.
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

  /** Starts every poll that is due. */
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
      for (const feed of this.#held.keys()) if (!feed.isPolling && feed.arrived === null) this.#release(feed);
    }
  }

  /** Returns when the next poll or write is due, in monotonic ms. */
  get nextMs(): number {
    return Math.min(this.#writer.nextMs, ...this.feeds.map(({ nextMs }) => nextMs));
  }

  /** Tells whether something other than a postponed publication waits to be written. */
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
      const held = this.#budget.open();
      this.#held.set(feed, held);
      const fetching = { now: clock.now, signal, held, staysPacked: reader !== undefined };
      const fetched = await fetch(source, feed.content?.validator ?? null, limits, fetching);
      const answer = await this.#contentOf(feed, fetched, held);
      feed.answered(answer, clock.now());
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof SourceFailure ? error.message : `unexpected: ${(error as Error).message}`;
      feed.failed(reason, error instanceof SourceFailure ? error.retryAfterMs : null);
    } finally {
      feed.isPolling = false;
      if (feed.arrived === null) this.#release(feed);
    }
  }

  /** Returns an answer as it is, of a packed body what another process reads of it unless it came before. */
  async #contentOf(
    feed: MirroredFeed,
    fetched: Fetched,
    held: HeldBody,
  ): Promise<Exclude<Fetched, Packed> | ReadAnswer> {
    if (fetched.kind === "packed") return this.#read(feed, fetched, held);
    const secrets = secretsOf(feed.config.source);
    if (fetched.kind === "body" && holdsSecret(fetched.bytes, secrets)) throw new SourceFailure(secretSaidBack);
    return fetched;
  }

  async #read(feed: MirroredFeed, body: Packed, held: HeldBody): Promise<ReadAnswer> {
    const { clock, signal, reader } = this.#parts;
    const { source, limits, adapter } = feed.config;
    const { blocks, packing, packedDigest, validator } = body;
    const known = feed.content;
    if (known?.packedDigest === packedDigest) {
      return { kind: "read", digest: known.digest, packedDigest, bytes: 0, reading: null, validator };
    }
    const { bytesMax, timeoutMs } = limits;
    const secrets = secretsOf(source);
    const order = { name: sourceName(source), adapter, packing, bytesMax, at: clock.now(), secrets };
    const reply = await this.#turns.take(() => reader!.read(order, blocks, { timeoutMs, signal, held }));
    if ("refusal" in reply) throw new SourceFailure(reply.refusal);
    return { kind: "read", packedDigest, validator, ...reply };
  }

  #release(feed: MirroredFeed): void {
    this.#held.get(feed)?.release();
    this.#held.delete(feed);
  }
}
