import { type Retention, type Sealed, signEveryMs } from "../../releases/seal.ts";
import type { Database } from "../../store/database.ts";
import { marketFingerprint } from "../../store/read/market-mark.ts";
import type { Reports, SealFacts } from "../../values/event-facts.ts";
import type { ReleaseStatus } from "../../values/release-status.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { minuteMs, secondMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { runInProcess } from "../../worker/process.ts";

/** Settings for sealing releases. They can be sent to another process. `keyPath` is the file of the private key. */
export type ReleaseSetup = { folder: string; keyPath: string; retention: Retention; ownNodes?: boolean };

/** The order to seal one release, or only to renew signatures. It can be sent to another process. */
export type ReleaseOrder = ReleaseSetup & { databasePath: string; signsOnly: boolean };

type ReleaseParts = {
  setup: ReleaseSetup;
  databasePath: string;
  /** A handle that reads the same file. */
  database: Database;
  clock: Clock;
  events: Reports<SealFacts>;
  /** Seals one release. Resolves to null if the signal was aborted. */
  seal?: (order: ReleaseOrder, signal: AbortSignal) => Promise<Sealed | null>;
};

const checkIntervalMs = 200;
/** A market that keeps changing is sealed after this time. */
const settleMaxMs = 5 * secondMs;
const retry = { firstMs: 2 * secondMs, maxMs: 5 * minuteMs };

/**
 * Seals a release when any process has changed the market and it was then stable between two checks. A publication with several
 * transactions thus becomes one release. Without a change it signs again every hour. Releases are sealed one at a time. A failure is retried
 * with growing delays.
 */
export class ReleaseSchedule {
  readonly #parts: ReleaseParts;
  readonly #mark: () => string;
  readonly #ending = new AbortController();
  #status: ReleaseStatus = { number: null, bytes: 0, sealedAt: null, failure: null, expiries: null };
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #sealedMark: string | null = null;
  /** The mark of the last check, and the time since the mark differs from the sealed one, in monotonic ms. */
  #seen: { mark: string; sinceMs: number } | null = null;
  #failures = 0;
  #retryMs = 0;
  /** Time of the next signature without a change, in monotonic ms. */
  #signMs = Number.POSITIVE_INFINITY;

  constructor(parts: ReleaseParts) {
    this.#parts = parts;
    this.#mark = marketFingerprint(parts.database);
  }

  get status(): ReleaseStatus {
    return this.#status;
  }

  /** Starts checking the market. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), checkIntervalMs);
    this.#timer.unref();
  }

  /** Seals a release if one is due, and resolves when it is done. Calls during a run wait for that run. Never rejects. */
  look(): Promise<void> {
    this.#running ??= this.#sealIfDue().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Stops running work at its next step and starts no other. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sealIfDue(): Promise<void> {
    const { clock, databasePath, events, setup, seal = sealInProcess } = this.#parts;
    const { signal } = this.#ending;
    const startedMs = clock.monotonicMs();
    try {
      const mark = this.#mark();
      if (signal.aborted) return;
      const isDue = this.#isDue(mark, startedMs);
      // A change that was refused and then undone needs no other release, and its failure ends.
      const isUndone = this.#failures > 0 && mark === this.#sealedMark;
      const isToSign = startedMs >= Math.max(isUndone ? 0 : this.#signMs, this.#retryMs);
      if (!isDue && !isToSign) return;
      const sealed = await seal({ ...setup, databasePath, signsOnly: !isDue }, signal);
      if (sealed === null) return;
      if (isDue) this.#sealedMark = mark;
      this.#failures = 0;
      this.#signMs = clock.monotonicMs() + signEveryMs;
      const { number, bytes, expiresAt, rootExpiresAt } = sealed;
      this.#status = { number, bytes, sealedAt: clock.now(), failure: null, expiries: { expiresAt, rootExpiresAt } };
      if (sealed.isNew) events.releaseSealed(factsOf(sealed, clock.monotonicMs() - startedMs));
    } catch (error) {
      if (signal.aborted) return;
      this.#failures += 1;
      const retryMs = backoffMs(this.#failures, retry);
      this.#retryMs = clock.monotonicMs() + retryMs;
      const reason = (error as Error).message;
      this.#status = { ...this.#status, failure: reason };
      events.releaseFailed({ reason, retry_ms: retryMs });
    }
  }

  #isDue(mark: string, nowMs: number): boolean {
    if (mark === this.#sealedMark) {
      this.#seen = null;
      return false;
    }
    const isSettled = this.#seen?.mark === mark;
    const sinceMs = this.#seen?.sinceMs ?? nowMs;
    this.#seen = { mark, sinceMs };
    return nowMs >= this.#retryMs && (isSettled || nowMs - sinceMs >= settleMaxMs);
  }
}

/** Seals a release in a separate process. Resolves to null if the signal was aborted. */
function sealInProcess(order: ReleaseOrder, signal: AbortSignal): Promise<Sealed | null> {
  return runInProcess<Sealed>("src/jobs/releases/worker.ts", order, signal);
}

function factsOf(sealed: Sealed, durationMs: number): SealFacts["releaseSealed"] {
  const { number, generation, chunks, newChunks, newBytes, manifestBytes, pruned } = sealed;
  return {
    release: number,
    generation,
    chunks,
    new_chunks: newChunks,
    new_bytes: newBytes,
    manifest_bytes: manifestBytes,
    pruned,
    duration_ms: Math.round(durationMs),
  };
}
