import { usageError } from "../command.ts";
import type { ExportWriter } from "./writer.ts";

/** Makes the writer of a file that is there and empty. `bytes`, where a format has it, takes the answer as it comes. */
type Open = (path: string) => Promise<ExportWriter & { bytes?(chunk: Uint8Array): void }>;

/** Formats of the file. Libraries are loaded when a format is asked for. */
export const formats = {
  ndjson: async (path) => new (await import("./ndjson-writer.ts")).NdjsonWriter(path),
  csv: async (path) => new (await import("./csv-writer.ts")).CsvWriter(path),
  parquet: async (path) => new (await import("./parquet-writer.ts")).ParquetWriter(path),
  sqlite: async (path) => new (await import("./sqlite-writer.ts")).SqliteWriter(path),
} as const satisfies Record<string, Open>;

export type FormatName = keyof typeof formats;

/**
 * Returns the format of that name.
 * @throws {OperatorError} for an unknown one; it lists them.
 */
export function formatOf(text: string | undefined): FormatName {
  const names = Object.keys(formats) as FormatName[];
  const name = names.find((one) => one === text);
  if (name !== undefined) return name;
  throw usageError(`--format: takes one of ${names.join(", ")}`);
}
