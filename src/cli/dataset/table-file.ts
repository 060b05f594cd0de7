import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { PartFile } from "../export/part-file.ts";
import { cellOf, elementOf, type PlainColumn, RowGroups } from "../export/row-groups.ts";
import { type DatasetFile, datasetFormat } from "./index-file.ts";

type Values = readonly (string | number | null)[];

/** Receives the rows of a file. */
export type AddRow = (values: Values) => void;

/**
 * Writes a Parquet file of a dataset. Equal rows give equal bytes: the file names neither a time nor terms. A file with the same bytes is not
 * replaced. `fill` adds the rows; if it returns false, nothing is written and the result is null.
 */
export function writeTable(
  folder: string,
  path: string,
  columns: readonly PlainColumn[],
  fill: (add: AddRow) => boolean,
): Pick<DatasetFile, "path" | "rows" | "bytes" | "sha256"> | null {
  const target = resolve(folder, path);
  makeFolder(dirname(target));
  const part = new PartFile(target, { mayReplace: true });
  try {
    const writer = new RowGroups(part.path, columns.map(elementOf), `itemtape-dataset ${datasetFormat}`);
    let rows = 0;
    try {
      const add = (values: Values) => {
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
    return { path, rows, bytes: bytes.length, sha256 };
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
