/** A JSON value of an answer. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };
export type Row = { readonly [name: string]: Plain };
/**
 * A record without nesting. Nested fields get dotted names such as `current.cost_cents`; lists of records move to `tables`, and only their
 * length stays.
 */
type FlatRecord = { row: Record<string, Plain>; tables: [path: string, rows: readonly Row[]][] };
/** Returns whether to show a field of `record`. */
type Keep = (record: Row, name: string) => boolean;

/** Returns whether `value` is an object, not an array or null. */
export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a non-empty list of records, which is shown as a separate table. */
export function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

/** Flattens nested records to dotted names, and moves lists of records to `tables`. */
export function flattenRecord(record: Row, keep: Keep = () => true, prefix = ""): FlatRecord {
  const flat: FlatRecord = { row: {}, tables: [] };
  for (const [name, value] of Object.entries(record)) {
    if (!keep(record, name)) continue;
    const path = `${prefix}${name}`;
    if (isTable(value)) {
      flat.row[path] = value.length;
      flat.tables.push([path, value]);
    } else if (isRow(value)) {
      const inner = flattenRecord(value, keep, `${path}.`);
      Object.assign(flat.row, inner.row);
      flat.tables.push(...inner.tables);
    } else flat.row[path] = value;
  }
  return flat;
}

/**
 * Returns all column names in the order of their first occurrence. Omits the name of a record that is null in some rows; its fields have
 * columns.
 */
export function columnsOf(rows: readonly Row[]): string[] {
  const paths = new Set(rows.flatMap((row) => Object.keys(row)));
  const hasFields = new Set(Array.from(paths, (path) => path.split(".").slice(0, -1).join(".")));
  return Array.from(paths).filter((path) => !hasFields.has(path));
}

/** Merges the tables with the same name of several records into one table per name. The first column identifies the record. */
export function joinTables(flats: readonly FlatRecord[], keep?: Keep): [name: string, rows: Row[]][] {
  const names = new Set(flats.flatMap(({ tables }) => tables.map(([path]) => path)));
  const inOrder = columnsOf(flats.map(({ row }) => row)).filter((path) => names.has(path));
  return inOrder.map((name) => {
    const rows = flats.flatMap(({ row, tables }) => {
      const [key, value] = Object.entries(row)[0] ?? ["row", null];
      const own = tables.find(([path]) => path === name)?.[1] ?? [];
      return own.map((one) => ({ [key]: value, ...one }));
    });
    return [name, tableRows(name, rows, keep)];
  });
}

/** Flattens the records of a list. Quotes are sorted best first within each item, because the contract gives them no order. */
export function tableRows(name: string, rows: readonly Row[], keep?: Keep): Row[] {
  return bestFirst(name, rows).map((row) => flattenRecord(row, keep).row);
}

function bestFirst(name: string, rows: readonly Row[]): readonly Row[] {
  const sign = name.endsWith("asks") ? 1 : name.endsWith("bids") ? -1 : 0;
  if (sign === 0) return rows;
  const groups = new Map<Plain, Row[]>();
  for (const row of rows) groups.set(row.item_id ?? null, [...(groups.get(row.item_id ?? null) ?? []), row]);
  return [...groups.values()].flatMap((group) =>
    group.sort((one, other) => sign * (Number(one.amount) - Number(other.amount))),
  );
}

/** Lines about age, window and gaps of an answer, and the fields of `meta` that they describe. */
type MetaSummary = { readonly lines: readonly string[]; readonly described: ReadonlySet<string> };

/** Describes age, window and gaps in `meta`, one line each. Absent fields make no line. `data` is the data of the answer. */
export function summarizeMeta(meta: Row, data: Plain = null): MetaSummary {
  const parts = [agePart(meta, data), windowPart(meta)].filter((part) => part !== null);
  return { lines: parts.map(({ line }) => line), described: new Set(parts.flatMap(({ fields }) => fields)) };
}

type MetaPart = { line: string; fields: readonly string[] };

function agePart({ freshness, as_of, timestamp_quality, cache_recently_checked }: Row, data: Plain): MetaPart | null {
  if (freshness === undefined) return null;
  const partly = typeof as_of === "string" ? null : partlyKnownText(data);
  const observed = typeof as_of === "string" ? `observed at ${as_of}` : "when it was observed is not known";
  const quality = typeof timestamp_quality === "string" ? ` (times: ${timestamp_quality})` : "";
  const age = partly ?? `freshness ${String(freshness)}: ${observed}${quality}`;
  const line = `${age}${checkedText(cache_recently_checked)}`;
  return { line, fields: ["freshness", "as_of", "timestamp_quality", "cache_recently_checked"] };
}

/**
 * Counts the known observation times, in words: by provider for one record with quotes, by quote for several records. Returns null if all
 * or none are known.
 */
export function partlyKnownText(data: Plain): string | null {
  const records = (Array.isArray(data) ? data : [data]).filter(isRow);
  const quotes = records.flatMap(({ asks, bids }) => [asks, bids].flatMap((side) => (isTable(side) ? side : [])));
  const isOne = records.length === 1;
  const all = new Set<unknown>(isOne ? quotes.map(({ provider }) => provider) : quotes);
  const unknown = quotes.filter(({ as_of }) => typeof as_of !== "string");
  const without = new Set<unknown>(isOne ? unknown.map(({ provider }) => provider) : unknown);
  if (without.size === 0 || without.size === all.size) return null;
  return `times known for ${all.size - without.size} of ${all.size} ${isOne ? "providers" : "quotes"}`;
}

function checkedText(isRecent: Plain | undefined): string {
  if (isRecent === undefined) return "";
  return isRecent === true ? "; checked with the source within 15 minutes" : "; not checked within 15 minutes";
}

function windowPart({ from, to, resolution, missing_points }: Row): MetaPart | null {
  if (from === undefined || to === undefined) return null;
  const points =
    resolution === undefined ? "" : `, one point ${resolution === "hour" ? "an" : "a"} ${String(resolution)}`;
  const line = `${String(from)} to ${String(to)}${points}${gapsText(missing_points)}`;
  return { line, fields: ["from", "to", "resolution", "missing_points"] };
}

function gapsText(missing: Plain | undefined): string {
  if (missing === undefined) return "";
  return missing === "none" ? "; no gaps" : `; gaps: ${String(missing)}`;
}
