import type { FeedDay, FrameRow, FramesStore, RecordedFeedDay } from "../store/read/frames.ts";
import type { KnownFramesStore } from "../store/read/known-frames.ts";
import { hoursOfDay } from "../values/time/calendar.ts";
import type { FrameTimes, FrameTimesOfDays } from "./frame-times.ts";

type Corrections = ReturnType<KnownFramesStore["correctionsAfter"]>;

/**
 * The recorded frames as known at an instant: without frames recorded later, and with frames that were retracted or replaced later. A
 * segment may contain states of later frames. Readers ignore them, because its other hours have their own states.
 */
export class KnownFrames {
  readonly #frames: FramesStore;
  readonly #past: KnownFramesStore;
  readonly #at: number;
  readonly #corrections: ReadonlyMap<number, Corrections>;

  /** `at`: the instant, UTC ms. Use the object for one read only. */
  constructor({ frames, past }: { frames: FramesStore; past: KnownFramesStore }, at: number) {
    this.#frames = frames;
    this.#past = past;
    this.#at = at;
    this.#corrections = Map.groupBy(past.correctionsAfter(at), ({ hour }) => Math.floor(hour / hoursOfDay));
  }

  /** Returns the days from `from` to `to` (inclusive) with frames that were corrected later. */
  correctedDays(from: number, to: number): number[] {
    return [...this.#corrections.keys()].filter((day) => day >= from && day <= to);
  }

  frames(fromHour: number, toHour: number): FrameRow[] {
    return this.#past.frames(fromHour, toHour, this.#at);
  }

  segments(day: number, itemId: number): ReturnType<FramesStore["segments"]> {
    const found = this.#frames.segments(day, itemId);
    const replaced = this.#replacedLater(day);
    if (replaced.size === 0) return found;
    const before = Array.from(replaced, ([feed, hour]) => ({
      feed,
      changes: this.#past.segmentBefore(hour, feed, itemId),
    }));
    return [
      ...found.filter(({ feed }) => !replaced.has(feed)),
      ...before.flatMap(({ feed, changes }) => (changes === null ? [] : [{ feed, changes }])),
    ];
  }

  names(day: number, feed: string): Buffer | null {
    const hour = this.#replacedLater(day).get(feed);
    return hour === undefined ? this.#frames.names(day, feed) : this.#past.namesBefore(hour, feed);
  }

  refusedNameIds(name: string, phase: string): Map<string, number> {
    return this.#frames.refusedNameIds(name, phase);
  }

  /** Returns the hour of the first replacement after the instant, by feed. Rows of its day were saved just before it. */
  #replacedLater(day: number): Map<string, number> {
    const hours = new Map<string, number>();
    const later = (this.#corrections.get(day) ?? []).filter(({ replacedAt }) => (replacedAt ?? 0) > this.#at);
    for (const { feed, hour } of later.sort((a, b) => b.replacedAt! - a.replacedAt!)) hours.set(feed, hour);
    return hours;
  }
}

/** Known frames with their hours and times, which an hourly history shows. */
export class KnownHours extends KnownFrames {
  readonly #now: { frames: FramesStore; times: FrameTimesOfDays };
  readonly #isLater: (recordedAt: number | undefined) => boolean;
  readonly #days = new Map<number, ReadonlyMap<string, FrameTimes>>();

  /** `times`: cached times of now. */
  constructor(parts: { frames: FramesStore; past: KnownFramesStore; times: FrameTimesOfDays }, at: number) {
    super(parts, at);
    this.#now = parts;
    this.#isLater = (recordedAt) => recordedAt !== undefined && recordedAt > at;
  }

  feedDays(from: number, to: number): RecordedFeedDay[] {
    return [...Map.groupBy(this.#now.frames.feedDays(from, to), ({ day }) => day)].flatMap(([day, rows]) => {
      const times = this.#read(day, rows);
      return rows.map((row) => ({ ...row, hours: times.get(row.feed)?.hours ?? 0 })).filter(({ hours }) => hours !== 0);
    });
  }

  /** Returns the times of a day by feed. Call it after `feedDays` of the day. */
  ofDay(day: number): ReadonlyMap<string, FrameTimes> {
    return this.#days.get(day) ?? new Map();
  }

  /** Uses the cached times of now unless a frame of the day was recorded or corrected later. */
  #read(day: number, rows: readonly FeedDay[]): ReadonlyMap<string, FrameTimes> {
    const { times } = this.#now;
    const now = times.ofDay(day, new Map(rows.map(({ feed, hours }) => [feed, hours])));
    const isChanged =
      this.correctedDays(day, day).length > 0 ||
      Array.from(now.values()).some(({ recordedAt }) => recordedAt.some(this.#isLater));
    const first = day * hoursOfDay;
    const known = isChanged ? times.timesOf(day, this.frames(first, first + hoursOfDay - 1)) : now;
    this.#days.set(day, known);
    return known;
  }
}
