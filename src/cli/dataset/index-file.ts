import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatasetProvider } from "../../store/read/dataset-rows.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";

export const indexName = "index.json";
/** Format of files and index. It is in `createdBy` of each file, so that another format changes every digest. */
export const datasetFormat = 1;

/** A sealed day of a file. `source` is the digest of its sealed lines. `feeds` has a bit for each hour with a frame. */
type FileDay = {
  date: string;
  resolution: "daily" | "hourly";
  revision: number;
  condition: string;
  source: string;
  feeds: readonly (readonly [feed: string, hours: number])[];
  superseded: boolean;
};

/** A month of the items of a bucket, until a day. `source` is a digest of the revisions that it is made of. */
type FileMonth = { month: string; until: string; bucket: number; source: string };

/**
 * A file of a dataset. `footer_bytes` are its last bytes, with the metadata. `providers` are the slugs with prices in it, or behind its figures. `day` is null
 * for a table, and `month` is set for rows by item.
 */
export type DatasetFile = {
  path: string;
  rows: number;
  bytes: number;
  footer_bytes: number;
  sha256: string;
  providers: readonly string[];
  day: FileDay | null;
  month?: FileMonth;
};

/** A revision of a day that the dataset does not have. */
export type MissingDay = Pick<FileDay, "date" | "resolution" | "revision"> & { why: string };

/** Something that is left out, with the reason. */
export type LeftOut = { what: "provider" | "index" | "returns"; name: string; why: string };

export type DatasetIndex = {
  itemtape_dataset: typeof datasetFormat;
  generation: string | null;
  ingested_at: string | null;
  currency: "USD";
  minor_units: 2;
  since: string | null;
  providers: readonly (DatasetProvider & { included: boolean })[];
  left_out: readonly LeftOut[];
  missing: readonly MissingDay[];
  files: readonly DatasetFile[];
};

/**
 * Parses an index. Errors call it `name`.
 * @throws {OperatorError} when it is not an index of this format.
 */
export function parseIndex(text: string, name: string): DatasetIndex {
  try {
    const index = JSON.parse(text) as Partial<DatasetIndex>;
    if (index.itemtape_dataset === datasetFormat && isFiles(index.files)) return index as DatasetIndex;
  } catch {
    // Invalid JSON is handled like another format.
  }
  throw new OperatorError(`${name}: not the index of a dataset of this program`, exitCodes.badData);
}

/** Reads the index of a folder, or null without one. */
export function readIndex(folder: string): DatasetIndex | null {
  const path = join(folder, indexName);
  try {
    return parseIndex(readFileSync(path, "utf8"), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function isFiles(files: unknown): files is readonly DatasetFile[] {
  return Array.isArray(files) && files.every(isFile);
}

/** A path stays in the folder, because a publisher's index decides which files a reader opens. */
function isFile({ path, bytes, sha256 }: Partial<DatasetFile>): boolean {
  const isPath = typeof path === "string" && /^[a-z0-9][a-z0-9=.-]*(\/[a-z0-9][a-z0-9=.-]*)*$/.test(path);
  return isPath && Number.isSafeInteger(bytes) && bytes! > 0 && /^[0-9a-f]{64}$/.test(sha256 ?? "");
}
