import { readFileSync } from "node:fs";
import { basename } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { csvColumns } from "../../src/cli/export/csv-writer.ts";
import type { Item } from "./export-server.ts";

/** The contents of a file: its items with their quotes in order, and its facts about the whole. */
export type FileFacts = { items: Item[]; facts: Record<string, string> };
type Row = Record<string, string | number | null>;

/** Reads a file back with a reader that is not the program's own. */
export async function readBack(format: string, path: string): Promise<FileFacts> {
  if (format === "ndjson") return fromNdjson(path);
  if (format === "csv") return fromCsv(path);
  return format === "parquet" ? fromParquet(path) : fromSqlite(path);
}

/** The terms of a provider of the demo. */
export const demoTerms = {
  provider: "bazaar",
  name: "Bazaar (demo)",
  terms_url: null,
  terms_read_on: null,
  redistribution: "allowed",
  attribution: "Invented prices of the Itemtape demo",
};

/** Reads the terms of all providers in a file, or in the metadata of a CSV. */
export function termsIn(format: string, path: string): unknown[] {
  if (format === "sqlite") {
    const database = new SqliteDatabase(path, { readonly: true });
    const rows = database.prepare("SELECT * FROM providers").all();
    database.close();
    return rows;
  }
  if (format === "csv") {
    const { url, "dc:source": sources } = JSON.parse(readFileSync(`${path}-metadata.json`, "utf8"));
    if (url !== basename(path)) throw new Error(`metadata of ${url}`);
    return sources.map((of: Record<string, unknown>) => ({
      provider: of["dc:identifier"],
      name: of["dc:title"],
      terms_url: of["dc:license"],
      terms_read_on: of["dc:dateAccepted"],
      redistribution: of["dc:accessRights"],
      attribution: of["dc:bibliographicCitation"],
    }));
  }
  const bytes = readFileSync(path);
  const { key_value_metadata: pairs = [] } = parquetMetadata(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  );
  return JSON.parse(pairs.find(({ key }) => key === "itemtape.providers")?.value ?? "[]");
}

function fromNdjson(path: string): FileFacts {
  const records = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { generation, ingested_at, request_id } = records[0];
  return { items: records.slice(1, -1).map(({ data }) => data), facts: { generation, ingested_at, request_id } };
}

function fromCsv(path: string): FileFacts {
  const [head, ...rows] = csvRows(readFileSync(path, "utf8"));
  if (head!.join() !== csvColumns.join()) throw new Error(`another head: ${head}`);
  const numbers = new Set(["item_id", "amount", "minor_units", "quantity"]);
  const read = rows.map((cells) => {
    if (cells.length !== head!.length) throw new Error(`${cells.length} cells: ${cells}`);
    return Object.fromEntries(
      cells.map((cell, index) => [
        head![index]!,
        cell === "" ? null : numbers.has(head![index]!) ? Number(cell) : cell.replace(/^'(?=[=+\-@\t\r])/, ""),
      ]),
    );
  });
  const facts = read.map(({ generation, ingested_at, request_id }) => ({ generation, ingested_at, request_id }));
  if (new Set(facts.map((one) => JSON.stringify(one))).size !== 1) throw new Error("rows of several exports");
  return { items: itemsOf(read), facts: facts[0] as Record<string, string> };
}

/** RFC 4180, read character by character. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (let at = 0; at < text.length; ) {
    const [, quoted] = /^"((?:[^"]|"")*)"/.exec(text.slice(at, at + 1000)) ?? [];
    const cell = quoted ?? /^[^",\r\n]*/.exec(text.slice(at, at + 5000))![0];
    rows.at(-1)!.push(cell.replaceAll('""', '"'));
    at += quoted === undefined ? cell.length : quoted.length + 2;
    if (text.startsWith("\r\n", at)) {
      rows.push([]);
      at += 2;
    } else if (text[at] === ",") at += 1;
    else throw new Error(`neither comma nor end of line at ${at}`);
  }
  return rows.slice(0, -1);
}

async function fromParquet(path: string): Promise<FileFacts> {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const { key_value_metadata: pairs = [] } = parquetMetadata(file);
  const rows = (await parquetReadObjects({ file })).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
  );
  const facts = pairs.map(({ key, value }) => [key.replace("itemtape.", ""), value ?? ""]);
  return { items: itemsOf(rows), facts: Object.fromEntries(facts) };
}

function plain(value: unknown): string | number | null {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString();
  return (value ?? null) as string | number | null;
}

function fromSqlite(path: string): FileFacts {
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    if (database.pragma("integrity_check", { simple: true }) !== "ok") throw new Error("a damaged file");
    if ((database.pragma("foreign_key_check") as unknown[]).length > 0) throw new Error("a quote of no item");
    const rows = database.prepare<[], Row>(
      "SELECT * FROM items LEFT JOIN quotes USING (item_id) ORDER BY item_id, side, position",
    );
    const exports = database.prepare<[], Record<string, string>>("SELECT * FROM export").all();
    if (exports.length !== 1) throw new Error(`${exports.length} rows of facts`);
    return { items: itemsOf(rows.all()), facts: exports[0]! };
  } finally {
    database.close();
  }
}

/** Rows of quotes as the items of an export again. */
function itemsOf(rows: readonly Row[]): Item[] {
  const items = new Map<number, Item>();
  for (const { item_id, market_hash_name, phase, availability, side, ...rest } of rows) {
    const id = item_id as number;
    const item =
      items.get(id) ?? ({ item_id, market_hash_name, phase, availability, asks: [], bids: [] } as unknown as Item);
    items.set(id, item);
    if (side === null) continue;
    const { provider, amount, currency, minor_units, quantity, url, as_of } = rest;
    const quote = { provider, amount, currency, minor_units, quantity, url, as_of };
    item[side === "ask" ? "asks" : "bids"].push(quote as unknown as Item["asks"][number]);
  }
  return [...items.values()];
}
