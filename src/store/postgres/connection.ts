import { fileURLToPath } from "node:url";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { PgTable } from "drizzle-orm/pg-core";
import pg, { type Answered, type Client, type Options, type QueryConfig, type QueryResult } from "pg";
import pgpass from "pgpass";
import * as schema from "../../../db/postgres/schema.ts";
import { serverAddresses } from "../../values/database-address.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { fileOfProgram } from "../../values/root.ts";
import { DatabaseUnavailable } from "../file/refusal.ts";

const migrationsFolder = fileURLToPath(fileOfProgram("db/postgres/migrations"));
/** The oldest tested version of PostgreSQL, in the server's numbering. */
const oldestVersion = 150_000;
const connectMs = 3000;
const statementMsMax = 5000;
/** Maximum silence of the server during a statement. */
const answerMs = statementMsMax + 1000;
const lockMs = 3000;
const idleInTransactionMs = 10_000;
/** Maximum idle time in a transaction for a command with a connection of its own. */
const commandIdleMs = 600_000;
const int8Oid = 20;
/** Matches the detail of PostgreSQL's warning that a commit is on the local disk but possibly not on the standby. */
export const notReplicated = /might not have been replicated/;

const types = {
  /** Parses 64-bit integers as numbers. Instants and amounts fit into a JavaScript number. */
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8Oid ? Number : pg.types.getTypeParser(oid, format),
};

/** Returns SQL that converts an instant to UTC ms. It rounds down, because rounding up could reach the next month. */
export function msOf(instant: string): string {
  return `floor(extract(epoch FROM ${instant}) * 1000)::bigint`;
}

/**
 * Returns the options of each connection to the PostgreSQL database at `url`. The password may be in the URL or in the file of
 * `PGPASSFILE`.
 */
export function connectionOptions(url: string): Options {
  return {
    connectionString: url,
    application_name: "itemtape",
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMsMax,
    query_timeout: answerMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    types,
  };
}

/** Address of the server to try first, by database URL. A failed connection moves it to the next server. */
const preferred = new Map<string, string>();

/**
 * A connection to one of the servers in a database URL, beginning with the preferred one. If a server is unreachable or read-only, the next
 * connection tries the next server.
 *
 * The connection closes when the server is silent for `query_timeout` during a statement. The driver's own timers and promises would hold
 * responses until a full garbage collection. That doubles the time of minor collections.
 */
export class FailoverClient extends pg.Client {
  readonly #url: string;
  readonly #addresses: readonly string[];
  readonly #address: string;
  readonly #silenceMsMax: number;
  /** Number of pending statements. */
  #asked = 0;

  constructor(options: Options) {
    const url = options.connectionString;
    const addresses = serverAddresses(url);
    const address = preferred.get(url) ?? addresses[0]!;
    super({ ...options, connectionString: address });
    // The driver would read the file itself, but with a deprecation warning in each process.
    if (this.password === null) this.password = () => new Promise((found) => pgpass(this.connectionParameters, found));
    // An unhandled error event would end the process. The pending statement reports the loss to its caller.
    this.on("error", () => {});
    this.#url = url;
    this.#addresses = addresses;
    this.#address = address;
    this.#silenceMsMax = Number(this.connectionParameters.query_timeout);
    this.connectionParameters.query_timeout = 0;
  }

  override query<Row>(text: string | QueryConfig, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  override query<Row>(
    text: string | QueryConfig,
    values: readonly unknown[] | undefined,
    answered: Answered<Row>,
  ): void;
  override query<Row>(
    text: string | QueryConfig,
    values?: readonly unknown[],
    answered?: Answered<Row>,
  ): Promise<QueryResult<Row>> | undefined {
    if (answered === undefined)
      return new Promise((resolve, reject) =>
        this.query<Row>(text, values, (error, result) => (error ? reject(error) : resolve(result))),
      );
    this.#asked += 1;
    super.query<Row>(text, values, (error, result) => {
      this.#asked -= 1;
      answered(error, result);
    });
  }

  override connect(): Promise<void>;
  override connect(callback: (error?: unknown) => void): void;
  override connect(callback?: (error?: unknown) => void): Promise<void> | void {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(() => callback(), callback);
  }

  async #connect(): Promise<void> {
    try {
      await super.connect();
      const { stream } = this.connection ?? {};
      stream?.setTimeout(this.#silenceMsMax).on("timeout", () => this.#asked > 0 && stream.destroy());
      if (this.#addresses.length > 1) await this.#refuseStandby();
    } catch (error) {
      this.#goOn();
      throw error;
    }
  }

  async #refuseStandby(): Promise<void> {
    const { rows } = await this.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
    if (rows[0]?.transaction_read_only === "off") return;
    await this.end().catch(() => {});
    throw new Error(`${new URL(this.#address).host} accepts no changes`);
  }

  /** Moves on to the next server, unless another connection that failed at the same time has done so. */
  #goOn(): void {
    const first = preferred.get(this.#url) ?? this.#addresses[0];
    if (first !== this.#address) return;
    const next = (this.#addresses.indexOf(this.#address) + 1) % this.#addresses.length;
    preferred.set(this.#url, this.#addresses[next]!);
  }
}

/**
 * Opens a connection to the server that accepts changes. `more` overrides default options.
 * @throws {OperatorError} when no server can be reached, or the login fails.
 */
export async function openClient(url: string, more: Partial<Options> = {}): Promise<Client> {
  let failure: unknown;
  for (const _ of serverAddresses(url)) {
    const client = new FailoverClient({ ...connectionOptions(url), ...more });
    try {
      await client.connect();
      return client;
    } catch (error) {
      failure = error;
      client.end().catch(() => {});
    }
  }
  throw unreachable(url, failure);
}

/**
 * Opens a connection, passes it to `work` and closes it. `statementMs` is the maximum time of a statement; 0 means no limit. A transaction
 * may be idle for longer than usual, because a command may read or write a file meanwhile.
 * @throws {OperatorError} when the database cannot be reached.
 */
export async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  { statementMs = 0 } = {},
): Promise<T> {
  const client = await openClient(url, {
    statement_timeout: statementMs,
    query_timeout: statementMs === 0 ? 0 : statementMs + answerMs - statementMsMax,
    idle_in_transaction_session_timeout: commandIdleMs,
  });
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A connection that opens on first use and reopens after a loss. Calls run one after another, each with the whole connection. */
export class ReconnectingClient {
  readonly #url: string;
  #client: Client | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Runs `work` on the connection after all earlier calls.
   * @throws {OperatorError} when the database cannot be reached, has an unknown schema or does not commit durably.
   */
  run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#run(work));
    this.#last = done.catch(() => {});
    return done;
  }

  async #run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#connected();
    try {
      return await work(client);
    } catch (error) {
      // A server that vanishes silently does not break the connection. Dropping it spares the next call the same wait.
      if (error instanceof DatabaseUnavailable || isUnavailable(error)) this.#drop(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#client !== null) await closeNow(this.#client);
  }

  async #connected(): Promise<Client> {
    if (this.#client !== null) return this.#client;
    const client = await openClient(this.#url);
    client.on("error", () => this.#drop(client));
    client.on("end", () => this.#drop(client));
    try {
      await refuseUnlessDurable(client, this.#url);
      await refuseUnlessPrivate(client, this.#url);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    return client;
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = null;
    client.end().catch(() => {});
  }
}

/** Closes a connection at once. The driver would wait for pending responses and for a vanished server. */
export async function closeNow(client: Client): Promise<void> {
  const ended = client.end().catch(() => {});
  client.connection?.stream.destroy();
  await ended;
}

/**
 * Returns whether an error means that the database is unavailable or a transaction conflicted, so that nothing was changed. Returns false
 * for an uncertain commit.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return !error.isUncertain;
  if (error instanceof OperatorError)
    return error.exitCode === exitCodes.temporary || error.exitCode === exitCodes.unavailable;
  const { code, message } = error as { code?: unknown; message?: unknown };
  // SQLSTATE classes: connection, transaction state, conflict, resources, lock, operator, system.
  if (typeof code === "string") return /^(?:08|25|40|53|55|57|58)...$|^E[A-Z]+$/.test(code);
  return /^Connection terminated|timeout/.test(String(message));
}

/** Returns a database URL for display, without user, password and parameters. */
export function shownUrl(url: string): string {
  try {
    const addresses = serverAddresses(url).map((address) => new URL(address));
    return `postgresql://${addresses.map(({ host }) => host).join(",")}${addresses[0]!.pathname}`;
  } catch {
    return "the private database";
  }
}

/** Returns the error for an unreachable database. The message contains no password. */
function unreachable(url: string, error: unknown): OperatorError {
  const { code, message } = error as { code?: string; message: string };
  const why = code === undefined ? message : `${code}${message.includes(code) ? "" : `: ${message}`}`;
  return new OperatorError(
    `${shownUrl(url)}: cannot be reached (${why}); check the address, the password and that PostgreSQL runs`,
    exitCodes.temporary,
  );
}

/**
 * Refuses a server that could lose acknowledged commits: too old, or with `fsync` or `synchronous_commit` off. With a synchronous standby,
 * commits must also wait for its disk.
 * @throws {OperatorError} with the setting to change.
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
 * Migrates the private tables to this release's schema in one transaction. Returns the number of applied migrations. Drizzle's own migrator
 * needs the driver under another name.
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
 * Refuses a database with a schema that this release cannot use. It can use its own, the next one, and the previous one if that has all
 * needed columns. Nodes can therefore be upgraded one after another.
 * @throws {OperatorError} with both schema versions.
 */
export async function refuseUnlessPrivate(client: Client, url: string): Promise<void> {
  const applied = await appliedMigrations(client);
  const own = readMigrationFiles({ migrationsFolder }).length;
  if (applied === own || applied === own + 1) return;
  const missing = applied > 0 && applied === own - 1 ? await missingColumn(client) : "";
  if (missing === null) return;
  const lacks = missing === "" ? "" : ` and it lacks ${missing}`;
  const what =
    applied === 0 ? "has no private data of Itemtape" : `has schema ${applied}, this release has ${own}${lacks}`;
  const fix =
    applied > own
      ? "run a newer release"
      : "run `npx itemtape private migrate`, or `npx itemtape private import` for a new one";
  throw new OperatorError(`${shownUrl(url)}: ${what}; ${fix}`, exitCodes.unavailable);
}

/** Returns a sentence for the log if the schema is from the previous or the next release. Returns null if it is from this release. */
export async function otherSchema(client: Client): Promise<string | null> {
  const applied = await appliedMigrations(client);
  const own = readMigrationFiles({ migrationsFolder }).length;
  if (applied === own) return null;
  const todo = applied > own ? "upgrade this node" : "run `npx itemtape private migrate`";
  return `the private database has schema ${applied}, this release has ${own}; ${todo} soon`;
}

/** Returns the first column that this release needs and the database lacks. Returns null if it has all. */
async function missingColumn(client: Client): Promise<string | null> {
  const text =
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'itemtape'";
  const there = new Set((await client.query<{ name: string }>(text)).rows.map(({ name }) => name));
  const tables = Object.values(schema).filter((value) => is(value, PgTable));
  const needed = tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`),
  );
  return needed.find((name) => !there.has(name)) ?? null;
}

async function appliedMigrations(client: Client): Promise<number> {
  const there = await client.query("SELECT to_regclass('itemtape.migrations') AS name");
  if (there.rows[0]?.name === null) return 0;
  return Number((await client.query("SELECT count(*) AS count FROM itemtape.migrations")).rows[0]!.count);
}
