import SqliteDatabase from "better-sqlite3";
import { migrateDatabase } from "../../src/store/file/file.ts";

/** A migration in its own process that kills itself before the statement with this text: DATABASE TEXT. */
const [path, text] = process.argv.slice(2);
for (const name of ["prepare", "pragma"] as const) {
  const original = SqliteDatabase.prototype[name] as (this: unknown, sql: string, ...rest: unknown[]) => unknown;
  Object.assign(SqliteDatabase.prototype, {
    [name](sql: string, ...rest: unknown[]) {
      if (sql.includes(text!)) process.kill(process.pid, "SIGKILL");
      return original.call(this, sql, ...rest);
    },
  });
}
migrateDatabase(path!);
