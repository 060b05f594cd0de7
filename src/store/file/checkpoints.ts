import { type StorageFailureFacts, storageFailure } from "../../values/failure/storage-failure.ts";
import type { Clock } from "../../values/time/clock.ts";
import { type Database, deferCheckpoints } from "../database.ts";
import { isFull } from "./refusal.ts";
import { freeBytesAt } from "./space.ts";

/** Number of log frames that are worth a checkpoint: 4 MB of pages of 4 KiB, like SQLite's own default. */
const worthFrames = 1000;
/**
 * A checkpoint is also worth it when the log exceeds the free space divided by this number. The file may grow as much as the log, so a log
 * that fills the disk could never be checkpointed.
 */
const roomParts = 3;
/** Requests between two checks of the log and the free space, which other programs also use. A check costs 5 µs. */
const lookEveryRequests = 16;
/** Maximum frames that a request writes, with few exceptions. */
const requestFrames = 4;
const frameHeaderBytes = 24;
/** Log size in bytes that is reported while a reader delays its checkpoint. */
const reportedBytes = 64 * 1024 * 1024;
const reportEveryMs = 60_000;
const failureEveryMs = 1_000;
/** Pause after an incomplete checkpoint. */
const againMs = 100;
/** Maximum time of failing checkpoints before the storage counts as broken. */
const failingMsMax = 30_000;

/** Events of a writer's log. Times in ms. */
export type CheckpointEvent =
  | { kind: "done"; wal_bytes: number }
  | ({ kind: "failed"; failing_ms: number; wal_bytes: number } & StorageFailureFacts)
  | { kind: "held_back"; wal_bytes: number; refuses_charges: boolean }
  | { kind: "caught_up"; wal_bytes: number };

/** Number of frames in the log, and how many of them are in the file. */
type Counts = { log: number; checkpointed: number };

/**
 * Checkpoints the log of a writing connection. SQLite's automatic checkpoints hide their errors, so they are disabled. A reader can delay a
 * checkpoint until it ends.
 */
export class Checkpoints {
  readonly #database: Database;
  readonly #pragmas: ReturnType<typeof prepare>;
  readonly #clock: Clock;
  readonly #frameBytes: number;
  readonly #bytesMax: number;
  readonly #worthFramesMax: number;
  readonly #emit: (event: CheckpointEvent) => void;
  #frames = { log: 0, behind: 0 };
  #worthFrames: number;
  /** Requests since the last check. */
  #unseen = 0;
  #triedMs = Number.NEGATIVE_INFINITY;
  #failingSinceMs: number | null = null;
  #failureReportedMs = Number.NEGATIVE_INFINITY;
  #reportedMs: number | null = null;

  /** `walBytesMax` is the size of a delayed log from which `isOverfull` returns true. */
  constructor(database: Database, walBytesMax: number, clock: Clock, emit: (event: CheckpointEvent) => void) {
    this.#database = database;
    this.#pragmas = prepare(database);
    this.#clock = clock;
    this.#emit = emit;
    this.#frameBytes = (database.$client.pragma("page_size", { simple: true }) as number) + frameHeaderBytes;
    this.#bytesMax = walBytesMax;
    this.#worthFramesMax = Math.min(worthFrames, Math.floor(walBytesMax / this.#frameBytes / 2));
    this.#worthFrames = this.#worthFramesMax;
    deferCheckpoints(database);
  }

  /** Returns whether the log has reached its limit and cannot be restarted. Tries a checkpoint first. */
  isOverfull(): boolean {
    if (this.#walBytes < this.#bytesMax || this.#frames.behind === 0) return false;
    this.#checkpoint();
    return this.#walBytes >= this.#bytesMax && this.#frames.behind > 0;
  }

  /** Checks the log when requests may have written enough for a checkpoint. Call it after each commit. Never throws. */
  afterCommit(requests: number): void {
    this.#unseen += requests;
    const isFew = this.#unseen * requestFrames < this.#worthFrames - this.#frames.behind;
    if (isFew && this.#unseen < lookEveryRequests) return;
    this.#measure();
    if (this.#frames.behind >= this.#worthFrames) this.#checkpoint();
  }

  /**
   * Checkpoints if that is worth it or failed before. Call it about once a second, because other processes also write to the log.
   * @throws {Error} when checkpoints have failed for 30 s.
   */
  everySecond(): void {
    this.#measure();
    if (this.#frames.behind >= this.#worthFrames || this.#failingSinceMs !== null) this.#checkpoint();
    this.#reportSize();
    if (this.#failingSinceMs === null) return;
    const failingMs = this.#clock.monotonicMs() - this.#failingSinceMs;
    if (failingMs >= failingMsMax) throw new Error(`checkpoints have failed for ${Math.floor(failingMs / 1000)} s`);
  }

  /**
   * Returns whether a commit that found the disk full has room now, after a checkpoint that restarts the log. Waits for readers as long as
   * a commit would.
   */
  restartLog(): boolean {
    this.#checkpoint("RESTART");
    return this.#frames.behind === 0;
  }

  get #walBytes(): number {
    return this.#frames.log * this.#frameBytes;
  }

  #measure(): void {
    try {
      this.#take("NOOP");
    } catch (error) {
      this.#failed(error, this.#clock.monotonicMs());
    }
  }

  #checkpoint(mode: "PASSIVE" | "RESTART" = "PASSIVE"): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#triedMs < againMs) return;
    const wasBehind = this.#frames.behind > 0;
    try {
      this.#take(mode);
      if (wasBehind && this.#frames.behind === 0) this.#emit({ kind: "done", wal_bytes: this.#walBytes });
      // After a complete checkpoint, the next one may run at once.
      this.#triedMs = this.#frames.behind > 0 ? nowMs : Number.NEGATIVE_INFINITY;
      this.#failingSinceMs = null;
    } catch (error) {
      this.#triedMs = nowMs;
      this.#failed(error, nowMs);
    }
  }

  #take(mode: "NOOP" | "PASSIVE" | "RESTART"): void {
    this.#unseen = 0;
    const { log, checkpointed } = this.#pragmas[mode].get() ?? { log: 0, checkpointed: 0 };
    this.#frames = { log, behind: log - checkpointed };
    const freeBytes = freeBytesAt(this.#database.$client.name);
    this.#worthFrames = Math.min(this.#worthFramesMax, Math.floor(freeBytes / this.#frameBytes / roomParts));
  }

  /** Reports a failure. A full disk does not count as broken storage; the writer waits for room. */
  #failed(error: unknown, nowMs: number): void {
    const { code, message } = storageFailure(error) ?? { code: "", message: (error as Error).message };
    const isBroken = code !== "" && !isFull(error, this.#database.$client.name);
    this.#failingSinceMs = isBroken ? (this.#failingSinceMs ?? nowMs) : null;
    const failingMs = this.#failingSinceMs === null ? 0 : Math.round(nowMs - this.#failingSinceMs);
    if (nowMs - this.#failureReportedMs < failureEveryMs) return;
    this.#failureReportedMs = nowMs;
    this.#emit({ kind: "failed", code, message, failing_ms: failingMs, wal_bytes: this.#walBytes });
  }

  #reportSize(): void {
    const nowMs = this.#clock.monotonicMs();
    const wal_bytes = this.#walBytes;
    const isLarge = this.#frames.behind > 0 && wal_bytes >= Math.min(reportedBytes, this.#bytesMax);
    if (!isLarge) {
      if (this.#reportedMs !== null) this.#emit({ kind: "caught_up", wal_bytes });
      this.#reportedMs = null;
    } else if (this.#reportedMs === null || nowMs - this.#reportedMs >= reportEveryMs) {
      this.#reportedMs = nowMs;
      this.#emit({ kind: "held_back", wal_bytes, refuses_charges: wal_bytes >= this.#bytesMax });
    }
  }
}

/** Prepares the pragmas that run after commits. */
function prepare({ $client: client }: Database) {
  const checkpoint = (mode: string) => client.prepare<[], Counts>(`PRAGMA wal_checkpoint(${mode})`);
  return { NOOP: checkpoint("NOOP"), PASSIVE: checkpoint("PASSIVE"), RESTART: checkpoint("RESTART") };
}
