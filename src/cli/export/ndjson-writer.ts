// Each format has a file of its own, which is loaded only when that format is written.
import { FileSink } from "./file-sink.ts";
import type { ExportWriter } from "./writer.ts";

/** Writes the bytes of the answer as received through `bytes`; they contain the records already. */
export class NdjsonWriter implements ExportWriter {
  readonly #sink: FileSink;

  constructor(path: string) {
    this.#sink = new FileSink(path);
  }

  bytes(chunk: Uint8Array): void {
    this.#sink.append(chunk);
  }

  start(): void {}

  item(): void {}

  finish(): void {
    this.#sink.close();
  }

  abandon(): void {
    this.#sink.abandon();
  }
}
