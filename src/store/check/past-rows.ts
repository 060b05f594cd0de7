import { getTableName } from "drizzle-orm";
import { plural } from "../../values/text/counted.ts";
import type { Database } from "../database.ts";
import { pastChecksum, pastColumns, pastTables, tablesWithPast, type WithPast } from "../write/past-rows.ts";
import { type Chunks, type Finding, fact, faultOfMany } from "./finding.ts";
import { KeyRanges } from "./key-ranges.ts";

/** Past rows per chunk. */
const chunkRows = 2000;

/** Checksum, instant of the row, instant of its follower or null without one, then the columns of the checksum. */
type PastRow = [checksum: number, recorded: number, next: number | null, ...columns: unknown[]];

/** Compares past rows with their checksums, and checks that each ends when the next row of its key begins. */
export function checkPastRows(database: Database, chunks: Chunks = (read) => read()): Finding[] {
  const checked = tablesWithPast.map((table) => checkTable(database, chunks, table));
  const faults = checked.flatMap(({ faults }) => faults);
  const count = checked.reduce((sum, { count }) => sum + count, 0);
  return faults.length > 0 ? faults : [fact(`${plural(count, "past row")} are unchanged`)];
}

function checkTable(database: Database, chunks: Chunks, table: WithPast): { count: number; faults: Finding[] } {
  const { key, recorded } = pastTables[table];
  const name = getTableName(pastTables[table].past);
  const columns = pastColumns(table);
  const ranges = new KeyRanges(database.$client, name, [...key, "superseded_at"], chunkRows);
  const ofKey = (other: string) => key.map((column) => `${other}.${column} = ${name}.${column}`).join(" AND ");
  const rows = ranges.lists<PastRow>(
    (within) => `SELECT seal, ${recorded}, coalesce(
        (SELECT ${recorded} FROM ${name} AS later WHERE ${ofKey("later")} AND later.superseded_at > ${name}.superseded_at
         ORDER BY later.superseded_at LIMIT 1),
        (SELECT ${recorded} FROM ${table} AS current WHERE ${ofKey("current")})), ${columns.join()} FROM ${within}`,
  );
  const [changed, overlapping]: [string[], string[]] = [[], []];
  let count = 0;
  ranges.each(chunks, (after, upTo) => {
    for (const [checksum, from, next, ...values] of rows(after, upTo)) {
      count += 1;
      const until = values.at(-1) as number;
      const label = key.map((column) => values[columns.indexOf(column)]).join(" ");
      if (pastChecksum(values) !== checksum) changed.push(label);
      // After a clock was set back, a row may begin before its predecessor.
      else if (next !== null && next < until && next >= from) overlapping.push(label);
    }
  });
  const faults = [
    ...faultOfMany(changed, `past rows of ${table} that were changed`),
    ...faultOfMany(overlapping, `past rows of ${table} that end after the next row begins`),
  ];
  return { count, faults };
}
