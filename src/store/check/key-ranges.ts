import type { Database } from "../database.ts";
import type { Pieces } from "./finding.ts";

type Client = Database["$client"];
/** Values of the columns of a key. */
export type Key = readonly unknown[];

/** Reads the rows after a key, null: from the first row, up to another. */
type RowsOf<Row> = (after: Key | null, upTo: Key) => IterableIterator<Row>;

/** Goes over a table in the order of a key, some rows at a time: a range is after one key (null: from the first row) up to another. */
export class KeyRanges {
  readonly #client: Client;
  readonly #table: string;
  readonly #key: readonly string[];
  readonly #at;
  readonly #end;
  readonly #isAfter;

  /** `key`: the columns of the primary key, or `rowid`. `rows`: rows of a range. */
  constructor(client: Client, table: string, key: readonly string[], rows: number) {
    this.#client = client;
    this.#table = table;
    this.#key = key;
    const [columns, places] = [key.join(), key.map(() => "?").join()];
    const descending = key.map((column) => `${column} DESC`).join();
    this.#at = this.#onRange(
      (range) => `SELECT ${columns} FROM ${table} ${range} ORDER BY ${columns} LIMIT 1 OFFSET ${rows - 1}`,
    );
    this.#end = this.#onRange((range) => `SELECT ${columns} FROM ${table} ${range} ORDER BY ${descending} LIMIT 1`);
    this.#isAfter = client.prepare<unknown[], number>(`SELECT (${places}) > (${places})`).pluck();
  }

  /**
   * Calls `look` with each range, in a piece of its own.
   * @throws {RangeError} when the rows are not in the order of their key: damaged keys could lead around in a circle.
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

  /** Prepares a query of the rows of a range; `text` makes it of the condition that they meet. A row is a list of its columns. */
  lists<Row extends readonly unknown[]>(text: (isWithin: string) => string): RowsOf<Row> {
    return this.#rows((isWithin) => this.#client.prepare<unknown[], Row>(text(isWithin)).raw());
  }

  /** Prepares the same, but a row has its columns by name. */
  records<Row>(text: (isWithin: string) => string): RowsOf<Row> {
    return this.#rows((isWithin) => this.#client.prepare<unknown[], Row>(text(isWithin)));
  }

  #rows<Row>(prepare: (isWithin: string) => { iterate(...values: unknown[]): IterableIterator<Row> }): RowsOf<Row> {
    const upToKey = this.#compared("<=");
    const [first, later] = [prepare(upToKey), prepare(`${this.#compared(">")} AND ${upToKey}`)];
    return (after, upTo) => (after === null ? first.iterate(...upTo) : later.iterate(...after, ...upTo));
  }

  /** Returns the last key of the range after a key; null: no row is left. */
  #next(after: Key | null): Key | null {
    const upTo = this.#at(after) ?? this.#end(after);
    if (upTo !== null && after !== null && this.#isAfter.get(...upTo, ...after) !== 1)
      throw new RangeError(`the rows of ${this.#table} are not in the order of their key`);
    return upTo;
  }

  #onRange(text: (range: string) => string): (after: Key | null) => Key | null {
    const prepare = (range: string) => this.#client.prepare<unknown[], Key>(text(range)).raw();
    const [first, later] = [prepare(""), prepare(`WHERE ${this.#compared(">")}`)];
    return (after) => (after === null ? first.get() : later.get(...after)) ?? null;
  }

  #compared(operator: string): string {
    return `(${this.#key.join()}) ${operator} (${this.#key.map(() => "?").join()})`;
  }
}
