import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { databaseSchema } from "../../../generated/database-schema.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type Database, migrationsFolder, writeTransaction } from "../database.ts";
import { recordRows } from "../write/kept-rows.ts";
import { RowChecksums } from "../write/row-checksums.ts";
import { fillItemChecksums, fillSearchWords } from "./backfills.ts";
import { moveSegments } from "./move-segments.ts";
import { makePlainQuotes, roomForPlainQuotes } from "./plain-quotes.ts";

/** The schema that has both the quotes of older releases and the rows that are made of them. */
const plainQuotesVersion = 28;

/**
 * Brings a file to the schema of this release. A migration that rebuilds a table must not see foreign keys; inside its transaction the pragma
 * would do nothing.
 */
export function applyMigrations(database: Database, progress: Progress = silent): void {
  const before = versionOf(database);
  database.$client.pragma("foreign_keys = OFF");
  const migrations = readMigrationFiles({ migrationsFolder });
  mendTimes(database, migrations);
  migrateTo(database, migrations.slice(0, plainQuotesVersion));
  makePlainQuotes(database, progress);
  moveSegments(database);
  migrateTo(database, migrations);
  // Before the version is written: if this is cut off, the next migration does it again.
  if (before < databaseSchema.checksummedFrom) writeTransaction(database, () => new RowChecksums(database).recordAll());
  writeTransaction(database, () => {
    fillSearchWords(database);
    fillItemChecksums(database);
  });
  if (before < databaseSchema.version) writeTransaction(database, () => recordRows(database.$client));
  database.$client.pragma(`user_version = ${databaseSchema.version}`);
  database.$client.pragma("foreign_keys = ON");
  const broken = database.$client.pragma("foreign_key_check") as unknown[];
  if (broken.length > 0) throw new Error(`${broken.length} rows break a foreign key after the migration`);
}

/**
 * Gives applied migrations the times of the journal. Drizzle goes on after the latest time, and one migration was released with an earlier
 * time than that of the migration before it.
 */
function mendTimes({ $client: client }: Database, migrations: readonly MigrationMeta[]): void {
  if (client.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get() === undefined) return;
  const mend = client.prepare("UPDATE __drizzle_migrations SET created_at = ? WHERE hash = ?");
  for (const { folderMillis, hash } of migrations) mend.run(folderMillis, hash);
}

/** Applies those of the migrations that are not applied yet, as Drizzle's own `migrate` does with all of a folder. */
function migrateTo(database: Database, migrations: readonly MigrationMeta[]): void {
  const { dialect, session } = database as unknown as {
    dialect: { migrate(migrations: readonly MigrationMeta[], session: unknown): void };
    session: unknown;
  };
  dialect.migrate(migrations, session);
}

/** Returns the most bytes of disk that the migrations of a file need. */
export function roomForMigrations(database: Database): number {
  return versionOf(database) <= plainQuotesVersion ? roomForPlainQuotes(database) : 0;
}

function versionOf({ $client: client }: Database): number {
  return client.pragma("user_version", { simple: true }) as number;
}
