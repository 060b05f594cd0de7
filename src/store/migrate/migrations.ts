import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { databaseSchema } from "../../../generated/database-schema.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type Database, migrationsFolder, writeTransaction } from "../database.ts";
import { recordRows } from "../write/checksummed-rows.ts";
import { RowChecksums } from "../write/row-checksums.ts";
import { fillItemChecksums } from "./backfills.ts";
import { moveSegments } from "./move-segments.ts";
import { diskSpaceForPlainQuotes, makePlainQuotes } from "./plain-quotes.ts";

/** The schema version that has both the quotes of earlier releases and the rows derived from them. */
const plainQuotesVersion = 28;

/**
 * Migrates a file to the schema of this release. Foreign keys are off, because a migration may rebuild a table. The pragma has no effect
 * within a transaction.
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
  // This precedes the write of the version, so that the next migration repeats it after an interruption.
  if (before < databaseSchema.checksummedFrom) writeTransaction(database, () => new RowChecksums(database).recordAll());
  writeTransaction(database, () => fillItemChecksums(database));
  if (before < databaseSchema.version) writeTransaction(database, () => recordRows(database.$client));
  database.$client.pragma(`user_version = ${databaseSchema.version}`);
  database.$client.pragma("foreign_keys = ON");
  const broken = database.$client.pragma("foreign_key_check") as unknown[];
  if (broken.length > 0) throw new Error(`${broken.length} rows break a foreign key after the migration`);
}

/**
 * Sets the times of applied migrations to the times in the journal. Drizzle continues after the latest time, but one released migration had
 * an earlier time than its predecessor.
 */
function mendTimes({ $client: client }: Database, migrations: readonly MigrationMeta[]): void {
  if (client.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get() === undefined) return;
  const mend = client.prepare("UPDATE __drizzle_migrations SET created_at = ? WHERE hash = ?");
  for (const { folderMillis, hash } of migrations) mend.run(folderMillis, hash);
}

/** Applies the pending migrations of a list. Drizzle's own `migrate` accepts only a whole folder. */
function migrateTo(database: Database, migrations: readonly MigrationMeta[]): void {
  const { dialect, session } = database as unknown as {
    dialect: { migrate(migrations: readonly MigrationMeta[], session: unknown): void };
    session: unknown;
  };
  dialect.migrate(migrations, session);
}

/** Returns the maximum disk space in bytes that the migrations of a file need. */
export function diskSpaceForMigrations(database: Database): number {
  return versionOf(database) <= plainQuotesVersion ? diskSpaceForPlainQuotes(database) : 0;
}

function versionOf({ $client: client }: Database): number {
  return client.pragma("user_version", { simple: true }) as number;
}
