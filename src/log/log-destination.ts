import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isatty } from "node:tty";

const standardError = 2;
/** Maximum bytes of waiting lines while the destination is blocked. Later lines are dropped. */
const waitingBytesMax = 256 * 1024;
/** Delay before the first retry. It is short because the reader may only be slow. Each retry doubles the delay. */
const retryFirstMs = 5;
const retryMaxMs = 250;
const flushStepMs = 20;

/**
 * Writes log lines without blocking or throwing. While the destination is blocked, up to 256 KiB of lines wait. Later lines are dropped and
 * counted. `onRecovery` is called once with that count when the destination accepts lines again.
 */
export class LogDestination {
  readonly #open: () => number;
  readonly #onRecovery: (dropped: number) => void;
  #fd: number | null = null;
  #lines: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;
  #retry: NodeJS.Timeout | null = null;
  #retryMs = retryFirstMs;

  /** `open` is called by the first line. It must return a non-blocking descriptor. */
  constructor(open: () => number, onRecovery: (dropped: number) => void) {
    this.#open = open;
    this.#onRecovery = onRecovery;
  }

  /** Number of lines dropped since the queue was last empty. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Queues `line`, which must end with a line feed, and writes as much as possible. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#bytes + bytes.length > waitingBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(bytes);
    this.#bytes += bytes.length;
    if (this.#retry === null) this.#writeWaiting();
  }

  /** Resolves when no line is waiting, or after `waitMs`. */
  async flush(waitMs: number): Promise<void> {
    for (let waitedMs = 0; this.#bytes > 0 && waitedMs <= waitMs; waitedMs += flushStepMs) {
      await wait(flushStepMs);
      if (this.#retry !== null) this.#writeWaiting();
    }
  }

  #writeWaiting(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    try {
      this.#fd ??= this.#open();
      while (this.#bytes > 0) {
        const waiting = Buffer.concat(this.#lines);
        const written = writeSync(this.#fd, waiting);
        this.#lines = [waiting.subarray(written)];
        this.#bytes -= written;
      }
    } catch {
      // The destination is full, stalled or closed. All cases are retried alike, and no other place can report them.
      this.#retry = setTimeout(() => this.#writeWaiting(), this.#retryMs).unref();
      this.#retryMs = Math.min(retryMaxMs, 2 * this.#retryMs);
      return;
    }
    this.#retryMs = retryFirstMs;
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#onRecovery(dropped);
  }
}

/**
 * Returns a non-blocking descriptor of standard error if it is a pipe, socket or terminal. Writes to a file block on its disk, as database
 * writes do.
 */
export function openStandardError(): number {
  if (isatty(standardError) || fstatSync(standardError).isFIFO()) {
    try {
      // A new descriptor leaves the shared one of other processes, such as the shell, in blocking mode.
      return openSync("/proc/self/fd/2", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // The system has no such path, or the process may not open the terminal.
    }
  }
  // Node makes a pipe or socket non-blocking when the program first accesses the stream.
  void process.stderr;
  return standardError;
}
