import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * Bytes that were compressed by themselves: `deflated` is whole deflate blocks (RFC 1951) that end with a byte, refer to nothing before
 * them, and of which none is the last. `bytes` and `crc32` are of what was compressed.
 */
export type DeflatedBlock = { readonly deflated: Buffer; readonly bytes: number; readonly crc32: number };

/** What is compressed here is repetitive; higher levels take several times as long for little. */
const level = 1;
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4 /* fastest */, 0xff /* of no system */]);
const lastBlock = Buffer.from([0x03, 0x00]);
const lengthModulus = 2 ** 32;
/** zlib asks for more room as long as it has filled all of it. */
const inflateSpareBytes = 64;

/** So few bytes stay as they are: to set up a compressor takes longer than everything else on the way of one record. */
const storedBytesMax = 512;

/** Makes a block of bytes by themselves: compressed, unless they are few. Of none it makes an empty one. */
export function deflateBlock(plain: Buffer): DeflatedBlock {
  // zlib takes the missing address of an empty buffer for a request to reset its checksum.
  if (plain.length === 0) return { deflated: plain, bytes: 0, crc32: 0 };
  if (plain.length <= storedBytesMax) return { deflated: storedBlock(plain), bytes: plain.length, crc32: crc32(plain) };
  const deflated = deflateRawSync(plain, { level, finishFlush: constants.Z_FULL_FLUSH });
  return { deflated, bytes: plain.length, crc32: crc32(plain) };
}

/** Returns the bytes as a block of the kind that is not compressed: its length stands before it, and inverted once more. */
function storedBlock(plain: Buffer): Buffer {
  const block = Buffer.allocUnsafe(5 + plain.length);
  block[0] = 0;
  block.writeUInt16LE(plain.length, 1);
  block.writeUInt16LE(~plain.length & 0xffff, 3);
  plain.copy(block, 5);
  return block;
}

/** Returns blocks, one behind the other, as one: to decode it costs less than to decode each. */
export function joinBlocks(blocks: readonly DeflatedBlock[]): Pick<DeflatedBlock, "deflated" | "bytes"> {
  if (blocks.length === 1) return blocks[0]!;
  const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
  return { deflated: Buffer.concat(blocks.map(({ deflated }) => deflated)), bytes };
}

/**
 * Returns the bytes that were compressed.
 * @throws {Error} when `deflated` does not decode to `bytes` bytes, or not to its end.
 */
export function inflateBlock({ deflated, bytes }: Pick<DeflatedBlock, "deflated" | "bytes">): Buffer {
  const whole = Buffer.concat([deflated, lastBlock]);
  const { buffer, engine } = inflateRawSync(whole, {
    chunkSize: bytes + inflateSpareBytes,
    maxOutputLength: bytes + inflateSpareBytes,
    info: true,
  }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
  // Behind a last block of its own nothing more would be decoded, and no record after it in an export.
  if (buffer.length !== bytes || engine.bytesWritten !== whole.length) throw new Error("a block is not what was made");
  return buffer;
}

/**
 * Makes one gzip member (RFC 1952) of blocks that were compressed apart: who has received a block can decode it to its end. Keeps
 * nothing between blocks but a checksum and a length, so that an export that waits for its reader holds no compressor.
 */
export class GzipMember {
  #crc = 0;
  #length = 0;
  #isBegun = false;

  /** Returns the bytes to send for these blocks. */
  add(blocks: readonly DeflatedBlock[]): Buffer {
    for (const { bytes, crc32 } of blocks) {
      this.#crc = combineCrc32(this.#crc, crc32, bytes);
      this.#length = (this.#length + bytes) % lengthModulus;
    }
    return this.#begin(blocks.map(({ deflated }) => deflated));
  }

  /** Returns the end of the member: without it a decoder reports that it was cut off. */
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

/** CRC-32's polynomial without its highest power; the lowest bit is the highest power, as everywhere below. */
const polynomial = 0xedb88320;
const one = 0x80000000;
const zeroByte = 1 << (31 - 8);

/**
 * Returns the CRC-32 of two runs of bytes, one behind the other, from those of each. A checksum is the remainder of a polynomial over
 * two elements: that of the first run is moved up by the second one's bits, and the second one's is added.
 */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (multiply(first, zeroBytes(secondBytes)) ^ second) >>> 0;
}

/** Remainders of x^(8 · 2^n), each the square of the one before. */
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
