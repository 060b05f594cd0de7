import { type StorageFailureFacts, storageFailure } from "../../values/failure/storage-failure.ts";
import type { Clock } from "../../values/time/clock.ts";
import { type Database, deferCheckpoints } from "../database.ts";
import { isFull } from "./refusal.ts";
import { freeBytesAt } from "./space.ts";

/** Frames not yet in the file that are worth a checkpoint: 4 MB of pages of 4 KiB, SQLite's own measure. */
const worthFrames = 1000;
/**
 * A checkpoint is worth it when the log has grown by this part of the room that is left: the file may have to grow as much as the log,
 * and a log that holds all the room could never be brought into it.
 */
const roomParts = 3;
/** Requests between two checks of the log and the free space, which other programs use too. A check takes 5 µs. */
const lookEveryRequests = 16;
/** Frames that a request writes at most, but for few. */
const requestFrames = 4;
const frameHeaderBytes = 24;
/** Bytes from which a log is reported while a reader holds back its checkpoint. */
const reportedBytes = 64 * 1024 * 1024;
const reportEveryMs = 60_000;
const failureEveryMs = 1_000;
/** A checkpoint that did not come to its end is not tried again at once. */
const againMs = 100;
/** Time in which a checkpoint may fail before the storage counts as broken. */
const failingMsMax = 30_000;

/** What happens to the log of a writer. Times in ms. */
export type CheckpointEvent =
  | { kind: "done"; wal_bytes: number }
  | ({ kind: "failed"; failing_ms: number; wal_bytes: number } & StorageFailureFacts)
  | { kind: "held_back"; wal_bytes: number; refuses_charges: boolean }
  | { kind: "caught_up"; wal_bytes: number };

/** Frames of the log, and those of them that are in the file as well. */
type Counts = { log: number; checkpointed: number };

/**
 * Brings what the log of a writing connection holds into the file. SQLite's automatic checkpoints hide their errors, so they are
 * switched off. A reader may hold a checkpoint back for as long as it reads.
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
  /** Requests since the last look. */
  #unseen = 0;
  #triedMs = Number.NEGATIVE_INFINITY;
  #failingSinceMs: number | null = null;
  #failureReportedMs = Number.NEGATIVE_INFINITY;
  #reportedMs: number | null = null;

  /** `walBytesMax`: size of a log that is held back at which `isOverfull`. */
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

  /** Returns whether the log has reached its bound and cannot be begun anew. Tries a checkpoint first. */
  isOverfull(): boolean {
    if (this.#walBytes < this.#bytesMax || this.#frames.behind === 0) return false;
    this.#checkpoint();
    return this.#walBytes >= this.#bytesMax && this.#frames.behind > 0;
  }

  /** Looks at the log when requests may have written what is worth a checkpoint. It is called after each commit and never throws. */
  afterCommit(requests: number): void {
    this.#unseen += requests;
    const isFew = this.#unseen * requestFrames < this.#worthFrames - this.#frames.behind;
    if (isFew && this.#unseen < lookEveryRequests) return;
    this.#measure();
    if (this.#frames.behind >= this.#worthFrames) this.#checkpoint();
  }

  /**
   * Checkpoints if that is worth it or failed before. It is called about once a second, because others write to the log as well.
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
   * Returns whether a commit that found the disk full has room now: a log that is wholly in the file is begun anew. Waits as long as a
   * commit would for readers to let go of it.
   */
  makeRoom(): boolean {
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
      // What came to its end may be done again as soon as it is worth it.
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

  /** A full disk is no failure of the disk: it is reported, and waited for. */
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

/** Prepares what is asked after each commit. */
function prepare({ $client: client }: Database) {
  const checkpoint = (mode: string) => client.prepare<[], Counts>(`PRAGMA wal_checkpoint(${mode})`);
  return { NOOP: checkpoint("NOOP"), PASSIVE: checkpoint("PASSIVE"), RESTART: checkpoint("RESTART") };
}
