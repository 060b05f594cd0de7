import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg, { type Client, type Options } from "pg-driver";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";

const migrationsFolder = fileURLToPath(new URL("../../../db/postgres/migrations", import.meta.url));
/** The oldest version of PostgreSQL that is tried, as the server numbers it. */
const oldestVersion = 150_000;
const connectMs = 3000;
const statementMs = 5000;
/** Longest wait for the answer of a server that does not even refuse. */
const answerMs = statementMs + 1000;
const lockMs = 3000;
const idleInTransactionMs = 10_000;
const int8Oid = 20;

const types = {
  /** Whole numbers of 64 bits: instants and amounts, which a JavaScript number holds. */
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8Oid ? Number : pg.types.getTypeParser(oid, format),
};

/** Returns what each connection to the private database at `url` is opened with. A password may be in the URL or in the file of `PGPASSFILE`. */
export function connectionOptions(url: string): Options {
  return {
    connectionString: url,
    application_name: "itemtape",
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    types,
  };
}

/** Opens a connection, hands it to `work` and ends it. @throws {OperatorError} when the database cannot be reached. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionOptions(url), statement_timeout: 0, query_timeout: 0 });
  client.on("error", () => {});
  await connectTo(client, url);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Connects to the database at `url`. @throws {OperatorError} when it cannot be reached or refuses who asks. */
export async function connectTo(client: Client, url: string): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** Returns the database without user, password and parameters: what may be shown. */
export function shownUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgresql://${host}${pathname}`;
  } catch {
    return "the private database";
  }
}

/** Makes the error of a database that cannot be reached; its message holds no password. */
function unreachable(url: string, error: unknown): OperatorError {
  const { code, message } = error as { code?: string; message: string };
  const why = code === undefined ? message : `${code}${message.includes(code) ? "" : `: ${message}`}`;
  return new OperatorError(
    `${shownUrl(url)}: cannot be reached (${why}); check the address, the password and that PostgreSQL runs`,
    exitCodes.temporary,
  );
}

/**
 * Refuses a server that would lose what it has answered: too old, `fsync` off, or commits that are not on disk, or not on a synchronous
 * standby where one is set up, when they are answered.
 * @throws {OperatorError}
 */
export async function refuseUnlessDurable(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ version: string; fsync: string; commit: string; standbys: string }>(
    `SELECT current_setting('server_version_num') AS version, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys`,
  );
  const { version, fsync, commit, standbys } = rows[0]!;
  const refuse = (what: string, fix: string): never => {
    throw new OperatorError(`${shownUrl(url)}: ${what}; ${fix}`, exitCodes.unavailable);
  };
  if (Number(version) < oldestVersion) refuse(`PostgreSQL ${version} is older than 15`, "use PostgreSQL 15 or newer");
  if (fsync !== "on") refuse("`fsync` is off, so a crash loses charges that were answered", "set `fsync = on`");
  if (commit === "off")
    refuse("`synchronous_commit` is off, so a crash loses charges that were answered", "set `synchronous_commit = on`");
  if (standbys.trim() !== "" && (commit === "local" || commit === "remote_write"))
    refuse(
      `\`synchronous_commit\` is \`${commit}\` beside a synchronous standby, so a failover loses charges that were answered`,
      "set `synchronous_commit = on`",
    );
}

/**
 * Brings the private tables to this release's schema, all in one transaction. Returns how many migrations were applied. Not by Drizzle's own
 * migrator, which needs the driver under another name.
 */
export async function migratePrivate(client: Client): Promise<number> {
  const before = await appliedMigrations(client);
  await client.query("CREATE SCHEMA IF NOT EXISTS itemtape");
  await client.query(
    "CREATE TABLE IF NOT EXISTS itemtape.migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint NOT NULL)",
  );
  await client.query("BEGIN");
  try {
    await client.query("LOCK TABLE itemtape.migrations IN EXCLUSIVE MODE");
    for (const migration of readMigrationFiles({ migrationsFolder }).slice(await appliedMigrations(client))) {
      for (const text of migration.sql) await client.query(text);
      const values = [migration.hash, migration.folderMillis];
      await client.query("INSERT INTO itemtape.migrations (hash, created_at) VALUES ($1, $2)", values);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
  return (await appliedMigrations(client)) - before;
}

/**
 * Refuses a database whose schema is not one that this release can use: its own, or the next one, so that nodes can be upgraded one
 * after another.
 * @throws {OperatorError}
 */
export async function refuseUnlessPrivate(client: Client, url: string): Promise<void> {
  const applied = await appliedMigrations(client);
  const own = readMigrationFiles({ migrationsFolder }).length;
  if (applied === own || applied === own + 1) return;
  const what = applied === 0 ? "holds no private data of Itemtape" : `has schema ${applied}, this release has ${own}`;
  const fix =
    applied > own
      ? "run a newer release"
      : "run `itemtape private migrate`, or `itemtape private import` for a new one";
  throw new OperatorError(`${shownUrl(url)}: ${what}; ${fix}`, exitCodes.unavailable);
}

async function appliedMigrations(client: Client): Promise<number> {
  const there = await client.query("SELECT to_regclass('itemtape.migrations') AS name");
  if (there.rows[0]?.name === null) return 0;
  return Number((await client.query("SELECT count(*) AS count FROM itemtape.migrations")).rows[0]!.count);
}
