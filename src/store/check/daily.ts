import { crc32 } from "node:zlib";
import { dayText } from "../../values/calendar.ts";
import { dailyColumns } from "../codec/daily-checksum.ts";
import type { Database } from "../database.ts";
import { type Finding, fact, faultOfMany, type Pieces } from "./finding.ts";
import type { SealedDaysCheck } from "./sealed-days.ts";

/** Items whose daily rows are read in one piece: at four providers a year of them has 150,000. */
const pieceItems = 50;

type ItemRange = { after: number; upTo: number };
/** A finalized day of a feed that has quotes, with a provider of the feed. */
type FinalizedDay = { day: number; feed: string; provider: string };

/**
 * Compares daily rows with their checksums and the digests of sealed days, and looks for days without any and for rows of nothing.
 */
export function checkDaily({ $client: client }: Database, pieces: Pieces, sealed: SealedDaysCheck): Finding[] {
  const { finalized, range, rows, lost } = prepare(client);
  const damaged: string[] = [];
  const unowned: string[] = [];
  const daysWithRows = new Set<string>();
  let count = 0;
  // Before the rows: what is finalized while they are read has rows that were not seen.
  const days = pieces(() => finalized.all());
  for (let after = -1; ; ) {
    const upTo = pieces(() => {
      const last = range.get(after) ?? null;
      if (last === null) return null;
      for (const [values, checksum, day, provider] of rows.iterate({ after, upTo: last })) {
        count += 1;
        daysWithRows.add(`${day} ${provider}`);
        if (crc32(values) === checksum) sealed.addDaily(values);
        else {
          damaged.push(nameOf(values));
          sealed.leaveOut(day);
        }
      }
      unowned.push(...lost.all({ after, upTo: last }));
      return last;
    });
    if (upTo === null) break;
    after = upTo;
  }
  const faults = [
    ...faultOfMany(damaged, "daily rows that are not as they were written"),
    ...faultOfMany(unowned, "daily rows of no item, provider or import"),
    ...faultOfMany(emptyDays(days, daysWithRows), "days of feeds that are finalized and have no daily row"),
  ];
  const rowsFound = faults.length > 0 ? faults : [fact(`${count} daily rows are as they were written`)];
  return [...rowsFound, ...sealed.daily()];
}

function prepare(client: Database["$client"]) {
  return {
    finalized: client.prepare<[], FinalizedDay>(
      `SELECT day, feed, provider FROM feed_days JOIN providers USING (feed) WHERE settled_at IS NOT NULL
         AND EXISTS (SELECT 1 FROM frames WHERE hour BETWEEN day * 24 AND day * 24 + 23 AND feed = feed_days.feed AND quotes > 0)`,
    ),
    range: client
      .prepare<[number], number | null>(
        `SELECT max(item_id) FROM (SELECT DISTINCT item_id FROM daily_prices WHERE item_id > ? ORDER BY item_id LIMIT ${pieceItems})`,
      )
      .pluck(),
    // SQLite writes the text that the checksum is of: to read each column of each row takes three times as long.
    rows: client
      .prepare<[ItemRange], [values: string, checksum: number, day: number, provider: string]>(
        `SELECT json_array(${dailyColumns}), seal, day, provider FROM daily_prices WHERE item_id > @after AND item_id <= @upTo`,
      )
      .raw(),
    lost: client
      .prepare<[ItemRange], string>(
        `SELECT item_id || ' at ' || provider FROM daily_prices
         WHERE item_id > @after AND item_id <= @upTo
           AND (item_id NOT IN (SELECT item_id FROM items) OR provider NOT IN (SELECT provider FROM providers)
             OR (import_id IS NOT NULL AND import_id NOT IN (SELECT import_id FROM daily_imports)))`,
      )
      .pluck(),
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
