import { deserialize, serialize } from "node:v8";
import type { ReadPiece } from "./packed-reading.ts";
import type { ReadReply } from "./read-body.ts";

/** Kinds of frames that a process sends of a body: pieces, and the reply as the last one. */
const kinds = ["observations", "references", "reply"] as const;
const headBytes = 9;

/** Returns a piece as a frame. */
export function pieceFrame({ kind, rows, packed }: ReadPiece): Buffer {
  return frameOf(kind, rows, packed);
}

/** Returns the reply as a frame. */
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

/** Reads frames from the chunks that come. */
export class FrameReader {
  readonly pieces: ReadPiece[] = [];
  /** Null: it has not come. */
  reply: ReadReply | null = null;
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** Bytes that make the frame under way whole, or its head. */
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
    // A copy, so that it does not keep the chunks that it came in.
    else if (kind !== undefined) this.pieces.push({ kind, rows, packed: Buffer.from(content) });
  }
}
