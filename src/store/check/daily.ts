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

/** Rows that were read, by their faults. */
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

  /** Takes a row in day order. `movedTo`: the item up to which rows are copied by day and provider. */
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
 * Compares daily rows with their checksums and the digests of sealed days, and looks for days without any and for rows of nothing.
 */
export function checkDaily({ $client: client }: Database, pieces: Pieces, sealed: SealedDaysCheck): Finding[] {
  const { finalized, recent } = prepare(client);
  const byDay = prepareTable(client, "daily_by_day", ["day", "provider", "item_id", "side"]);
  const byItem = prepareTable(client, "daily_by_item", ["item_id", "side", "day", "provider"]);
  const scan = new DailyScan(sealed);
  // Before the rows: what is finalized while they are read has rows that were not seen.
  const days = pieces(() => finalized.all());
  // Rows in day order first: a row that moves meanwhile can be read twice, but is not missed.
  byDay.ranges.each(pieces, (after, upTo) => {
    const movedTo = new Map(recent.all());
    for (const row of byDay.rows(after, upTo)) scan.takeByDay(row, movedTo);
    for (const [name] of byDay.lost(after, upTo)) scan.unowned.push(name);
  });
  byItem.ranges.each(pieces, (after, upTo) => {
    for (const row of byItem.rows(after, upTo)) scan.takeByItem(row);
    for (const [name] of byItem.lost(after, upTo)) scan.unowned.push(name);
  });
  const faults = [
    ...faultOfMany(scan.damaged, "daily rows that are not as they were written"),
    ...faultOfMany(scan.unowned, "daily rows of no item, provider or import"),
    ...faultOfMany([...scan.unlisted], "days with daily rows that are not in the list of recent days"),
    ...faultOfMany(emptyDays(days, scan.daysWithRows), "days of feeds that are finalized and have no daily row"),
  ];
  const rowsFound = faults.length > 0 ? faults : [fact(`${scan.count} daily rows are as they were written`)];
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
  const ranges = new KeyRanges(client, table, key, pieceRows);
  return {
    ranges,
    // SQLite writes the text that the checksum is of: to read each column of each row takes three times as long.
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

/** Returns finalized days with quotes in frames and no daily row. */
function emptyDays(days: readonly FinalizedDay[], daysWithRows: ReadonlySet<string>): string[] {
  const hasRows = new Map<string, boolean>();
  for (const { day, feed, provider } of days) {
    const name = `${dayText(day)} of ${feed}`;
    hasRows.set(name, hasRows.get(name) === true || daysWithRows.has(`${day} ${provider}`));
  }
  return Array.from(hasRows).flatMap(([name, hasRow]) => (hasRow ? [] : [name]));
}
