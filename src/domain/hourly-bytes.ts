import { hourDigitsAt } from "../wire/hourly-price.ts";

/** Where a row lies in the bytes, and where its times do. */
export type RowPlace = { readonly at: number; readonly timesAt: number; readonly length: number };

const bytesFirst = 64 * 1024;
const [listStart, listEnd, zero] = ["[", "]", "0"].map((text) => text.charCodeAt(0)) as [number, number, number];

/**
 * Holds the page that is being made. Pages are made one at a time, so all have this one place: what they are sent as is a copy. A row
 * begins with a comma; all its text is ASCII: a slug, numbers, times and names of members.
 */
export class HourlyBytes {
  #bytes = Buffer.allocUnsafeSlow(bytesFirst);
  #used = 0;

  /** Forgets what it holds. */
  clear(): void {
    this.#used = 0;
  }

  /** Adds a row of these parts and returns its place. */
  add(start: string, head: string, times: Buffer, tail: string): RowPlace {
    const timesAt = start.length + head.length;
    const length = timesAt + times.length + tail.length;
    const at = this.#placeOf(length);
    this.#bytes.write(start, at, "latin1");
    this.#bytes.write(head, at + start.length, "latin1");
    this.#bytes.set(times, at + timesAt);
    this.#bytes.write(tail, at + timesAt + times.length, "latin1");
    return { at, timesAt, length };
  }

  /** Adds a row of the same day again, with another hour and with times of the same length. */
  repeat({ at: from, timesAt, length }: RowPlace, hourOfDay: number, times: Buffer): void {
    const at = this.#placeOf(length);
    this.#bytes.copyWithin(at, from, from + length);
    this.#bytes[at + hourDigitsAt] = zero + Math.floor(hourOfDay / 10);
    this.#bytes[at + hourDigitsAt + 1] = zero + (hourOfDay % 10);
    this.#bytes.set(times, at + timesAt);
  }

  /** Returns the rows as a JSON array in UTF-8. */
  list(): Buffer {
    const list = Buffer.allocUnsafe(Math.max(1, this.#used) + 1);
    list.set(this.#bytes.subarray(0, this.#used));
    // In the place of the first comma.
    list[0] = listStart;
    list[list.length - 1] = listEnd;
    return list;
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
