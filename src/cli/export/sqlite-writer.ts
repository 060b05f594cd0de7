import type SqliteDatabase from "better-sqlite3";
import { openBare } from "../../store/file/bare.ts";
import { type DayResolution, type DayValue, dayColumns } from "./day-rows.ts";
import {
  type DayFacts,
  type DayWriter,
  type ExportFacts,
  type ExportItem,
  type ExportStart,
  type ExportWriter,
  type ProviderTerms,
  sideNames,
  sides,
} from "./writer.ts";

const cacheKib = 8 * 1024;
/** SQLite sorts indexes in temporary files, so that memory does not grow with the rows. */
const draftPragmas = ["journal_mode = OFF", "synchronous = OFF", "temp_store = DEFAULT"];

/** Creates the table of the providers' terms. */
export const providersTable = `
  CREATE TABLE providers (
    provider TEXT PRIMARY KEY, name TEXT NOT NULL, terms_url TEXT, terms_read_on TEXT,
    redistribution TEXT NOT NULL, attribution TEXT
  ) STRICT, WITHOUT ROWID;
`;

/** Creates the tables of an export. */
export const tables = `${providersTable}
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

/** Creates the indexes after the rows, because an index that grows with them costs more. */
export const indexes = `
  CREATE INDEX items_by_name ON items (market_hash_name);
  CREATE INDEX quotes_by_provider ON quotes (provider, side, amount);
`;

type Row = Readonly<Record<string, string | number | null>>;

/** A new SQLite file, written in one transaction without a journal. After a failure the whole file is discarded. */
export class SqliteDraft {
  readonly database: SqliteDatabase.Database;

  /** `schema`: the statements that create the tables. */
  constructor(path: string, schema: string, pragmas: readonly string[] = []) {
    this.database = openBare(path);
    for (const pragma of [...draftPragmas, ...pragmas]) this.database.pragma(pragma);
    this.database.exec(`BEGIN IMMEDIATE; ${schema}`);
  }

  /** Inserts the row of the table `export` and the terms, runs the statements `last`, commits and closes the file. */
  commit(facts: Row, providers: readonly ProviderTerms[], last: string): void {
    insertFacts(this.database, facts);
    insertTerms(this.database, providers);
    this.database.exec(`${last} COMMIT`);
    this.database.close();
  }

  abandon(): void {
    try {
      this.database.close();
    } catch {
      // The file will be discarded.
    }
  }
}

/** Inserts a row into the table `export`. */
export function insertFacts(database: SqliteDatabase.Database, facts: Row): void {
  const names = Object.keys(facts);
  const places = names.map((name) => `@${name}`);
  database.prepare(`INSERT INTO export (${names.join(", ")}) VALUES (${places.join(", ")})`).run(facts);
}

/** Replaces the rows of the table `providers`. */
export function insertTerms(database: SqliteDatabase.Database, providers: readonly ProviderTerms[]): void {
  database.exec("DELETE FROM providers");
  const add = database.prepare(
    "INSERT INTO providers VALUES (@provider, @name, @terms_url, @terms_read_on, @redistribution, @attribution)",
  );
  for (const terms of providers) add.run(terms);
}

/**
 * Writes the tables `export` (one row), `providers`, `items` and `quotes`. `position` counts the quotes of an item and side from 0, in the order of the
 * export.
 */
export class SqliteWriter extends SqliteDraft implements ExportWriter {
  readonly #add: (item: ExportItem) => void;

  constructor(path: string) {
    super(path, tables, [`cache_size = -${cacheKib}`]);
    this.#add = itemInserter(this.database);
  }

  item(item: ExportItem): void {
    this.#add(item);
  }

  finish({ start, items, quotes, digest, digestChecked }: ExportFacts, providers: readonly ProviderTerms[]): void {
    const facts = { ...columnsOf(start), items, quotes, digest, digest_checked: digestChecked ? 1 : 0 };
    this.commit(facts, providers, indexes);
  }
}

/** Returns a function that inserts an item and its quotes into the tables of an export. */
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

/** Writes the tables `export` (one row), `providers`, and `daily` or `hourly`. */
export class DaySqliteWriter extends SqliteDraft implements DayWriter {
  readonly #add: SqliteDatabase.Statement;

  constructor(path: string, resolution: DayResolution) {
    const columns = dayColumns[resolution];
    const definitions = columns.map(({ name, kind, isNullable }) =>
      [name, sqliteTypes[kind], ...(isNullable ? [] : ["NOT NULL"])].join(" "),
    );
    super(
      path,
      `${providersTable} CREATE TABLE ${resolution} (${definitions.join(", ")}) STRICT;
       CREATE TABLE export (date TEXT NOT NULL, revision INTEGER NOT NULL, resolution TEXT NOT NULL, rows INTEGER NOT NULL, digest TEXT NOT NULL) STRICT`,
    );
    this.#add = this.database.prepare(`INSERT INTO ${resolution} VALUES (${columns.map(() => "?").join(", ")})`);
  }

  row(values: readonly DayValue[]): void {
    this.#add.run(values);
  }

  finish(facts: DayFacts, providers: readonly ProviderTerms[]): void {
    const { resolution } = facts;
    this.commit(facts, providers, `CREATE INDEX ${resolution}_by_item ON ${resolution} (item_id, side, provider);`);
  }
}
