import { Buffer } from "node:buffer";

/** The largest record of an export, without its line feed. */
export const recordBytesMax = 256 * 1024;

/** A line that no record can be. */
export class BrokenLine extends Error {}

const lineFeed = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Cuts chunks of bytes at line feeds. A character may be cut anywhere: only whole lines are decoded. */
export class LineReader {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #lineNumber = 0;

  /** Returns the line that was read last or, after BrokenLine, was not, from 1. */
  get line(): number {
    return this.#lineNumber;
  }

  /** Returns whether bytes are left that no line feed ended. */
  get hasRest(): boolean {
    return this.#pendingBytes > 0;
  }

  /**
   * Returns the lines that end in this chunk, without their line feeds.
   *
   * @throws {BrokenLine} when a line is too long or not UTF-8.
   */
  *take(chunk: Uint8Array): Generator<string, void, undefined> {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      this.#hold(chunk.subarray(from, to));
      from = to + 1;
      yield this.#line();
    }
    // A copy, because what is left of a chunk would keep the whole of it.
    if (from < chunk.length) this.#hold(chunk.slice(from));
  }

  #hold(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > recordBytesMax) {
      this.#lineNumber += 1;
      throw new BrokenLine(`a record is larger than ${recordBytesMax} bytes`);
    }
    this.#pending.push(bytes);
  }

  #line(): string {
    const [first, ...others] = this.#pending;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#lineNumber += 1;
    try {
      return utf8.decode(bytes);
    } catch {
      throw new BrokenLine("a record is not UTF-8");
    }
  }
}
