import { accessRowChecksum, type StoredRow } from "../codec/access-checksum.ts";
import type { Database } from "../database.ts";
import { type CheckedTable, checkedTables } from "../write/row-checksums.ts";
import { type Chunks, type Finding, fact, faultOfMany } from "./finding.ts";
import { pagesOf } from "./key-ranges.ts";

/** Rows per chunk. */
const chunkRows = 5_000;

/** Compares accounts, keys, purchases and export leases with their stored checksums. */
export function checkAccess(database: Database, chunks: Chunks): Finding[] {
  const faults: Finding[] = [];
  let rows = 0;
  for (const [table, key] of Object.entries(checkedTables) as [CheckedTable, string][]) {
    const { changed, unknown, count } = compareRows(database, chunks, table, key);
    rows += count;
    faults.push(
      ...faultOfMany(changed, `rows of ${table} that were changed`),
      ...faultOfMany(unknown, `rows of ${table} that the program did not write`),
      ...faultOfMany(missingRows(database, chunks, table, key), `rows of ${table} that are gone`),
    );
  }
  return faults.length > 0 ? faults : [fact(`${rows} accounts, keys, purchases and export leases are unchanged`)];
}

type Compared = { changed: string[]; unknown: string[]; count: number };

function compareRows(database: Database, chunks: Chunks, table: CheckedTable, key: string): Compared {
  const compared: Compared = { changed: [], unknown: [], count: 0 };
  const page = database.$client
    .prepare<[string | number], unknown[]>(
      `SELECT checked.checksum, row.${key}, row.* FROM ${table} AS row
       LEFT JOIN row_checksums AS checked ON checked.table_name = '${table}' AND checked.row_key = CAST(row.${key} AS TEXT)
       WHERE row.${key} > ? ORDER BY row.${key} LIMIT ${chunkRows}`,
    )
    .raw(true);
  // Every id is greater than the empty text, and every number is greater than -1. SQLite sorts numbers before texts.
  const paging = {
    after: table === "purchases" ? -1 : "",
    read: (after: string | number) => page.all(after),
    keyOf: ([, id]: unknown[]) => id as string | number,
  };
  for (const rows of pagesOf(database, chunks, table, paging)) {
    for (const [checksum, id, ...row] of rows) {
      if (checksum === null) compared.unknown.push(String(id));
      else if (checksum !== accessRowChecksum(row as unknown as StoredRow)) compared.changed.push(String(id));
    }
    compared.count += rows.length;
  }
  return compared;
}

/** A row that has a checksum. `isThere` is 1 if its table contains it, else 0. */
type Listed = { id: string; isThere: number };

function missingRows(database: Database, chunks: Chunks, table: CheckedTable, key: string): string[] {
  const type = table === "purchases" ? "INTEGER" : "TEXT";
  const page = database.$client.prepare<[string], Listed>(
    `SELECT row_key AS id, EXISTS (SELECT 1 FROM ${table} WHERE ${key} = CAST(row_key AS ${type})) AS isThere
     FROM row_checksums WHERE table_name = '${table}' AND row_key > ? ORDER BY row_key LIMIT ${chunkRows}`,
  );
  const missing: string[] = [];
  const paging = { after: "", read: (after: string) => page.all(after), keyOf: ({ id }: Listed) => id };
  for (const rows of pagesOf(database, chunks, "row_checksums", paging)) {
    for (const { id, isThere } of rows) if (isThere === 0) missing.push(id);
  }
  return missing;
}
