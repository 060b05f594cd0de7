import { hash } from "node:crypto";
import type { FrameRow, FramesStore } from "../store/read/frames.ts";
import { hoursOfDay } from "../values/time/calendar.ts";
import type { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { encodeFrameTimes } from "../wire/hourly-price.ts";

/**
 * The frames of one feed and day, with times in UTC ms by hour of the day. Sets of hours are bits. `texts`: the three times as a row shows
 * them, in UTF-8, with the text between them. `basis`: a hash of all times. `named`: hours with a frame that recorded unmatched names.
 * `covering`: for each provider, the hours with a frame known to cover it. `uncertain`: hours with a frame that did not record its
 * providers. `retracted`: hours with a retracted frame.
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

/** Caches the times of frames for recently read days. A day changes only if it gets another hour or a frame is retracted. */
export class FrameTimesOfDays {
  readonly #frames: FramesStore;
  readonly #timestamps: TimestampTexts;
  readonly #days = new Map<number, ReadonlyMap<string, FrameTimes>>();
  #retractions = 0;

  constructor(frames: FramesStore, timestamps: TimestampTexts) {
    this.#frames = frames;
    this.#timestamps = timestamps;
  }

  /** Clears the cache if a frame was retracted or replaced since the last call. Every read calls it first. */
  refresh(): void {
    const retractions = this.#frames.retractions();
    if (retractions !== this.#retractions) this.#days.clear();
    this.#retractions = retractions;
  }

  /** Returns the times of a day by feed. `stored` contains the hours that the file has now, for the requested feeds. */
  ofDay(day: number, stored: ReadonlyMap<string, number>): ReadonlyMap<string, FrameTimes> {
    const kept = this.#days.get(day);
    if (kept !== undefined && isCurrent(kept, stored)) return kept;
    const read = this.timesOf(day, this.#frames.frames(day * hoursOfDay, (day + 1) * hoursOfDay - 1));
    this.#days.delete(day);
    this.#days.set(day, read);
    if (this.#days.size > daysKept) this.#days.delete(this.#days.keys().next().value!);
    return read;
  }

  /** Returns the times of these frames of a day by feed. */
  timesOf(day: number, frames: readonly FrameRow[]): Map<string, FrameTimes> {
    const feeds = new Map<string, FrameTimes>();
    const first = day * hoursOfDay;
    for (const frame of frames) {
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

/** Times of hours without a frame are null, so that the index is the hour. */
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
