/** Thrown for bytes that end early or a number over 53 bits. It is a RangeError, like other errors for damaged pages. */
export class MalformedBytes extends RangeError {}

const capacityFirst = 256;
const numberBytesMax = 9;

/** Writes whole numbers up to 2^53 - 1 in as few bytes as possible: seven bits each, lowest first. */
export class VarintWriter {
  #bytes = Buffer.allocUnsafe(capacityFirst);
  #length = 0;

  byte(value: number): void {
    this.#reserve();
    this.#bytes[this.#length++] = value;
  }

  unsigned(value: number): void {
    this.#reserve();
    this.#rest(value);
  }

  /** Writes a signed number. The first byte holds the sign, two `flags` and the lowest four bits. */
  signed(value: number, flags: number): void {
    this.#reserve();
    const magnitude = Math.abs(value);
    const rest = Math.floor(magnitude / 16);
    this.#bytes[this.#length++] = (rest > 0 ? 0x80 : 0) | ((magnitude % 16) << 3) | (value < 0 ? 4 : 0) | flags;
    if (rest > 0) this.#rest(rest);
  }

  /** Returns the bytes written so far. They are valid until the next write. */
  content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #rest(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = 0x80 | (rest % 128);
    this.#bytes[this.#length++] = rest;
  }

  #reserve(): void {
    if (this.#length + numberBytesMax <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/**
 * Reads numbers written by VarintWriter and never reads past the end.
 * @throws {MalformedBytes} when the bytes end early, or a number does not fit into 53 bits.
 */
export class VarintReader {
  /** Flags of the last signed number read. */
  flags = 0;
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new MalformedBytes("the bytes end in the middle of a record");
    return value;
  }

  /** Returns the next `length` bytes and moves past them. */
  take(length: number): Uint8Array {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new MalformedBytes("the bytes end in the middle of a record");
    return this.#bytes.subarray(from, this.#at);
  }

  unsigned(): number {
    return this.#rest(0, 1);
  }

  signed(): number {
    const first = this.byte();
    this.flags = first & 3;
    const lowest = (first >> 3) & 15;
    const magnitude = first < 128 ? lowest : this.#rest(lowest, 16);
    return first & 4 ? -magnitude : magnitude;
  }

  #rest(lowest: number, unit: number): number {
    let value = lowest;
    for (let scale = unit; scale <= Number.MAX_SAFE_INTEGER; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128 && value <= Number.MAX_SAFE_INTEGER) return value;
    }
    throw new MalformedBytes("a number does not fit into 53 bits");
  }
}
