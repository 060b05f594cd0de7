import { closeSync, openSync, writeSync } from "node:fs";

const bufferBytes = 256 * 1024;

/** Appends to a file that is there, through a buffer of a fixed size. */
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

  /** Writes all to the operating system and closes the file. */
  finish(): void {
    this.#flush();
    this.#isOpen = false;
    closeSync(this.#file);
  }

  /** Never throws; what is in the buffer goes nowhere. */
  abandon(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      closeSync(this.#file);
    } catch {
      // The file is thrown away.
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
