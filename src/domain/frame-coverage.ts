import { hoursOfName } from "../store/codec/frame-names.ts";
import { type Change, decodeSegment } from "../store/codec/frame-segment.ts";
import type { ItemNaming } from "../store/read/catalog.ts";
import type { FramesStore } from "../store/read/frames.ts";
import { comparableName } from "../values/text/item-names.ts";
import { hoursOfDay } from "../values/time/calendar.ts";
import { type FrameTimes, type FrameTimesOfDays, noFrames } from "./frame-times.ts";

/** For each day with a frame and each of its feeds: a bit for each hour with a frame. Days are ascending. */
export type StoredHours = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** The recorded frames of now or of an earlier instant. */
export type Recorded = {
  readonly frames: Pick<FramesStore, "feedDays" | "segments" | "names" | "refusedNameIds">;
  readonly times: Pick<FrameTimesOfDays, "ofDay">;
};
type Asked = { itemId: number; naming: ItemNaming; provider: string | null };

/**
 * Finds the stored hours with a frame that covers an item and, if requested, a provider. Only these hours have a row. A frame is excluded
 * if it is known not to cover the provider. It is also excluded if it did not record unmatched names and the item was added to the catalog
 * after it.
 */
export class FrameCoverage {
  readonly #frames: Recorded["frames"];
  readonly #times: Recorded["times"];
  readonly #asked: Asked;
  #nameIds: ReadonlyMap<string, number> | undefined;

  constructor(asked: Asked, { frames, times }: Recorded) {
    this.#asked = asked;
    this.#frames = frames;
    this.#times = times;
  }

  /** Returns the covered hours among `stored`, without empty days and feeds. */
  hours(stored: StoredHours): StoredHours {
    const days = new Map<number, ReadonlyMap<string, number>>();
    for (const [day, hoursOf] of stored) {
      const ofDay = new Map<string, number>();
      const times = this.#times.ofDay(day, hoursOf);
      for (const [feed, hours] of hoursOf) {
        const covered = this.#hoursOfFeed(day, feed, hours, times.get(feed) ?? noFrames());
        if (covered !== 0) ofDay.set(feed, covered);
      }
      if (ofDay.size > 0) days.set(day, ofDay);
    }
    return days;
  }

  /** Returns the hours since 1970 with a retracted frame of any of the feeds. */
  retractedHours(stored: StoredHours): number[] {
    return Array.from(stored).flatMap(([day, hoursOf]) => {
      let bits = 0;
      for (const [feed, { retracted }] of this.#times.ofDay(day, hoursOf)) if (hoursOf.has(feed)) bits |= retracted;
      const hours: number[] = [];
      for (let ofDay = 0; bits >> ofDay !== 0; ofDay += 1)
        if ((bits >> ofDay) & 1) hours.push(day * hoursOfDay + ofDay);
      return hours;
    });
  }

  /** Returns a bit for each hour of the day in which the feed had the item's name but matched it to no item. */
  namedHours(day: number, feed: string, { named }: FrameTimes): number {
    const nameId = this.#nameIdsByFeed().get(feed);
    const names = nameId === undefined ? null : this.#frames.names(day, feed);
    return nameId === undefined || names === null ? 0 : hoursOfName(names, nameId) & named;
  }

  #hoursOfFeed(day: number, feed: string, stored: number, times: FrameTimes): number {
    const { provider, naming, itemId } = this.#asked;
    const covering = provider === null ? stored : (times.covering.get(provider) ?? 0) | times.uncertain;
    const hours = stored & covering & ~times.retracted;
    let blind = 0;
    for (let ofDay = 0, nameless = hours & ~times.named; nameless >> ofDay !== 0; ofDay += 1) {
      if ((nameless >> ofDay) & 1 && naming.firstSeenAt > times.recordedAt[ofDay]!) blind |= 1 << ofDay;
    }
    if (blind === 0) return hours;
    const segment = this.#frames.segments(day, itemId).find((row) => row.feed === feed);
    return segment === undefined
      ? hours & ~blind
      : hours & (~blind | statedHours(decodeSegment(segment.changes), stored));
  }

  #nameIdsByFeed(): ReadonlyMap<string, number> {
    const { marketHashName, phase } = this.#asked.naming;
    this.#nameIds ??= this.#frames.refusedNameIds(comparableName(marketHashName), phase ?? "");
    return this.#nameIds;
  }
}

/** Returns a bit for each stored hour in which the changes contain a state of the item. */
function statedHours(changes: readonly Change[], stored: number): number {
  let bits = 0;
  let isPresent = false;
  for (let ofDay = 0, next = 0; ofDay < hoursOfDay; ofDay += 1) {
    if (((stored >> ofDay) & 1) === 0) continue;
    for (; next < changes.length && changes[next]!.hour <= ofDay; next += 1) {
      if ((stored >> changes[next]!.hour) & 1) isPresent = changes[next]!.state !== null;
    }
    if (isPresent) bits |= 1 << ofDay;
  }
  return bits;
}
