import type { Database } from "../database.ts";
import { type Chunks, type Finding, fact, fault } from "./finding.ts";
import { type Key, KeyRanges } from "./key-ranges.ts";

type Client = Database["$client"];

const faultsShownMax = 20;
/** Maximum pages of a table and its indexes that SQLite checks in one chunk: 8 MB, about 0.1 s. */
const chunkPagesMax = 512;
/** Rows per chunk of a larger table. */
const chunkRows = 2000;

/**
 * Checks pages, indexes, constraints and foreign keys. In chunks, SQLite checks small tables one by one. It cannot check part of a table,
 * so larger tables are read row by row. That omits unowned pages, the constraints of large tables and the free space of their pages.
 */
export function checkPages({ $client: client }: Database, chunks: Chunks, pagesMax = chunkPagesMax): Finding[] {
  const isOneChunk = client.inTransaction;
  const walked: string[] = [];
  const faults: Finding[] = [];
  for (const table of isOneChunk ? [null] : tablesOf(client)) {
    const isChecked = chunks(() => {
      if (table !== null && !isSmall(client, table, pagesMax)) return false;
      faults.push(...checkBySqlite(client, table));
      return true;
    });
    if (isChecked || table === null) continue;
    walked.push(table);
    faults.push(...new TableWalk(client, table).check(chunks));
  }
  if (faults.length > 0) return faults.slice(0, faultsShownMax);
  const held = fact("structure, indexes, constraints and foreign keys hold");
  if (walked.length === 0) return [held];
  return [
    held,
    fact(
      `of ${walked.join(", ")}, which is large, each row is found by its key and its indexes; check a backup for the rest`,
    ),
  ];
}

/** Pass null as `table` to check the whole file. */
function checkBySqlite(client: Client, table: string | null): Finding[] {
  const lines = client
    .prepare<[], string>(`PRAGMA integrity_check(${table ?? faultsShownMax})`)
    .pluck()
    .all();
  const orphans = client.pragma(table === null ? "foreign_key_check" : `foreign_key_check(${table})`) as {
    table: string;
    parent: string;
  }[];
  return [
    ...lines.filter((line) => line !== "ok").map(fault),
    ...orphans.slice(0, faultsShownMax).map((orphan) => orphanFault(orphan.table, orphan.parent)),
  ];
}

function orphanFault(table: string, parent: string): Finding {
  return fault(`a row of ${table} names none of ${parent}`);
}

function tablesOf(client: Client): string[] {
  const names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  return client.prepare<[], string>(names).pluck().all();
}

/** Returns whether a table and its indexes have at most `pagesMax` pages. Stops counting beyond that. */
function isSmall(client: Client, table: string, pagesMax: number): boolean {
  const names = client
    .prepare<[string], string>("SELECT name FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0")
    .pluck();
  const pages = client
    .prepare<[string, number], number>("SELECT count(*) FROM (SELECT 1 FROM dbstat WHERE name = ? LIMIT ?)")
    .pluck();
  let left = pagesMax;
  for (const name of names.all(table)) left -= pages.get(name, left + 1) ?? 0;
  return left >= 0;
}

type Column = { name: string; pk: number };
type IndexInfo = { name: string; origin: string };
type IndexColumn = { cid: number; name: string | null; key: number };
type ForeignKey = { id: number; table: string; from: string; to: string };

/**
 * An index or key that finds rows. `from` is the table name with an index clause, `values` the column expressions. `condition` is the
 * filter of a partial index, otherwise empty.
 */
type AccessPath = { name: string; from: string; values: readonly string[]; condition: string };

/** A possible fault of rows, and a function that counts the affected rows of a range. */
type Counter = [name: string, count: (after: Key | null, upTo: Key) => number];

/** Checks the rows of one table in key order. */
class TableWalk {
  readonly #client: Client;
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #key: readonly string[];
  readonly #ranges: KeyRanges;
  readonly #indexes: readonly AccessPath[];

  constructor(client: Client, table: string) {
    this.#client = client;
    this.#table = table;
    const columns = client.pragma(`table_info(${table})`) as Column[];
    const indexes = client.pragma(`index_list(${table})`) as IndexInfo[];
    const hasRowid = !/\bWITHOUT ROWID\b/i.test(sqlOf(client, table));
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    this.#columns = columns.map(({ name }) => name);
    this.#key = hasRowid ? ["rowid"] : key.map(({ name }) => name);
    this.#ranges = new KeyRanges(client, table, this.#key, chunkRows);
    // The key index of a table without rowids is the table itself.
    this.#indexes = indexes
      .filter(({ origin }) => hasRowid || origin !== "pk")
      .map(({ name }) => indexOf(client, table, name));
  }

  check(chunks: Chunks): Finding[] {
    const counters = [...this.#unfound(), ...this.#orphans()];
    const counts = new Map<string, number>();
    // To find the largest value of each column, SQLite reads all values, including overflow pages.
    const read = this.#ranges.lists(
      (within) => `SELECT ${this.#columns.map((name) => `max(${name})`).join()} FROM ${within}`,
    );
    this.#ranges.each(chunks, (after, upTo) => {
      for (const _ of read(after, upTo));
      for (const [name, count] of counters) counts.set(name, (counts.get(name) ?? 0) + count(after, upTo));
    });
    const found = [...counts].filter(([, count]) => count > 0).map(([name, count]) => fault(`${count} ${name}`));
    return [...found, ...this.#indexes.flatMap((index) => chunks(() => this.#countEntries(index)))];
  }

  /** Counts rows that their key or an index does not find. */
  #unfound(): Counter[] {
    const own: AccessPath = { name: "their key", from: this.#ranges.from, values: [], condition: "" };
    return [own, ...this.#indexes].map(({ name, from, values, condition }) => {
      const same = [
        ...this.#key.map((column, at) => `${column} IS r.k${at}`),
        ...values.map((value, at) => `${value} IS r.v${at}`),
        ...(condition === "" ? [] : [`(${condition})`]),
      ];
      const found = `SELECT 1 FROM ${from} WHERE ${same.join(" AND ")}`;
      return this.#counter(`rows of ${this.#table} that are not found by ${name}`, { values, condition, found });
    });
  }

  /** `found` is a query that must return a row for each row `r` of the table that meets `condition`. */
  #counter(
    name: string,
    { values, condition, found }: { values: readonly string[]; condition: string; found: string },
  ): Counter {
    const columns = [
      ...this.#key.map((key, at) => `${key} AS k${at}`),
      ...values.map((value, at) => `${value} AS v${at}`),
    ];
    const where = condition === "" ? "" : ` AND (${condition})`;
    const count = this.#ranges.lists<[number]>(
      (within) =>
        `SELECT count(*) FROM (SELECT ${columns.join()} FROM ${within}${where}) AS r WHERE NOT EXISTS (${found})`,
    );
    return [name, (after, upTo) => [...count(after, upTo)][0]![0]];
  }

  /** Counts rows with foreign keys to missing rows. */
  #orphans(): Counter[] {
    return this.#parents().map(({ values, parent, found }) => {
      const condition = values.map((value) => `${value} IS NOT NULL`).join(" AND ");
      return this.#counter(`rows of ${this.#table} that name none of ${parent}`, { values, condition, found });
    });
  }

  #parents(): { values: string[]; parent: string; found: string }[] {
    const keys = this.#client.pragma(`foreign_key_list(${this.#table})`) as ForeignKey[];
    const byId = Array.from(new Set(keys.map(({ id }) => id)), (id) => keys.filter((key) => key.id === id));
    return byId.map((columns) => {
      const parent = columns[0]!.table;
      const same = columns.map(({ to }, at) => `${to} = r.v${at}`).join(" AND ");
      return { values: columns.map(({ from }) => from), parent, found: `SELECT 1 FROM ${parent} WHERE ${same}` };
    });
  }

  /** Compares the number of index entries with the number of rows. More entries than rows means that some have no row. */
  #countEntries({ name, from, condition }: AccessPath): Finding[] {
    const where = condition === "" ? "" : `WHERE ${condition}`;
    // For a bare count SQLite would use the smallest index instead of the named one.
    const count = (way: string) =>
      this.#client.prepare<[], number>(`SELECT count(*), 0 FROM ${way} ${where}`).pluck().get();
    const [entries, rows] = [count(from), count(this.#ranges.from)];
    return entries === rows ? [] : [fault(`${name} has ${entries} entries, and ${this.#table} ${rows} rows for it`)];
  }
}

function sqlOf(client: Client, name: string): string {
  return client.prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE name = ?").pluck().get(name) ?? "";
}

function indexOf(client: Client, table: string, name: string): AccessPath {
  const columns = client.pragma(`index_xinfo(${name})`) as IndexColumn[];
  const [, expression = "", condition = ""] = /\((.*)\)(?:\s+WHERE (.*))?$/s.exec(sqlOf(client, name)) ?? [];
  const keys = columns.filter(({ key }) => key === 1);
  // An expression index has no other columns.
  const values = keys.some(({ cid }) => cid < 0) ? [expression] : keys.map((column) => column.name!);
  return { name, from: `${table} INDEXED BY ${name}`, values, condition };
}
