import { readMigrationFiles } from "drizzle-orm/migrator";
import { type Database, migrationsFolder, writeTransaction } from "../database.ts";

/** The table that a migration renames to `frame_segments`. */
const newTable = "__new_frame_segments";
/** Position of the item in the key of an older file, before the feed. */
const oldPlace = 2;

/**
 * Moves the segments of an older file into the new table, one day at a time. A single transaction would double the size of a year of
 * segments in the file and in the log. A later call continues after an interruption. Drizzle does not know the older table, so this uses
 * plain SQL. This file is kept apart, so that it can be deleted with support for older files.
 */
export function moveSegments(database: Database): void {
  const { $client: client } = database;
  const place = client
    .prepare("SELECT pk FROM pragma_table_info('frame_segments') WHERE name = 'item_id'")
    .pluck()
    .get();
  if (place !== oldPlace) return;
  const [create = ""] = readMigrationFiles({ migrationsFolder }).flatMap(({ sql }) =>
    sql.filter((text) => text.includes(`CREATE TABLE IF NOT EXISTS \`${newTable}\``)),
  );
  client.exec(create);
  const firstDay = client.prepare<[], number | null>("SELECT min(day) FROM frame_segments").pluck();
  const copy = client.prepare<[number]>(
    `INSERT INTO ${newTable} SELECT * FROM frame_segments WHERE day = ? ORDER BY feed, item_id`,
  );
  const remove = client.prepare<[number]>("DELETE FROM frame_segments WHERE day = ?");
  for (let day = firstDay.get() ?? null; day !== null; day = firstDay.get() ?? null) {
    const moved = day;
    writeTransaction(database, () => {
      copy.run(moved);
      remove.run(moved);
    });
  }
}
