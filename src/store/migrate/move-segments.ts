import { readMigrationFiles } from "drizzle-orm/migrator";
import { type Database, migrationsFolder, writeTransaction } from "../database.ts";

/** The table that a migration puts in the place of `frame_segments`. */
const newTable = "__new_frame_segments";
/** Place of the item in the key of an older file: before the feed. */
const oldPlace = 2;

/**
 * Moves the segments of an older file into the table that a migration puts in place of theirs, a day at a time: in one transaction a
 * year of them would take its size again in the file and in the log. A later call continues after an interruption.
 * Not built by Drizzle, which does not know the older table. A file of its own: it goes when no file is that old.
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
