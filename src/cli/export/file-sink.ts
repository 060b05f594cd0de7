import { closeSync, openSync, writeSync } from "node:fs";

const bufferBytes = 256 * 1024;

/** Appends to an existing file through a buffer of a fixed size. */
export class FileSink {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #used = 0;
  #isOpen = true;

  constructor(path: string) {
    this.#file = openSync(path, "r+");
  }

  append(data: string | Uint8Array): void {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    if (this.#used + bytes.length > bufferBytes) this.#flush();
    if (bytes.length > bufferBytes) {
      this.#write(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Writes the buffer to the operating system and closes the file. */
  finish(): void {
    this.#flush();
    this.#isOpen = false;
    closeSync(this.#file);
  }

  /** Closes the file without writing the buffer. Never throws. */
  abandon(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      closeSync(this.#file);
    } catch {
      // The file will be discarded.
    }
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
  }
}
