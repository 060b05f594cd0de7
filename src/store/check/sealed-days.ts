import { createHash, type Hash } from "node:crypto";
import { dayText } from "../../values/time/calendar.ts";
import { TimestampTexts } from "../../values/time/timestamp-texts.ts";
import { type DayRow, encodeDayRow } from "../../wire/sealed-day.ts";
import type { Database } from "../database.ts";
import { DailyDayLines } from "../read/daily-day-lines.ts";
import { DayExports, type DayResolution } from "../read/day-exports.ts";
import { type SealedDayRow, SealedDaysStore } from "../read/sealed-days.ts";
import { type Chunks, type Finding, fact, faultOfMany } from "./finding.ts";

/** A stored daily row as an array of its columns, see `dailyColumns`. */
type DailyValues = [
  itemId: number,
  side: DayRow["side"],
  day: number,
  provider: string,
  amount: number,
  lowAmount: number,
  highAmount: number,
  observations: number,
  quantity: number | null,
  sourceObservedAt: number | null,
  recordedAt: number,
];

/** The lines of one day so far. `text` has the lines that are not yet in `hash`. */
type DaySum = { revision: number; hash: Hash; rows: number; bytes: number; text: string };

/** Items per chunk of one day's lines. */
const chunkItems = 500;
/** Days that are encoded together, and their items per chunk. */
const daysPerBatch = 16;
const itemsOfDays = 200;
/** Characters of lines in memory before they are hashed. */
const heldCharsMax = 64 * 1024;

/** Encodes the lines of sealed days again and compares them with the stored digests. Skips a day that is sealed again meanwhile. */
export class SealedDaysCheck {
  readonly #chunks: Chunks;
  readonly #store: SealedDaysStore;
  readonly #exports: DayExports;
  readonly #timestamps = new TimestampTexts();
  readonly #sums: Map<number, DaySum>;
  readonly #later = new Set<number>();
  readonly #lines: DailyDayLines;
  #heldChars = 0;

  constructor(database: Database, chunks: Chunks) {
    this.#chunks = chunks;
    this.#store = new SealedDaysStore(database);
    this.#exports = new DayExports(database);
    this.#lines = new DailyDayLines(database, this.#timestamps);
    this.#sums = new Map(chunks(() => this.#store.daysInForce()).map(({ day, revision }) => [day, sumOf(revision)]));
  }

  /** Adds a daily row, given as the JSON text of its columns. The rows of each day must ascend by item, side and provider. */
  addDaily(values: string): void {
    const [itemId, side, day, provider, amount, lowAmount, highAmount, observations, ...last] = JSON.parse(
      values,
    ) as DailyValues;
    const sum = this.#sums.get(day);
    if (sum === undefined || this.#later.has(day)) return;
    const [quantity, sourceObservedAt, recordedAt] = last;
    const prices = { amount, lowAmount, highAmount, observations };
    const line = encodeDayRow(
      { itemId, side, provider, ...prices, quantity, sourceObservedAt, recordedAt },
      this.#timestamps,
    );
    sum.text += line;
    sum.rows += 1;
    sum.bytes += line.length;
    this.#heldChars += line.length;
    if (this.#heldChars > heldCharsMax) this.#hash();
  }

  /** Makes `daily` read the rows of a day itself, because rows in day order do not ascend by item. */
  readLater(day: number): void {
    this.#later.add(day);
  }

  /** Skips the day of a damaged daily row. */
  leaveOut(day: number): void {
    this.#sums.delete(day);
  }

  /** Compares the added days with their digests. Call it after the last daily row. */
  daily(): Finding[] {
    this.#hash();
    this.#readLater();
    const differing: string[] = [];
    for (const [day, sum] of this.#sums) {
      const isSame = this.#chunks(() => {
        const row = this.#store.current(day);
        if (row === null || row.revision !== sum.revision || isSum(row, "daily", sum)) return true;
        // A change that was reverted between two chunks leaves the revision in force.
        return isSum(row, "daily", this.#read(row, "daily"));
      });
      if (!isSame) differing.push(dayText(day));
    }
    const faults = faultOfMany(differing, "sealed days with daily rows that differ from the stored digest");
    if (faults.length > 0 || this.#sums.size === 0) return faults;
    return [fact(`${this.#sums.size} sealed days have the daily rows of their digests`)];
  }

  #readLater(): void {
    const days = [...this.#later].filter((day) => this.#sums.has(day)).sort((a, b) => a - b);
    for (let start = 0; start < days.length; start += daysPerBatch) {
      const together = days.slice(start, start + daysPerBatch);
      const [from, to] = [together[0]!, together.at(-1)!];
      const add = (day: number, lines: string, rows: number) => {
        const sum = this.#later.has(day) ? this.#sums.get(day) : undefined;
        if (sum === undefined) return;
        sum.hash.update(lines);
        sum.rows += rows;
        sum.bytes += lines.length;
      };
      const itemIdMax = Math.max(
        ...this.#chunks(() => together.map((day) => this.#store.current(day)?.itemIdMax ?? 0)),
      );
      for (let after = 0; after < itemIdMax; after += itemsOfDays)
        this.#chunks(() => this.#lines.each(from, to, after, Math.min(after + itemsOfDays, itemIdMax), add));
    }
  }

  /** Encodes and compares the hourly lines of each day that still has its hours. */
  hourly(): Finding[] {
    const differing: string[] = [];
    let count = 0;
    for (const [day, { revision }] of this.#sums) {
      const row = this.#chunks(() => this.#exports.current(day, "hourly"));
      if (row === null || row.revision !== revision || row.hourlyDigest === null) continue;
      if (!this.#hasSealedHours(row)) differing.push(dayText(day));
      count += 1;
    }
    const faults = faultOfMany(differing, "sealed days with hours that differ from the stored digest");
    return faults.length > 0 ? faults : [fact(`${count} sealed days have the hours of their digests`)];
  }

  #hasSealedHours(row: SealedDayRow): boolean {
    const made = this.#readHours(row, this.#chunks);
    return this.#chunks(() => {
      const now = this.#exports.current(row.day, "hourly");
      if (now?.revision !== row.revision || (made !== null && isSum(now, "hourly", made))) return true;
      const again = this.#readHours(now);
      return again !== null && isSum(now, "hourly", again);
    });
  }

  /** Returns null if a segment cannot be decoded. The check of frames reports the segment. */
  #readHours(row: SealedDayRow, chunks?: Chunks): DaySum | null {
    try {
      return this.#read(row, "hourly", chunks);
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  #read(row: SealedDayRow, resolution: DayResolution, chunks: Chunks = (read) => read()): DaySum {
    const sum = sumOf(row.revision);
    const page = this.#exports.lines(row, resolution, null);
    for (let after = 0; after < row.itemIdMax; after += chunkItems) {
      const { lines, rows } = chunks(() => page(after, Math.min(after + chunkItems, row.itemIdMax)));
      sum.hash.update(lines);
      sum.rows += rows;
      sum.bytes += lines.length;
    }
    return sum;
  }

  #hash(): void {
    for (const sum of this.#sums.values()) {
      if (sum.text !== "") sum.hash.update(sum.text);
      sum.text = "";
    }
    this.#heldChars = 0;
  }
}

function sumOf(revision: number): DaySum {
  return { revision, hash: createHash("sha256"), rows: 0, bytes: 0, text: "" };
}

/** Returns whether a revision's stored sums match `hash`, `rows` and `bytes`. Lines are ASCII. */
function isSum(row: SealedDayRow, resolution: DayResolution, { hash, rows, bytes }: DaySum): boolean {
  const digest = hash.copy().digest();
  if (resolution === "daily") return row.rows === rows && row.bytes === bytes && row.digest.equals(digest);
  return row.hourlyRows === rows && row.hourlyBytes === bytes && row.hourlyDigest?.equals(digest) === true;
}
