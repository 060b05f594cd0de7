import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { dayMs, dayText, hourMs, parseDay } from "../../../src/values/calendar.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";
import type { Setup } from "../data-set.ts";
import { firstHour } from "../market.ts";

// Answers the way one writes them first: a prepared SELECT, and objects made of its rows. They are written out: to spread a row of
// SQLite's costs more than the rest of the answer.

const ids = systemIds();
const money = { currency: "USD", minor_units: 2 };

type ItemRow = Record<"stat_counter" | "souvenir" | "updated_at" | "wear_min" | "wear_max", number | null> &
  Record<"item_id" | "in_catalog" | "first_seen_at", number> &
  Record<"market_hash_name" | "slug" | "type" | "identity", string> &
  Record<"rarity" | "collection" | "phase" | "name_ru" | "image_url" | "wear", string | null>;
type QuoteRow = { side: "ask" | "bid"; provider: string; amount: number; quantity: number | null; url: string | null };
type OpenableRow = Record<"slug" | "name" | "type" | "revision_id" | "numbers", string> &
  Record<"item_id" | "requires_key" | "outcome_count" | "calculated_at", number> &
  Record<"released_day" | "price_as_of", number | null> & { image_url: string | null };
type PriceRow = { provider: string; side: "ask" | "bid"; amount: number; quantity: number | null };
type HourRow = PriceRow & Record<"hour" | "ingested_at" | "checked_at", number>;
type DayRow = PriceRow &
  Record<"day" | "low_amount" | "high_amount" | "observations" | "recorded_at", number> & {
    source_observed_at: number | null;
  };

/** What a history is asked for. */
export type Window = { from: string; to: string; limit: number; provider?: string };

/** Opens the reads on the files of a data set. Each returns the `data` of an answer. */
export function openRows({ database, rows }: Setup) {
  const client = new SqliteDatabase(database, { readonly: true, fileMustExist: true });
  client.prepare("ATTACH ? AS plain").run(rows);
  return {
    close: () => void client.close(),
    ...openItemRows(client),
    ...openMarketRows(client),
    ...openOpenableRows(client),
    ...openHistoryRows(client),
  };
}

function openItemRows(client: SqliteDatabase.Database) {
  const item = client.prepare<[number], ItemRow>(`
    SELECT item_id, market_hash_name, slug, type, rarity, collection, phase, name_ru, image_url, wear, stat_counter,
      souvenir, wear_min, wear_max, identity, in_catalog, first_seen_at, updated_at FROM items WHERE item_id = ?`);
  const flag = (stored: number | null) => (stored === null ? null : stored === 1);
  return {
    /** Returns undefined if there is no such item. */
    item(itemId: number) {
      const row = item.get(itemId);
      if (row === undefined) return undefined;
      return {
        item_id: row.item_id,
        market_hash_name: row.market_hash_name,
        slug: row.slug,
        type: row.type,
        rarity: row.rarity,
        collection: row.collection,
        phase: row.phase,
        name_ru: row.name_ru,
        image_url: row.image_url,
        wear: row.wear,
        stat_counter: flag(row.stat_counter),
        souvenir: flag(row.souvenir),
        wear_min: row.wear_min,
        wear_max: row.wear_max,
        identity: row.identity,
        shares_name_with: [],
        openable_slug: null,
        in_catalog: row.in_catalog === 1,
        first_seen_at: toTimestamp(row.first_seen_at),
        updated_at: toTimestampOrNull(row.updated_at),
      };
    },
  };
}

function openMarketRows(client: SqliteDatabase.Database) {
  const name = client.prepare<[number], Pick<ItemRow, "market_hash_name" | "phase">>(
    "SELECT market_hash_name, phase FROM items WHERE item_id = ?",
  );
  const quotes = client.prepare<[number], QuoteRow>(`
    SELECT side, provider, amount, quantity, url FROM plain.quotes
    WHERE item_id = ? AND side IN ('ask', 'bid') AND hour = ${firstHour} ORDER BY side, place`);
  return {
    markets(itemId: number) {
      const found = name.get(itemId);
      const asks: object[] = [];
      const bids: object[] = [];
      for (const row of quotes.all(itemId)) {
        (row.side === "ask" ? asks : bids).push({
          provider: row.provider,
          amount: row.amount,
          currency: money.currency,
          minor_units: money.minor_units,
          quantity: row.quantity,
          url: row.url,
          as_of: null,
        });
      }
      return {
        item_id: itemId,
        market_hash_name: found?.market_hash_name,
        phase: found?.phase,
        availability: asks.length + bids.length === 0 ? "missing" : "available",
        generation: "g1",
        asks,
        bids,
      };
    },
  };
}

function openOpenableRows(client: SqliteDatabase.Database) {
  const openables = client.prepare<[number], OpenableRow>(`
    SELECT o.slug, o.item_id, i.market_hash_name AS name, i.image_url, o.type, o.released_day, o.requires_key, p.outcome_count,
      c.revision_id, c.calculated_at, c.price_as_of, c.numbers
    FROM openables o JOIN items i USING (item_id) JOIN pool_revisions p ON p.revision_id = o.revision_id
    JOIN roi_calculations c ON c.slug = o.slug AND c.valuation_mode = 'steam_gross' ORDER BY o.slug LIMIT ?`);
  return {
    openables: (limit: number) =>
      openables.all(limit).map((row) => {
        const current = JSON.parse(row.numbers);
        current.calculated_at = toTimestamp(row.calculated_at);
        current.price_as_of = toTimestampOrNull(row.price_as_of);
        return {
          slug: row.slug,
          item_id: row.item_id,
          name: row.name,
          image_url: row.image_url,
          type: row.type,
          released_day: row.released_day,
          requires_key: row.requires_key,
          outcome_count: row.outcome_count,
          revision_id: row.revision_id,
          current,
        };
      }),
  };
}

function openHistoryRows(client: SqliteDatabase.Database) {
  const hours = client.prepare<unknown[], HourRow>(`
    SELECT hour, provider, side, amount, quantity, ingested_at, checked_at FROM plain.quotes
    WHERE item_id = ? AND side = 'ask' AND hour BETWEEN ? AND ? ORDER BY hour, place LIMIT ?`);
  const days = client.prepare<unknown[], DayRow>(`
    SELECT day, provider, side, amount, low_amount, high_amount, observations, quantity, source_observed_at, recorded_at
    FROM daily_prices WHERE item_id = ? AND side = 'ask' AND day BETWEEN ? AND ? AND provider = ? ORDER BY day LIMIT ?`);
  return {
    hourly: (itemId: number, { from, to, limit }: Window) =>
      hours.all(itemId, parseDay(from)! * 24, parseDay(to)! * 24 + 23, limit).map((row) => ({
        ts: toTimestamp(row.hour * hourMs),
        provider: row.provider,
        side: row.side,
        kind: "hourly_cached_quote",
        availability: "quoted",
        amount: row.amount,
        currency: money.currency,
        minor_units: money.minor_units,
        quantity: row.quantity,
        source_observed_at: null,
        ingested_at: toTimestamp(row.ingested_at),
        checked_at: toTimestamp(row.checked_at),
      })),
    daily: (itemId: number, { from, to, limit, provider }: Window) =>
      days.all(itemId, parseDay(from), parseDay(to), provider, limit).map((row) => ({
        date: dayText(row.day),
        provider: row.provider,
        side: row.side,
        kind: "daily_cached_quote",
        amount: row.amount,
        low_amount: row.low_amount,
        high_amount: row.high_amount,
        currency: money.currency,
        minor_units: money.minor_units,
        observations: row.observations,
        quantity: row.quantity,
        complete: row.day < Math.floor(systemClock.now() / dayMs),
        source_observed_at: toTimestampOrNull(row.source_observed_at),
        recorded_at: toTimestamp(row.recorded_at),
      })),
  };
}

/** Wraps data as the service does. */
export function answer(data: unknown) {
  const at = systemClock.now();
  return { data, meta: { request_id: ids.requestId(at), generated_at: toTimestamp(at) } };
}
