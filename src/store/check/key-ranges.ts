import type { Database } from "../database.ts";
import type { Chunks } from "./finding.ts";

type Client = Database["$client"];
/** Values of the columns of a key. */
export type Key = readonly unknown[];

/** Reads the rows after one key up to another. Pass null for `after` to begin at the first row. */
type RowsOf<Row> = (after: Key | null, upTo: Key) => IterableIterator<Row>;

/**
 * Divides a table into ranges of rows in key order. A range begins after one key, or at the first row if that is null, and ends with
 * another.
 */
export class KeyRanges {
  /** Table name with an index clause, so that a query reads the table itself. */
  readonly from: string;
  readonly #client: Client;
  readonly #table: string;
  readonly #key: readonly string[];
  readonly #steps;
  readonly #at;
  readonly #count;

  /** `key` has the columns of the primary key of a table without rowids, or `rowid`. `rows` is the number of rows per range. */
  constructor(client: Client, table: string, key: readonly string[], rows: number) {
    this.from = fromOf(client, table, key);
    this.#client = client;
    this.#table = table;
    this.#key = key;
    const columns = key.join();
    this.#steps = this.#onRange<[number]>((left) => `SELECT count(*) FROM (SELECT 1 FROM ${left} LIMIT ${rows})`);
    this.#at = this.#onRange<Key>((left) => `SELECT ${columns} FROM ${left} ORDER BY ${columns} LIMIT 1 OFFSET ?`);
    this.#count = this.lists<[number]>((within) => `SELECT count(*) FROM ${within}`);
  }

  /**
   * Calls `look` with each range, in a chunk of its own.
   * @throws {RangeError} when the rows are not in key order. A damaged key could hide later rows or cause an endless loop.
   */
  each(chunks: Chunks, look: (after: Key | null, upTo: Key) => void): void {
    for (let after: Key | null = null; ; ) {
      const upTo = chunks(() => {
        const last = this.#next(after);
        if (last !== null) look(after, last);
        return last;
      });
      if (upTo === null) return;
      after = upTo;
    }
  }

  /** Prepares a query over the rows of a range. `text` builds it from a table with a condition. Each row is an array of its columns. */
  lists<Row extends readonly unknown[]>(text: (within: string) => string): RowsOf<Row> {
    return this.#rows((within) => this.#client.prepare<unknown[], Row>(text(within)).raw());
  }

  /** Prepares a query like `lists`. Each row is an object with columns by name. */
  records<Row>(text: (within: string) => string): RowsOf<Row> {
    return this.#rows((within) => this.#client.prepare<unknown[], Row>(text(within)));
  }

  #rows<Row>(prepare: (within: string) => { iterate(...values: unknown[]): IterableIterator<Row> }): RowsOf<Row> {
    const upToKey = this.#compared("<=");
    const first = prepare(`${this.from} WHERE ${upToKey}`);
    const later = prepare(`${this.from} WHERE ${this.#compared(">")} AND ${upToKey}`);
    return (after, upTo) => (after === null ? first.iterate(...upTo) : later.iterate(...after, ...upTo));
  }

  /** Returns the last key of the range after a key. Returns null after the last row. */
  #next(after: Key | null): Key | null {
    const [steps] = this.#steps(after)!;
    if (steps === 0) return null;
    const upTo = this.#at(after, steps - 1)!;
    // A reader of the range stops at the first key beyond its end.
    const [[count]] = [...this.#count(after, upTo)] as [[number]];
    if (count !== steps) throw unordered(this.#table);
    return upTo;
  }

  #onRange<Row>(text: (left: string) => string): (after: Key | null, ...values: number[]) => Row | undefined {
    const prepare = (left: string) => this.#client.prepare<unknown[], Row>(text(left)).raw();
    const [first, later] = [prepare(this.from), prepare(`${this.from} WHERE ${this.#compared(">")}`)];
    return (after, ...values) => (after === null ? first.get(...values) : later.get(...after, ...values));
  }

  #compared(operator: string): string {
    return `(${this.#key.join()}) ${operator} (${this.#key.map(() => "?").join()})`;
  }
}

/** How to read a table page by page. `after` is less than every key. `read` returns the page after a key, or an empty array at the end. */
type Paging<Row, Key> = { after: Key; read(after: Key): Row[]; keyOf(row: Row): Key };

/**
 * Yields a table page by page in key order until a page is empty. Each page is a chunk of its own.
 * @throws {RangeError} when a page does not end after the previous one. A damaged key would cause an endless loop.
 */
export function* pagesOf<Row, Key extends string | number>(
  { $client: client }: Database,
  chunks: Chunks,
  table: string,
  { after: first, read, keyOf }: Paging<Row, Key>,
): Generator<Row[]> {
  // Compares by SQLite's own order, like the reads.
  const isAfter = client.prepare<[Key, Key], number | null>("SELECT ? > ?").pluck();
  for (let after = first; ; ) {
    const rows = chunks(() => read(after));
    if (rows.length === 0) return;
    yield rows;
    const key = keyOf(rows.at(-1)!);
    if (isAfter.get(key, after) !== 1) throw unordered(table);
    after = key;
  }
}

/** Returns the error for a table that is not in key order. */
export function unordered(table: string): RangeError {
  return new RangeError(`the rows of ${table} are not in the order of their key`);
}

/**
 * Returns a table name that bypasses other indexes. A table without rowids is its own key index, and SQLite ignores `NOT INDEXED` there.
 */
function fromOf(client: Client, table: string, [column]: readonly string[]): string {
  if (column === "rowid") return `${table} NOT INDEXED`;
  const indexes = client.pragma(`index_list(${table})`) as { name: string; origin: string }[];
  return `${table} INDEXED BY ${indexes.find(({ origin }) => origin === "pk")!.name}`;
}
