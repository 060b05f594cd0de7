import { type DayResolution, type DayValue, dayColumns } from "./day-rows.ts";
import { FileSink } from "./file-sink.ts";
import {
  type DayWriter,
  type ExportItem,
  type ExportQuote,
  type ExportStart,
  type ExportWriter,
  sideNames,
  sides,
} from "./writer.ts";

/** The columns, in order. The last three are the same in each row: a file of its own for them would get lost. */
export const csvColumns = [
  "item_id",
  "market_hash_name",
  "phase",
  "availability",
  "side",
  "provider",
  "amount",
  "currency",
  "minor_units",
  "quantity",
  "url",
  "as_of",
  "generation",
  "ingested_at",
  "request_id",
] as const;

const noQuote = ",".repeat(7);

/** RFC 4180 in UTF-8: a row per quote, or one with an empty side for an item without quotes; null is an empty field. */
export class CsvWriter implements ExportWriter {
  readonly #sink: FileSink;
  #ofExport = "";

  constructor(path: string) {
    this.#sink = new FileSink(path);
  }

  start({ generation, ingested_at, request_id }: ExportStart): void {
    this.#ofExport = [generation, ingested_at, request_id].map(csvField).join(",");
    this.#sink.append(`${csvColumns.join(",")}\r\n`);
  }

  item(item: ExportItem): void {
    const ofItem = [item.item_id, item.market_hash_name, item.phase, item.availability].map(csvField).join(",");
    const rows = sides.flatMap((side) => item[side].map((quote) => `${sideNames[side]},${quoteFields(quote)}`));
    if (rows.length === 0) rows.push(noQuote);
    for (const row of rows) this.#sink.append(`${ofItem},${row},${this.#ofExport}\r\n`);
  }

  finish(): void {
    this.#sink.close();
  }

  abandon(): void {
    this.#sink.abandon();
  }
}

/** The rows of a day, one for each hour in the hourly resolution. */
export class DayCsvWriter implements DayWriter {
  readonly #sink: FileSink;

  constructor(path: string, resolution: DayResolution) {
    this.#sink = new FileSink(path);
    this.#sink.append(`${dayColumns[resolution].map(({ name }) => name).join(",")}\r\n`);
  }

  row(values: readonly DayValue[]): void {
    this.#sink.append(`${values.map(csvField).join(",")}\r\n`);
  }

  finish(): void {
    this.#sink.close();
  }

  abandon(): void {
    this.#sink.abandon();
  }
}

function quoteFields({ provider, amount, currency, minor_units, quantity, url, as_of }: ExportQuote): string {
  return [provider, amount, currency, minor_units, quantity, url, as_of].map(csvField).join(",");
}

/** Encodes a field, quoted only where RFC 4180 demands it. What a spreadsheet takes for a formula stays what it is: these are data. */
export function csvField(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
