import type SqliteDatabase from "better-sqlite3";
import { openBare } from "../../store/bare.ts";
import { type DayResolution, type DayValue, dayColumns } from "./day-rows.ts";
import {
  type DayFacts,
  type DayWriter,
  type ExportFacts,
  type ExportItem,
  type ExportStart,
  type ExportWriter,
  sideNames,
  sides,
} from "./writer.ts";

const cacheKib = 8 * 1024;
/** Of a file that is thrown away when anything fails. Its indexes are sorted in temporary files: memory must not grow with the rows. */
export const draftPragmas = ["journal_mode = OFF", "synchronous = OFF", "temp_store = DEFAULT"];

/** Makes the tables of an export. */
export const tables = `
  CREATE TABLE export (
    generation TEXT NOT NULL, ingested_at TEXT NOT NULL, generated_at TEXT NOT NULL, request_id TEXT NOT NULL,
    price_as_of TEXT, consistency TEXT NOT NULL, catalog_max_item_id INTEGER NOT NULL,
    items INTEGER NOT NULL, quotes INTEGER NOT NULL,
    digest TEXT NOT NULL, digest_checked INTEGER NOT NULL CHECK (digest_checked IN (0, 1))
  ) STRICT;
  CREATE TABLE items (
    item_id INTEGER PRIMARY KEY, market_hash_name TEXT NOT NULL, phase TEXT,
    availability TEXT NOT NULL CHECK (availability IN ('available', 'missing'))
  ) STRICT;
  CREATE TABLE quotes (
    item_id INTEGER NOT NULL REFERENCES items (item_id), side TEXT NOT NULL CHECK (side IN ('ask', 'bid')),
    position INTEGER NOT NULL, provider TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,
    minor_units INTEGER NOT NULL, quantity INTEGER, url TEXT, as_of TEXT,
    PRIMARY KEY (item_id, side, position)
  ) STRICT, WITHOUT ROWID;
`;

/** Made after the rows: an index that grows with them costs more. */
export const indexes = `
  CREATE INDEX items_by_name ON items (market_hash_name);
  CREATE INDEX quotes_by_provider ON quotes (provider, side, amount);
`;

/**
 * Tables `export` (one row), `items` and `quotes`. `position` counts an item's quotes of one side from 0 in the order of the
 * export. One transaction without a journal: what goes wrong is thrown away as a whole.
 */
export class SqliteWriter implements ExportWriter {
  readonly #database: SqliteDatabase.Database;
  readonly #add: (item: ExportItem) => void;

  constructor(path: string) {
    this.#database = openBare(path);
    for (const pragma of [...draftPragmas, `cache_size = -${cacheKib}`]) this.#database.pragma(pragma);
    this.#database.exec(`BEGIN IMMEDIATE; ${tables}`);
    this.#add = itemInserter(this.#database);
  }

  start(): void {}

  item(item: ExportItem): void {
    this.#add(item);
  }

  finish({ start, items, quotes, digest, digestChecked }: ExportFacts): void {
    const row = { ...columnsOf(start), items, quotes, digest, digest_checked: digestChecked ? 1 : 0 };
    const places = Object.keys(row).map((name) => `@${name}`);
    this.#database
      .prepare(`INSERT INTO export (${Object.keys(row).join(", ")}) VALUES (${places.join(", ")})`)
      .run(row);
    this.#database.exec(`${indexes} COMMIT`);
    this.#database.close();
  }

  abandon(): void {
    try {
      this.#database.close();
    } catch {
      // The file is thrown away.
    }
  }
}

/** Returns what inserts an item and its quotes into the tables of an export. */
export function itemInserter(database: SqliteDatabase.Database): (item: ExportItem) => void {
  const addItem = database.prepare("INSERT INTO items VALUES (?, ?, ?, ?)");
  const addQuote = database.prepare("INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  return (item) => {
    const { item_id, market_hash_name, phase, availability } = item;
    addItem.run(item_id, market_hash_name, phase, availability);
    for (const side of sides) {
      for (const [position, quote] of item[side].entries()) {
        const { provider, amount, currency, minor_units, quantity, url, as_of } = quote;
        const name = sideNames[side];
        addQuote.run(item_id, name, position, provider, amount, currency, minor_units, quantity, url, as_of);
      }
    }
  };
}

function columnsOf(start: ExportStart) {
  const { generation, ingested_at, generated_at, request_id, price_as_of, consistency, catalog_max_item_id } = start;
  return { generation, ingested_at, generated_at, request_id, price_as_of, consistency, catalog_max_item_id };
}

const sqliteTypes = { text: "TEXT", integer: "INTEGER", time: "TEXT" } as const;

/** Tables `export` (one row) and `daily` or `hourly`, in one transaction without a journal: what goes wrong is thrown away as a whole. */
export class DaySqliteWriter implements DayWriter {
  readonly #database: SqliteDatabase.Database;
  readonly #add: SqliteDatabase.Statement;

  constructor(path: string, resolution: DayResolution) {
    const columns = dayColumns[resolution];
    this.#database = openBare(path);
    for (const pragma of draftPragmas) this.#database.pragma(pragma);
    const definitions = columns.map(({ name, kind, isNullable }) =>
      [name, sqliteTypes[kind], ...(isNullable ? [] : ["NOT NULL"])].join(" "),
    );
    this.#database.exec(
      `BEGIN IMMEDIATE; CREATE TABLE ${resolution} (${definitions.join(", ")}) STRICT;
       CREATE TABLE export (date TEXT NOT NULL, revision INTEGER NOT NULL, resolution TEXT NOT NULL, rows INTEGER NOT NULL, digest TEXT NOT NULL) STRICT`,
    );
    this.#add = this.#database.prepare(`INSERT INTO ${resolution} VALUES (${columns.map(() => "?").join(", ")})`);
  }

  row(values: readonly DayValue[]): void {
    this.#add.run(values);
  }

  finish({ date, revision, resolution, rows, digest }: DayFacts): void {
    this.#database.prepare("INSERT INTO export VALUES (?, ?, ?, ?, ?)").run(date, revision, resolution, rows, digest);
    this.#database.exec(`CREATE INDEX ${resolution}_by_item ON ${resolution} (item_id, side, provider); COMMIT`);
    this.#database.close();
  }

  abandon(): void {
    try {
      this.#database.close();
    } catch {
      // The file is thrown away.
    }
  }
}
