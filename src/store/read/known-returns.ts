import type SqliteDatabase from "better-sqlite3";
import { dayMs } from "../../values/time/calendar.ts";
import type { Database } from "../database.ts";
import type { RoiHistoryBucket, RoiSeries } from "./openables.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

type Window = { from: number; to: number; at: number };
type Key = Omit<RoiSeries, "granularity">;

const columns = `h.ts, h.recorded_at AS recordedAt, h.revision_id AS revisionId, h.cost_cents AS costCents,
  h.expected_value_cents AS expectedValueCents, h.expected_profit_cents AS expectedProfitCents, h.return_pct AS returnPct,
  h.profit_chance_pct AS profitChancePct, h.priced_probability_mass_pct AS pricedProbabilityMassPct, h.price_as_of AS priceAsOf,
  r.revision_number AS revisionNumber`;

/** Rows of a granularity with a start from `@from` to `@to`, in force at `@at`. */
const inForce = (table: string, granularity: RoiSeries["granularity"]) => `
  SELECT ${columns} FROM ${table} h JOIN pool_revisions r ON r.revision_id = h.revision_id
  WHERE h.slug = @slug AND h.valuation_mode = @valuationMode AND h.methodology_version = @methodologyVersion
    AND h.granularity = '${granularity}' AND h.ts BETWEEN @from AND @to AND h.recorded_at <= @at`;

const hours = `${inForce("roi_history", "hour")} UNION ALL ${inForce("roi_history_past", "hour")} AND h.superseded_at > @at`;

/**
 * Reads the history of returns as known at an instant (UTC ms). It is apart from `OpenablesStore`, which reads present rows only. Not built
 * by Drizzle: rows of two tables.
 */
export class KnownReturnsStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns whether a container was published by `at`. */
  isVisible(slug: string, at: number): boolean {
    this.#shared?.join();
    return this.#statements.published.get({ slug, at }) !== undefined;
  }

  /** Returns whether a container had history of a methodology in any valuation mode. */
  hasHistoryOf(key: { slug: string; methodologyVersion: string }, at: number): boolean {
    this.#shared?.join();
    return this.#statements.hasHistory.get({ ...key, at }) !== undefined;
  }

  /** Returns the buckets of a series with a start from `from` to `to`, ascending. */
  history({ granularity, ...key }: RoiSeries, window: Window): RoiHistoryBucket[] {
    this.#shared?.join();
    return granularity === "hour" ? this.#hours(key, window) : this.#days(key, window);
  }

  #hours(key: Key, window: Window): RoiHistoryBucket[] {
    return this.#statements.hours.all({ ...key, ...window }).sort((one, other) => one.ts - other.ts);
  }

  /** Returns the present row of each day, or if that was recorded later, the last hour that was in force. */
  #days(key: Key, { from, to, at }: Window): RoiHistoryBucket[] {
    const present = this.#statements.days.all({ ...key, from, to, at });
    const rows = new Map(present.map((row) => [row.ts, row]));
    let start = from;
    // The spans without a present row, which are few.
    for (const { ts } of [...present, { ts: to + 1 }]) {
      if (ts > start)
        for (const hour of this.#hours(key, { from: start, to: ts - 1, at })) {
          const day = hour.ts - (hour.ts % dayMs);
          rows.set(day, { ...hour, ts: day });
        }
      start = ts + dayMs;
    }
    return [...rows.values()].sort((one, other) => one.ts - other.ts);
  }
}

function prepare({ $client: client }: Database) {
  const prepared = <Bound extends object, Row>(text: string): SqliteDatabase.Statement<[Bound], Row> =>
    client.prepare<[Bound], Row>(text.replace(/@\w+/g, "(SELECT $&)"));
  const ofMethodology = "slug = @slug AND methodology_version = @methodologyVersion AND recorded_at <= @at";
  const modes = "valuation_mode IN ('steam_gross', 'cash_ask')";
  return {
    published: prepared<{ slug: string; at: number }, unknown>(
      "SELECT 1 FROM pool_revisions WHERE slug = @slug AND revision_number = 1 AND published_at <= @at",
    ),
    hasHistory: prepared<{ slug: string; methodologyVersion: string; at: number }, unknown>(
      `SELECT 1 FROM roi_history WHERE ${modes} AND ${ofMethodology}
       UNION ALL SELECT 1 FROM roi_history_past WHERE ${modes} AND ${ofMethodology} LIMIT 1`,
    ),
    hours: prepared<Key & Window, RoiHistoryBucket>(hours),
    days: prepared<Key & Window, RoiHistoryBucket>(`${inForce("roi_history", "day")} ORDER BY h.ts`),
  };
}
