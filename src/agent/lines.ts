import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { requestBytesMax } from "./limits.ts";
import { messageOf, tooLong, Unsound, unsoundAnswer } from "./messages.ts";

const newline = 0x0a;

/**
 * The protocol over a pair of streams, a message a line. Unlike the library's own transport it answers a line that is no message, and
 * continues after one that is too long, without an effect on running calls.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #input: Readable;
  readonly #output: Writable;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData).on("end", this.#onEnd).on("error", this.#onError);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#input.off("data", this.#onData).off("end", this.#onEnd).off("error", this.#onError).pause();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  };

  readonly #onEnd = (): void => this.#endLine();

  readonly #onError = (error: Error): void => this.onerror?.(error);

  /** Keeps nothing but the length of a line that is too long. */
  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > requestBytesMax) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #endLine(): void {
    const isTooLong = this.#bytes > requestBytesMax;
    const line = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#bytes = 0;
    if (!isTooLong && line.trim() === "") return;
    const message = isTooLong ? tooLong : messageOf(line);
    if (!(message instanceof Unsound)) {
      this.onmessage?.(message);
      return;
    }
    this.onerror?.(new Error(message.message));
    if (!message.isAnswer) void this.#write(unsoundAnswer(message));
  }

  #write(line: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${line}\n`)) resolve();
      else this.#output.once("drain", resolve);
    });
  }
}
