import type { Retention, Sealed } from "../../releases/seal.ts";
import type { Database } from "../../store/database.ts";
import { marketMark } from "../../store/read/market-mark.ts";
import type { Reports, SealFacts } from "../../values/event-facts.ts";
import type { ReleaseStatus } from "../../values/release-status.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { minuteMs, secondMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { runInThread } from "../../worker/thread.ts";

/** Where a server seals releases; can be sent to another thread. `keyPath`: the file of the private key. */
export type ReleaseSetup = { folder: string; keyPath: string; retention: Retention };

/** Order for one release. It can be sent to another thread. */
export type ReleaseOrder = ReleaseSetup & { databasePath: string };

type ReleaseParts = {
  setup: ReleaseSetup;
  databasePath: string;
  /** A handle that reads the same file. */
  database: Database;
  clock: Clock;
  events: Reports<SealFacts>;
  /** Seals one release; null where the signal ended it. */
  seal?: (order: ReleaseOrder, signal: AbortSignal) => Promise<Sealed | null>;
};

const lookEveryMs = 200;
/** A market that goes on changing is sealed after this all the same. */
const settleMaxMs = 5 * secondMs;
const retry = { firstMs: 2 * secondMs, maxMs: 5 * minuteMs };

/**
 * Seals a release whenever the market has changed, by whatever process, and has then stood still from one look to the next: what a
 * publication brings in several transactions is one release. One is sealed at a time; a failed one is tried again, later each time.
 */
export class ReleaseSchedule {
  readonly #parts: ReleaseParts;
  readonly #mark: () => string;
  readonly #ending = new AbortController();
  #status: ReleaseStatus = { number: null, bytes: 0, sealedAt: null, failure: null };
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #sealedMark: string | null = null;
  /** The mark of the look before, and since when it has not been the sealed one, in monotonic ms. */
  #seen: { mark: string; sinceMs: number } | null = null;
  #failures = 0;
  #retryMs = 0;

  constructor(parts: ReleaseParts) {
    this.#parts = parts;
    this.#mark = marketMark(parts.database);
  }

  get status(): ReleaseStatus {
    return this.#status;
  }

  /** Looks at the market from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), lookEveryMs);
    this.#timer.unref();
  }

  /** Seals a release if one is due, and resolves when that has ended. Called meanwhile it waits for that. Never rejects. */
  look(): Promise<void> {
    this.#running ??= this.#sealIfDue().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Ends what is under way between two steps and begins nothing more. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sealIfDue(): Promise<void> {
    const { clock, databasePath, events, setup, seal = sealInThread } = this.#parts;
    const { signal } = this.#ending;
    const startedMs = clock.monotonicMs();
    try {
      const mark = this.#mark();
      if (signal.aborted || !this.#isDue(mark, startedMs)) return;
      const sealed = await seal({ ...setup, databasePath }, signal);
      if (sealed === null) return;
      this.#sealedMark = mark;
      this.#failures = 0;
      this.#status = { number: sealed.number, bytes: sealed.bytes, sealedAt: clock.now(), failure: null };
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

/** Seals a release in a thread of its own. Null: the signal ended it. */
function sealInThread(order: ReleaseOrder, signal: AbortSignal): Promise<Sealed | null> {
  return runInThread<Sealed>("src/jobs/releases/worker.ts", order, signal);
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
