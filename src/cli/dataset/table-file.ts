import { readFileSync } from "node:fs";
import { sha256Of } from "../../releases/manifest.ts";
import { cellOf, elementOf, type PlainColumn, RowGroups } from "../export/row-groups.ts";
import type { DatasetDraft } from "./draft.ts";
import { datasetFormat, type WrittenFile } from "./index-file.ts";

type Values = readonly (string | number | null)[];

/** Rows after which the next item begins a group. In a file of 140,000 rows the metadata is then nearly as large as two groups. */
const itemGroupRows = 2500;

/** Receives the rows of a file. */
export type AddRow = (values: Values) => void;

/**
 * Writes a Parquet file of a dataset. Equal rows give equal bytes: the file names neither a time nor terms. `fill` adds the rows; if it
 * returns false, nothing is written and the result is null. With `byItem` the rows are sorted by their first column and in small groups, so
 * that a reader of one item needs few bytes; no item is in two groups unless it fills one.
 */
export function writeTable(
  draft: DatasetDraft,
  path: string,
  columns: readonly PlainColumn[],
  fill: (add: AddRow) => boolean,
  { byItem = false }: { byItem?: boolean } = {},
): WrittenFile | null {
  const place = draft.add(path);
  const writer = new RowGroups(place, columns.map(elementOf), `itemtape-dataset ${datasetFormat}`, { byItem });
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
    if (!fill(add)) {
      draft.drop(path);
      return null;
    }
    writer.close({ dataset: datasetFormat });
  } finally {
    writer.abandon();
  }
  const bytes = readFileSync(place);
  // A file ends with the length of its metadata and four letters.
  const footer_bytes = bytes.readUInt32LE(bytes.length - 8) + 8;
  return { path, rows, bytes: bytes.length, footer_bytes, sha256: sha256Of(bytes) };
}
