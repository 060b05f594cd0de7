import { crc32 } from "node:zlib";
import { dayText } from "../../values/time/calendar.ts";
import { dailyColumns } from "../codec/daily-checksum.ts";
import type { Database } from "../database.ts";
import { type Chunks, type Finding, fact, faultOfMany } from "./finding.ts";
import { KeyRanges } from "./key-ranges.ts";
import type { SealedDaysCheck } from "./sealed-days.ts";

/** Daily rows per chunk. */
const chunkRows = 3000;

/** A finalized day of a feed with quotes, and one provider of the feed. */
type FinalizedDay = { day: number; feed: string; provider: string };

/** Collects the faults of daily rows. */
class DailyScan {
  readonly damaged: string[] = [];
  readonly unowned: string[] = [];
  readonly unlisted = new Set<string>();
  readonly daysWithRows = new Set<string>();
  count = 0;
  readonly #sealed: SealedDaysCheck;

  constructor(sealed: SealedDaysCheck) {
    this.#sealed = sealed;
  }

  /** Checks a row of `daily_by_day`. `movedTo` maps `day provider` to the last item with copied rows. */
  takeByDay([values, checksum, day, provider, itemId]: StoredRow, movedTo: ReadonlyMap<string, number>): void {
    const moved = movedTo.get(`${day} ${provider}`);
    if (moved === undefined) this.unlisted.add(`${dayText(day)} at ${provider}`);
    else if (itemId > moved) this.count += 1;
    if (this.#isWhole(values, checksum, day, provider)) this.#sealed.readLater(day);
  }

  takeByItem([values, checksum, day, provider]: StoredRow): void {
    this.count += 1;
    if (this.#isWhole(values, checksum, day, provider)) this.#sealed.addDaily(values);
  }

  #isWhole(values: string, checksum: number, day: number, provider: string): boolean {
    this.daysWithRows.add(`${day} ${provider}`);
    if (crc32(values) === checksum) return true;
    this.damaged.push(nameOf(values));
    this.#sealed.leaveOut(day);
    return false;
  }
}

/**
 * Compares daily rows with their checksums and with the digests of sealed days. Also finds finalized days without rows, and rows without
 * item, provider or import.
 */
export function checkDaily({ $client: client }: Database, chunks: Chunks, sealed: SealedDaysCheck): Finding[] {
  const { finalized, recent } = prepare(client);
  const byDay = prepareTable(client, "daily_by_day", ["day", "provider", "item_id", "side"]);
  const byItem = prepareTable(client, "daily_by_item", ["item_id", "side", "day", "provider"]);
  const scan = new DailyScan(sealed);
  // Read before the rows, because a day that is finalized meanwhile has rows that this check misses.
  const days = chunks(() => finalized.all());
  // Rows in day order are read first. A row that moves meanwhile may be read twice but is never missed.
  byDay.ranges.each(chunks, (after, upTo) => {
    const movedTo = new Map(recent.all());
    for (const row of byDay.rows(after, upTo)) scan.takeByDay(row, movedTo);
    for (const [name] of byDay.lost(after, upTo)) scan.unowned.push(name);
  });
  byItem.ranges.each(chunks, (after, upTo) => {
    for (const row of byItem.rows(after, upTo)) scan.takeByItem(row);
    for (const [name] of byItem.lost(after, upTo)) scan.unowned.push(name);
  });
  const faults = [
    ...faultOfMany(scan.damaged, "daily rows that were changed"),
    ...faultOfMany(scan.unowned, "daily rows without an item, provider or import"),
    ...faultOfMany([...scan.unlisted], "days with daily rows that are not in the list of recent days"),
    ...faultOfMany(emptyDays(days, scan.daysWithRows), "days of feeds that are finalized and have no daily row"),
  ];
  const rowsFound = faults.length > 0 ? faults : [fact(`${scan.count} daily rows are unchanged`)];
  return [...rowsFound, ...sealed.daily()];
}

type StoredRow = [values: string, checksum: number, day: number, provider: string, itemId: number];

function prepare(client: Database["$client"]) {
  return {
    finalized: client.prepare<[], FinalizedDay>(
      `SELECT day, feed, provider FROM feed_days JOIN providers USING (feed) WHERE settled_at IS NOT NULL
         AND EXISTS (SELECT 1 FROM frames_now AS f WHERE f.hour BETWEEN day * 24 AND day * 24 + 23 AND f.feed = feed_days.feed
           AND f.quotes > 0 AND f.retracted_at IS NULL)`,
    ),
    recent: client
      .prepare<[], [key: string, movedTo: number]>("SELECT day || ' ' || provider, moved_to FROM recent_days")
      .raw(true),
  };
}

function prepareTable(client: Database["$client"], table: string, key: readonly string[]) {
  const ranges = new KeyRanges(client, table, key, chunkRows);
  return {
    ranges,
    // SQLite builds the text that the checksum covers. Reading each column separately would need three times as long.
    rows: ranges.lists<StoredRow>(
      (within) => `SELECT json_array(${dailyColumns}), seal, day, provider, item_id FROM ${within}`,
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

/** Returns finalized days that have quotes in frames but no daily row. */
function emptyDays(days: readonly FinalizedDay[], daysWithRows: ReadonlySet<string>): string[] {
  const hasRows = new Map<string, boolean>();
  for (const { day, feed, provider } of days) {
    const name = `${dayText(day)} of ${feed}`;
    hasRows.set(name, hasRows.get(name) === true || daysWithRows.has(`${day} ${provider}`));
  }
  return Array.from(hasRows).flatMap(([name, hasRow]) => (hasRow ? [] : [name]));
}
