import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import type SqliteDatabase from "./sqlite.mjs";

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

function plannedOnce(query: Query): string {
  return query.toSQL().sql.replaceAll("?", "(SELECT ?)");
}
