import SqliteDatabase from "better-sqlite3";

/** Runs SQL on a file that no server has open. */
export function change(path: string, sql: string): void {
  const client = new SqliteDatabase(path);
  client.exec(sql);
  client.close();
}

/** Returns SQL that writes a text without quotes into a file. `noteOf` reads the text. */
export function noteSql(note: string): string {
  return `REPLACE INTO feeds (feed, adapter) VALUES ('note', '${note}')`;
}

export function noteOf(path: string): string | undefined {
  const client = new SqliteDatabase(path);
  const note = client.prepare<[], string>("SELECT adapter FROM feeds WHERE feed = 'note'").pluck().get();
  client.close();
  return note;
}
