import { crc32 } from "node:zlib";
import { desc, eq, gt } from "drizzle-orm";
import { items, itemsPast } from "../../../db/schema/catalog.ts";
import { searchTextOf } from "../../values/text/search-text.ts";
import { dayOf, hourOf } from "../../values/time/calendar.ts";
import { dailyColumns } from "../codec/daily-checksum.ts";
import { itemChecksum } from "../codec/item-checksum.ts";
import { type Database, writeTransaction } from "../database.ts";
import { type FeedDay, type ReplayBy, touchedDays } from "../read/replay-moments.ts";

/**
 * Rewinds a copy of a market to `from` (UTC ms): removes the rows recorded later, and restores the rows replaced since. Returns the feed days
 * that lost all frames, so that the caller records the earlier ones again. Nothing is published. Triggers that guard history are absent
 * meanwhile. Not built by Drizzle: it deletes and restores rows of all market tables.
 */
export function rewindMarket(database: Database, { from, by }: { from: number; by: ReplayBy }): FeedDay[] {
  const { $client: client } = database;
  const counted = by === "checked" ? "checked_at" : "recorded_at";
  const values = { from, today: dayOf(from), hour: hourOf(from) };
  const run = (text: string) => {
    for (const one of text.split(";").filter((part) => part.trim() !== "")) {
      const used = Object.entries(values).filter(([name]) => one.includes(`@${name}`));
      client.prepare(one).run(Object.fromEntries(used));
    }
  };
  const triggers = client
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'")
    .all();
  client.function("checksum_of", { deterministic: true }, (text) => crc32(text as string));
  writeTransaction(database, () => {
    client.pragma("defer_foreign_keys = ON");
    for (const { name } of triggers) client.exec(`DROP TRIGGER main.${name}`);
    run(`CREATE TEMP TABLE touched AS ${touchedDays(counted)}`);
    run(`CREATE TEMP TABLE emptied AS ${emptiedDays(counted)}`);
    run(`CREATE TEMP TABLE framed AS SELECT DISTINCT feed FROM frames WHERE ${counted} <= @from`);
    for (const step of [marked, published, laterFrames(counted), daily, sealed, rates, indexes, returns, pools])
      run(step);
    restoreItems(database, from);
    run(unknown);
    for (const { sql } of triggers) client.exec(sql);
    run("DROP TABLE temp.touched; DROP TABLE temp.framed; DROP TABLE temp.changed");
  });
  const emptied = client.prepare<[], FeedDay>("SELECT day, feed FROM temp.emptied").all();
  run("DROP TABLE temp.emptied");
  return emptied;
}

/** Days with other daily rows or frames at that instant. */
const marked = `
  CREATE TEMP TABLE changed AS SELECT day FROM touched UNION SELECT day FROM daily_prices WHERE recorded_at > @from
    UNION SELECT day FROM daily_prices_past WHERE superseded_at > @from`;

const published = `
  DELETE FROM export_states;
  DELETE FROM generations;
  DELETE FROM main.sqlite_sequence WHERE name IN ('export_states', 'generations');
  DELETE FROM quotes;
  DELETE FROM quote_urls;
  DELETE FROM best_asks;
  DELETE FROM feed_drops WHERE dropped_at > @from;
  DELETE FROM quote_levels WHERE hour >= @hour;
  UPDATE market_state SET current_generation_id = NULL, catalog_version = catalog_version + 1;
  UPDATE feeds SET checked_at = NULL, ingested_at = NULL, saved_at = NULL, changed_at = NULL, item_count = 0, joined_ppm = NULL,
    unconfirmed_until = NULL;
  UPDATE providers SET has_asks = 0, has_bids = 0, active = 0, quotes_as_of = NULL`;

/**
 * Touched feed days with corrections, with a later frame of an earlier hour, or with items of later. Others only lose their last hours:
 * readers ignore these hours of a segment, and the next frame removes them.
 */
const emptiedDays = (counted: string) => `SELECT day, feed FROM touched t
  WHERE EXISTS (SELECT 1 FROM frame_retractions r WHERE r.hour BETWEEN t.day * 24 AND t.day * 24 + 23 AND r.feed = t.feed)
    OR EXISTS (SELECT 1 FROM frames f JOIN frames later ON later.feed = f.feed AND later.hour BETWEEN f.hour + 1 AND t.day * 24 + 23
      WHERE f.hour BETWEEN t.day * 24 AND t.day * 24 + 23 AND f.feed = t.feed AND f.${counted} > @from AND later.${counted} <= @from)
    OR EXISTS (SELECT 1 FROM frame_segments s JOIN items USING (item_id)
      WHERE s.day = t.day AND s.feed = t.feed AND first_seen_at > @from)`;

const isTouched = "(day, feed) IN (SELECT day, feed FROM touched)";
const ofHour = (days: string) => `(hour / 24, feed) IN (SELECT day, feed FROM ${days})`;
const laterFrames = (counted: string) => `
  DELETE FROM frame_retractions WHERE ${ofHour("emptied")};
  DELETE FROM retracted_segments WHERE ${ofHour("emptied")};
  DELETE FROM frames WHERE ${ofHour("emptied")} OR ${counted} > @from;
  UPDATE frames SET recorded_at = ${counted}, ingested_at = iif(ingested_at > ${counted}, checked_at, ingested_at)
    WHERE ${ofHour("touched")};
  DELETE FROM feed_days WHERE ${isTouched} AND NOT EXISTS (${framesOfDay("1")});
  UPDATE feed_days SET settled_at = NULL, hours = (${framesOfDay("sum(1 << (f.hour % 24))")}) WHERE ${isTouched};
  DELETE FROM frame_segments WHERE ${isTouched} AND (day, feed) NOT IN (SELECT day, feed FROM feed_days);
  DELETE FROM frame_names WHERE ${isTouched} AND (day, feed) NOT IN (SELECT day, feed FROM feed_days)`;
const framesOfDay = (columns: string) =>
  `SELECT ${columns} FROM frames f WHERE f.hour BETWEEN day * 24 AND day * 24 + 23 AND f.feed = feed_days.feed`;

/** Rows that the frames of touched days give again. */
const isDerivedAgain =
  "import_id IS NULL AND (day, provider) IN (SELECT t.day, p.provider FROM touched t JOIN providers p ON p.feed = t.feed)";
const isRecent =
  "EXISTS (SELECT 1 FROM recent_days r WHERE r.day = p.day AND r.provider = p.provider AND r.moved_to < p.item_id)";
const restored = (table: string, where: string) =>
  `INSERT INTO ${table} (${dailyColumns}, seal) SELECT ${dailyColumns}, checksum_of(json_array(${dailyColumns})) FROM daily_prices_past p
    WHERE recorded_at <= @from AND superseded_at > @from AND NOT (${isDerivedAgain}) AND ${where}`;
const daily = `
  DELETE FROM daily_by_day WHERE recorded_at > @from OR ${isDerivedAgain};
  DELETE FROM daily_by_item WHERE recorded_at > @from OR ${isDerivedAgain};
  ${restored("daily_by_day", isRecent)};
  ${restored("daily_by_item", `NOT ${isRecent}`)};
  UPDATE daily_item_order SET last_day = max(last_day, coalesce((SELECT max(day) FROM changed), 0));
  DELETE FROM daily_prices_past WHERE superseded_at > @from OR ${isDerivedAgain};
  DELETE FROM recent_days WHERE NOT EXISTS
    (SELECT 1 FROM daily_by_day d WHERE d.day = recent_days.day AND d.provider = recent_days.provider);
  DELETE FROM daily_import_rates WHERE import_id IN (SELECT import_id FROM daily_imports WHERE imported_at > @from);
  DELETE FROM daily_imports WHERE imported_at > @from;
  DELETE FROM change_spans WHERE started_at > @from;
  DELETE FROM data_events WHERE at > @from`;

const sealed = `
  INSERT OR IGNORE INTO unsealed_days SELECT day FROM sealed_days WHERE sealed_at > @from;
  DELETE FROM sealed_days WHERE sealed_at > @from;
  UPDATE sealed_days SET superseded_at = NULL WHERE superseded_at > @from;
  DELETE FROM unsealed_days WHERE day > @today;
  INSERT OR IGNORE INTO unsealed_days SELECT day FROM changed WHERE day <= @today`;

const rateColumns = "currency, source, day, rate_per_usd, methodology_version, as_of, recorded_at";
const rates = `
  DELETE FROM exchange_rates WHERE recorded_at > @from;
  INSERT INTO exchange_rates (${rateColumns}) SELECT ${rateColumns} FROM exchange_rates_past
    WHERE recorded_at <= @from AND superseded_at > @from;
  DELETE FROM exchange_rates_past WHERE superseded_at > @from;
  DELETE FROM currencies WHERE currency NOT IN (SELECT currency FROM exchange_rates)`;

const levelColumns =
  "index_id, methodology_version, day, value, exact, capitalization_cents, constituent_count, priced_constituent_count, coverage_pct, membership_version, as_of, recorded_at, revision, prices_digest";
const ofLaterIndex = "index_id IN (SELECT index_id FROM indexes WHERE defined_at > @from)";
const indexes = `
  DELETE FROM index_levels WHERE recorded_at > @from OR ${ofLaterIndex};
  INSERT INTO index_levels (${levelColumns}) SELECT ${levelColumns} FROM index_levels_past
    WHERE recorded_at <= @from AND superseded_at > @from;
  DELETE FROM index_levels_past WHERE superseded_at > @from;
  DELETE FROM index_members WHERE (index_id, membership_version) IN
    (SELECT index_id, membership_version FROM index_memberships WHERE recorded_at > @from);
  DELETE FROM index_memberships WHERE recorded_at > @from;
  DELETE FROM index_days_changed WHERE ${ofLaterIndex} OR day > @today;
  DELETE FROM indexes WHERE defined_at > @from;
  UPDATE indexes SET calculated_at = min(calculated_at, @from);
  INSERT OR IGNORE INTO index_days_changed SELECT index_id, day FROM indexes, changed WHERE day BETWEEN base_day AND @today`;

const returnKey = "slug, valuation_mode, methodology_version";
const returnFigures =
  "recorded_at, revision_id, cost_cents, expected_value_cents, expected_profit_cents, return_pct, profit_chance_pct, priced_probability_mass_pct, price_as_of";
const returnColumns = `${returnKey}, granularity, ts, ${returnFigures}`;
const returnOf = (granularity: string, ts: string) =>
  `INSERT INTO roi_history (${returnColumns}, seal)
    SELECT ${returnColumns}, checksum_of(json_array(${returnColumns})) FROM (SELECT ${returnKey}, ${granularity}, ${ts}, ${returnFigures}`;
/** The result of a day is the last one of its hours. */
const returns = `
  CREATE TEMP TABLE lost AS SELECT DISTINCT ${returnKey}, ts FROM roi_history WHERE granularity = 'day' AND recorded_at > @from;
  DELETE FROM roi_history WHERE recorded_at > @from;
  ${returnOf("granularity", "ts")} FROM roi_history_past WHERE recorded_at <= @from AND superseded_at > @from);
  DELETE FROM roi_history_past WHERE superseded_at > @from;
  ${returnOf("'day' AS granularity", "ts - ts % 86400000 AS ts")}, max(recorded_at) FROM roi_history WHERE granularity = 'hour'
    AND (${returnKey}, ts - ts % 86400000) IN (SELECT ${returnKey}, ts FROM lost) GROUP BY ${returnKey}, ts - ts % 86400000);
  DROP TABLE temp.lost;
  DELETE FROM roi_runs WHERE calculated_at > @from;
  DELETE FROM roi_calculations WHERE calculated_at > @from`;

const isLaterRevision = "revision_id IN (SELECT revision_id FROM pool_revisions WHERE published_at > @from)";
const pools = `
  DELETE FROM pool_outcomes WHERE ${isLaterRevision};
  DELETE FROM pool_revisions WHERE published_at > @from;
  DELETE FROM openables WHERE slug NOT IN (SELECT slug FROM pool_revisions);
  UPDATE openables SET revision_id =
    (SELECT revision_id FROM pool_revisions r WHERE r.slug = openables.slug ORDER BY revision_number DESC LIMIT 1)`;

/** Removes feeds without a frame, an import or an index at that instant. */
const unknown = `
  CREATE TEMP TABLE unknown AS SELECT provider, feed FROM providers WHERE feed NOT IN (SELECT feed FROM framed) AND feed NOT IN
    (SELECT feed FROM providers WHERE provider IN (SELECT provider FROM daily_imports UNION SELECT provider FROM indexes));
  DELETE FROM frame_providers WHERE provider IN (SELECT provider FROM temp.unknown);
  DELETE FROM providers WHERE provider IN (SELECT provider FROM temp.unknown);
  DELETE FROM refused_names WHERE feed IN (SELECT feed FROM temp.unknown);
  DELETE FROM feeds WHERE feed IN (SELECT feed FROM temp.unknown);
  DROP TABLE temp.unknown`;

/** Restores the names and facts of items, and removes the items of later. Items of an earlier pool or index stay. */
function restoreItems(database: Database, from: number): void {
  const versions = database
    .select()
    .from(itemsPast)
    .where(gt(itemsPast.supersededAt, from))
    .orderBy(desc(itemsPast.supersededAt))
    .all();
  // The first version after the instant is written last.
  for (const { supersededAt: _at, checksum: _checksum, ...past } of versions) {
    const now = database.select().from(items).where(eq(items.itemId, past.itemId)).get()!;
    const row = { ...now, ...past, searchText: searchTextOf(past.marketHashName, past.nameRu) };
    database
      .update(items)
      .set({ ...row, checksum: itemChecksum(row) })
      .where(eq(items.itemId, past.itemId))
      .run();
  }
  database.delete(itemsPast).where(gt(itemsPast.supersededAt, from)).run();
  const later = `item_id IN (SELECT item_id FROM items WHERE first_seen_at > @from EXCEPT SELECT item_id FROM pool_outcomes
    EXCEPT SELECT item_id FROM openables EXCEPT SELECT item_id FROM index_members)`;
  for (const table of ["item_sources", "items"])
    database.$client.prepare(`DELETE FROM ${table} WHERE ${later}`).run({ from });
}
