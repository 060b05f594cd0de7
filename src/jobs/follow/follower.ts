import { setTimeout as wait } from "node:timers/promises";
import { downloadedRelease } from "../../releases/fetch.ts";
import { SourceMark } from "../../releases/source-mark.ts";
import { trustedExpiries } from "../../releases/trust.ts";
import type { FollowFacts, Reports } from "../../values/event-facts.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { FollowStatus } from "../../values/release-status.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { minuteMs } from "../../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../../values/time/clock.ts";
import { ServedCheck } from "./served-check.ts";
import { DownloadThread, type FollowReason, type FollowThread, reasonOf } from "./thread.ts";

/** Settings of a follower. `source` is a folder or an address, `trust` the text of `--trust`. A release older than `staleMs` is stale. */
export type FollowSetup = { source: string; trust: string; everyMs: number; staleMs: number };

/** An open market that the server does not use yet. */
type OpenMarket = { /** Makes the server answer from this market. */ swap(): void; close(): void };

/** The server that answers from the releases. */
export type Serving = {
  /** Resolves when only the served file is open. `generation` is the generation of the next release, or null. */
  waitForRoom(generation: string | null): Promise<void>;
  /** Opens the file that the thread has assembled. */
  open(): Promise<OpenMarket>;
  /** Runs `work`, which replaces the served file. */
  replacing(work: () => Promise<void>): Promise<void>;
  /** Releases the file. No release is downloaded afterwards. */
  end(): void;
};

type FollowerParts = { setup: FollowSetup; databasePath: string; clock: Clock; events: Reports<FollowFacts> };

const retry = { firstMs: 2_000, maxMs: minuteMs };

/**
 * Downloads each newer release of a source, one at a time. A separate thread finds and assembles it, then the server opens it and answers
 * from it. After a failure the server keeps the last release, and the follower retries with growing delays.
 */
export class Follower {
  readonly #parts: FollowerParts;
  readonly #thread: FollowThread;
  readonly #check: ServedCheck;
  readonly #mark: SourceMark;
  readonly #ending = new AbortController();
  readonly #refusals = new Map<FollowReason["kind"], number>();
  readonly #ended: Promise<void>[] = [];
  #status: Omit<FollowStatus, "isStale" | "isExpired" | "refusals">;
  #serving: Serving | null = null;
  /** Mark of the source when the served release was downloaded. */
  #downloadedMark: string | null = null;
  #failed: { mark: string | null; times: number; retryMs: number } | null = null;
  #isToldStale = false;
  #isToldExpired = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    const { source, trust } = parts.setup;
    this.#thread = { source, trust, path: parts.databasePath };
    this.#check = new ServedCheck(this.#thread, parts.clock);
    this.#mark = new SourceMark(parts.setup.source);
    const known = downloadedRelease(parts.databasePath);
    this.#status = {
      number: known?.number ?? null,
      generation: known?.generation ?? null,
      sealedAt: known?.sealed_at === undefined ? null : Date.parse(known.sealed_at),
      checkedAt: null,
      failure: null,
      fetchedChunks: 0,
      fetchedBytes: 0,
      swapMs: null,
      expiries: trustedExpiries(parts.databasePath),
    };
  }

  get status(): FollowStatus {
    const { sealedAt, expiries } = this.#status;
    const { clock, setup } = this.#parts;
    const isStale = sealedAt !== null && clock.now() - sealedAt > setup.staleMs;
    const isExpired = expiries !== null && clock.now() >= expiries.expiresAt;
    return { ...this.#status, isStale, isExpired, refusals: this.#refusals };
  }

  /**
   * Tries to download until the file holds a release, without a time limit. Returns false if `ending` was aborted first.
   * @throws {OperatorError} when the source's metadata are expired: its releases may be old.
   */
  async downloadFirst(ending: AbortSignal): Promise<boolean> {
    const signal = AbortSignal.any([ending, this.#ending.signal]);
    while (!signal.aborted) {
      if (await this.#look(signal)) return true;
      if (this.#refusals.has("expired")) throw new OperatorError(this.#status.failure ?? "", exitCodes.unavailable);
      await this.#pause(signal);
    }
    return false;
  }

  /** Starts checking for newer releases for `serving`. */
  start(serving: Serving): void {
    this.#serving = serving;
    this.#ended.push(this.#follow(this.#ending.signal));
  }

  /** Stops the running download at its next step and starts no other. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#ended);
    this.#serving?.end();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look(signal);
      this.#tellStale();
      this.#tellExpired();
      await this.#checkServed(signal);
      await this.#pause(signal);
    }
  }

  /** Checks a part of the served file. A damaged file is downloaded again at the next look. */
  async #checkServed(signal: AbortSignal): Promise<void> {
    try {
      await this.#check.slice(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#downloadedMark = null;
      this.#fail(null, reasonOf(error));
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await wait(this.#parts.setup.everyMs, undefined, { signal, ref: this.#serving === null }).catch(() => {});
  }

  /** Downloads the newest release if the source may have changed. Returns true if the file is up to date. Never rejects. */
  async #look(signal: AbortSignal): Promise<boolean> {
    let mark: string | null = null;
    try {
      mark = await this.#mark.look(signal);
      if (mark === this.#downloadedMark && !this.status.isExpired) return this.#done(mark);
      if (this.#isTooEarly(mark)) return false;
      await this.#take(signal);
      return this.#done(mark);
    } catch (error) {
      // An unreachable source is checked every time, but reported with the usual delays.
      if (!signal.aborted && !this.#isTooEarly(mark)) this.#fail(mark, reasonOf(error));
      return false;
    }
  }

  /** Returns whether the source state `mark` failed recently and must not be retried yet. */
  #isTooEarly(mark: string | null): boolean {
    const failed = this.#failed;
    return failed !== null && failed.mark === mark && this.#parts.clock.monotonicMs() < failed.retryMs;
  }

  #done(mark: string): true {
    this.#downloadedMark = mark;
    this.#failed = null;
    this.#status = { ...this.#status, failure: null, checkedAt: this.#parts.clock.now() };
    return true;
  }

  #fail(mark: string | null, { kind, message }: FollowReason): void {
    const { clock, events } = this.#parts;
    const times = this.#failed?.mark === mark ? this.#failed.times + 1 : 1;
    const retryMs = backoffMs(times, retry);
    this.#failed = { mark, times, retryMs: clock.monotonicMs() + retryMs };
    this.#refusals.set(kind, (this.#refusals.get(kind) ?? 0) + 1);
    this.#status = { ...this.#status, failure: message };
    events.releaseRefused({ kind, reason: message, retry_ms: retryMs });
  }

  /** Downloads the newest release. An abort stops it between two steps, or by ending its thread. */
  async #take(signal: AbortSignal): Promise<void> {
    const { databasePath, clock } = this.#parts;
    const startedMs = clock.monotonicMs();
    const thread = new DownloadThread(this.#thread);
    const end = () => void thread.close();
    signal.addEventListener("abort", end, { once: true });
    try {
      const found = await thread.ask("find").finally(() => {
        this.#status.expiries = trustedExpiries(databasePath);
      });
      if (!found.isNew) return;
      await this.#serving?.waitForRoom(found.generation);
      const fetched = await thread.ask("assemble");
      this.#status.fetchedChunks += fetched.fetchedChunks;
      this.#status.fetchedBytes += fetched.fetchedBytes;
      signal.throwIfAborted();
      const swapMs = await this.#put(thread);
      if (fetched.isWhole) this.#check.passed();
      const { number, generation, sealedAt, chunks } = found;
      this.#status = { ...this.#status, number, generation, sealedAt, swapMs };
      this.#isToldStale = false;
      this.#parts.events.releaseTaken({
        release: number,
        generation,
        chunks,
        fetched_chunks: fetched.fetchedChunks,
        fetched_bytes: fetched.fetchedBytes,
        written_bytes: fetched.writtenBytes,
        duration_ms: Math.round(clock.monotonicMs() - startedMs),
        swap_ms: Math.round(swapMs ?? 0),
      });
    } finally {
      signal.removeEventListener("abort", end);
      await thread.close();
    }
  }

  /** Installs the assembled release. Returns the swap time in ms, or null if no server is running yet. */
  async #put(thread: DownloadThread): Promise<number | null> {
    const { clock } = this.#parts;
    if (this.#serving === null) {
      await thread.ask("keep");
      return null;
    }
    const market = await this.#serving.open();
    try {
      await this.#serving.replacing(async () => void (await thread.ask("keep")));
    } catch (error) {
      market.close();
      throw error;
    }
    const startedMs = clock.monotonicMs();
    market.swap();
    return clock.monotonicMs() - startedMs;
  }

  #tellStale(): void {
    const { isStale, number, sealedAt } = this.status;
    if (!isStale || this.#isToldStale || number === null || sealedAt === null) return;
    this.#isToldStale = true;
    const ageHours = Math.floor((this.#parts.clock.now() - sealedAt) / (60 * minuteMs));
    this.#parts.events.releaseStale({ release: number, age_hours: ageHours });
  }

  #tellExpired(): void {
    const { isExpired, expiries, number } = this.status;
    if (isExpired && !this.#isToldExpired && expiries !== null && number !== null)
      this.#parts.events.releaseExpired({ release: number, expired_at: toTimestamp(expiries.expiresAt) });
    this.#isToldExpired = isExpired;
  }
}
