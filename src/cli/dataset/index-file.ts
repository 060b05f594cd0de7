import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatasetProvider } from "../../store/read/dataset-rows.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";

export const indexName = "index.json";
/** Format of files and index. It is in `createdBy` of each file, so that another format changes every digest. */
export const datasetFormat = 1;

/** A sealed day. `feeds` has a bit for each hour with a frame, in hourly files. */
type FileDay = { condition: string; feeds: readonly (readonly [feed: string, hours: number])[] };

/** Days of a month by item. `source` is a digest of the revisions that the rows are made of. */
type FileMonth = { month: string; from: string; until: string; source: string };

/**
 * Facts that files share. `providers` are the slugs with prices in a file, or behind its figures; `without` lists providers that were left out of it.
 * `day` is set for a revision of a day, `month` for rows by item.
 */
type FileFacts = { providers: readonly string[]; without: readonly string[]; day?: FileDay; month?: FileMonth };

/** A file as written. `footer_bytes` are its last bytes, with the metadata. */
export type WrittenFile = { path: string; rows: number; bytes: number; footer_bytes: number; sha256: string };

/** `source` is set for a day: the first 16 digits of the digest of its sealed lines. */
export type DatasetFile = FileFacts & WrittenFile & { source?: string };

/** A revision of a day that the dataset does not have, or not with all its providers. */
export type MissingDay = { date: string; resolution: "daily" | "hourly"; revision: number; why: string };

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

/** The columns of a file in the text. */
const fileColumns = ["path", "rows", "bytes", "footer_bytes", "sha256", "source"] as const;

/** Returns the text of an index. Files with the same facts are a group, because a year has 1,600 files. */
export function indexText({ files, ...facts }: DatasetIndex): string {
  const groups = Map.groupBy(
    files,
    ({ path: _p, rows: _r, bytes: _b, footer_bytes: _f, sha256: _h, source: _s, ...shared }) => JSON.stringify(shared),
  );
  const texts = Array.from(groups, ([shared, members]) => {
    const columns = members.map((file) => fileColumns.flatMap((name) => file[name] ?? []));
    return { ...(JSON.parse(shared) as FileFacts), files: columns };
  });
  return `${JSON.stringify({ ...facts, file_columns: fileColumns, groups: texts })}\n`;
}

/**
 * Parses an index. Errors call it `name`.
 * @throws {OperatorError} when it is not an index of this format.
 */
export function parseIndex(text: string, name: string): DatasetIndex {
  let why = "not valid JSON, as after an interrupted copy";
  try {
    const { groups, file_columns: _columns, ...index } = JSON.parse(text);
    why = "not the index of a dataset of this program";
    if (index.itemtape_dataset === datasetFormat) return { ...index, files: groups.flatMap(filesOf) };
  } catch {
    // Invalid files are handled like another format.
  }
  throw new OperatorError(`${name}: ${why}`, exitCodes.badData);
}

/**
 * Reads the index of a folder, or null without one.
 * @throws {OperatorError} when the folder has another file of its name.
 */
export function readIndex(folder: string): DatasetIndex | null {
  const path = join(folder, indexName);
  try {
    return parseIndex(readFileSync(path, "utf8"), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`${error.message}; name another folder, or remove the file`, exitCodes.cannotCreate);
  }
}

/** @throws {TypeError} when a file is invalid. */
function filesOf({ files, ...shared }: FileFacts & { files: readonly (string | number)[][] }): DatasetFile[] {
  return files.map((columns) => {
    const values = fileColumns.map((name, index) => [name, columns[index]]).filter(([, value]) => value !== undefined);
    const file = { ...shared, ...Object.fromEntries(values) } as DatasetFile;
    if (!isFile(file)) throw new TypeError("not a file of a dataset");
    return file;
  });
}

/** A path stays in the folder, because a publisher's index decides which files a reader opens. */
function isFile({ path, bytes, sha256, providers, without }: DatasetFile): boolean {
  const isPath = typeof path === "string" && /^[a-z0-9][a-z0-9=.-]*(\/[a-z0-9][a-z0-9=.-]*)*$/.test(path);
  const isWhole = Number.isSafeInteger(bytes) && bytes > 0 && /^[0-9a-f]{64}$/.test(sha256);
  return isPath && isWhole && Array.isArray(providers) && Array.isArray(without);
}

/** Returns the files of days and months in a folder that are not in `files`: of a killed build, or copied there. Readers of the folder read them. */
export function unlistedFiles(folder: string, files: readonly DatasetFile[]): string[] {
  const listed = new Set(files.map(({ path }) => path));
  const roots = ["daily", "hourly", "superseded", "by-item"].filter((root) => existsSync(join(folder, root)));
  return roots
    .flatMap((root) => readdirSync(join(folder, root), { recursive: true }).map((name) => `${root}/${name}`))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\/(date|month)=[\d-]+\/(revision|bucket)=\d+\.parquet$/.test(path) && !listed.has(path))
    .sort();
}
