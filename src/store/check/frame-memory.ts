import { dayText, hoursOfDay } from "../../values/calendar.ts";
import { decodeFrameNames, type HourNames, hasValidNamesChecksum } from "../codec/frame-names.ts";
import type { Database } from "../database.ts";
import { type Finding, faultOfMany } from "./finding.ts";

type NamesRow = { day: number; feed: string; changes: Buffer };
type FrameRow = { hour: number; feed: string; count: number };

/** Frames of days that are not pruned: those of the others hold nothing. */
export const wholeFrames =
  "frames WHERE NOT EXISTS (SELECT 1 FROM feed_days WHERE feed_days.day = hour / 24 AND feed_days.feed = frames.feed AND pruned_at IS NOT NULL)";

/** Checks what frames remember of the names that joined no item and of the providers of their feeds. Returns the faults. */
export function checkFrameMemory(database: Database): Finding[] {
  const { $client: client } = database;
  const counts = new Map<string, number>();
  const frames = client.prepare(
    `SELECT hour, feed, refused_names AS count FROM ${wholeFrames} AND refused_names IS NOT NULL`,
  );
  for (const { hour, feed, count } of frames.iterate() as Iterable<FrameRow>) counts.set(`${hour} ${feed}`, count);
  const known = new Map(client.prepare("SELECT name_id, feed FROM refused_names").raw().all() as [number, string][]);
  const damaged: string[] = [];
  const foreign: string[] = [];
  const rows = client.prepare("SELECT day, feed, changes FROM frame_names ORDER BY day, feed");
  for (const row of rows.iterate() as Iterable<NamesRow>) {
    const hours = wholeOrNull(row);
    const name = `${dayText(row.day)} of ${row.feed}`;
    if (hours === null) damaged.push(name);
    else if (hours.some(({ nameIds }) => nameIds.some((nameId) => known.get(nameId) !== row.feed))) foreign.push(name);
    for (const { hour, nameIds } of hours ?? []) {
      const key = `${row.day * hoursOfDay + hour} ${row.feed}`;
      if (counts.get(key) === nameIds.length) counts.delete(key);
    }
  }
  const differing = Array.from(counts.keys(), frameText);
  return [
    ...faultOfMany(damaged, "days of refused names that are not as they were written"),
    ...faultOfMany(foreign, "days of refused names that the feed does not have"),
    // Damaged days are missing in the counts of their frames.
    ...(damaged.length > 0 ? [] : faultOfMany(differing, "frames that do not hold the refused names that they count")),
    ...faultOfMany(foreignProviders(database), "frames that cover a provider that is not the feed's"),
  ];
}

function wholeOrNull({ day, feed, changes }: NamesRow): HourNames[] | null {
  if (!hasValidNamesChecksum({ day, feed }, changes)) return null;
  try {
    return decodeFrameNames(changes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function foreignProviders({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT hour || ' ' || feed FROM frames WHERE providers IS NOT NULL AND CASE WHEN json_valid(providers) THEN EXISTS (
       SELECT 1 FROM json_each(frames.providers) AS covered
       WHERE NOT EXISTS (SELECT 1 FROM providers WHERE providers.provider = covered.value AND providers.feed = frames.feed)
     ) ELSE 1 END ORDER BY hour, feed`,
  );
  return (rows.pluck().all() as string[]).map(frameText);
}

function frameText(key: string): string {
  const [hour, feed] = key.split(" ") as [string, string];
  const day = Math.floor(Number(hour) / hoursOfDay);
  return `${dayText(day)} hour ${Number(hour) % hoursOfDay} of ${feed}`;
}
