import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { datasetTarget } from "../../releases/folder.ts";
import { kindOfMode } from "../../roi/asks.ts";
import { type Database, readTransaction } from "../../store/database.ts";
import { holdLock } from "../../store/file/lock.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { type DatasetChoice, type DatasetProvider, DatasetRows, datasetTables } from "../../store/read/dataset-rows.ts";
import { parseDay } from "../../values/time/calendar.ts";
import { toTimestampOrNull } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";
import { isSystemError } from "../export/failure.ts";
import type { PlainColumn } from "../export/row-groups.ts";
import { ownFile, reading } from "../open.ts";
import { printResult } from "../print.ts";
import { writeDays } from "./day-files.ts";
import { type BuildParts, DatasetDraft, makeFolder } from "./draft.ts";
import {
  type DatasetFile,
  type DatasetIndex,
  datasetFormat,
  indexName,
  indexText,
  type LeftOut,
  readIndex,
  unlistedFiles,
} from "./index-file.ts";
import { writeItemMonths } from "./item-files.ts";
import { writeTable } from "./table-file.ts";

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
  const isInReleases = resolve(folder, "..", datasetTarget) === resolve(folder, indexName);
  const isSigned = isInReleases && existsSync(resolve(folder, "../metadata"));
  const unsigned = isSigned ? ["the next `release seal` signs its index"] : [];
  const facts = { folder, generation: index.generation, ...counts, left_out: index.left_out };
  printResult(call, facts, [text, ...left, ...unsigned]);
}

/**
 * Builds while no other process builds into the folder.
 * @throws {StoreRefusal} when another build holds the folder's lock, or the disk is full.
 */
function buildAlone(database: Database, order: Order): ReturnType<typeof buildDataset> {
  makeFolder(resolve(order.folder));
  const lock = holdLock(join(order.folder, indexName), "dataset");
  const draft = new DatasetDraft(order.folder);
  try {
    return buildDataset(database, draft, order);
  } catch (error) {
    throw isSystemError(error) ? StoreRefusal.from(order.folder, error) : error;
  } finally {
    draft.remove();
    lock.release();
  }
}

/** Brings the dataset in a folder up to date with the market of a file. */
function buildDataset(database: Database, draft: DatasetDraft, order: Order): { index: DatasetIndex; written: number } {
  const { folder, since, note } = order;
  const rows = new DatasetRows(database);
  const providers = rows.providers().map((of) => ({ ...of, included: isIncluded(of, order) }));
  const out = providers.filter(({ included }) => !included);
  const left = new Set(out.map(({ provider }) => provider));
  const kinds = new Set<string>(out.map(({ kind }) => kind));
  const leftModes = Object.entries(kindOfMode).flatMap(([mode, kind]) => (kinds.has(kind) ? [mode] : []));
  const parts: BuildParts = {
    folder,
    draft,
    left,
    note,
    since: since === null ? 0 : parseDay(since)!,
    before: new Map((readIndex(folder)?.files ?? []).map((file) => [file.path, file])),
    isAllowed: (file) => !file.providers.some((provider) => left.has(provider)),
    isWhole: (file) => file.without.every((provider) => left.has(provider)),
  };
  const days = writeDays(database, parts);
  const months = writeItemMonths(database, parts);
  const { tables, generation } = readTransaction(database, () => ({
    tables: writeTables(rows, { left: [...left], leftModes }, providers, draft),
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
    left_out: leftOut(out, rows.indexesOver([...left]), leftModes),
    missing: days.missing,
    files: [...tables, ...days.files, ...months],
  };
  writeFileSync(draft.add(indexName), indexText(index));
  draft.publish();
  // After the index, so that no reader of the old index loses more files than these.
  for (const path of unlistedFiles(folder, index.files)) rmSync(join(folder, path));
  return { index, written: days.written };
}

function isIncluded({ redistribution }: DatasetProvider, { includesUnknown }: Order): boolean {
  return redistribution === "allowed" || (redistribution === "unknown" && includesUnknown);
}

function writeTables(
  rows: DatasetRows,
  choice: DatasetChoice,
  providers: DatasetIndex["providers"],
  draft: DatasetDraft,
): DatasetFile[] {
  const files = datasetTables.map((path): DatasetFile => {
    const columns = rows.columnsOf(path);
    const at = columns.findIndex(({ name }) => name === "provider");
    const named = new Set<string>();
    const made = writeTable(draft, path, columns, (add) => {
      for (const values of rows.rowsOf(path, choice)) {
        if (at >= 0) named.add(String(values[at]));
        add(values);
      }
      return true;
    });
    return { ...made!, providers: providersOf(path, named, providers), without: [] };
  });
  const listed = writeTable(draft, "providers.parquet", providerColumns, (add) => {
    for (const { included, ...of } of providers)
      add(providerColumns.map(({ name }) => (name === "included" ? Number(included) : of[name as keyof typeof of])));
    return true;
  });
  return [...files, { ...listed!, providers: [], without: [] }].sort((a, b) => (a.path < b.path ? -1 : 1));
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
