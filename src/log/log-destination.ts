import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isatty } from "node:tty";

const standardError = 2;
/** Maximum bytes of lines that wait for a destination which takes none. Later lines are dropped. */
const waitingBytesMax = 256 * 1024;
/** Maximum characters of one write. */
const chunkCharsMax = 64 * 1024;
/** Wait before the next attempt: short at first, for a reader that is merely slow, then twice as long each time. */
const retryFirstMs = 5;
const retryMaxMs = 250;
const flushStepMs = 20;

/**
 * The place that log lines are written to. Never throws and never waits: lines that the place does not take are kept up to 256 KiB,
 * later ones are dropped and counted. `onRecovery` is called once with their number when the place takes lines again.
 */
export class LogDestination {
  readonly #open: () => number;
  readonly #onRecovery: (dropped: number) => void;
  #fd: number | null = null;
  #lines: string[] = [];
  #bytes = 0;
  /** Rest of a chunk that was written in part. */
  #rest: Buffer = Buffer.alloc(0);
  #dropped = 0;
  #retry: NodeJS.Timeout | null = null;
  #retryMs = retryFirstMs;

  /** `open` returns the descriptor and is called with the first line. One that blocks would be waited for. */
  constructor(open: () => number, onRecovery: (dropped: number) => void) {
    this.#open = open;
    this.#onRecovery = onRecovery;
  }

  /** Lines that were dropped since the place last took all that waited. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Writes `line`, which ends with a line feed, behind those that wait. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > waitingBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    if (this.#retry === null) this.#writeWaiting();
  }

  /** Resolves when nothing waits any more, or after `waitMs`. */
  async flush(waitMs: number): Promise<void> {
    for (let waitedMs = 0; waitedMs <= waitMs; waitedMs += flushStepMs) {
      this.#writeWaiting();
      if (this.#bytes === 0) return;
      await wait(flushStepMs);
    }
  }

  #writeWaiting(): void {
    try {
      this.#fd ??= this.#open();
      while (this.#bytes > 0) {
        if (this.#rest.length === 0) this.#rest = this.#nextChunk();
        const written = writeSync(this.#fd, this.#rest);
        this.#rest = this.#rest.subarray(written);
        this.#bytes -= written;
      }
    } catch {
      // Full, stalled or gone: which of these it is makes no difference, and there is nowhere to say it.
      this.#retryLater();
      return;
    }
    this.#recovered();
  }

  #nextChunk(): Buffer {
    let chars = 0;
    const end = this.#lines.findIndex((line) => {
      chars += line.length;
      return chars > chunkCharsMax;
    });
    return Buffer.from(this.#lines.splice(0, end === -1 ? this.#lines.length : Math.max(1, end)).join(""));
  }

  #retryLater(): void {
    if (this.#retry !== null) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#writeWaiting();
    }, this.#retryMs);
    this.#retry.unref();
    this.#retryMs = Math.min(retryMaxMs, 2 * this.#retryMs);
  }

  #recovered(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#retryMs = retryFirstMs;
    if (this.#dropped === 0) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#onRecovery(dropped);
  }
}

/**
 * Returns a descriptor of standard error that does not block where it is a pipe, a socket or a terminal. A write to a file waits for
 * its disk, as those to the database do.
 */
export function openStandardError(): number {
  if (isatty(standardError) || fstatSync(standardError).isFIFO()) {
    try {
      // Opened again: what shares the descriptor, such as the shell, does not become non-blocking with it.
      return openSync("/proc/self/fd/2", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // There is no such path on this system, or no right to the terminal.
    }
  }
  // Node makes a pipe or socket non-blocking when it is asked for the stream.
  void process.stderr;
  return standardError;
}
