import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { PartFile } from "../export/part-file.ts";
import { cellOf, elementOf, type PlainColumn, RowGroups } from "../export/row-groups.ts";
import { type DatasetFile, datasetFormat } from "./index-file.ts";

type Values = readonly (string | number | null)[];

/** Rows after which the next item begins a group. In a file of some 100,000 rows the metadata is then as large as a group. */
const itemGroupRows = 2500;

/** Receives the rows of a file. */
export type AddRow = (values: Values) => void;

/**
 * Writes a Parquet file of a dataset. Equal rows give equal bytes: the file names neither a time nor terms. A file with the same bytes is not
 * replaced. `fill` adds the rows; if it returns false, nothing is written and the result is null. With `byItem` the rows are sorted by their
 * first column and in small groups, so that a reader of one item needs few bytes; no item is in two groups unless it fills one.
 */
export function writeTable(
  folder: string,
  path: string,
  columns: readonly PlainColumn[],
  fill: (add: AddRow) => boolean,
  { byItem = false }: { byItem?: boolean } = {},
): Pick<DatasetFile, "path" | "rows" | "bytes" | "footer_bytes" | "sha256"> | null {
  const target = resolve(folder, path);
  makeFolder(dirname(target));
  const part = new PartFile(target, { mayReplace: true });
  try {
    const writer = new RowGroups(part.path, columns.map(elementOf), `itemtape-dataset ${datasetFormat}`);
    let rows = 0;
    let first = 0;
    let item: Values[number] | undefined;
    try {
      const add = (values: Values) => {
        if (byItem && rows - first >= itemGroupRows && values[0] !== item) {
          writer.endGroup();
          first = rows;
        }
        item = values[0];
        rows += 1;
        let chars = 0;
        const cells = values.map((value, index) => {
          if (typeof value === "string") chars += value.length;
          return cellOf(value, columns[index]!.kind);
        });
        writer.add(cells, chars);
      };
      if (!fill(add)) return null;
      writer.close({ dataset: datasetFormat });
    } finally {
      writer.abandon();
    }
    const bytes = readFileSync(part.path);
    const sha256 = sha256Of(bytes);
    if (sha256 !== digestOf(target)) publishForAll(part);
    // A file ends with the length of its metadata and four letters.
    const footer_bytes = bytes.readUInt32LE(bytes.length - 8) + 8;
    return { path, rows, bytes: bytes.length, footer_bytes, sha256 };
  } finally {
    part.remove();
  }
}

/** Creates a folder that every user may read, as a web server does, with its parents. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
}

/** Publishes a file that every user may read. */
export function publishForAll(part: PartFile): void {
  chmodSync(part.path, 0o644);
  part.publish();
}

/** Returns the SHA-256 of a file in hexadecimal, or null if it does not exist. */
export function digestOf(path: string): string | null {
  try {
    return sha256Of(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Returns the SHA-256 of bytes in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
