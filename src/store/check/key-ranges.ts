import type { Database } from "../database.ts";
import type { Pieces } from "./finding.ts";

type Client = Database["$client"];
/** Values of the columns of a key. */
export type Key = readonly unknown[];

/** Reads the rows after a key, null: from the first row, up to another. */
type RowsOf<Row> = (after: Key | null, upTo: Key) => IterableIterator<Row>;

/** Goes over a table in the order of a key, some rows at a time: a range is after one key (null: from the first row) up to another. */
export class KeyRanges {
  /** The table as a query names it that reads the table itself and none of its other indexes. */
  readonly from: string;
  readonly #client: Client;
  readonly #table: string;
  readonly #key: readonly string[];
  readonly #steps;
  readonly #at;
  readonly #count;

  /** `key`: the columns of the primary key of a table without rowids, or `rowid`. `rows`: rows of a range. */
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
   * Calls `look` with each range, in a piece of its own.
   * @throws {RangeError} when the rows are not in the order of their key: a damaged key could hide those after it, or lead around in a circle.
   */
  each(pieces: Pieces, look: (after: Key | null, upTo: Key) => void): void {
    for (let after: Key | null = null; ; ) {
      const upTo = pieces(() => {
        const last = this.#next(after);
        if (last !== null) look(after, last);
        return last;
      });
      if (upTo === null) return;
      after = upTo;
    }
  }

  /** Prepares a query of the rows of a range; `text` makes it of the table and the condition that they meet. A row is a list of its columns. */
  lists<Row extends readonly unknown[]>(text: (within: string) => string): RowsOf<Row> {
    return this.#rows((within) => this.#client.prepare<unknown[], Row>(text(within)).raw());
  }

  /** Prepares the same, but a row has its columns by name. */
  records<Row>(text: (within: string) => string): RowsOf<Row> {
    return this.#rows((within) => this.#client.prepare<unknown[], Row>(text(within)));
  }

  #rows<Row>(prepare: (within: string) => { iterate(...values: unknown[]): IterableIterator<Row> }): RowsOf<Row> {
    const upToKey = this.#compared("<=");
    const first = prepare(`${this.from} WHERE ${upToKey}`);
    const later = prepare(`${this.from} WHERE ${this.#compared(">")} AND ${upToKey}`);
    return (after, upTo) => (after === null ? first.iterate(...upTo) : later.iterate(...after, ...upTo));
  }

  /** Returns the last key of the range after a key; null: no row is left. */
  #next(after: Key | null): Key | null {
    const [steps] = this.#steps(after)!;
    if (steps === 0) return null;
    const upTo = this.#at(after, steps - 1)!;
    // A reader of the range stops at the first key that is larger than its last one.
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

/** How a table is read page by page. `after`: less than every key; `read`: returns the rows of the page after a key, none behind the last. */
type Paging<Row, Key> = { after: Key; read(after: Key): Row[]; keyOf(row: Row): Key };

/**
 * Yields a table page by page in the order of its key, each read in a piece of its own, until one is empty.
 * @throws {RangeError} when a page ends at a key that is not after the last one: a damaged key would lead around in a circle.
 */
export function* pagesOf<Row, Key extends string | number>(
  { $client: client }: Database,
  pieces: Pieces,
  table: string,
  { after: first, read, keyOf }: Paging<Row, Key>,
): Generator<Row[]> {
  // SQLite's own order, which the reads follow.
  const isAfter = client.prepare<[Key, Key], number | null>("SELECT ? > ?").pluck();
  for (let after = first; ; ) {
    const rows = pieces(() => read(after));
    if (rows.length === 0) return;
    yield rows;
    const key = keyOf(rows.at(-1)!);
    if (isAfter.get(key, after) !== 1) throw unordered(table);
    after = key;
  }
}

/** Makes the error of a table whose keys do not ascend where they are read in their order. */
export function unordered(table: string): RangeError {
  return new RangeError(`the rows of ${table} are not in the order of their key`);
}

/** A table without rowids is the index of its key: SQLite does not heed `NOT INDEXED` there. */
function fromOf(client: Client, table: string, [column]: readonly string[]): string {
  if (column === "rowid") return `${table} NOT INDEXED`;
  const indexes = client.pragma(`index_list(${table})`) as { name: string; origin: string }[];
  return `${table} INDEXED BY ${indexes.find(({ origin }) => origin === "pk")!.name}`;
}
