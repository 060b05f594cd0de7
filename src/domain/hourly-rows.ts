import type { Schema } from "../contract/types.ts";
import type { Change, FrameQuote, ItemState } from "../store/codec/frame-segment.ts";
import { hoursOfDay } from "../values/time/calendar.ts";
import type { HourlyFacts, HourlyPriceEncoder, RowHour, RowPlace } from "../wire/hourly-price.ts";
import type { EncodedPage } from "../wire/row-bytes.ts";
import type { FrameProviderNames } from "./frame-provider-names.ts";
import type { FrameTimes, FrameTimesOfDays } from "./frame-times.ts";
import type { HistoryKey } from "./history-request.ts";
import { ObservationTimes } from "./observation-times.ts";

/** Side and provider of the requested rows. `provider` is null for every provider with a quote on the side. */
type HourlySelection = { readonly side: Schema<"QuoteSide">; readonly provider: string | null };

/**
 * The frames of one feed on one UTC day, and the item's changes from the segment. Hours are bits. `stored` hours have a frame; in `covered`
 * hours it covers the item and provider; in `named` hours the feed had the item's name without a match.
 */
export type FeedOfDay = {
  readonly times: FrameTimes;
  readonly hours: { readonly stored: number; readonly covered: number; readonly named: number };
  readonly changes: readonly Change[];
};

/**
 * A row without its hour and the times of its frame. `walk` is its feed's, null to use the latest times of the hour. `provider` is "" in a
 * marker. `observedAt` is undefined in a row without a quote.
 */
type Line = {
  readonly provider: string;
  readonly walk: Walk | null;
  readonly observedAt: number | null | undefined;
  /** The displayed quote, undefined without one. */
  readonly quote: FrameQuote | undefined;
  readonly facts: HourlyFacts;
  /** A row of the page that shows this line, null before the first one. */
  place: RowPlace | null;
};

/** Builds hourly rows as bytes. Text is reused over hours: lines stay until a feed changes or another set of feeds has a frame. */
export class HourlyRows {
  readonly #selection: HourlySelection;
  readonly #names: FrameProviderNames;
  readonly #times: FrameTimesOfDays;

  constructor(selection: HourlySelection, parts: { names: FrameProviderNames; times: FrameTimesOfDays }) {
    this.#selection = selection;
    this.#names = parts.names;
    this.#times = parts.times;
  }

  /**
   * Adds the rows of one UTC day to `page` until it is full, at least one for each covered hour. With a selected provider, `feeds` contains
   * only its feed.
   */
  addDay(page: HourlyPage, day: number, feeds: readonly FeedOfDay[]): void {
    const walks = feeds.map((feed) => new Walk(feed));
    let lines: readonly Line[] = [];
    let before = -1;
    for (let ofDay = 0; ofDay < hoursOfDay; ofDay += 1) {
      const present = walks.filter((walk) => walk.has(ofDay));
      if (present.length === 0) continue;
      let isChanged = before === -1 || walks.some((walk) => walk.has(ofDay) !== walk.has(before));
      for (const walk of present) if (walk.moveTo(ofDay)) isChanged = true;
      if (isChanged) lines = this.#linesOf(present);
      before = ofDay;
      for (const line of lines) {
        const times = line.walk === null ? this.#latestOf(present, ofDay) : line.walk.times.texts[ofDay]!;
        if (!page.add(line, { day, ofDay, times })) return;
      }
    }
  }

  #latestOf(present: readonly Walk[], ofDay: number): Buffer {
    const latest = (name: "ingestedAt" | "checkedAt" | "recordedAt") =>
      Math.max(...present.map(({ times }) => times[name][ofDay]!));
    return this.#times.text(latest("ingestedAt"), latest("checkedAt"), latest("recordedAt"));
  }

  /** Builds the lines of an hour from the current states of its feeds, in ascending provider. */
  #linesOf(present: readonly Walk[]): Line[] {
    const { side, provider } = this.#selection;
    const lines: Line[] = [];
    for (const walk of present) {
      for (const quote of walk.state ?? []) {
        if (quote.side !== side) continue;
        const name = this.#names.of(quote.provider);
        if (provider === null || name === provider) addInOrder(lines, this.#quoted(name, walk, quote));
      }
    }
    if (lines.length > 0) return lines;
    return [this.#unquoted(present.every(({ isNamed }) => !isNamed) ? "item_missing" : "no_quote")];
  }

  /** Reuses the line of an earlier hour, because few quotes change from hour to hour. */
  #quoted(provider: string, walk: Walk, quote: FrameQuote): Line {
    const before = walk.lines.get(quote.provider);
    if (before?.quote !== undefined && isSameQuote(before.quote, quote)) return before;
    const { amount, quantity, observedAt } = quote;
    const { side } = this.#selection;
    const facts = { provider, side, amount, quantity, availability: "quoted", observedAt } as const;
    const line = { provider, walk, observedAt, quote, facts, place: null };
    walk.lines.set(quote.provider, line);
    return line;
  }

  #unquoted(availability: Schema<"HourlyAvailability">): Line {
    const { provider, side } = this.#selection;
    const facts = { provider, side, amount: null, quantity: null, availability, observedAt: null };
    return { provider: provider ?? "", walk: null, observedAt: undefined, quote: undefined, facts, place: null };
  }
}

/** Feeds give few quotes, almost in order, so an insertion costs less than a sort. */
function addInOrder(lines: Line[], line: Line): void {
  let place = lines.length;
  while (place > 0 && lines[place - 1]!.provider > line.provider) place -= 1;
  if (place === lines.length) lines.push(line);
  else lines.splice(place, 0, line);
}

function isSameQuote(one: FrameQuote, other: FrameQuote): boolean {
  if (one === other) return true;
  return one.amount === other.amount && one.quantity === other.quantity && one.observedAt === other.observedAt;
}

/** Iterates over the frames of one feed and day in ascending hour. */
class Walk {
  /** State of the item in the frame of the current hour. */
  state: ItemState = null;
  readonly times: FrameTimes;
  /** Last line of each provider, by the provider's number. */
  readonly lines = new Map<number, Line>();
  readonly #hours: FeedOfDay["hours"];
  readonly #changes: readonly Change[];
  #next = 0;
  #hasName = false;

  constructor({ times, hours, changes }: FeedOfDay) {
    this.times = times;
    this.#hours = hours;
    // An entry of an hour without a frame belongs to a frame that is still being written, so it is ignored.
    this.#changes = changes.filter(({ hour }) => hasBit(hours.stored, hour));
  }

  /** Whether the feed names the item in the frame of the current hour. */
  get isNamed(): boolean {
    return this.state !== null || this.#hasName;
  }

  has(ofDay: number): boolean {
    return hasBit(this.#hours.covered, ofDay);
  }

  /** Moves to an hour. Returns whether its frame differs from the previous one. */
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

/** Collects one page of hourly rows, in ascending hour and provider. */
export class HourlyPage {
  /** Source times of the page's quotes. Rows without a quote have none. */
  readonly times = new ObservationTimes();
  readonly #after: HistoryKey | null;
  readonly #limit: number;
  readonly #encoder: HourlyPriceEncoder;
  /** The last row of each provider that was encoded in full. */
  readonly #places = new Map<string, RowPlace>();
  #count = 0;
  #hour = 0;
  #provider = "";
  #hasNext = false;

  /** `after`: last row of the previous page, null for the first page. Only one page at a time may use `encoder`. */
  constructor({ after, limit }: { after: HistoryKey | null; limit: number }, encoder: HourlyPriceEncoder) {
    this.#after = after;
    this.#limit = limit;
    this.#encoder = encoder;
    encoder.clear();
  }

  get isFull(): boolean {
    return this.#count === this.#limit;
  }

  /** Adds a row unless an earlier page contains it. Returns false if the page is full and the row belongs to the next one. */
  add(line: Line, at: RowHour): boolean {
    const hour = at.day * hoursOfDay + at.ofDay;
    const { provider, observedAt } = line;
    if (this.#isBefore(hour, provider)) return true;
    if (this.isFull) {
      this.#hasNext = true;
      return false;
    }
    if (line.place !== null) this.#encoder.repeat(line.place, at);
    else {
      line.place = this.#encoder.add(line.facts, at, this.#places.get(provider));
      this.#places.set(provider, line.place);
    }
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

  /** Records that further rows exist without building them. */
  markNext(): void {
    this.#hasNext = true;
  }

  /** The last row if a next page exists, else null. */
  get nextAfter(): HistoryKey | null {
    return this.#hasNext ? { point: this.#hour, provider: this.#provider } : null;
  }

  take(): EncodedPage {
    return this.#encoder.take();
  }
}
