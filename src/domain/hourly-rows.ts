import type { Schema } from "../contract/types.ts";
import type { Change, FrameQuote, ItemState } from "../store/codec/frame-segment.ts";
import { hoursOfDay } from "../values/calendar.ts";
import type { TimestampTexts } from "../values/timestamp-texts.ts";
import { encodeHourlyTexts, encodeHourStart, type HourlyTexts } from "../wire/hourly-price.ts";
import type { FrameProviderNames } from "./frame-provider-names.ts";
import type { FrameTimes, FrameTimesOfDays } from "./frame-times.ts";
import type { HistoryKey } from "./history-request.ts";
import { ObservationTimes } from "./observation-times.ts";

/** Side and provider of the wanted rows; `provider` null: of every provider with a quote on the side. */
type HourlySelection = { readonly side: Schema<"QuoteSide">; readonly provider: string | null };

/**
 * The frames of one feed on one UTC day, and the item's changes as the segment has them. Hours are bits: `stored` have a frame,
 * `covered` are those of them that tell of the item and provider, in `named` the feed had the item's name and joined it to no item.
 */
export type FeedOfDay = {
  readonly times: FrameTimes;
  readonly hours: { readonly stored: number; readonly covered: number; readonly named: number };
  readonly changes: readonly Change[];
};

/**
 * A row but for its hour and the times of its frame: `walk` is that of its feed, null for the latest times of the hour.
 * `provider` is "" in a marker; `observedAt` is undefined in a row without a quote.
 */
type Line = {
  readonly provider: string;
  readonly walk: Walk | null;
  readonly observedAt: number | null | undefined;
  /** The quote that it shows; undefined: none. */
  readonly quote: FrameQuote | undefined;
  readonly head: Buffer;
  readonly tail: Buffer;
};

/**
 * Makes hourly rows as bytes. Text that outlasts an hour is made once: lines stay until one of the feeds says something else, or
 * another set of feeds has a frame.
 */
export class HourlyRows {
  readonly #selection: HourlySelection;
  readonly #names: FrameProviderNames;
  readonly #times: FrameTimesOfDays;
  readonly #timestamps: TimestampTexts;
  #lines: readonly Line[] = [];

  constructor(
    selection: HourlySelection,
    parts: { names: FrameProviderNames; times: FrameTimesOfDays; timestamps: TimestampTexts },
  ) {
    this.#selection = selection;
    this.#names = parts.names;
    this.#times = parts.times;
    this.#timestamps = parts.timestamps;
  }

  /**
   * Adds the rows of one UTC day to `page` until it is full: at least one for each covered hour. With a selected
   * provider there is only its feed.
   */
  addDay(page: HourlyPage, day: number, feeds: readonly FeedOfDay[]): void {
    const walks = feeds.map((feed) => new Walk(feed));
    this.#lines = [];
    let before = -1;
    for (let ofDay = 0; ofDay < hoursOfDay; ofDay += 1) {
      const present = walks.filter((walk) => walk.has(ofDay));
      if (present.length === 0) continue;
      let isChanged = before === -1 || walks.some((walk) => walk.has(ofDay) !== walk.has(before));
      for (const walk of present) if (walk.moveTo(ofDay)) isChanged = true;
      if (isChanged) this.#lines = this.#linesOf(present);
      before = ofDay;
      const start = Buffer.from(encodeHourStart(day, ofDay, this.#timestamps));
      for (const { provider, walk, observedAt, head, tail } of this.#lines) {
        const times = walk === null ? this.#latestOf(present, ofDay) : walk.times.texts[ofDay];
        if (!page.add({ hour: day * hoursOfDay + ofDay, provider, observedAt }, start, head, times!, tail)) return;
      }
    }
  }

  #latestOf(present: readonly Walk[], ofDay: number): Buffer {
    return this.#times.text(
      Math.max(...present.map(({ times }) => times.ingestedAt[ofDay]!)),
      Math.max(...present.map(({ times }) => times.checkedAt[ofDay]!)),
    );
  }

  /** Makes the lines of an hour in which the feeds are in their present states. */
  #linesOf(present: readonly Walk[]): Line[] {
    const { side, provider } = this.#selection;
    const lines: Line[] = [];
    for (const walk of present) {
      for (const quote of walk.state ?? []) {
        if (quote.side !== side) continue;
        const name = this.#names.of(quote.provider);
        if (provider === null || name === provider) lines.push(this.#quoted(name, walk, quote));
      }
    }
    if (lines.length > 0) return lines.sort((a, b) => (a.provider < b.provider ? -1 : 1));
    return [this.#unquoted(present.every(({ isNamed }) => !isNamed) ? "item_missing" : "no_quote")];
  }

  /** Few quotes change from hour to hour: a line of the hour before serves again. */
  #quoted(provider: string, walk: Walk, quote: FrameQuote): Line {
    const before = this.#lines.find((line) => line.walk === walk && line.provider === provider);
    if (before?.quote !== undefined && isSameQuote(before.quote, quote)) return before;
    const { amount, quantity, observedAt } = quote;
    const { side } = this.#selection;
    const row = { provider, side, amount, quantity, availability: "quoted", observedAt } as const;
    return { provider, walk, observedAt, quote, ...bytesOf(encodeHourlyTexts(row, this.#timestamps)) };
  }

  #unquoted(availability: Schema<"HourlyAvailability">): Line {
    const { provider, side } = this.#selection;
    const row = { provider, side, amount: null, quantity: null, availability, observedAt: null };
    const texts = bytesOf(encodeHourlyTexts(row, this.#timestamps));
    return { provider: provider ?? "", walk: null, observedAt: undefined, quote: undefined, ...texts };
  }
}

function bytesOf({ head, tail }: HourlyTexts): { head: Buffer; tail: Buffer } {
  return { head: Buffer.from(head), tail: Buffer.from(tail) };
}

function isSameQuote(one: FrameQuote, other: FrameQuote): boolean {
  return one.amount === other.amount && one.quantity === other.quantity && one.observedAt === other.observedAt;
}

/** Goes through the frames of one feed and day in ascending hour. */
class Walk {
  /** The state of the item in the frame of the hour. */
  state: ItemState = null;
  readonly times: FrameTimes;
  readonly #hours: FeedOfDay["hours"];
  readonly #changes: readonly Change[];
  #next = 0;
  #hasName = false;

  constructor({ times, hours, changes }: FeedOfDay) {
    this.times = times;
    this.#hours = hours;
    // An entry of an hour without a frame is that of one which is being written: it counts for nothing yet.
    this.#changes = changes.filter(({ hour }) => hasBit(hours.stored, hour));
  }

  /** Whether the feed names the item in the frame of the hour. */
  get isNamed(): boolean {
    return this.state !== null || this.#hasName;
  }

  has(ofDay: number): boolean {
    return hasBit(this.#hours.covered, ofDay);
  }

  /** Moves to an hour. Returns whether the frame differs from the one before. */
  moveTo(ofDay: number): boolean {
    const before = this.#next;
    const hadName = this.#hasName;
    this.#hasName = hasBit(this.#hours.named, ofDay);
    while (this.#next < this.#changes.length && this.#changes[this.#next]!.hour <= ofDay) {
      this.state = this.#changes[this.#next]!.state;
      this.#next += 1;
    }
    return this.#next !== before || this.#hasName !== hadName;
  }
}

function hasBit(bits: number, index: number): boolean {
  return ((bits >> index) & 1) === 1;
}

/** `observedAt` is undefined in a row without a quote. */
type RowKey = { readonly hour: number; readonly provider: string; readonly observedAt: number | null | undefined };

const [listStart, comma, listEnd] = ["[", ",", "]"].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/** Collects one page of hourly rows, in ascending hour and provider. */
export class HourlyPage {
  /** Source times of the quotes in it; rows without a quote have none. */
  readonly times = new ObservationTimes();
  readonly #after: HistoryKey | null;
  readonly #limit: number;
  readonly #pieces: Buffer[] = [listStart];
  #count = 0;
  #hour = 0;
  #provider = "";
  #hasNext = false;

  /** `after`: the last row of the page before, null on the first one. */
  constructor(after: HistoryKey | null, limit: number) {
    this.#after = after;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#count === this.#limit;
  }

  /** Adds a row, in pieces, unless an earlier page had it. Returns false where the page is full and the row belongs to the next one. */
  add({ hour, provider, observedAt }: RowKey, start: Buffer, head: Buffer, times: Buffer, tail: Buffer): boolean {
    if (this.#isBefore(hour, provider)) return true;
    if (this.isFull) {
      this.#hasNext = true;
      return false;
    }
    if (this.#count > 0) this.#pieces.push(comma);
    this.#pieces.push(start, head, times, tail);
    this.#count += 1;
    this.#hour = hour;
    this.#provider = provider;
    if (observedAt !== undefined) this.times.add(observedAt);
    return true;
  }

  #isBefore(hour: number, provider: string): boolean {
    if (this.#after === null || hour > this.#after.point) return false;
    return hour < this.#after.point || provider <= this.#after.provider;
  }

  /** Notes that rows follow which were not made. */
  markNext(): void {
    this.#hasNext = true;
  }

  /** Returns the last row when there is a next page, else null. */
  get nextAfter(): HistoryKey | null {
    return this.#hasNext ? { point: this.#hour, provider: this.#provider } : null;
  }

  /** The page as a JSON array in UTF-8. */
  get bytes(): Buffer {
    return Buffer.concat([...this.#pieces, listEnd]);
  }
}
