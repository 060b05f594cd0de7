import { Buffer } from "node:buffer";

/** Largest record of an export in bytes, without its line feed. */
export const recordBytesMax = 256 * 1024;

/** Error for a line that is not a valid record. */
export class BrokenLine extends Error {}

const lineFeed = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Splits chunks of bytes at line feeds. Only whole lines are decoded, because a chunk may end within a character. */
export class LineReader {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #lineNumber = 0;

  /** Number of the last line, from 1. After BrokenLine it is the number of the broken line. */
  get line(): number {
    return this.#lineNumber;
  }

  /** Whether bytes are left after the last line feed. */
  get hasRest(): boolean {
    return this.#pendingBytes > 0;
  }

  /**
   * Yields the lines that end in this chunk, without their line feeds.
   * @throws {BrokenLine} if a line is too long or not UTF-8.
   */
  *take(chunk: Uint8Array): Generator<string, void, undefined> {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      this.#hold(chunk.subarray(from, to));
      from = to + 1;
      yield this.#line();
    }
    // Copied, because a slice would keep the whole chunk in memory.
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
