import type { ServerResponse } from "node:http";
import type { SnapshotBrokenCode, SnapshotPage, SnapshotRun } from "../domain/market-snapshot.ts";
import { compressedBlocks, errorRecord, plainLines, SnapshotBroken } from "../domain/market-snapshot.ts";
import { Failure } from "../values/failure/failure.ts";
import { GzipMember } from "../values/gzip-blocks.ts";
import type { Clock } from "../values/time/clock.ts";
import type { Coding } from "./representation.ts";

/** The lease of an export. `finish` counts its start, `release` returns it. Neither ever rejects. */
type StreamLease = { readonly deadlineMonotonicMs: number; finish(): Promise<void>; release(): Promise<void> };

/**
 * Outcome of a stream. `bytes`: sent bytes, after coding. `error`: the unexpected error that caused `snapshot_interrupted`, to be logged;
 * else undefined.
 */
export type StreamOutcome = {
  outcome: "complete" | "disconnected" | SnapshotBrokenCode;
  items: number;
  bytes: number;
  durationMs: number;
  error: unknown;
};

/** Time before the deadline from which only the error record is sent. */
const interruptMarginMs = 1000;
/** Time before the deadline at which the socket is closed, so that no buffered bytes are sent later. */
const cutMarginMs = 250;
/**
 * Sealed pages that an export copies per turn. Copying is cheaper than encoding: four compressed pages are as long as a plain page.
 * Decompressing and sending two at once costs less than one by one.
 */
const sealedPagesPerTurn = { gzip: 4, identity: 2 };
const timerMsMax = 2_147_483_647;

/**
 * Sends the pages of `run` as the body of `res`, with status 200, these headers and the coding's. It follows the reader's pace, sends one
 * page per turn, and sends nothing after the lease's deadline. The lease ends before the body, so that a client with the complete body can
 * start again.
 *
 * @throws {Failure} only before the first byte, with the lease released.
 */
export async function streamRun(
  res: ServerResponse,
  run: SnapshotRun,
  admission: { readonly lease: StreamLease | null },
  parts: { scheduler: StreamScheduler; clock: Clock },
  { headers, coding }: { headers: readonly string[]; coding: Coding },
): Promise<StreamOutcome> {
  const { lease } = admission;
  if (lease === null) throw new Error("an export needs a lease");
  const startedMs = parts.clock.monotonicMs();
  const tooLate = startedMs >= lease.deadlineMonotonicMs - interruptMarginMs;
  if (res.destroyed || res.closed || tooLate || !parts.scheduler.open) {
    await lease.release();
    if (res.destroyed || res.closed)
      return { outcome: "disconnected", items: 0, bytes: 0, durationMs: 0, error: undefined };
    throw new Failure("service_unavailable", { detail: "the export could not begin", retryAfterS: 1 });
  }
  const head = coding === "gzip" ? [...headers, "Content-Encoding", "gzip"] : [...headers];
  return await new Promise((over) => new Stream({ res, run, lease, coding, over }, parts).begin(head));
}

type StreamSetup = {
  readonly res: ServerResponse;
  readonly run: SnapshotRun;
  readonly lease: StreamLease;
  readonly coding: Coding;
  readonly over: (outcome: StreamOutcome) => void;
};

class Stream implements ScheduledStream {
  readonly #res: ServerResponse;
  readonly #run: SnapshotRun;
  readonly #lease: StreamLease;
  readonly #gzip: GzipMember | null;
  readonly #scheduler: StreamScheduler;
  readonly #clock: Clock;
  readonly #over: (outcome: StreamOutcome) => void;
  readonly #startedMs: number;
  #timers: NodeJS.Timeout[] = [];
  #bytes = 0;
  /** True while the system has not accepted the last page. */
  #blocked = false;
  #broken: SnapshotBroken | null = null;
  #ending = false;
  #complete = false;

  constructor({ res, run, lease, coding, over }: StreamSetup, parts: { scheduler: StreamScheduler; clock: Clock }) {
    this.#res = res;
    this.#run = run;
    this.#lease = lease;
    this.#gzip = coding === "gzip" ? new GzipMember() : null;
    this.#scheduler = parts.scheduler;
    this.#clock = parts.clock;
    this.#over = over;
    this.#startedMs = parts.clock.monotonicMs();
  }

  /** Sends the head together with the first page at once. Node would delay both until the end of this turn. */
  begin(head: string[]): void {
    const { socket } = this.#res;
    this.#res.on("drain", () => this.#drained());
    this.#res.on("error", () => this.#res.destroy());
    this.#res.once("close", () => void this.#closed());
    this.#scheduler.add(this);
    socket?.cork();
    this.#res.writeHead(200, head);
    this.sendPage();
    socket?.uncork();
    this.#timers = [
      setTimeout(() => this.interrupt(), this.#msUntil(interruptMarginMs)),
      setTimeout(() => this.#res.destroy(), this.#msUntil(cutMarginMs)),
    ];
  }

  sendPage(): void {
    if (this.#ending || this.#broken !== null || this.#res.destroyed) return;
    if (this.#msUntil(interruptMarginMs) === 0) {
      this.interrupt();
      return;
    }
    try {
      const page = this.#run.next(sealedPagesPerTurn[this.#gzip === null ? "identity" : "gzip"]);
      if (page === null) void this.#end(true);
      else this.#send(page);
    } catch (error) {
      this.#break(error instanceof SnapshotBroken ? error : new SnapshotBroken("snapshot_interrupted", error));
    }
    if (!this.#blocked && !this.#ending) this.#scheduler.schedule(this);
  }

  interrupt(): void {
    this.#break(new SnapshotBroken("snapshot_interrupted"));
  }

  #break(broken: SnapshotBroken): void {
    if (this.#ending || this.#broken !== null) return;
    this.#broken = broken;
    if (!this.#blocked) this.#sendError(broken);
  }

  #drained(): void {
    this.#blocked = false;
    if (this.#ending) return;
    if (this.#broken !== null) this.#sendError(this.#broken);
    else this.#scheduler.schedule(this);
  }

  #sendError(broken: SnapshotBroken): void {
    this.#send(errorRecord(this.#run.requestId, broken.code));
    void this.#end(false);
  }

  /** Sends a page. A page is read only when the system has accepted the previous one, so that a slow reader needs no memory. */
  #send(page: SnapshotPage): void {
    if (this.#res.destroyed || page.length === 0) return;
    if (this.#msUntil(cutMarginMs) === 0) {
      this.#res.destroy();
      return;
    }
    const coded = this.#gzip === null ? plainLines(page) : this.#gzip.add(compressedBlocks(page));
    this.#bytes += coded.length;
    this.#blocked = !this.#res.write(coded);
  }

  async #end(complete: boolean): Promise<void> {
    this.#ending = true;
    this.#complete = complete;
    await this.#lease.finish();
    if (this.#res.destroyed) return;
    if (this.#msUntil(cutMarginMs) === 0) {
      this.#res.destroy();
      return;
    }
    const trailer = this.#gzip?.end();
    this.#bytes += trailer?.length ?? 0;
    this.#res.end(trailer);
  }

  async #closed(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#ending = true;
    this.#scheduler.remove(this);
    await this.#lease.finish();
    this.#over({
      outcome: this.#broken?.code ?? (this.#complete && this.#res.writableFinished ? "complete" : "disconnected"),
      items: this.#run.itemsSent,
      bytes: this.#bytes,
      durationMs: this.#clock.monotonicMs() - this.#startedMs,
      error: this.#broken?.cause,
    });
  }

  /** Returns the milliseconds until `marginMs` before the deadline, 0 after it. */
  #msUntil(marginMs: number): number {
    const at = this.#lease.deadlineMonotonicMs - marginMs;
    return Math.min(Math.max(0, at - this.#clock.monotonicMs()), timerMsMax);
  }
}

/** A stream that sends a page when the scheduler calls it. */
type ScheduledStream = {
  /** Reads and sends one page. */
  sendPage(): void;
  /** Ends the stream with an error record as soon as possible. */
  interrupt(): void;
};

/** Schedules all exports in turn: one page per turn of the event loop, so that other requests are answered between any two pages. */
export class StreamScheduler {
  readonly #streams = new Set<ScheduledStream>();
  readonly #waiting = new Set<ScheduledStream>();
  readonly #idle: (() => void)[] = [];
  #immediate: NodeJS.Immediate | null = null;
  #open = true;

  /** Number of open streams. */
  get active(): number {
    return this.#streams.size;
  }

  /** False after the shutdown has begun: no stream may begin. */
  get open(): boolean {
    return this.#open;
  }

  add(stream: ScheduledStream): void {
    this.#streams.add(stream);
  }

  remove(stream: ScheduledStream): void {
    this.#streams.delete(stream);
    this.#waiting.delete(stream);
    if (this.#streams.size === 0) for (const idle of this.#idle.splice(0)) idle();
  }

  /** Schedules one page of a stream, after those already scheduled. */
  schedule(stream: ScheduledStream): void {
    this.#waiting.add(stream);
    this.#immediate ??= setImmediate(this.#runNext);
  }

  /**
   * Lets no new stream begin and ends the open ones, each with its error record if the client still reads. Resolves when all have ended. A
   * client that does not read delays it until its deadline or until its socket closes.
   */
  interruptAll(): Promise<void> {
    this.#open = false;
    for (const stream of [...this.#streams]) stream.interrupt();
    return this.#streams.size === 0 ? Promise.resolve() : new Promise((idle) => this.#idle.push(idle));
  }

  readonly #runNext = (): void => {
    this.#immediate = null;
    const [stream] = this.#waiting;
    if (stream === undefined) return;
    this.#waiting.delete(stream);
    if (this.#waiting.size > 0) this.#immediate = setImmediate(this.#runNext);
    stream.sendPage();
  };
}
