import type { FramesStore } from "../store/frames.ts";
import { hoursOfDay } from "../values/calendar.ts";
import type { TimestampTexts } from "../values/timestamp-texts.ts";
import { encodeFrameTimes } from "../wire/hourly-price.ts";

/**
 * Ingestion and check times of the frames of one feed and day, by hour of the day. `hours` has a bit for each of them, `texts`
 * both times as a row shows them: the two values with what stands between.
 */
export type FrameTimes = {
  hours: number;
  readonly ingestedAt: number[];
  readonly checkedAt: number[];
  readonly texts: string[];
};

const daysKept = 64;

/** Keeps the times of frames for the days that were read last: a frame never changes, so its day is the same while no hour joins it. */
export class FrameTimesOfDays {
  readonly #frames: FramesStore;
  readonly #timestamps: TimestampTexts;
  readonly #days = new Map<number, ReadonlyMap<string, FrameTimes>>();

  constructor(frames: FramesStore, timestamps: TimestampTexts) {
    this.#frames = frames;
    this.#timestamps = timestamps;
  }

  /** Returns the times of a day by feed. `stored` are the hours that the file now has of the feeds that are wanted. */
  ofDay(day: number, stored: ReadonlyMap<string, number>): ReadonlyMap<string, FrameTimes> {
    const kept = this.#days.get(day);
    if (kept !== undefined && isCurrent(kept, stored)) return kept;
    const read = this.#read(day);
    this.#days.delete(day);
    this.#days.set(day, read);
    if (this.#days.size > daysKept) this.#days.delete(this.#days.keys().next().value!);
    return read;
  }

  #read(day: number): Map<string, FrameTimes> {
    const feeds = new Map<string, FrameTimes>();
    const first = day * hoursOfDay;
    for (const { feed, hour, ingestedAt, checkedAt } of this.#frames.frames(first, first + hoursOfDay - 1)) {
      const times = feeds.get(feed) ?? { hours: 0, ingestedAt: [], checkedAt: [], texts: [] };
      feeds.set(feed, times);
      times.hours |= 1 << (hour - first);
      times.ingestedAt[hour - first] = ingestedAt;
      times.checkedAt[hour - first] = checkedAt;
      times.texts[hour - first] = this.text(ingestedAt, checkedAt);
    }
    return feeds;
  }

  /** Encodes the two times of a row. */
  text(ingestedAt: number, checkedAt: number): string {
    return encodeFrameTimes(ingestedAt, checkedAt, this.#timestamps);
  }
}

function isCurrent(kept: ReadonlyMap<string, FrameTimes>, stored: ReadonlyMap<string, number>): boolean {
  for (const [feed, hours] of stored) if (kept.get(feed)?.hours !== hours) return false;
  return true;
}
