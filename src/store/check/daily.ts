import { crc32 } from "node:zlib";
import { dayText } from "../../values/time/calendar.ts";
import { dailyColumns } from "../codec/daily-checksum.ts";
import type { Database } from "../database.ts";
import { type Finding, fact, faultOfMany, type Pieces } from "./finding.ts";
import { KeyRanges } from "./key-ranges.ts";
import type { SealedDaysCheck } from "./sealed-days.ts";

/** Daily rows that are read in one piece. */
const pieceRows = 3000;

/** A finalized day of a feed that has quotes, with a provider of the feed. */
type FinalizedDay = { day: number; feed: string; provider: string };

/**
 * Compares daily rows with their checksums and the digests of sealed days, and looks for days without any and for rows of nothing.
 */
export function checkDaily({ $client: client }: Database, pieces: Pieces, sealed: SealedDaysCheck): Finding[] {
  const { finalized, ranges, rows, lost } = prepare(client);
  const damaged: string[] = [];
  const unowned: string[] = [];
  const daysWithRows = new Set<string>();
  let count = 0;
  // Before the rows: what is finalized while they are read has rows that were not seen.
  const days = pieces(() => finalized.all());
  ranges.each(pieces, (after, upTo) => {
    for (const [values, checksum, day, provider] of rows(after, upTo)) {
      count += 1;
      daysWithRows.add(`${day} ${provider}`);
      if (crc32(values) === checksum) sealed.addDaily(values);
      else {
        damaged.push(nameOf(values));
        sealed.leaveOut(day);
      }
    }
    for (const [name] of lost(after, upTo)) unowned.push(name);
  });
  const faults = [
    ...faultOfMany(damaged, "daily rows that are not as they were written"),
    ...faultOfMany(unowned, "daily rows of no item, provider or import"),
    ...faultOfMany(emptyDays(days, daysWithRows), "days of feeds that are finalized and have no daily row"),
  ];
  const rowsFound = faults.length > 0 ? faults : [fact(`${count} daily rows are as they were written`)];
  return [...rowsFound, ...sealed.daily()];
}

function prepare(client: Database["$client"]) {
  const ranges = new KeyRanges(client, "daily_prices", ["item_id", "side", "day", "provider"], pieceRows);
  return {
    finalized: client.prepare<[], FinalizedDay>(
      `SELECT day, feed, provider FROM feed_days JOIN providers USING (feed) WHERE settled_at IS NOT NULL
         AND EXISTS (SELECT 1 FROM frames WHERE hour BETWEEN day * 24 AND day * 24 + 23 AND feed = feed_days.feed AND quotes > 0)`,
    ),
    ranges,
    // SQLite writes the text that the checksum is of: to read each column of each row takes three times as long.
    rows: ranges.lists<[values: string, checksum: number, day: number, provider: string]>(
      (within) => `SELECT json_array(${dailyColumns}), seal, day, provider FROM ${within}`,
    ),
    lost: ranges.lists<[name: string]>(
      (within) =>
        `SELECT item_id || ' at ' || provider FROM ${within}
           AND (item_id NOT IN (SELECT item_id FROM items) OR provider NOT IN (SELECT provider FROM providers)
             OR (import_id IS NOT NULL AND import_id NOT IN (SELECT import_id FROM daily_imports)))`,
    ),
  };
}

function nameOf(values: string): string {
  const [itemId, , day, provider] = JSON.parse(values) as [number, string, number, string];
  return `${dayText(day)} item ${itemId} at ${provider}`;
}

/** Returns finalized days with quotes in frames and no daily row. */
function emptyDays(days: readonly FinalizedDay[], daysWithRows: ReadonlySet<string>): string[] {
  const hasRows = new Map<string, boolean>();
  for (const { day, feed, provider } of days) {
    const name = `${dayText(day)} of ${feed}`;
    hasRows.set(name, hasRows.get(name) === true || daysWithRows.has(`${day} ${provider}`));
  }
  return Array.from(hasRows).flatMap(([name, hasRow]) => (hasRow ? [] : [name]));
}
