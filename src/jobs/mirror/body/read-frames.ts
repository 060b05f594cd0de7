import { deserialize, serialize } from "node:v8";
import type { ReadChunk } from "./compressed-reading.ts";
import type { ReadReply } from "./read-body.ts";

/** Kinds of output frames: chunks of prices, then one reply. */
const kinds = ["observations", "references", "reply"] as const;
const headBytes = 9;

/** Encodes a chunk as a frame. */
export function chunkFrame({ kind, rows, compressed }: ReadChunk): Buffer {
  return frameOf(kind, rows, compressed);
}

/** Encodes the reply as a frame. */
export function replyFrame(reply: ReadReply): Buffer {
  return frameOf("reply", 0, serialize(reply));
}

function frameOf(kind: (typeof kinds)[number], rows: number, content: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(kinds.indexOf(kind), 0);
  head.writeUInt32LE(rows, 1);
  head.writeUInt32LE(content.length, 5);
  return Buffer.concat([head, content]);
}

/** Parses frames from a byte stream. */
export class FrameReader {
  readonly chunks: ReadChunk[] = [];
  /** Null until the reply has arrived. */
  reply: ReadReply | null = null;
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** Bytes that complete the current frame or its head. */
  #wanted = headBytes;

  take(chunk: Buffer): void {
    this.#begun.push(chunk);
    this.#begunBytes += chunk.length;
    while (this.#begunBytes >= this.#wanted) {
      const bytes = Buffer.concat(this.#begun);
      this.#begun = [bytes];
      const length = headBytes + bytes.readUInt32LE(5);
      this.#wanted = length;
      if (bytes.length < length) return;
      this.#takeFrame(kinds[bytes.readUInt8(0)], bytes.readUInt32LE(1), bytes.subarray(headBytes, length));
      this.#begun = [bytes.subarray(length)];
      this.#begunBytes = bytes.length - length;
      this.#wanted = headBytes;
    }
  }

  #takeFrame(kind: (typeof kinds)[number] | undefined, rows: number, content: Buffer): void {
    if (kind === "reply") this.reply = deserialize(content) as ReadReply;
    // Copied, so that it does not hold the received chunks in memory.
    else if (kind !== undefined) this.chunks.push({ kind, rows, compressed: Buffer.from(content) });
  }
}
