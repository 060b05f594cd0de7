import { dayText, hoursOfDay } from "../../values/time/calendar.ts";
import { decodeFrameNames, type HourNames, hasValidNamesChecksum } from "../codec/frame-names.ts";
import type { Database } from "../database.ts";
import { type Finding, faultOfMany } from "./finding.ts";

type Day = { day: number };
type NamesRow = { feed: string; changes: Buffer };
type CountRow = { hour: number; feed: string; count: number };

/** Frames of day `@day`, without feeds that were pruned for that day, which have no data left. */
export const wholeFramesOfDay = `frames_now AS frames WHERE hour BETWEEN @day * 24 AND @day * 24 + 23
  AND NOT EXISTS (SELECT 1 FROM feed_days WHERE feed_days.day = @day AND feed_days.feed = frames.feed AND pruned_at IS NOT NULL)`;

/** Checks, day by day, the refused names and the providers that frames have recorded. */
export class RefusedNamesCheck {
  readonly #damaged: string[] = [];
  readonly #foreign: string[] = [];
  readonly #differing: string[] = [];
  readonly #foreignProviders: string[] = [];
  readonly #statements: ReturnType<typeof prepare>;
  /** Feed of each name by name id. The feed of a name never changes. */
  readonly #feeds = new Map<number, string>();

  constructor({ $client: client }: Database) {
    this.#statements = prepare(client);
  }

  take(day: number): void {
    const counts = new Map<string, number>();
    for (const { hour, feed, count } of this.#statements.counts.iterate({ day })) counts.set(`${hour} ${feed}`, count);
    const damagedBefore = this.#damaged.length;
    for (const { feed, changes } of this.#statements.names.all({ day })) {
      const hours = wholeOrNull({ day, feed }, changes);
      if (hours === null) this.#damaged.push(`${dayText(day)} of ${feed}`);
      else if (hours.some(({ nameIds }) => nameIds.some((nameId) => this.#feedOf(nameId) !== feed)))
        this.#foreign.push(`${dayText(day)} of ${feed}`);
      for (const { hour, nameIds } of hours ?? []) {
        const key = `${day * hoursOfDay + hour} ${feed}`;
        if (counts.get(key) === nameIds.length) counts.delete(key);
      }
    }
    // Damaged names are missing from the counts of the day's frames.
    if (this.#damaged.length === damagedBefore) this.#differing.push(...Array.from(counts.keys(), frameText));
    this.#foreignProviders.push(...this.#statements.foreignProviders.all({ day }).map(frameText));
  }

  faults(): Finding[] {
    return [
      ...faultOfMany(this.#damaged, "days of refused names that were changed"),
      ...faultOfMany(this.#foreign, "days of refused names that the feed does not have"),
      ...faultOfMany(this.#differing, "frames that do not hold the refused names that they count"),
      ...faultOfMany(this.#foreignProviders, "frames that cover a provider that is not the feed's"),
    ];
  }

  #feedOf(nameId: number): string | undefined {
    const known = this.#feeds.get(nameId) ?? this.#statements.feedOf.get(nameId);
    if (known !== undefined) this.#feeds.set(nameId, known);
    return known;
  }
}

function prepare(client: Database["$client"]) {
  return {
    counts: client.prepare<[Day], CountRow>(
      `SELECT hour, feed, refused_names AS count FROM ${wholeFramesOfDay} AND refused_names IS NOT NULL`,
    ),
    names: client.prepare<[Day], NamesRow>("SELECT feed, changes FROM frame_names WHERE day = @day ORDER BY feed"),
    feedOf: client.prepare<[number], string>("SELECT feed FROM refused_names WHERE name_id = ?").pluck(),
    foreignProviders: client
      .prepare<[Day], string>(
        `SELECT hour || ' ' || feed FROM frames
         WHERE hour BETWEEN @day * 24 AND @day * 24 + 23 AND providers IS NOT NULL
           AND CASE WHEN json_valid(providers) THEN EXISTS (
             SELECT 1 FROM json_each(frames.providers) AS covered
             WHERE NOT EXISTS (SELECT 1 FROM providers WHERE providers.provider = covered.value AND providers.feed = frames.feed)
           ) ELSE 1 END ORDER BY hour, feed`,
      )
      .pluck(),
  };
}

function wholeOrNull(place: { day: number; feed: string }, changes: Buffer): HourNames[] | null {
  if (!hasValidNamesChecksum(place, changes)) return null;
  try {
    return decodeFrameNames(changes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function frameText(key: string): string {
  const [hour, feed] = key.split(" ") as [string, string];
  const day = Math.floor(Number(hour) / hoursOfDay);
  return `${dayText(day)} hour ${Number(hour) % hoursOfDay} of ${feed}`;
}
