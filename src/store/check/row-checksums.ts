import { plural } from "../../values/text/counted.ts";
import type { Database } from "../database.ts";
import { checksummedTables, rowChecksum } from "../write/checksummed-rows.ts";
import { type Chunks, type Finding, fact, fault, faultOfMany } from "./finding.ts";
import { KeyRanges } from "./key-ranges.ts";

/** Rows per chunk. */
const chunkRows = 3_000;

type Read = [key: string, text: string, checksum: number | null];

/**
 * Compares the rows of small tables with their stored checksums. Accounts and keys are checked apart, because the ledger writes their
 * checksums itself.
 */
export function checkRowChecksums({ $client: client }: Database, chunks: Chunks): Finding[] {
  const faults: Finding[] = [];
  let count = 0;
  for (const { table, store, key, text, columns } of checksummedTables(client)) {
    const [changed, unknown]: [string[], string[]] = [[], []];
    const ranges = new KeyRanges(client, table, columns, chunkRows);
    const rows = ranges.lists<Read>(
      (within) => `SELECT ${key(table)}, ${text(table)},
        (SELECT checksum FROM ${store} WHERE table_name = '${table}' AND row_key = ${key(table)}) FROM ${within}`,
    );
    ranges.each(chunks, (after, upTo) => {
      for (const [name, values, checksum] of rows(after, upTo)) {
        count += 1;
        if (checksum === null) unknown.push(name);
        else if (checksum !== rowChecksum(values)) changed.push(name);
      }
    });
    const counts = client.prepare<[string], { rows: number; checksums: number }>(
      `SELECT (SELECT count(*) FROM ${table}) AS rows, (SELECT count(*) FROM ${store} WHERE table_name = ?) AS checksums`,
    );
    const { rows: stored, checksums } = chunks(() => counts.get(table)!);
    faults.push(
      ...faultOfMany(changed, `rows of ${table} that were changed`),
      ...faultOfMany(unknown, `rows of ${table} that the program did not write`),
      ...(checksums > stored - unknown.length
        ? [fault(`rows of ${table} are gone: it has ${stored} of ${checksums}`)]
        : []),
    );
  }
  return faults.length > 0 ? faults : [fact(`${plural(count, "row")} of small tables are unchanged`)];
}
