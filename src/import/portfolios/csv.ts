/** One record of the table. `line` is its first line, from 1. `lines` holds the first line of each field. */
export type CsvRecord = { line: number; fields: string[]; lines: number[] };

/** Thrown for text that is not valid RFC 4180. `line` and `character` give the position, both from 1. The text after it must be ignored. */
export class BrokenCsv extends Error {
  readonly line: number;
  readonly character: number;

  constructor(message: string, line: number, character: number) {
    super(message);
    this.name = "BrokenCsv";
    this.line = line;
    this.character = character;
  }
}

/** Characters that may separate the fields of a record. */
export type Delimiter = "," | ";" | "\t";

type Options = { delimiter?: Delimiter; fieldsMax?: number };

/**
 * Parses CSV records according to RFC 4180, including the header. Quoted fields may contain delimiters, line breaks and doubled quotes. A
 * record ends with CRLF or LF. Empty lines are skipped.
 * @throws {BrokenCsv} when the text is invalid, or a record has more than `fieldsMax` fields.
 */
export function* csvRecords(text: string, options: Options = {}): Generator<CsvRecord> {
  const reader = new Reader(text, options);
  while (!reader.isAtEnd) {
    const record = reader.record();
    if (record !== null) yield record;
  }
}

class Reader {
  readonly #text: string;
  readonly #delimiter: Delimiter;
  readonly #fieldsMax: number;
  readonly #plainField: RegExp;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, { delimiter = ",", fieldsMax = Number.POSITIVE_INFINITY }: Options) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#plainField = new RegExp(`[^"${delimiter}\\r\\n]*`, "y");
    this.#fieldsMax = fieldsMax;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Returns null for an empty line. */
  record(): CsvRecord | null {
    const start = this.#at;
    const record: CsvRecord = { line: this.#line, fields: [], lines: [] };
    do {
      if (record.fields.length === this.#fieldsMax)
        throw this.#broken(`more than ${this.#fieldsMax} fields in one row`);
      record.lines.push(this.#line);
      record.fields.push(this.#text.charAt(this.#at) === '"' ? this.#quoted() : this.#plain());
    } while (this.#skip(this.#delimiter));
    const isEmpty = this.#at === start;
    this.#endOfRecord();
    return isEmpty ? null : record;
  }

  #plain(): string {
    this.#plainField.lastIndex = this.#at;
    this.#plainField.test(this.#text);
    const field = this.#text.slice(this.#at, this.#plainField.lastIndex);
    this.#at = this.#plainField.lastIndex;
    if (this.#text.charAt(this.#at) === '"') throw this.#broken("a quote inside an unquoted field");
    return field;
  }

  #quoted(): string {
    const opening = { line: this.#line, character: this.#character };
    const parts: string[] = [];
    for (this.#at += 1; ; this.#at += 1) {
      const end = this.#text.indexOf('"', this.#at);
      if (end === -1) throw new BrokenCsv("an unclosed quote", opening.line, opening.character);
      parts.push(this.#text.slice(this.#at, end));
      this.#countLines(this.#at, end);
      this.#at = end + 1;
      if (this.#text.charAt(this.#at) !== '"') return parts.join('"');
    }
  }

  #endOfRecord(): void {
    if (this.isAtEnd) return;
    const found = this.#text.charAt(this.#at);
    if (found === "\r" && this.#text.charAt(this.#at + 1) === "\n") this.#at += 1;
    else if (found === "\r") throw this.#broken("a carriage return without a line feed");
    else if (found !== "\n") throw this.#broken("text after a closing quote");
    this.#countLines(this.#at, this.#at + 1);
    this.#at += 1;
  }

  #skip(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Counts lines only up to `to`: searching the whole text for each doubled quote would be far too slow. */
  #countLines(from: number, to: number): void {
    const part = this.#text.slice(from, to);
    for (let found = part.indexOf("\n"); found !== -1; found = part.indexOf("\n", found + 1)) {
      this.#line += 1;
      this.#lineStart = from + found + 1;
    }
  }

  #broken(message: string): BrokenCsv {
    return new BrokenCsv(message, this.#line, this.#character);
  }

  get #character(): number {
    return this.#at - this.#lineStart + 1;
  }
}
