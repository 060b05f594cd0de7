import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Cs2LibName, Cs2LibRow } from "./cs2-lib-rows.ts";

/**
 * The source package of a packed list. `published` is its UTC publication day, for example `2026-05-16`. `licenseText` is the full license.
 */
type ListSource = {
  name: string;
  version: string;
  published: string;
  license: string;
  licenseText: string;
};

/** Rows of cs2-lib's item list, and their names by row id. */
export type NamedRows = {
  items: readonly Cs2LibRow[];
  english: Readonly<Record<string, Cs2LibName>>;
  russian: Readonly<Record<string, Cs2LibName>>;
};

/** A list for the packed format. Its Russian names have no collections. */
export type CompressedList = NamedRows & { source: ListSource };

/** The row fields that the catalog and the pools read. With `delta` each number is stored as the difference from the previous number. */
const fields: Record<Exclude<keyof Cs2LibRow, "image">, "plain" | "delta"> = {
  id: "delta",
  type: "plain",
  def: "plain",
  index: "plain",
  tint: "plain",
  stickerIndex: "delta",
  rarity: "plain",
  altName: "plain",
  wearMin: "plain",
  wearMax: "plain",
  containerType: "plain",
  contents: "delta",
  specials: "delta",
  keys: "delta",
  statTrakless: "plain",
  statTrakOnly: "plain",
  free: "plain",
};

type Column = readonly unknown[];
type CompressedColumns = {
  source: ListSource;
  fields: Record<string, Column>;
  english: Column;
  russian: Column;
  collections: Column;
};

/** Packs a list by columns, because brotli compresses adjacent equal and rising values best. The output is deterministic. */
export function compressList({ source, items, english, russian }: CompressedList): Buffer {
  const columns = Object.entries(fields).map(([field, coding]): [string, Column] => {
    const column = items.map((row) => row[field as keyof Cs2LibRow] ?? null);
    return [field, coding === "delta" ? differences(column) : column];
  });
  const compressed: CompressedColumns = {
    source,
    fields: Object.fromEntries(columns),
    english: items.map(({ id }) => english[id]?.name ?? null),
    russian: items.map(({ id }) => russian[id]?.name ?? null),
    collections: items.map(({ id }) => english[id]?.collectionName ?? null),
  };
  const bytes = Buffer.from(JSON.stringify(compressed));
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}

/** Unpacks the output of `compressList`. */
export function unpackList(bytes: Buffer): CompressedList {
  const compressed = JSON.parse(brotliDecompressSync(bytes).toString("utf8")) as CompressedColumns;
  const columns = Object.entries(fields).map(([field, coding]): [string, Column] => {
    const column = compressed.fields[field]!;
    return [field, coding === "delta" ? sums(column) : column];
  });
  const items = compressed.english.map((_, index) => {
    const row: Record<string, unknown> = {};
    for (const [field, column] of columns) if (column[index] !== null) row[field] = column[index];
    return row as Cs2LibRow;
  });
  const namesOf = (names: Column, collections?: Column) =>
    Object.fromEntries(items.map(({ id }, index) => [id, nameOf(names[index], collections?.[index])]));
  return {
    source: compressed.source,
    items,
    english: namesOf(compressed.english, compressed.collections),
    russian: namesOf(compressed.russian),
  };
}

function nameOf(name: unknown, collectionName: unknown = null): Cs2LibName {
  return { name, ...(collectionName !== null && { collectionName }) } as Cs2LibName;
}

function differences(column: Column): Column {
  let before = 0;
  return column.map((value) => {
    if (Array.isArray(value)) return differences(value);
    if (typeof value !== "number") return value;
    const difference = value - before;
    before = value;
    return difference;
  });
}

function sums(column: Column): Column {
  let sum = 0;
  return column.map((value) => {
    if (Array.isArray(value)) return sums(value);
    if (typeof value !== "number") return value;
    sum += value;
    return sum;
  });
}
