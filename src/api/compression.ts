import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import Negotiator from "negotiator";

export type Coding = "gzip" | "identity";

/** A shorter body is sent as it is: its packet would be no smaller by much, and compressing it costs more than sending it. */
export const codedBytesMin = 1024;
/** Clients send a dozen characters. A longer list is not read, because compression is optional. */
const listCharactersMax = 1000;
const kindsKeptMax = 64;
/** The bodies are short-lived and repetitive; higher levels take several times as long for little. */
const level = 1;

const kept = new Map<string, Coding>();

/** Returns the coding of an answer to a request with this `Accept-Encoding`; identity where nothing fits. */
export function codingOf(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding.length > listCharactersMax) return "identity";
  const known = kept.get(acceptEncoding);
  if (known !== undefined) return known;
  // RFC 9110: the old name means the same, and the name of a weight has no case.
  const list = acceptEncoding.toLowerCase().replace(/(?<![\w-])x-gzip(?![\w-])/g, "gzip");
  const chosen =
    new Negotiator({ headers: { "accept-encoding": list } }).encoding<Coding>(["gzip", "identity"], {
      preferred: ["gzip"],
    }) ?? "identity";
  if (kept.size >= kindsKeptMax) kept.clear();
  kept.set(acceptEncoding, chosen);
  return chosen;
}

/** Compresses a whole body while the event loop waits: bodies of this service are at most a few hundred kilobytes. */
export function gzipBody(body: string): Buffer {
  return gzipSync(body, { level });
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4 /* fastest */, 0xff /* of no system */]);
const lastBlock = Buffer.from([0x03, 0x00]);

/**
 * Makes one gzip stream (RFC 1952) of pages that are compressed apart, each flushed to a whole byte: who has received a page can
 * decode it to its end. Keeps nothing between pages but a checksum and a length, so that an export that waits for its reader
 * holds no compressor.
 */
export class GzipPages {
  #crc = 0;
  #length = 0;
  #begun = false;

  /** Returns the compressed bytes of a page. */
  page(bytes: Buffer): Buffer {
    // zlib takes the missing address of an empty buffer for a request to reset its checksum.
    if (bytes.length === 0) return bytes;
    const packed = deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH });
    this.#crc = crc32(bytes, this.#crc);
    this.#length = (this.#length + bytes.length) % 2 ** 32;
    return this.#begin(packed);
  }

  /** Returns the end of the stream: without it a decoder reports that it was cut off. */
  end(): Buffer {
    const trailer = Buffer.alloc(lastBlock.length + 8);
    lastBlock.copy(trailer);
    trailer.writeUInt32LE(this.#crc, lastBlock.length);
    trailer.writeUInt32LE(this.#length, lastBlock.length + 4);
    return this.#begin(trailer);
  }

  #begin(bytes: Buffer): Buffer {
    if (this.#begun) return bytes;
    this.#begun = true;
    return Buffer.concat([gzipHeader, bytes]);
  }
}
