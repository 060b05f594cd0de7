import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * Independently compressed bytes. `deflated` consists of whole deflate blocks (RFC 1951) that end on a byte border and refer to no earlier
 * data. None of them is marked as the final block. `bytes` is the uncompressed length; `crc32` is the checksum of the uncompressed bytes.
 */
export type DeflatedBlock = { readonly deflated: Buffer; readonly bytes: number; readonly crc32: number };

/** Level 1, because the data is repetitive: higher levels cost several times the time and save little. */
const level = 1;
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4 /* fastest */, 0xff /* unknown system */]);
const lastBlock = Buffer.from([0x03, 0x00]);
const lengthModulus = 2 ** 32;
/** zlib allocates more output whenever its buffer is full; spare bytes avoid that. */
const inflateSpareBytes = 64;

/** Shorter input is stored uncompressed: setting up a compressor costs more than everything else for one record. */
const storedBytesMax = 512;

/** Makes an independent block, stored uncompressed if it is short. An empty input makes an empty block. */
export function deflateBlock(plain: Buffer): DeflatedBlock {
  // zlib treats the null address of an empty buffer as a request to reset the checksum.
  if (plain.length === 0) return { deflated: plain, bytes: 0, crc32: 0 };
  if (plain.length <= storedBytesMax) return { deflated: storedBlock(plain), bytes: plain.length, crc32: crc32(plain) };
  const deflated = deflateRawSync(plain, { level, finishFlush: constants.Z_FULL_FLUSH });
  return { deflated, bytes: plain.length, crc32: crc32(plain) };
}

/** Returns the bytes as an uncompressed deflate block, preceded by their length and its complement. */
function storedBlock(plain: Buffer): Buffer {
  const block = Buffer.allocUnsafe(5 + plain.length);
  block[0] = 0;
  block.writeUInt16LE(plain.length, 1);
  block.writeUInt16LE(~plain.length & 0xffff, 3);
  plain.copy(block, 5);
  return block;
}

/** Concatenates blocks into one, which is faster to decode than the separate blocks. */
export function joinBlocks(blocks: readonly DeflatedBlock[]): Pick<DeflatedBlock, "deflated" | "bytes"> {
  if (blocks.length === 1) return blocks[0]!;
  const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
  return { deflated: Buffer.concat(blocks.map(({ deflated }) => deflated)), bytes };
}

/**
 * Returns the uncompressed bytes.
 * @throws {Error} if `deflated` does not decode to exactly `bytes` bytes.
 */
export function inflateBlock({ deflated, bytes }: Pick<DeflatedBlock, "deflated" | "bytes">): Buffer {
  const whole = Buffer.concat([deflated, lastBlock]);
  const { buffer, engine } = inflateRawSync(whole, {
    chunkSize: bytes + inflateSpareBytes,
    maxOutputLength: bytes + inflateSpareBytes,
    info: true,
  }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
  // If `deflated` contained a final block, decoders of an export would drop all later records.
  if (buffer.length !== bytes || engine.bytesWritten !== whole.length)
    throw new Error("a block differs from the original");
  return buffer;
}

/**
 * Builds one gzip member (RFC 1952) from independently compressed blocks. A client can decode each received block to its end. The state is
 * only a checksum and a length, so an export that waits for its client holds no compressor.
 */
export class GzipMember {
  #crc = 0;
  #length = 0;
  #isBegun = false;

  /** Returns the bytes to send for `blocks`. */
  add(blocks: readonly DeflatedBlock[]): Buffer {
    for (const { bytes, crc32 } of blocks) {
      this.#crc = combineCrc32(this.#crc, crc32, bytes);
      this.#length = (this.#length + bytes) % lengthModulus;
    }
    return this.#begin(blocks.map(({ deflated }) => deflated));
  }

  /** Returns the trailer of the member. Without it, decoders report truncated input. */
  end(): Buffer {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length, 4);
    return this.#begin([lastBlock, trailer]);
  }

  #begin(parts: Buffer[]): Buffer {
    if (!this.#isBegun) parts.unshift(gzipHeader);
    this.#isBegun = true;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}

/** Polynomial of CRC-32 without its highest power. As everywhere below, the lowest bit is the highest power. */
const polynomial = 0xedb88320;
const one = 0x80000000;
const zeroByte = 1 << (31 - 8);

/**
 * Returns the CRC-32 of two concatenated byte sequences from their checksums. A checksum is a polynomial remainder over GF(2): the first is
 * shifted by the second's bits, then the second is added.
 */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (multiply(first, zeroBytes(secondBytes)) ^ second) >>> 0;
}

/** Remainders of x^(8 · 2^n). Each is the square of the previous one. */
const powers = [zeroByte];

/** Returns the remainder of x^(8 · bytes). */
function zeroBytes(bytes: number): number {
  let remainder = one;
  for (let rest = bytes, n = 0; rest > 0; rest = Math.floor(rest / 2), n += 1) {
    powers[n] ??= multiply(powers[n - 1]!, powers[n - 1]!);
    if (rest % 2 === 1) remainder = multiply(remainder, powers[n]!);
  }
  return remainder;
}

/** Multiplies two polynomials and returns the remainder. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let power = b, rest = a | 0; rest !== 0; rest <<= 1) {
    if (rest < 0) product ^= power;
    power = (power & 1) === 0 ? power >>> 1 : (power >>> 1) ^ polynomial;
  }
  return product >>> 0;
}
