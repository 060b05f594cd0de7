import type SqliteDatabase from "better-sqlite3";
import { openWriter } from "../../src/store/database.ts";

// Apart, because it is also a process that writes to a file.

/** Returns a function that commits charges, and a publication with each fifth step. */
export function marketLoad(client: SqliteDatabase.Database): (step: number) => void {
  let charges = 0;
  const charge = client.prepare("INSERT INTO usage_events VALUES (?, 'acc', 'key', 'getItem', '2026-01', 1)");
  const publish = [
    "UPDATE quotes SET ask_cents = ask_cents + 1 WHERE (item_id + @step) % 11 = 0 AND ask_cents IS NOT NULL",
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
     INSERT OR REPLACE INTO refused_names (feed, name, phase) SELECT (SELECT min(feed) FROM feeds), @step || ' name ' || i, '' FROM n`,
    "UPDATE providers SET attribution = CASE WHEN @step % 2 = 0 THEN hex(zeroblob(3000 + @step % 7 * 900)) END",
    "UPDATE feeds SET checked_at = checked_at + 1 + 0 * @step",
  ].map((text) => client.prepare(text));
  const publishAll = client.transaction((step: number) => {
    for (const statement of publish) statement.run({ step });
  });
  return (step) => {
    charges += 1;
    charge.run(`req_${process.pid}_${charges}_${Date.now()}`);
    if (step % 5 === 0) publishAll(step);
  };
}

/** Writes 200 charges a second to the file that the command names, with checkpoints of both kinds. */
function run(path: string): void {
  const { $client: client } = openWriter(path, 1000);
  client.pragma("wal_autocheckpoint = 0");
  const write = marketLoad(client);
  let steps = 0;
  setInterval(() => {
    steps += 1;
    write(steps);
    if (steps % 20 === 0) client.pragma(`wal_checkpoint(${steps % 100 === 0 ? "TRUNCATE" : "PASSIVE"})`);
  }, 5);
  process.send?.("writing");
}

if (process.argv[1] === import.meta.filename) run(process.argv[2]!);
