import type { SchemaElement } from "hyparquet";
import { type DayColumn, type DayResolution, type DayValue, dayColumns } from "./day-rows.ts";
import { type Cell, cellOf, elementOf, RowGroups } from "./row-groups.ts";
import {
  type DayFacts,
  type DayWriter,
  type ExportFacts,
  type ExportItem,
  type ExportQuote,
  type ExportWriter,
  type ProviderTerms,
  sideNames,
  sides,
} from "./writer.ts";

const columns: readonly SchemaElement[] = [
  { name: "item_id", type: "INT32", repetition_type: "REQUIRED" },
  { name: "market_hash_name", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
  { name: "phase", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "availability", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
  { name: "side", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "provider", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "amount", type: "INT64", repetition_type: "OPTIONAL" },
  { name: "currency", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "minor_units", type: "INT32", repetition_type: "OPTIONAL" },
  { name: "quantity", type: "INT64", repetition_type: "OPTIONAL" },
  { name: "url", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "as_of", type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type: "OPTIONAL" },
];

/** Writes a row per quote, or a row without a side for an item without quotes. */
export class ParquetWriter extends RowGroups implements ExportWriter {
  constructor(path: string) {
    super(path, columns);
  }

  finish(facts: ExportFacts, providers: readonly ProviderTerms[]): void {
    this.close({ ...metadataOf(facts), providers: JSON.stringify(providers) });
  }

  item(item: ExportItem): void {
    for (const side of sides) for (const quote of item[side]) this.#row(item, sideNames[side], quote);
    if (item.asks.length + item.bids.length === 0) this.#row(item, null, null);
  }

  #row({ item_id, market_hash_name, phase, availability }: ExportItem, side: string | null, quote: ExportQuote | null) {
    const asOf = quote?.as_of ?? null;
    const row: Cell[] = [
      item_id,
      market_hash_name,
      phase,
      availability,
      side,
      quote?.provider ?? null,
      bigOrNull(quote?.amount),
      quote?.currency ?? null,
      quote?.minor_units ?? null,
      bigOrNull(quote?.quantity),
      quote?.url ?? null,
      asOf === null ? null : new Date(asOf),
    ];
    this.add(row, market_hash_name.length + (quote?.url?.length ?? 0));
  }
}

/** Writes the rows of a day. Its date is in the folder's name and in the metadata. */
export class DayParquetWriter extends RowGroups implements DayWriter {
  readonly #kinds: readonly DayColumn["kind"][];

  constructor(path: string, resolution: DayResolution) {
    const columns = dayColumns[resolution];
    super(path, columns.map(elementOf));
    this.#kinds = columns.map(({ kind }) => kind);
  }

  row(values: readonly DayValue[]): void {
    this.add(
      values.map((value, index) => cellOf(value, this.#kinds[index]!)),
      0,
    );
  }

  finish(facts: DayFacts, providers: readonly ProviderTerms[]): void {
    this.close({ ...facts, providers: JSON.stringify(providers) });
  }
}

function bigOrNull(value: number | null | undefined): bigint | null {
  return value === null || value === undefined ? null : BigInt(value);
}

function metadataOf({ start, items, quotes, digest, digestChecked }: ExportFacts): object {
  const { generation, ingested_at, generated_at, request_id, catalog_max_item_id } = start;
  const ofStart = { generation, ingested_at, generated_at, request_id, catalog_max_item_id };
  return { ...ofStart, items, quotes, digest, digest_checked: digestChecked };
}
