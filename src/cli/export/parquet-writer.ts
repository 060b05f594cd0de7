import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter as FileWriter } from "hyparquet-writer";
import { type DayColumn, type DayResolution, type DayValue, dayColumns } from "./day-rows.ts";
import { FileSink } from "./file-sink.ts";
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

type Value = string | number | bigint | Date | null;

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

/** Limits of a row group. Only one group is in memory. */
const groupRowsMax = 50_000;
const groupCharsMax = 8 * 1024 * 1024;

/** Writes a file in row groups of limited size. Facts of the whole file are in its key-value metadata as `itemtape.…`. */
class RowGroups<Facts> {
  readonly #sink: FileSink;
  readonly #bytes = new SinkBytes();
  readonly #file: FileWriter;
  readonly #columns: readonly SchemaElement[];
  readonly #metadataOf: (facts: Facts) => object;
  #group: Value[][] = [];
  #chars = 0;

  constructor(path: string, columns: readonly SchemaElement[], metadataOf: (facts: Facts) => object) {
    this.#sink = new FileSink(path);
    this.#columns = columns;
    this.#metadataOf = metadataOf;
    const schema = [{ name: "root", num_children: columns.length }, ...columns];
    this.#file = new FileWriter({ writer: this.#bytes, schema, createdBy: "itemtape" });
    this.#beginGroup();
  }

  /** Adds a row. `chars`: the characters of its long texts. */
  protected add(values: readonly Value[], chars: number): void {
    for (const [column, value] of values.entries()) this.#group[column]!.push(value);
    this.#chars += chars;
    if (this.#group[0]!.length >= groupRowsMax || this.#chars >= groupCharsMax) this.#endGroup();
  }

  finish(facts: Facts, providers: readonly ProviderTerms[]): void {
    this.#endGroup();
    const metadata = Object.entries({ ...this.#metadataOf(facts), providers: JSON.stringify(providers) });
    this.#file.kvMetadata = metadata.map(([name, value]) => ({ key: `itemtape.${name}`, value: String(value) }));
    void this.#file.finish();
    this.#bytes.drainInto(this.#sink);
    this.#sink.finish();
  }

  abandon(): void {
    this.#sink.abandon();
  }

  #beginGroup(): void {
    this.#group = this.#columns.map(() => []);
    this.#chars = 0;
  }

  #endGroup(): void {
    const rowGroupSize = this.#group[0]!.length;
    if (rowGroupSize === 0) return;
    const columnData = this.#columns.map(({ name }, column) => {
      return { name, data: this.#group[column]!, offsetIndex: false };
    });
    void this.#file.write({ columnData, rowGroupSize });
    this.#bytes.drainInto(this.#sink);
    this.#beginGroup();
  }
}

/** Writes a row per quote, or a row without a side for an item without quotes. */
export class ParquetWriter extends RowGroups<ExportFacts> implements ExportWriter {
  constructor(path: string) {
    super(path, columns, metadataOf);
  }

  item(item: ExportItem): void {
    for (const side of sides) for (const quote of item[side]) this.#row(item, sideNames[side], quote);
    if (item.asks.length + item.bids.length === 0) this.#row(item, null, null);
  }

  #row({ item_id, market_hash_name, phase, availability }: ExportItem, side: string | null, quote: ExportQuote | null) {
    const asOf = quote?.as_of ?? null;
    const row: Value[] = [
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
export class DayParquetWriter extends RowGroups<DayFacts> implements DayWriter {
  readonly #kinds: readonly DayColumn["kind"][];

  constructor(path: string, resolution: DayResolution) {
    const columns = dayColumns[resolution];
    super(path, columns.map(elementOf), (facts) => facts);
    this.#kinds = columns.map(({ kind }) => kind);
  }

  row(values: readonly DayValue[]): void {
    this.add(
      values.map((value, index) => parquetValue(value, this.#kinds[index]!)),
      0,
    );
  }
}

/** Buffers the bytes from the library until they are written. Offsets continue to count. */
class SinkBytes extends ByteWriter {
  drainInto(sink: FileSink): void {
    sink.append(this.getBytes());
    this.index = 0;
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

function elementOf({ name, kind, isNullable }: DayColumn): SchemaElement {
  const repetition_type = isNullable ? "OPTIONAL" : "REQUIRED";
  if (kind === "integer") return { name, type: "INT64", repetition_type };
  if (kind === "time") return { name, type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type };
  return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type };
}

function parquetValue(value: DayValue, kind: DayColumn["kind"]): Value {
  if (value === null || kind === "text") return value;
  return kind === "integer" ? BigInt(value) : new Date(value);
}
