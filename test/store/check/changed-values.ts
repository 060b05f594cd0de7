import type SqliteDatabase from "better-sqlite3";
import { checkDatabase } from "../../../src/store/check/check.ts";

type Value = string | number | Buffer | null;

/**
 * Changes one value of each column of the file, one at a time, like a flipped bit or a careless edit. Checks the file after each change.
 * Returns the columns with an undetected change, and the columns without a value.
 */
export function uncoveredColumns(client: SqliteDatabase.Database): { uncovered: string[]; empty: string[] } {
  const [uncovered, empty]: [string[], string[]] = [[], []];
  client.pragma("foreign_keys = OFF");
  client.pragma("ignore_check_constraints = ON");
  const list = (text: string) => client.prepare<[], string>(text).pluck().all();
  const triggers = client
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  const tables = list(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\' ORDER BY name`,
  );
  for (const table of tables)
    for (const column of list(`SELECT name FROM pragma_table_info('${table}') ORDER BY cid`)) {
      const name = `${table}.${column}`;
      const keys = list(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`);
      const row = client
        .prepare<[], Record<string, Value>>(
          `SELECT * FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${keys.map((key) => `${key} DESC`).join()} LIMIT 1`,
        )
        .get();
      if (row === undefined) {
        empty.push(name);
        continue;
      }
      const change = (from: Value, to: Value) => {
        for (const trigger of triggers) client.exec(`DROP TRIGGER ${trigger.name}`);
        const where = keys.map((key) => `${key} IS @${key}`).join(" AND ");
        const found = client
          .prepare(`UPDATE OR IGNORE ${table} SET ${column} = @to_value WHERE ${where}`)
          .run({ ...row, [column]: from, to_value: to });
        for (const trigger of triggers) client.exec(trigger.sql);
        return found.changes === 1;
      };
      const [before, after] = [row[column]!, changed(row[column]!)];
      if (!change(before, after)) {
        empty.push(`${name} (unique)`);
        continue;
      }
      if (checkDatabase(client.name).faults.length === 0) uncovered.push(name);
      change(after, before);
    }
  return { uncovered, empty };
}

/** Returns a value that differs in one bit of its last byte, or of a number. */
function changed(value: Value): Value {
  if (typeof value === "number") return value % 2 === 0 ? value + 1 : value - 1;
  if (typeof value === "string")
    return value.slice(0, -1) + String.fromCharCode((value.charCodeAt(value.length - 1) || 96) ^ 1);
  const bytes = Buffer.from(value as Buffer);
  bytes[bytes.length - 1]! ^= 1;
  return bytes;
}
