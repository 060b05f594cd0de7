import type SqliteDatabase from "better-sqlite3";
import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "./database.ts";

type Query = { toSQL(): { sql: string } };

/**
 * Makes the place of a value in a query that Drizzle runs. SQLite 3.54 plans a query again, for 5 to 20 µs, at each run that binds
 * another value to a place that its planner looks at: that of a join, a range or a limit. It does not look into a subquery.
 */
export function bound(name: string): SQL {
  return sql`(SELECT ${sql.placeholder(name)})`;
}

/** Makes the place of a limit, which Drizzle takes only as a placeholder. */
export function boundLimit(name: string): Placeholder {
  return bound(name) as unknown as Placeholder;
}

/**
 * Prepares a query that Drizzle built, to be run bare: values are bound in the order of the text, and a row is a list of its columns.
 * It is planned once.
 */
export function bareRows<Row extends readonly unknown[], Bound extends unknown[] = unknown[]>(
  database: Database,
  query: Query,
): SqliteDatabase.Statement<Bound, Row> {
  return database.$client.prepare<Bound, Row>(plannedOnce(query)).raw(true);
}

/** Prepares the same of one column: a row is its value. */
export function bareValues<Value, Bound extends unknown[] = unknown[]>(
  database: Database,
  query: Query,
): SqliteDatabase.Statement<Bound, Value> {
  return database.$client.prepare<Bound, Value>(plannedOnce(query)).pluck(true);
}

/** Prepares the same, but a row has its columns by name. */
export function bareRecords<Row, Bound extends unknown[] = unknown[]>(
  database: Database,
  query: Query,
): SqliteDatabase.Statement<Bound, Row> {
  return database.$client.prepare<Bound, Row>(plannedOnce(query));
}

/**
 * Prepares a query whose rows are many: all of them come as one JSON array, a row as the list of these columns. Reading that text costs
 * half of what single values cost. Each column holds text, whole numbers up to 2^53 or null, and has a name of its own.
 */
export function bareList<Bound extends unknown[] = unknown[]>(
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
