import { csvRecord } from "../../values/text/csv.ts";
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

/** The columns, in order. The last three are the same in each row, because a separate file for them would get lost. */
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

/** Writes RFC 4180 in UTF-8: a row per quote, or a row with an empty side for an item without quotes. Null is an empty field. */
export class CsvWriter extends FileSink implements ExportWriter {
  #ofExport = "";

  start({ generation, ingested_at, request_id }: ExportStart): void {
    this.#ofExport = csvRecord([generation, ingested_at, request_id]);
    this.append(`${csvColumns.join(",")}\r\n`);
  }

  item(item: ExportItem): void {
    const ofItem = csvRecord([item.item_id, item.market_hash_name, item.phase, item.availability]);
    const rows = sides.flatMap((side) => item[side].map((quote) => `${sideNames[side]},${quoteFields(quote)}`));
    if (rows.length === 0) rows.push(noQuote);
    for (const row of rows) this.append(`${ofItem},${row},${this.#ofExport}\r\n`);
  }
}

/** Writes the rows of a day, one per hour in the hourly resolution. */
export class DayCsvWriter extends FileSink implements DayWriter {
  constructor(path: string, resolution: DayResolution) {
    super(path);
    this.append(`${dayColumns[resolution].map(({ name }) => name).join(",")}\r\n`);
  }

  row(values: readonly DayValue[]): void {
    this.append(`${csvRecord(values)}\r\n`);
  }
}

function quoteFields({ provider, amount, currency, minor_units, quantity, url, as_of }: ExportQuote): string {
  return csvRecord([provider, amount, currency, minor_units, quantity, url, as_of]);
}
