// Each format has a file of its own, which is loaded only when that format is written.
import { FileSink } from "./file-sink.ts";
import type { ExportWriter } from "./writer.ts";

/** Writes the bytes of the response as received, because they already contain the records. */
export class NdjsonWriter extends FileSink implements ExportWriter {
  bytes(chunk: Uint8Array): void {
    this.append(chunk);
  }
}
