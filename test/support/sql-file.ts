import SqliteDatabase from "better-sqlite3";

/** Runs SQL on a file that no server has open. */
export function change(path: string, sql: string): void {
  const client = new SqliteDatabase(path);
  client.exec(sql);
  client.close();
}

/** Returns the note of a file's market state. Only tests use the note. */
export function noteOf(path: string): string | null {
  const client = new SqliteDatabase(path);
  const note = client.prepare("SELECT note FROM market_state").pluck().get() as string | null;
  client.close();
  return note;
}
