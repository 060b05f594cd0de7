import { dayMs, dayOf } from "../values/time/calendar.ts";
import type { TimestampTexts } from "../values/time/timestamp-texts.ts";

const bytesFirst = 65_536;
const copiedBytesMax = 32_768;
/** Places of pages that were sent, for the next ones: to allocate and free as much costs more than to write it. */
const spare: Buffer[] = [];
const spareMax = 8;
const [listStart, listEnd, zero] = ["[", "]", "0"].map((text) => text.charCodeAt(0)) as [number, number, number];

/** Characters of an instant, such as `2026-01-31T00:00:00.000Z`. */
export const timestampLength = "2026-01-31T00:00:00.000Z".length;

/** A page as a JSON array in UTF-8. `giveBack` lets another page have its place, once nobody reads it; undefined: it is a copy. */
export type TakenPage = { readonly list: Buffer; readonly giveBack?: () => void };

/**
 * Holds the rows of a page that is being made; pages are made one at a time. A row begins with a comma, and all its text is ASCII. Rows
 * are much alike: to copy one and to write what differs in its place costs a fraction of making its text.
 */
export class RowBytes {
  #bytes: Buffer = Buffer.allocUnsafeSlow(bytesFirst);
  #used = 0;

  /** Forgets what it holds, and begins a page. */
  clear(): void {
    this.#used = 0;
  }

  /** Adds a row and returns where it begins. */
  add(row: string): number {
    const at = this.#placeOf(row.length);
    this.#bytes.write(row, at, "latin1");
    return at;
  }

  /** Adds the row that begins at `from` again, and returns where the new one does. */
  repeat(from: number, length: number): number {
    const at = this.#placeOf(length);
    this.#bytes.copyWithin(at, from, from + length);
    return at;
  }

  /** Writes over bytes at a place. */
  set(at: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, at);
  }

  /** Writes a date over the one at a place; `day` since 1970. */
  setDate(at: number, day: number, timestamps: TimestampTexts): void {
    const date = timestamps.date(day);
    for (let index = 0; index < date.length; index += 1) this.#bytes[at + index] = date.charCodeAt(index);
  }

  /** Writes an instant, UTC ms, over the one at a place. */
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

  /** Writes a whole number from 0 on over another one of as many digits, and returns where it ends. Nothing is written of null, which has none. */
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

  /** Ends the page and returns a copy of it, a JSON array in UTF-8. */
  list(): Buffer {
    return Buffer.from(this.#list());
  }

  /** Ends the page and returns it: many rows as they lie there, few as a copy, which costs less than to keep count of their place. */
  take(): TakenPage {
    const list = this.#list();
    if (list.length <= copiedBytesMax) return { list: Buffer.from(list) };
    let place: Buffer | null = this.#bytes;
    this.#bytes = spare.pop() ?? Buffer.allocUnsafeSlow(place.length);
    return {
      list,
      giveBack() {
        // Given back twice, one place would be that of two pages.
        if (place !== null && spare.length < spareMax) spare.push(place);
        place = null;
      },
    };
  }

  #list(): Buffer {
    // The first comma has the place of the bracket.
    if (this.#used === 0) this.#placeOf(1);
    this.#bytes[0] = listStart;
    // Found before the bytes are: they may be others then.
    const end = this.#placeOf(1);
    this.#bytes[end] = listEnd;
    return this.#bytes.subarray(0, this.#used);
  }

  /** Returns where `length` bytes more begin. */
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

/** Returns how many digits a whole number from 0 on has, 0 for null. */
export function digitsOf(value: number | null): number {
  if (value === null) return 0;
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits += 1;
  return digits;
}
