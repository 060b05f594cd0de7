import SqliteDatabase from "better-sqlite3";
import { backupDatabase } from "../../src/store/file/backup.ts";

/** A backup in its own process that kills itself at the pragma with this text: DATABASE TO TEXT. */
const [path, to, text] = process.argv.slice(2);
const original = SqliteDatabase.prototype.pragma;
SqliteDatabase.prototype.pragma = function (sql, ...rest) {
  if (sql.includes(text!)) process.kill(process.pid, "SIGKILL");
  return original.call(this, sql, ...rest);
};
await backupDatabase(path!, to!);
