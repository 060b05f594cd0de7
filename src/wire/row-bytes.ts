import { dayMs, dayOf } from "../values/time/calendar.ts";
import type { TimestampTexts } from "../values/time/timestamp-texts.ts";

const bytesFirst = 65_536;
const copiedBytesMax = 32_768;
/** Buffers of sent pages for reuse: allocating and freeing a buffer costs more than filling it. */
const spare: Buffer[] = [];
const spareMax = 8;
const [listStart, listEnd, zero] = ["[", "]", "0"].map((text) => text.charCodeAt(0)) as [number, number, number];

/** Length of an instant in characters. */
export const timestampLength = "2026-01-31T00:00:00.000Z".length;

/** A page as a JSON array in UTF-8. `returnBuffer` returns its buffer for reuse after the last access; undefined if `list` is a copy. */
export type EncodedPage = { readonly list: Buffer; readonly returnBuffer?: () => void };

/**
 * Buffer for the rows of one page at a time. Each row starts with a comma and is ASCII. Rows are similar: copying one and overwriting the
 * differences costs a fraction of formatting it.
 */
export class RowBytes {
  #bytes: Buffer = Buffer.allocUnsafeSlow(bytesFirst);
  #used = 0;

  /** Discards all rows and starts a page. */
  clear(): void {
    this.#used = 0;
  }

  /** Adds a row and returns its offset. */
  add(row: string): number {
    const at = this.#placeOf(row.length);
    this.#bytes.write(row, at, "latin1");
    return at;
  }

  /** Copies the row at offset `from` to the end, and returns the offset of the copy. */
  repeat(from: number, length: number): number {
    const at = this.#placeOf(length);
    this.#bytes.copyWithin(at, from, from + length);
    return at;
  }

  /** Overwrites the bytes at an offset. */
  set(at: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, at);
  }

  /** Overwrites the date at an offset. `day` is days since 1970. */
  setDate(at: number, day: number, timestamps: TimestampTexts): void {
    const date = timestamps.date(day);
    for (let index = 0; index < date.length; index += 1) this.#bytes[at + index] = date.charCodeAt(index);
  }

  /** Overwrites the instant at an offset. `instant` is UTC ms. */
  setTimestamp(at: number, instant: number, timestamps: TimestampTexts): void {
    const day = dayOf(instant);
    this.setDate(at, day, timestamps);
    const ms = (instant - day * dayMs) | 0;
    const seconds = (ms / 1000) | 0;
    const minutes = (seconds / 60) | 0;
    this.setDigits(at + "2026-01-31T".length, (minutes / 60) | 0, 2);
    this.setDigits(at + "2026-01-31T00:".length, minutes % 60, 2);
    this.setDigits(at + "2026-01-31T00:00:".length, seconds % 60, 2);
    this.setDigits(at + "2026-01-31T00:00:00.".length, ms % 1000, 3);
  }

  /**
   * Overwrites a whole number >= 0 with another of the same number of digits. Returns the offset of its end. Writes nothing for null, which
   * has 0 digits.
   */
  setDigits(at: number, value: number | null, digits: number): number {
    const end = at + digits;
    let rest = Number(value);
    for (let place = end - 1; place >= at; place -= 1) {
      const tenth = Math.floor(rest / 10);
      this.#bytes[place] = rest - tenth * 10 + zero;
      rest = tenth;
    }
    return end;
  }

  /** Ends the page and returns a copy of it as a JSON array in UTF-8. */
  list(): Buffer {
    return Buffer.from(this.#list());
  }

  /** Ends the page and returns it. A large page keeps its buffer; a small one is copied, which costs less than managing its buffer. */
  take(): EncodedPage {
    const list = this.#list();
    if (list.length <= copiedBytesMax) return { list: Buffer.from(list) };
    let place: Buffer | null = this.#bytes;
    this.#bytes = spare.pop() ?? Buffer.allocUnsafeSlow(place.length);
    return {
      list,
      returnBuffer() {
        // A second call must not make two pages share one buffer.
        if (place !== null && spare.length < spareMax) spare.push(place);
        place = null;
      },
    };
  }

  #list(): Buffer {
    // The bracket replaces the first comma.
    if (this.#used === 0) this.#placeOf(1);
    this.#bytes[0] = listStart;
    // Reserved before the access to `#bytes`, which this may replace.
    const end = this.#placeOf(1);
    this.#bytes[end] = listEnd;
    return this.#bytes.subarray(0, this.#used);
  }

  /** Reserves `length` bytes and returns their offset. */
  #placeOf(length: number): number {
    const at = this.#used;
    this.#used += length;
    if (this.#used > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#used, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
    }
    return at;
  }
}

/** Returns the number of digits of a whole number >= 0; 0 for null. */
export function digitsOf(value: number | null): number {
  if (value === null) return 0;
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits += 1;
  return digits;
}
