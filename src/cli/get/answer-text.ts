import { fieldText, isRow, isTable, type Plain, type Row, titleOf } from "./field-text.ts";
import { type Laid, layTable, wrapped } from "./table.ts";

/** In `row` a list of records is its length; the records are in `tables`. */
type Flat = { row: Record<string, Plain>; tables: [path: string, rows: readonly Row[]][] };

const indent = "  ";

/**
 * What `data` of an answer says, for people: lists as tables, one record as a list of its fields. With `fields`, paths that the
 * contract has, these alone, whether they fit or not.
 */
export function dataText(data: Plain, width: number, fields: readonly string[] | null = null): string[] {
  if (Array.isArray(data)) return listText(data.filter(isRow), width, fields);
  return isRow(data) ? recordText(data, width, fields) : [fieldText("", data).text];
}

function listText(rows: readonly Row[], width: number, fields: readonly string[] | null): string[] {
  if (rows.length === 0) return ["no rows"];
  const flats = rows.map((row) => flatten(row, fields));
  const rowsShown = flats.map(({ row }) => row);
  if (fields !== null) return layTable(fields, rowsShown, Number.POSITIVE_INFINITY).lines;
  return [...tableLines(layTable(pathsOf(flats), rowsShown, width), width), ...innerTables(flats, width)];
}

function tableLines({ lines, notes }: Laid, width: number): string[] {
  return [...lines, ...notes.flatMap((note) => wrapped(`(${note})`, width))];
}

/** The lists within rows make one table per field, in the order of the fields, whose first column names the row. */
function innerTables(flats: readonly Flat[], width: number): string[] {
  const names = new Set(flats.flatMap(({ tables }) => tables.map(([path]) => path)));
  const inOrder = pathsOf(flats).filter((path) => names.has(path));
  return inOrder.flatMap((name) => {
    const inner = flats.flatMap(({ row, tables }) => {
      const [key, value] = Object.entries(row)[0] ?? ["row", null];
      const own = tables.find(([path]) => path === name)?.[1] ?? [];
      return own.map((one) => ({ [key]: value, ...one }));
    });
    return tableText(name, inner, width);
  });
}

function recordText(record: Row, width: number, fields: readonly string[] | null): string[] {
  const { row, tables } = flatten(record, fields);
  const isList = (path: string) => tables.some(([one]) => one === path);
  const paths = (fields ?? Object.keys(row)).filter((path) => !isList(path));
  const titles = paths.map(titleOf);
  const titleChars = Math.max(0, ...titles.map(({ length }) => length));
  const lines = paths.map((path, index) => `${titles[index]!.padEnd(titleChars)}  ${fieldText(path, row[path]).text}`);
  const shownTables = tables.filter(([path]) => fields?.includes(path) !== false);
  return [...lines, ...shownTables.flatMap(([path, rows]) => tableText(path, rows, width))];
}

function tableText(name: string, rows: readonly Row[], width: number): string[] {
  const flats = ordered(name, rows).map((row) => flatten(row));
  const room = width - indent.length;
  const rowsShown = flats.map(({ row }) => row);
  const lines = tableLines(layTable(pathsOf(flats), rowsShown, room), room);
  return ["", `${titleOf(name)}:`, ...lines.map((line) => indent + line)];
}

/** The contract leaves the order of quotes to the reader: the best come first, item by item. */
function ordered(name: string, rows: readonly Row[]): readonly Row[] {
  const sign = name.endsWith("asks") ? 1 : name.endsWith("bids") ? -1 : 0;
  if (sign === 0) return rows;
  const groups = new Map<Plain, Row[]>();
  for (const row of rows) groups.set(row.item_id ?? null, [...(groups.get(row.item_id ?? null) ?? []), row]);
  return [...groups.values()].flatMap((group) =>
    group.sort((one, other) => sign * (Number(one.amount) - Number(other.amount))),
  );
}

/** Records within a record get dotted names; lists of records become tables. An empty list of them is shown as `none`. */
function flatten(record: Row, fields: readonly string[] | null = null, prefix = ""): Flat {
  const flat: Flat = { row: {}, tables: [] };
  // Dollars say both, unless somebody asks for them.
  const isDollars = fields === null && record.currency === "USD" && record.minor_units === 2;
  for (const [name, value] of Object.entries(record)) {
    const path = `${prefix}${name}`;
    if (isDollars && (name === "currency" || name === "minor_units")) continue;
    if (isTable(value)) {
      flat.row[path] = value.length;
      flat.tables.push([path, value]);
    } else if (isRow(value)) {
      const inner = flatten(value, fields, `${path}.`);
      Object.assign(flat.row, inner.row);
      flat.tables.push(...inner.tables);
    } else flat.row[path] = value;
  }
  return flat;
}

/** All columns in the order in which they first come. A record that is null in some rows has no column beside those of its fields. */
function pathsOf(flats: readonly Pick<Flat, "row">[]): string[] {
  const paths = new Set(flats.flatMap(({ row }) => Object.keys(row)));
  const hasFields = new Set(Array.from(paths, (path) => path.split(".").slice(0, -1).join(".")));
  return Array.from(paths).filter((path) => !hasFields.has(path));
}
