import { comparableName } from "../../values/text/item-names.ts";
import { hoursOfDay } from "../../values/time/calendar.ts";
import type { TimestampTexts } from "../../values/time/timestamp-texts.ts";
import { type DayMarkers, type DayQuotes, encodeDayMarkers, encodeDayQuotes } from "../../wire/sealed-day.ts";
import { decodeFrameNames } from "../codec/frame-names.ts";
import { type Change, decodeSegment, type FrameQuote, type ItemState } from "../codec/frame-segment.ts";
import type { Database } from "../database.ts";
import { type FrameRow, FramesStore } from "./frames.ts";
import { KnownFramesStore } from "./known-frames.ts";

/** Hours of a day, as bits, in which a feed had an item's name without a match to any item. */
export type NamedHours = readonly [itemId: number, feed: string, bits: number];

type SegmentRow = [itemId: number, feed: string, changes: Buffer];
type ItemsBound = [{ day: number; after: number; upTo: number }];
type ItemRow = [itemId: number, firstSeenAt: number];

/**
 * Frames of one feed and day. `hours`, `named` and `retracted` have bits for hours with a frame, with refused names and with a retraction.
 * `recordedAt` has the recording times by hour.
 */
type FeedFrames = { feed: string; hours: number; named: number; retracted: number; recordedAt: number[] };

const sides = ["ask", "bid"] as const;
/** Segments of a range of items, as one range of rows for each feed of the day. */
const segmentsOfItems = `(
  SELECT s.item_id, s.feed, s.changes FROM feed_days d CROSS JOIN frame_segments s ON s.day = d.day AND s.feed = d.feed
  WHERE d.day = @day AND s.item_id > @after AND s.item_id <= @upTo)`;

/** Segments of a range of items on the day of a replaced frame, just before the replacement. */
const segmentsBefore =
  "SELECT item_id, feed, changes FROM retracted_segments WHERE hour = ? AND feed = ? AND item_id > ? AND item_id <= ?";

/**
 * Encodes the lines of a day's hourly export. They are equivalent to the hourly rows of each item. `named` is given, because a later rename
 * changes which names were refused. `at`: instant (UTC ms) of the frames, or null for the current ones. Not built by Drizzle: its ranges of
 * rows need no mapping.
 */
export class HourlyDayLines {
  readonly #feeds: readonly FeedFrames[];
  readonly #named = new Map<number, Map<string, number>>();
  readonly #unnamed = new Map<number, DayMarkers>();
  readonly #providers: ReadonlyMap<number, string>;
  readonly #timestamps: TimestampTexts;
  readonly #day: number;
  readonly #items;
  readonly #segments: (range: { after: number; upTo: number }) => SegmentRow[];

  constructor(
    database: Database,
    day: number,
    named: readonly NamedHours[],
    timestamps: TimestampTexts,
    frames = new FramesStore(database),
    at: number | null = null,
  ) {
    this.#day = day;
    this.#timestamps = timestamps;
    this.#providers = new Map(frames.providers().map(({ number, provider }) => [number, provider]));
    const known = at === null ? null : new KnownFramesStore(database);
    this.#feeds = feedsOf(
      day,
      known?.frames(day * hoursOfDay, day * hoursOfDay + hoursOfDay - 1, at!) ?? rowsOf(frames, day),
    );
    for (const [itemId, feed, bits] of named) {
      const feeds = this.#named.get(itemId);
      if (feeds === undefined) this.#named.set(itemId, new Map([[feed, bits]]));
      else feeds.set(feed, bits);
    }
    const { $client: client } = database;
    const firstSeen = client.prepare<[], number>("SELECT DISTINCT first_seen_at FROM items").pluck();
    const isNamed = named.length > 0 || this.#feeds.some((frames) => frames.named !== 0);
    // Items without any feed are read only if they get markers. On a day before the catalog they get none.
    const hasAll = at !== null || isNamed || firstSeen.all().some((at) => this.#unnamedSince(at).hours.length > 0);
    this.#items = client
      .prepare<ItemsBound, ItemRow>(
        hasAll
          ? "SELECT item_id, first_seen_at FROM items WHERE item_id > @after AND item_id <= @upTo ORDER BY item_id"
          : `SELECT DISTINCT item_id, first_seen_at FROM ${segmentsOfItems} JOIN items USING (item_id) ORDER BY item_id`,
      )
      .raw(true);
    const segments = client
      .prepare<ItemsBound, SegmentRow>(`SELECT item_id, feed, changes FROM ${segmentsOfItems} ORDER BY item_id, feed`)
      .raw(true);
    const replaced = known?.firstReplacedAfter(day, at!) ?? new Map<string, number>();
    this.#segments = (range) => withReplaced(client, segments.all({ day, ...range }), replaced, range);
  }

  /** Returns the lines of items from `after` (exclusive) to `upTo` (inclusive): ascending, asks first, markers before quotes. */
  page(after: number, upTo: number): { lines: string; rows: number } {
    const segments = this.#segments({ after, upTo });
    let next = 0;
    let lines = "";
    let rows = 0;
    for (const [itemId, firstSeenAt] of this.#items.all({ day: this.#day, after, upTo })) {
      while (next < segments.length && segments[next]![0] < itemId) next += 1;
      if (segments[next]?.[0] !== itemId && !this.#named.has(itemId)) {
        const markers = this.#unnamedSince(firstSeenAt);
        if (markers.hours.length === 0) continue;
        for (const side of sides) lines += encodeDayMarkers(itemId, side, markers);
        rows += sides.length;
        continue;
      }
      const changes = new Map<string, Change[]>();
      for (; segments[next]?.[0] === itemId; next += 1) {
        const [, feed, encoded] = segments[next]!;
        changes.set(feed, decodeSegment(encoded));
      }
      const fold = new ItemFold(this.#walksOf(itemId, firstSeenAt, changes));
      for (const side of sides) {
        const { markers, quotes } = fold.ofSide(side, (number) => this.#providers.get(number)!);
        if (markers.hours.length > 0) {
          lines += encodeDayMarkers(itemId, side, markers);
          rows += 1;
        }
        for (const line of quotes) lines += encodeDayQuotes(itemId, side, line, this.#timestamps);
        rows += quotes.length;
      }
    }
    return { lines, rows };
  }

  /**
   * Returns the markers of an item that no feed of the day names, by its first-seen instant. They are equal for both sides and for most
   * items.
   */
  #unnamedSince(firstSeenAt: number): DayMarkers {
    let markers = this.#unnamed.get(firstSeenAt);
    if (markers === undefined) {
      const fold = new ItemFold(this.#walksOf(null, firstSeenAt, new Map()));
      markers = fold.ofSide("ask", String).markers;
      this.#unnamed.set(firstSeenAt, markers);
    }
    return markers;
  }

  #walksOf(itemId: number | null, firstSeenAt: number, changes: ReadonlyMap<string, readonly Change[]>): Walk[] {
    const named = itemId === null ? undefined : this.#named.get(itemId);
    return this.#feeds.map((frames) => {
      const states = statesOf(frames.hours, changes.get(frames.feed) ?? []);
      const { feed } = frames;
      const stored = frames.hours & ~frames.retracted;
      return { feed, states, stored, covered: coveredOf(frames, firstSeenAt, states), named: named?.get(feed) ?? 0 };
    });
  }
}

/** Finds the hours of a day in which a feed had an unmatched name that equals an item's name. Considers items up to `itemIdMax`. */
export function namedHoursOf(
  database: Database,
  day: number,
  itemIdMax: number,
  frames = new FramesStore(database),
): NamedHours[] {
  const found: NamedHours[] = [];
  const { $client: client } = database;
  const nameOf = client.prepare<[number], { name: string; phase: string }>(
    "SELECT name, phase FROM refused_names WHERE name_id = ?",
  );
  let itemsByName: Map<string, number[]> | undefined;
  for (const { feed, named } of feedsOf(day, rowsOf(frames, day))) {
    const names = frames.names(day, feed);
    if (names === null) continue;
    const bitsOf = new Map<number, number>();
    for (const { hour, nameIds } of decodeFrameNames(names)) {
      if (((named >> hour) & 1) === 0) continue;
      for (const nameId of nameIds) bitsOf.set(nameId, (bitsOf.get(nameId) ?? 0) | (1 << hour));
    }
    if (bitsOf.size === 0) continue;
    itemsByName ??= itemsOf(database, itemIdMax);
    for (const [nameId, bits] of bitsOf) {
      const { name, phase } = nameOf.get(nameId)!;
      for (const itemId of itemsByName.get(`${phase}\n${name}`) ?? []) found.push([itemId, feed, bits]);
    }
  }
  return found.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
}

function itemsOf({ $client: client }: Database, itemIdMax: number): Map<string, number[]> {
  const items = client.prepare<[number], { itemId: number; name: string; phase: string }>(
    "SELECT item_id AS itemId, market_hash_name AS name, coalesce(phase, '') AS phase FROM items WHERE item_id <= ?",
  );
  const byName = new Map<string, number[]>();
  for (const { itemId, name, phase } of items.iterate(itemIdMax)) {
    const key = `${phase}\n${comparableName(name)}`;
    const known = byName.get(key);
    if (known === undefined) byName.set(key, [itemId]);
    else known.push(itemId);
  }
  return byName;
}

/** Returns the segments of a range of items. A feed in `replaced` has those before the replacement of its hour. */
function withReplaced(
  client: Database["$client"],
  segments: SegmentRow[],
  replaced: ReadonlyMap<string, number>,
  { after, upTo }: { after: number; upTo: number },
): SegmentRow[] {
  if (replaced.size === 0) return segments;
  const before = client.prepare<[number, string, number, number], SegmentRow>(segmentsBefore).raw(true);
  return segments
    .filter(([, feed]) => !replaced.has(feed))
    .concat([...replaced].flatMap(([feed, hour]) => before.all(hour, feed, after, upTo)))
    .sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
}

function rowsOf(frames: FramesStore, day: number): FrameRow[] {
  return frames.frames(day * hoursOfDay, day * hoursOfDay + hoursOfDay - 1);
}

/** Groups the frames of a day by feed. */
function feedsOf(day: number, frames: readonly FrameRow[]): FeedFrames[] {
  const feeds = new Map<string, FeedFrames>();
  const first = day * hoursOfDay;
  for (const { hour, feed, recordedAt, refusedNames, retractedAt } of frames) {
    const known = feeds.get(feed) ?? { feed, hours: 0, named: 0, retracted: 0, recordedAt: [] };
    feeds.set(feed, known);
    known.hours |= 1 << (hour - first);
    if (refusedNames !== null) known.named |= 1 << (hour - first);
    if (retractedAt !== null) known.retracted |= 1 << (hour - first);
    known.recordedAt[hour - first] = recordedAt;
  }
  return [...feeds.values()].sort((a, b) => (a.feed < b.feed ? -1 : 1));
}

/** One item in the frames of one feed: its state by hour, and bits of hours (see `HourlyDayLines`). */
type Walk = { feed: string; states: readonly ItemState[]; stored: number; covered: number; named: number };

const noStates: readonly ItemState[] = new Array(hoursOfDay).fill(null);

/** Returns the state in each hour. A change in an hour without a frame is ignored. */
function statesOf(hours: number, changes: readonly Change[]): readonly ItemState[] {
  if (changes.length === 0) return noStates;
  const states: ItemState[] = [];
  let state: ItemState = null;
  for (let hour = 0, next = 0; hour < hoursOfDay; hour += 1) {
    if (changes[next]?.hour === hour) {
      if ((hours >> hour) & 1) state = changes[next]!.state;
      next += 1;
    }
    states.push(state);
  }
  return states;
}

/**
 * Returns the covered hours of an item. A frame without recorded refused names covers an item that was added to the catalog later only if
 * it quotes the item.
 */
function coveredOf(
  { hours: stored, named, retracted, recordedAt }: FeedFrames,
  firstSeenAt: number,
  states: readonly ItemState[],
): number {
  const hours = stored & ~retracted;
  const nameless = hours & ~named;
  if (nameless === 0) return hours;
  let covered = hours;
  for (let hour = 0; nameless >> hour !== 0; hour += 1) {
    if ((nameless >> hour) & 1 && firstSeenAt > recordedAt[hour]! && states[hour] === null) covered &= ~(1 << hour);
  }
  return covered;
}

/** Combines the hours of one item into ranges. Consecutive hours without a difference form one run. */
class ItemFold {
  readonly #walks: readonly Walk[];
  readonly #runs: readonly HourRun[];

  constructor(walks: readonly Walk[]) {
    this.#walks = walks;
    this.#runs = runsOf(walks);
  }

  ofSide(side: FrameQuote["side"], nameOf: (number: number) => string): { markers: DayMarkers; quotes: DayQuotes[] } {
    const quotes = new Map<string, DayQuotes>();
    const markers: DayMarkers = { hours: [], availability: [], feeds: [] };
    for (const run of this.#runs) {
      let isQuoted = false;
      for (const { feed, states, covered } of this.#walks) {
        const state = states[run[0]];
        if (((covered >> run[0]) & 1) === 0 || state == null) continue;
        for (const quote of state) {
          if (quote.side !== side) continue;
          isQuoted = true;
          addQuote(quotes, nameOf(quote.provider), feed, run, quote);
        }
      }
      if (!isQuoted) this.#addMarker(markers, run);
    }
    const order = (a: DayQuotes, b: DayQuotes) => {
      if (a.provider !== b.provider) return a.provider < b.provider ? -1 : 1;
      return a.feed < b.feed ? -1 : 1;
    };
    return { markers, quotes: quotes.size < 2 ? [...quotes.values()] : [...quotes.values()].sort(order) };
  }

  #addMarker({ hours, availability, feeds }: DayMarkers, [hour, until]: HourRun): void {
    const present = this.#walks.filter(({ covered }) => (covered >> hour) & 1);
    const isMissing = present.every(({ states, named }) => states[hour] === null && ((named >> hour) & 1) === 0);
    const why = isMissing ? "item_missing" : "no_quote";
    const some = present.length === this.#stored(hour) ? null : present.map(({ feed }) => feed);
    const last = hours.length - 1;
    const isSame =
      last >= 0 && hours[last]![1] === hour - 1 && availability[last] === why && String(feeds[last]) === String(some);
    if (isSame) hours[last] = [hours[last]![0], until];
    else {
      hours.push([hour, until]);
      availability.push(why);
      feeds.push(some);
    }
  }

  #stored(hour: number): number {
    return this.#walks.reduce((count, { stored }) => count + ((stored >> hour) & 1), 0);
  }
}

type HourRun = readonly [first: number, last: number];

/** Returns runs of hours that any feed covers and without a change in any feed. */
function runsOf(walks: readonly Walk[]): HourRun[] {
  let all = 0;
  let starts = 1;
  for (const { covered, stored, named, states } of walks) {
    all |= covered;
    starts |= (covered ^ (covered << 1)) | (stored ^ (stored << 1)) | (named ^ (named << 1));
    if (states === noStates) continue;
    for (let hour = 1; hour < hoursOfDay; hour += 1) if (states[hour] !== states[hour - 1]) starts |= 1 << hour;
  }
  const runs: HourRun[] = [];
  for (let hour = 0; all >> hour !== 0; ) {
    const first = hour;
    do hour += 1;
    while (hour < hoursOfDay && ((starts >> hour) & 1) === 0);
    if ((all >> first) & 1) runs.push([first, hour - 1]);
  }
  return runs;
}

function addQuote(
  lines: Map<string, DayQuotes>,
  provider: string,
  feed: string,
  [hour, until]: HourRun,
  quote: FrameQuote,
): void {
  const { amount, quantity, observedAt } = quote;
  const key = `${provider} ${feed}`;
  const line = lines.get(key);
  if (line === undefined) {
    const first = { hours: [[hour, until]] as DayQuotes["hours"], amounts: [amount], quantities: [quantity] };
    lines.set(key, { provider, feed, ...first, sourceObservedAt: [observedAt] });
    return;
  }
  const last = line.hours.length - 1;
  const [first, lastHour] = line.hours[last]!;
  const isSame =
    lastHour === hour - 1 &&
    line.amounts[last] === amount &&
    line.quantities[last] === quantity &&
    line.sourceObservedAt[last] === observedAt;
  if (isSame) {
    line.hours[last] = [first, until];
    return;
  }
  line.hours.push([hour, until]);
  line.amounts.push(amount);
  line.quantities.push(quantity);
  line.sourceObservedAt.push(observedAt);
}
