import type SqliteDatabase from "better-sqlite3";
import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "./database.ts";

type Query = { toSQL(): { sql: string } };

/**
 * Returns a placeholder for a value in a query that Drizzle runs. SQLite 3.54 replans a query, in 5 to 20 µs, when a value of a join, a
 * range or a limit changes. It ignores values in a subquery.
 */
export function bound(name: string): SQL {
  return sql`(SELECT ${sql.placeholder(name)})`;
}

/** Returns a `bound` placeholder for a limit. Drizzle's types accept only a `Placeholder` there. */
export function boundLimit(name: string): Placeholder {
  return bound(name) as unknown as Placeholder;
}

/**
 * Prepares a query that Drizzle built for direct use. Values bind in the order of the text, and each row is an array of its columns. SQLite
 * plans it once.
 */
export function arrayRows<Row extends readonly unknown[], Bound extends unknown[] = unknown[]>(
  database: Database,
  query: Query,
): SqliteDatabase.Statement<Bound, Row> {
  return database.$client.prepare<Bound, Row>(plannedOnce(query)).raw(true);
}

/** Prepares a query of one column like `arrayRows`. Each row is the value itself. */
export function singleValues<Value, Bound extends unknown[] = unknown[]>(
  database: Database,
  query: Query,
): SqliteDatabase.Statement<Bound, Value> {
  return database.$client.prepare<Bound, Value>(plannedOnce(query)).pluck(true);
}

/** Prepares a query like `arrayRows`. Each row is an object with columns by name. */
export function objectRows<Row, Bound extends unknown[] = unknown[]>(
  database: Database,
  query: Query,
): SqliteDatabase.Statement<Bound, Row> {
  return database.$client.prepare<Bound, Row>(plannedOnce(query));
}

/**
 * Prepares a query with many rows. The result is one JSON text: an array of rows, each an array of these columns. Parsing it costs half as
 * much as reading single values. Columns hold text, whole numbers up to 2^53 or null, and have distinct names.
 */
export function jsonRows<Bound extends unknown[] = unknown[]>(
  database: Database,
  query: Query,
  columns: readonly string[],
): SqliteDatabase.Statement<Bound, string> {
  const row = columns.map((name) => `"${name}"`).join();
  return database.$client
    .prepare<Bound, string>(`SELECT json_group_array(json_array(${row})) FROM (${plannedOnce(query)})`)
    .pluck(true);
}

function plannedOnce(query: Query): string {
  return query.toSQL().sql.replaceAll("?", "(SELECT ?)");
}
