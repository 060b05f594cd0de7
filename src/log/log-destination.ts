import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isatty } from "node:tty";

const standardError = 2;
/** Maximum bytes of lines that wait for a destination which takes none. Later lines are dropped. */
const waitingBytesMax = 256 * 1024;
/** Wait before the next attempt: short at first, for a reader that is only slow, then twice as long each time. */
const retryFirstMs = 5;
const retryMaxMs = 250;
const flushStepMs = 20;

/**
 * The place that log lines are written to. Never throws and never waits: up to 256 KiB of lines wait for a place that takes none, and
 * later ones are dropped and counted. `onRecovery` is called once with their number when the place takes lines again.
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

  /** `open` returns a descriptor whose writes do not block. The first line calls it. */
  constructor(open: () => number, onRecovery: (dropped: number) => void) {
    this.#open = open;
    this.#onRecovery = onRecovery;
  }

  /** Number of lines dropped since the place last took all that waited. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Writes `line`, which ends with a line feed, behind the lines that wait. */
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

  /** Resolves when no line waits any more, or after `waitMs`. */
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
      // Full, stalled or gone: the difference does not matter, and there is no other place to report it.
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
 * Returns a descriptor of standard error that does not block if it is a pipe, a socket or a terminal. A write to a file waits for
 * its disk, as writes to the database do.
 */
export function openStandardError(): number {
  if (isatty(standardError) || fstatSync(standardError).isFIFO()) {
    try {
      // Opened again: processes that share the descriptor, such as the shell, do not become non-blocking with it.
      return openSync("/proc/self/fd/2", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // There is no such path on this system, or no right to the terminal.
    }
  }
  // Node makes a pipe or socket non-blocking when the program asks for the stream.
  void process.stderr;
  return standardError;
}
