import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { kindOfMode } from "../../roi/asks.ts";
import { type Database, readTransaction } from "../../store/database.ts";
import { holdLock } from "../../store/file/lock.ts";
import { type DatasetChoice, type DatasetProvider, DatasetRows, datasetTables } from "../../store/read/dataset-rows.ts";
import { parseDay } from "../../values/time/calendar.ts";
import { toTimestampOrNull } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";
import { PartFile } from "../export/part-file.ts";
import type { PlainColumn } from "../export/row-groups.ts";
import { ownFile, reading } from "../open.ts";
import { printResult } from "../print.ts";
import { writeDays } from "./day-files.ts";
import {
  type DatasetFile,
  type DatasetIndex,
  datasetFormat,
  indexName,
  type LeftOut,
  readIndex,
} from "./index-file.ts";
import { writeItemMonths } from "./item-files.ts";
import { digestOf, makeFolder, publishForAll, sha256Of, writeTable } from "./table-file.ts";

type Order = { folder: string; since: string | null; includesUnknown: boolean; note: (text: string) => void };

const providerColumns: readonly PlainColumn[] = [
  ...["provider", "name", "kind"].map((name) => ({ name, kind: "text" as const, isNullable: false })),
  ...["terms_url", "terms_read_on"].map((name) => ({ name, kind: "text" as const, isNullable: true })),
  { name: "redistribution", kind: "text", isNullable: false },
  { name: "attribution", kind: "text", isNullable: true },
  { name: "included", kind: "boolean", isNullable: false },
];

/** Runs `dataset build`. */
export async function build(call: Call): Promise<void> {
  const folder = call.flag("to") ?? "";
  if (folder === "") throw usageError("--to is missing: name the folder of the dataset");
  const since = call.flag("since") ?? null;
  if (since !== null && parseDay(since) === null) throw usageError("--since: must be a UTC day such as 2026-01-31");
  const order = { folder, since, includesUnknown: call.has("include-unknown"), note: call.out.note };
  const { index, written } = await reading(await ownFile(call), (database) => buildAlone(database, order));
  const bytes = index.files.reduce((sum, file) => sum + file.bytes, 0);
  const counts = { files: index.files.length, days_written: written, bytes, missing: index.missing.length };
  const left = index.left_out.map(({ what, name, why }) => `left out: ${what} ${name} (${why})`);
  const text = `${folder}: ${counts.files} files of ${index.generation ?? "a market without prices"}, ${bytes} bytes, ${written} written for days`;
  printResult(call, { folder, generation: index.generation, ...counts, left_out: index.left_out }, [text, ...left]);
}

/**
 * Builds while no other process builds into the folder.
 * @throws {StoreRefusal} when another build holds the folder's lock.
 */
function buildAlone(database: Database, order: Order): ReturnType<typeof buildDataset> {
  makeFolder(resolve(order.folder));
  const lock = holdLock(join(order.folder, indexName), "dataset");
  try {
    return buildDataset(database, order);
  } finally {
    lock.release();
  }
}

/** Brings the dataset in a folder up to date with the market of a file. The index is written last. */
function buildDataset(database: Database, order: Order): { index: DatasetIndex; written: number } {
  const { folder, since, note } = order;
  const rows = new DatasetRows(database);
  const providers = rows.providers().map((of) => ({ ...of, included: isIncluded(of, order) }));
  const left = providers.filter(({ included }) => !included);
  const slugs = left.map(({ provider }) => provider);
  const kinds = new Set<string>(left.map(({ kind }) => kind));
  const leftModes = Object.entries(kindOfMode).flatMap(([mode, kind]) => (kinds.has(kind) ? [mode] : []));
  const old = readIndex(folder);
  const before = new Map(reusable(old, slugs).map((file) => [file.path, file]));
  const from = since === null ? 0 : parseDay(since)!;
  const days = writeDays(database, { folder, since: from, left: new Set(slugs), before, note });
  const months = writeItemMonths(database, { folder, since: from, left: slugs, before });
  const { tables, generation } = readTransaction(database, () => ({
    tables: writeTables(rows, { left: slugs, leftModes }, providers, folder),
    generation: rows.generation(),
  }));
  const index: DatasetIndex = {
    itemtape_dataset: datasetFormat,
    generation: generation?.generation ?? null,
    ingested_at: toTimestampOrNull(generation?.ingestedAt ?? null),
    currency: "USD",
    minor_units: 2,
    since,
    providers,
    left_out: leftOut(left, rows.indexesOver(slugs), leftModes),
    missing: days.missing,
    files: [...tables, ...days.files, ...months],
  };
  writeIndex(folder, index);
  // Removed after the index, so that no reader of the old index loses more files than these.
  const paths = new Set(index.files.map(({ path }) => path));
  for (const { path } of old?.files ?? []) if (!paths.has(path)) rmSync(join(folder, path), { force: true });
  return { index, written: days.written };
}

function isIncluded({ redistribution }: DatasetProvider, { includesUnknown }: Order): boolean {
  return redistribution === "allowed" || (redistribution === "unknown" && includesUnknown);
}

/** Returns the day files of the last index that have exactly the providers of now: the superseded ones have at most these. */
function reusable(old: DatasetIndex | null, left: readonly string[]): DatasetFile[] {
  const wasLeft = new Set((old?.providers ?? []).filter(({ included }) => !included).map(({ provider }) => provider));
  const isBack = [...wasLeft].some((provider) => !left.includes(provider));
  return (old?.files ?? []).filter(
    ({ day, month, providers }) =>
      (day !== null || month !== undefined) &&
      !providers.some((provider) => left.includes(provider)) &&
      (day?.superseded === true || !isBack),
  );
}

function writeTables(
  rows: DatasetRows,
  choice: DatasetChoice,
  providers: DatasetIndex["providers"],
  folder: string,
): DatasetFile[] {
  const files = datasetTables.map((path): DatasetFile => {
    const columns = rows.columnsOf(path);
    const at = columns.findIndex(({ name }) => name === "provider");
    const named = new Set<string>();
    const made = writeTable(folder, path, columns, (add) => {
      for (const values of rows.rowsOf(path, choice)) {
        if (at >= 0) named.add(String(values[at]));
        add(values);
      }
      return true;
    });
    return { ...made!, providers: providersOf(path, named, providers), day: null };
  });
  const listed = writeTable(folder, "providers.parquet", providerColumns, (add) => {
    for (const { included, ...of } of providers)
      add(providerColumns.map(({ name }) => (name === "included" ? Number(included) : of[name as keyof typeof of])));
    return true;
  });
  return [...files, { ...listed!, providers: [], day: null }].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the providers with prices in a table, or behind its figures. Any included provider may be behind returns. */
function providersOf(path: string, named: ReadonlySet<string>, providers: DatasetIndex["providers"]): string[] {
  const isMade = path.startsWith("indexes/levels") || path.startsWith("returns/");
  const all = providers.filter(({ included }) => included).map(({ provider }) => provider);
  return isMade ? all : [...named].sort();
}

function leftOut(left: readonly DatasetProvider[], indexes: readonly string[], modes: readonly string[]): LeftOut[] {
  const because = left.map(({ provider }) => provider).join(", ");
  return [
    ...left.map(({ provider, redistribution }): LeftOut => {
      const why = redistribution === "unknown" ? "its terms are unknown" : "its terms forbid passing on prices";
      return { what: "provider", name: provider, why };
    }),
    ...indexes.map((name): LeftOut => ({ what: "index", name, why: "it is over a provider that is left out" })),
    ...modes.map((name): LeftOut => ({ what: "returns", name, why: `they may use prices of ${because}` })),
  ];
}

function writeIndex(folder: string, index: DatasetIndex): void {
  const target = join(folder, indexName);
  const text = `${JSON.stringify(index)}\n`;
  if (digestOf(target) === sha256Of(Buffer.from(text))) return;
  const part = new PartFile(target, { mayReplace: true });
  try {
    writeFileSync(part.path, text);
    publishForAll(part);
  } finally {
    part.remove();
  }
}
