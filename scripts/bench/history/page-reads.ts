import { setImmediate as nextTurn } from "node:timers/promises";
import type { Schema } from "../../../src/contract/types.ts";
import type { HistoryQuery } from "../../../src/domain/history-request.ts";
import { type Change, decodeSegment, type FrameQuote } from "../../../src/store/codec/frame-segment.ts";
import type { DailyPriceRow } from "../../../src/store/daily-prices.ts";
import type { Database } from "../../../src/store/database.ts";
import { type FrameRow, FramesStore } from "../../../src/store/frames.ts";
import { dayMs, dayOf, dayText, hourMs } from "../../../src/values/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../../../src/values/clock.ts";
import { type DataSet, openDomain } from "../data-set.ts";
import { stopwatch } from "../rounds.ts";
import { dailyEvery, dailyProvider, hourlyWindow, today, windowDays } from "./market.ts";

/** A file with a recorded history, how many items it has and keys of its accounts. */
type HistoryFile = Pick<DataSet, "items" | "keysOf"> & { database: string };
export type HistoryFiles = Record<"all" | "tenth", HistoryFile>;

/** Returns the text of one answer's data; `place` is any whole number, and stands for an item. */
type PageRead = (place: number) => string;

const at = today * dayMs + 12 * hourMs;
const listLimit = 100;
/** Neighbours in an order of places are no neighbours in the file. */
const stride = 7919;
let nextPlace = 0;

/**
 * Opens every read, in an order in which those that are compared are neighbours. The caller closes the files by ending.
 * @throws {Error} when a page of objects is not the service's own, byte for byte.
 */
export function openPageReads({ all, tenth }: HistoryFiles): Readonly<Record<string, PageRead>> {
  const [own, ownOfTenth] = [openReads(all), openReads(tenth)];
  const pairs = [
    [own.hourly(0), own.hourlyObjects(0)],
    [own.daily(0), own.dailyObjects(0)],
  ];
  if (pairs.some(([page, objects]) => page !== objects)) throw new Error("a page of objects is not the service's own");
  return {
    "hourly page": own.hourly,
    "hourly page, objects of the same segments": own.hourlyObjects,
    "hourly page, a tenth of the items": ownOfTenth.hourly,
    "daily window, objects": own.dailyObjects,
    "daily window": own.daily,
    "daily window, a tenth of the items": ownOfTenth.daily,
    "point read": own.point,
    "point read, a tenth of the items": ownOfTenth.point,
    "list page": own.list,
    "list page, a tenth of the items": ownOfTenth.list,
  };
}

/** Reads other items for so long, to the bytes that would be sent: a text of pieces costs what it costs to join them. */
export async function measurePageRead(page: PageRead, seconds: number) {
  let [count, bytes] = [0, 0];
  const since = stopwatch();
  let taken = since();
  do {
    bytes += Buffer.from(page(nextPlace)).length;
    count += 1;
    nextPlace += 1;
    await nextTurn();
    taken = since();
  } while (taken.ms < seconds * 1000);
  return { "CPU µs": (taken.cpuMs * 1000) / count, µs: (taken.ms * 1000) / count, KB: bytes / 1000 / count };
}

/** Opens the reads of the service on one file, and those that make objects of it. */
function openReads({ database: path, items }: HistoryFile) {
  const { database, domain } = openDomain(path);
  const { reference, hourlyHistory, dailyHistory, catalog } = domain;
  const objectsOfSegments = hourlyOfSegments(new FramesStore(database));
  const objectsOfRows = dailyOfRows(database);
  // The last item of the catalog has no history.
  const item = (place: number) => 1 + ((place * stride) % (items - 1));
  const hourlyQuery = (itemId: number) => {
    return hourlyHistory.prepare({ item_id: itemId, ...hourlyWindow }, { at, reference });
  };
  const dailyQuery = (place: number) => {
    const itemId = 1 + ((place * stride) % Math.ceil((items - 1) / dailyEvery)) * dailyEvery;
    const window = { from: dayText(today - windowDays), to: dayText(today - 1), limit: windowDays };
    const params = { item_id: itemId, provider: dailyProvider, ...window };
    return dailyHistory.prepare(params, { at, reference, caller: { plan: "quant" } });
  };
  return {
    hourly: (place: number) => hourlyHistory.read(hourlyQuery(item(place)), at).data.json,
    hourlyObjects: (place: number) => JSON.stringify(objectsOfSegments(hourlyQuery(item(place)))),
    daily: (place: number) => dailyHistory.read(dailyQuery(place), at).data.json,
    dailyObjects: (place: number) => JSON.stringify(objectsOfRows(dailyQuery(place), at)),
    point: (place: number) => catalog.item(item(place)).data.json,
    list: (place: number) => {
      const cursor = item(place) % Math.max(1, items - listLimit);
      return JSON.stringify(
        catalog.list(catalog.prepareList({ cursor, limit: listLimit }, { caller: { plan: "quant" }, reference }), true),
      );
    },
  };
}

// The same pages the way one writes them first: objects, `map` and `JSON.stringify`.

type Side = Schema<"QuoteSide">;
type StoredHour = Omit<FrameQuote, "provider" | "side"> &
  Pick<FrameRow, "hour" | "ingestedAt" | "checkedAt"> & { provider: string };

/** The part of a query that says which rows a page holds. */
type RowsQuery = Pick<HistoryQuery, "itemId" | "side" | "window" | "limit">;

/** Makes hourly pages of the segments that the service itself reads. */
export function hourlyOfSegments(frames: FramesStore): (query: RowsQuery) => Schema<"HourlyPrice">[] {
  const names = new Map(frames.providers().map(({ number, provider }) => [number, provider]));
  return ({ itemId, side, window, limit }) => {
    const rows: StoredHour[] = [];
    let day = -1;
    const changes = new Map<string, Change[]>();
    for (const { hour, feed, ingestedAt, checkedAt } of frames.frames(window.from * 24, window.to * 24 + 23)) {
      if (rows.length >= limit) break;
      if (day !== Math.floor(hour / 24)) {
        day = Math.floor(hour / 24);
        changes.clear();
        for (const segment of frames.segments(day, itemId)) changes.set(segment.feed, decodeSegment(segment.changes));
      }
      const last = changes.get(feed)?.findLast((change) => change.hour <= hour % 24);
      for (const quote of last?.state ?? []) {
        const { amount, quantity, observedAt } = quote;
        if (quote.side !== side) continue;
        rows.push({ hour, provider: names.get(quote.provider)!, amount, quantity, observedAt, ingestedAt, checkedAt });
      }
    }
    rows.sort((a, b) => a.hour - b.hour || (a.provider < b.provider ? -1 : 1));
    return rows.slice(0, limit).map((row) => hourlyObject(row, side));
  };
}

/** Makes daily windows of the table that the service itself reads. */
export function dailyOfRows({
  $client: client,
}: Database): (query: RowsQuery & { provider: string | null }, at: number) => Schema<"DailyPrice">[] {
  const select = client.prepare<unknown[], DailyPriceRow>(
    `SELECT day, provider, amount, low_amount AS lowAmount, high_amount AS highAmount, observations, quantity,
       source_observed_at AS sourceObservedAt, recorded_at AS recordedAt
     FROM daily_prices WHERE item_id = ? AND side = ? AND day BETWEEN ? AND ? AND provider = ? ORDER BY day LIMIT ?`,
  );
  return ({ itemId, side, window, provider, limit }, at) => {
    const rows = select.all(itemId, side, window.from, window.to, provider, limit);
    return rows.map((row) => dailyObject(row, side, dayOf(at)));
  };
}

function hourlyObject(row: StoredHour, side: Side): Schema<"HourlyPrice"> {
  return {
    ts: toTimestamp(row.hour * hourMs),
    provider: row.provider,
    side,
    amount: row.amount,
    quantity: row.quantity,
    currency: "USD",
    minor_units: 2,
    kind: "hourly_cached_quote",
    availability: "quoted",
    ingested_at: toTimestamp(row.ingestedAt),
    checked_at: toTimestamp(row.checkedAt),
    source_observed_at: toTimestampOrNull(row.observedAt),
  };
}

function dailyObject(row: DailyPriceRow, side: Side, today: number): Schema<"DailyPrice"> {
  return {
    date: dayText(row.day),
    provider: row.provider,
    side,
    amount: row.amount,
    low_amount: row.lowAmount,
    high_amount: row.highAmount,
    observations: row.observations,
    quantity: row.quantity,
    currency: "USD",
    minor_units: 2,
    kind: "daily_cached_quote",
    complete: row.day < today,
    source_observed_at: toTimestampOrNull(row.sourceObservedAt),
    recorded_at: toTimestamp(row.recordedAt),
  };
}
