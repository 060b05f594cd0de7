import { hash } from "node:crypto";
import type { FrameRow, FramesStore } from "../store/read/frames.ts";
import { hoursOfDay } from "../values/time/calendar.ts";
import type { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { encodeFrameTimes } from "../wire/hourly-price.ts";

/**
 * The frames of one feed and day, times in UTC ms by hour of the day. Sets of hours are bits. `texts` has the three times as a row shows
 * them, in UTF-8: the values with the text between them. `basis` tells all texts. `named`: hours whose frame remembers the names that joined no item. `covering`:
 * for each provider, the hours whose frame is known to cover it; `uncertain`: hours whose frame does not remember its providers.
 * `retracted`: hours whose frame was taken back.
 */
export type FrameTimes = {
  hours: number;
  named: number;
  uncertain: number;
  retracted: number;
  readonly covering: Map<string, number>;
  readonly ingestedAt: number[];
  readonly checkedAt: number[];
  readonly recordedAt: number[];
  readonly texts: Buffer[];
  basis: string;
};

const daysKept = 64;

/** Keeps the times of frames for the days that were read last: a day is the same while no hour joins it and no frame is retracted. */
export class FrameTimesOfDays {
  readonly #frames: FramesStore;
  readonly #timestamps: TimestampTexts;
  readonly #days = new Map<number, ReadonlyMap<string, FrameTimes>>();
  #retractions = 0;

  constructor(frames: FramesStore, timestamps: TimestampTexts) {
    this.#frames = frames;
    this.#timestamps = timestamps;
  }

  /** Forgets all days if a frame was retracted or replaced since the last call. A read calls it first. */
  refresh(): void {
    const retractions = this.#frames.retractions();
    if (retractions !== this.#retractions) this.#days.clear();
    this.#retractions = retractions;
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
    for (const frame of this.#frames.frames(first, first + hoursOfDay - 1)) {
      const { feed, ingestedAt, checkedAt } = frame;
      const times = feeds.get(feed) ?? noFrames();
      feeds.set(feed, times);
      const ofDay = frame.hour - first;
      addMemory(times, 1 << ofDay, frame);
      times.ingestedAt[ofDay] = ingestedAt;
      times.checkedAt[ofDay] = checkedAt;
      times.recordedAt[ofDay] = frame.recordedAt;
      times.texts[ofDay] = this.text(ingestedAt, checkedAt, frame.recordedAt);
    }
    for (const times of feeds.values()) times.basis = basisOf(times);
    return feeds;
  }

  text(...instants: [ingestedAt: number, checkedAt: number, recordedAt: number]): Buffer {
    return Buffer.from(encodeFrameTimes(instants, this.#timestamps));
  }
}

/** Returns the times of a feed and day without a frame. */
export function noFrames(): FrameTimes {
  const memory = { named: 0, uncertain: 0, retracted: 0, covering: new Map<string, number>() };
  return { hours: 0, ...memory, ingestedAt: [], checkedAt: [], recordedAt: [], texts: [], basis: "" };
}

/** Times of hours without a frame are null, so that every hour has its place. */
function basisOf({ ingestedAt, checkedAt, recordedAt }: FrameTimes): string {
  return hash("sha256", JSON.stringify([ingestedAt, checkedAt, recordedAt]), "base64url");
}

function addMemory(times: FrameTimes, bit: number, { providers, refusedNames, retractedAt }: FrameRow): void {
  times.hours |= bit;
  if (retractedAt !== null) times.retracted |= bit;
  if (refusedNames !== null) times.named |= bit;
  if (providers === null) {
    times.uncertain |= bit;
    return;
  }
  for (const provider of JSON.parse(providers) as string[]) {
    times.covering.set(provider, (times.covering.get(provider) ?? 0) | bit);
  }
}

function isCurrent(kept: ReadonlyMap<string, FrameTimes>, stored: ReadonlyMap<string, number>): boolean {
  for (const [feed, hours] of stored) if (kept.get(feed)?.hours !== hours) return false;
  return true;
}
