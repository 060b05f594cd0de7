import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter as FileWriter } from "hyparquet-writer";
import { dayMs } from "../../values/time/calendar.ts";
import { FileSink } from "./file-sink.ts";

/** A value of a cell. INT64 columns need bigint, and columns of times and days Date. */
export type Cell = string | number | bigint | boolean | Date | null;
/** A column of plain values: a time is RFC 3339 or UTC ms, a day counts from 1970, a boolean is 0 or 1. */
export type PlainColumn = { name: string; kind: "text" | "integer" | "time" | "day" | "boolean"; isNullable: boolean };

/** Limits of a row group. Only one group is in memory. */
const groupRowsMax = 50_000;
const groupCharsMax = 8 * 1024 * 1024;

/**
 * Writes a file in row groups of limited size. Facts of the whole file are in its key-value metadata as `itemtape.…`. With `byItem` only the
 * first column has statistics, which were half of the metadata, and numbers are written as differences, which halves amounts.
 */
export class RowGroups {
  readonly #sink: FileSink;
  readonly #bytes = new SinkBytes();
  readonly #file: FileWriter;
  readonly #columns: readonly SchemaElement[];
  readonly #byItem: boolean;
  #group: Cell[][] = [];
  #chars = 0;

  constructor(path: string, columns: readonly SchemaElement[], createdBy = "itemtape", { byItem = false } = {}) {
    this.#sink = new FileSink(path);
    this.#columns = columns;
    this.#byItem = byItem;
    const schema = [{ name: "root", num_children: columns.length }, ...columns];
    this.#file = new FileWriter({ writer: this.#bytes, schema, createdBy });
    this.#beginGroup();
  }

  /** Adds a row. `chars`: the characters of its long texts. */
  add(values: readonly Cell[], chars: number): void {
    for (const [column, value] of values.entries()) this.#group[column]!.push(value);
    this.#chars += chars;
    if (this.#group[0]!.length >= groupRowsMax || this.#chars >= groupCharsMax) this.endGroup();
  }

  /** Writes the metadata and closes the file. */
  close(facts: object): void {
    this.endGroup();
    const metadata = Object.entries(facts);
    this.#file.kvMetadata = metadata.map(([name, value]) => ({ key: `itemtape.${name}`, value: String(value) }));
    void this.#file.finish();
    if (this.#file.row_groups.length === 0) this.#bytes.typeGroups();
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

  /** Writes the rows of the group. The next row begins another group. */
  endGroup(): void {
    const rowGroupSize = this.#group[0]!.length;
    if (rowGroupSize === 0) return;
    const columnData = this.#columns.map(({ name, type }, column) => {
      const options = this.#byItem ? { statistics: column === 0, ...(type === "INT64" ? differences : {}) } : {};
      return { name, data: this.#group[column]!, offsetIndex: false, ...options };
    });
    void this.#file.write({ columnData, rowGroupSize });
    this.#bytes.drainInto(this.#sink);
    this.#beginGroup();
  }
}

const differences = { encoding: "DELTA_BINARY_PACKED" } as const;

/** Metadata of a file without rows: 0 rows, then an empty list of groups, which the library leaves without a type. */
const untypedGroups = Buffer.from([0x16, 0x00, 0x19, 0x00]);
const typeOfGroups = 0x0c;

/** Buffers the bytes from the library until they are written. Offsets continue to count. */
class SinkBytes extends ByteWriter {
  /** Gives the empty list of groups its type. Readers in Rust refuse a list without one. */
  typeGroups(): void {
    const at = Buffer.from(this.getBytes()).lastIndexOf(untypedGroups);
    this.view.setUint8(at + untypedGroups.length - 1, typeOfGroups);
  }

  drainInto(sink: FileSink): void {
    sink.append(this.getBytes());
    this.index = 0;
  }
}

/** Returns the element of a column in the schema. */
export function elementOf({ name, kind, isNullable }: PlainColumn): SchemaElement {
  const repetition_type = isNullable ? "OPTIONAL" : "REQUIRED";
  if (kind === "integer") return { name, type: "INT64", repetition_type };
  if (kind === "time") return { name, type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type };
  if (kind === "day") return { name, type: "INT32", converted_type: "DATE", repetition_type };
  if (kind === "boolean") return { name, type: "BOOLEAN", repetition_type };
  return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type };
}

/** Converts a plain value of a column. */
export function cellOf(value: string | number | null, kind: PlainColumn["kind"]): Cell {
  if (value === null || kind === "text") return value;
  if (kind === "integer") return BigInt(value);
  if (kind === "boolean") return value === 1;
  return new Date(kind === "day" ? Number(value) * dayMs : value);
}
