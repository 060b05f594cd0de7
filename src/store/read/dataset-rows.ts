import type { Statement } from "better-sqlite3";
import type { Database } from "../database.ts";

/** A `time` is UTC ms, a `day` counts from 1970, a `boolean` is 0 or 1. */
type DatasetKind = "text" | "integer" | "time" | "day" | "boolean";
type DatasetColumn = { name: string; kind: DatasetKind; isNullable: boolean };
type DatasetValue = string | number | null;

/** Providers and valuation modes to leave out, and one index or none. */
export type DatasetChoice = { left: readonly string[]; leftModes: readonly string[] };

const column = (name: string, kind: DatasetKind, isNullable = false): DatasetColumn => ({ name, kind, isNullable });
const optional = (name: string, kind: DatasetKind) => column(name, kind, true);
const isKept = (provider: string) => `${provider} NOT IN (SELECT value FROM json_each(@left))`;

type ItemBucket = { bucket: number; buckets: number; from: number; to: number };

/** The tables of a dataset except its days. `from` selects the columns in order, with a total order of rows. */
const tables = {
  "catalog.parquet": {
    columns: [
      column("item_id", "integer"),
      column("market_hash_name", "text"),
      column("slug", "text"),
      optional("type", "text"),
      optional("rarity", "text"),
      optional("collection", "text"),
      optional("phase", "text"),
      optional("name_ru", "text"),
      optional("wear", "text"),
      optional("stat_counter", "boolean"),
      optional("souvenir", "boolean"),
      optional("wear_min", "text"),
      optional("wear_max", "text"),
      column("identity", "text"),
      column("in_catalog", "boolean"),
      column("first_seen_at", "time"),
      optional("updated_at", "time"),
    ],
    from: "FROM items ORDER BY item_id",
  },
  "names.parquet": {
    columns: [
      column("item_id", "integer"),
      column("market_hash_name", "text"),
      optional("phase", "text"),
      column("valid_from", "time"),
      optional("valid_to", "time"),
    ],
    from: `FROM (
      SELECT i.item_id, i.market_hash_name, i.phase, coalesce(i.updated_at, i.first_seen_at) AS valid_from, NULL AS valid_to FROM items i
      UNION ALL
      SELECT p.item_id, p.market_hash_name, p.phase, coalesce(p.updated_at, i.first_seen_at), p.superseded_at
      FROM items_past p JOIN items i ON i.item_id = p.item_id
    ) ORDER BY item_id, valid_from, valid_to IS NULL, valid_to`,
  },
  "market/current.parquet": {
    columns: [
      column("item_id", "integer"),
      column("side", "text"),
      column("provider", "text"),
      column("amount", "integer"),
      optional("quantity", "integer"),
      optional("as_of", "time"),
    ],
    from: `FROM (
      SELECT q.item_id, 'ask' AS side, n.provider, q.ask_cents AS amount, q.ask_quantity AS quantity,
        coalesce(q.ask_as_of, p.quotes_as_of) AS as_of
      FROM quotes q JOIN frame_providers n ON n.number = q.provider_id JOIN providers p ON p.provider = n.provider
      UNION ALL
      SELECT q.item_id, 'bid', n.provider, q.bid_cents, q.bid_quantity, coalesce(q.bid_as_of, p.quotes_as_of)
      FROM quotes q JOIN frame_providers n ON n.number = q.provider_id JOIN providers p ON p.provider = n.provider
    ) WHERE amount IS NOT NULL AND ${isKept("provider")} ORDER BY item_id, side, provider`,
  },
  "rates/rates.parquet": {
    columns: [
      column("currency", "text"),
      column("date", "day"),
      column("source", "text"),
      column("rate_per_usd", "text"),
      column("methodology_version", "text"),
      optional("as_of", "time"),
      column("recorded_at", "time"),
    ],
    from: `FROM (SELECT currency, day AS date, source, rate_per_usd, methodology_version, as_of, recorded_at FROM exchange_rates)
      ORDER BY currency, date, source`,
  },
  "indexes/indexes.parquet": {
    columns: [
      column("index_id", "text"),
      column("name", "text"),
      column("description", "text"),
      column("provider", "text"),
      column("weighting", "text"),
      column("methodology_version", "text"),
      column("base_date", "day"),
      column("base_value", "text"),
      column("active", "boolean"),
    ],
    from: `FROM (SELECT index_id, name, description, provider, weighting, methodology_version, base_day AS base_date, base_value, active
      FROM indexes) WHERE ${isKept("provider")} ORDER BY index_id`,
  },
  "indexes/levels.parquet": {
    columns: [
      column("index_id", "text"),
      column("methodology_version", "text"),
      column("date", "day"),
      optional("value", "text"),
      optional("capitalization_cents", "text"),
      column("constituent_count", "integer"),
      column("priced_constituent_count", "integer"),
      column("coverage_pct", "text"),
      column("membership_version", "integer"),
      optional("as_of", "time"),
      column("recorded_at", "time"),
      column("revision", "integer"),
    ],
    from: `FROM (SELECT l.*, l.day AS date, x.provider FROM index_levels l JOIN indexes x ON x.index_id = l.index_id)
      WHERE ${isKept("provider")} ORDER BY index_id, methodology_version, date`,
  },
  "returns/returns.parquet": {
    columns: [
      column("openable", "text"),
      column("valuation_mode", "text"),
      column("methodology_version", "text"),
      column("granularity", "text"),
      column("ts", "time"),
      column("recorded_at", "time"),
      column("revision_id", "text"),
      column("cost_cents", "integer"),
      optional("expected_value_cents", "integer"),
      optional("expected_profit_cents", "integer"),
      optional("return_pct", "text"),
      optional("profit_chance_pct", "text"),
      column("priced_probability_mass_pct", "text"),
      optional("price_as_of", "time"),
    ],
    from: `FROM (SELECT h.*, h.slug AS openable FROM roi_history h)
      WHERE valuation_mode NOT IN (SELECT value FROM json_each(@leftModes))
      ORDER BY openable, valuation_mode, methodology_version, granularity, ts`,
  },
} as const;

type DatasetTable = keyof typeof tables;
export const datasetTables = Object.keys(tables) as DatasetTable[];

/** A provider with its terms. */
export type DatasetProvider = {
  provider: string;
  name: string;
  kind: "main_platform" | "cash" | "trade";
  terms_url: string | null;
  terms_read_on: string | null;
  redistribution: "allowed" | "not_allowed" | "unknown";
  attribution: string | null;
};

/** Reads the rows of a dataset. Not built by Drizzle: the tables are read whole, and their columns are named as in the files. */
export class DatasetRows {
  readonly #client;
  #itemRows: Statement<[ItemBucket], DatasetValue[]> | undefined;

  constructor({ $client: client }: Database) {
    this.#client = client;
  }

  columnsOf(table: DatasetTable): readonly DatasetColumn[] {
    return tables[table].columns;
  }

  /** Yields the rows of a table. The transaction of the iteration is open until its end. */
  rowsOf(table: DatasetTable, { left, leftModes }: DatasetChoice): IterableIterator<DatasetValue[]> {
    const { columns, from } = tables[table];
    const bound: Record<string, string> = { left: JSON.stringify(left), leftModes: JSON.stringify(leftModes) };
    const names = Object.keys(bound).filter((name) => from.includes(`@${name}`));
    const statement = this.#client.prepare<Record<string, string>, DatasetValue[]>(
      `SELECT ${columns.map(({ name }) => name).join(", ")} ${from}`,
    );
    return statement.raw(true).iterate(Object.fromEntries(names.map((name) => [name, bound[name]!])));
  }

  /** The columns of `itemRows`. */
  readonly itemColumns: readonly DatasetColumn[] = [
    column("item_id", "integer"),
    column("date", "day"),
    column("side", "text"),
    column("provider", "text"),
    column("amount", "integer"),
    column("low_amount", "integer"),
    column("high_amount", "integer"),
    column("observations", "integer"),
    optional("quantity", "integer"),
    optional("source_observed_at", "time"),
    column("recorded_at", "time"),
  ];

  /** Yields the daily rows of the items of a bucket from a day to a day (since 1970), by item and day. */
  itemRows(bound: ItemBucket): IterableIterator<DatasetValue[]> {
    const names = this.itemColumns.map(({ name }) => (name === "date" ? "day" : name)).join(", ");
    // Not of the view: SQLite would read all of its rows for each bucket.
    this.#itemRows ??= this.#client.prepare<[ItemBucket], DatasetValue[]>(
      `WITH of AS (SELECT item_id AS id FROM items WHERE item_id % @buckets = @bucket)
       SELECT ${names} FROM (
         SELECT d.* FROM of CROSS JOIN (SELECT 'ask' AS side UNION ALL SELECT 'bid') s
           CROSS JOIN daily_by_item d ON d.item_id = of.id AND d.side = s.side AND d.day BETWEEN @from AND @to
         UNION ALL
         SELECT d.* FROM recent_days r CROSS JOIN of
           CROSS JOIN daily_by_day d ON d.day = r.day AND d.provider = r.provider AND d.item_id = of.id
         WHERE r.day BETWEEN @from AND @to AND of.id > r.moved_to
       ) ORDER BY item_id, day, side, provider`,
    );
    return this.#itemRows.raw(true).iterate(bound);
  }

  /** Returns the days (since 1970) with rows that changed after their seal. */
  unsealedDays(): number[] {
    return this.#client.prepare<[], number>("SELECT day FROM unsealed_days").pluck().all();
  }

  /** Returns all providers in ascending slug. */
  providers(): DatasetProvider[] {
    return this.#client
      .prepare<[], DatasetProvider>(
        "SELECT provider, name, kind, terms_url, terms_read_on, redistribution, attribution FROM providers ORDER BY provider",
      )
      .all();
  }

  /** Returns the indexes over these providers, ascending. */
  indexesOver(providers: readonly string[]): string[] {
    return this.#client
      .prepare<[string], string>(
        "SELECT index_id FROM indexes WHERE provider IN (SELECT value FROM json_each(?)) ORDER BY index_id",
      )
      .pluck()
      .all(JSON.stringify(providers));
  }

  /** Returns the public name of the published generation and its time (UTC ms), or null without one. */
  generation(): { generation: string; ingestedAt: number } | null {
    const published = this.#client.prepare<[], { generation: string; ingestedAt: number }>(
      "SELECT 'g' || generation_id AS generation, ingested_at AS ingestedAt FROM generations WHERE state = 'published'",
    );
    return published.get() ?? null;
  }
}
