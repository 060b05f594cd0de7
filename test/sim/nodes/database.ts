import { setImmediate as turn } from "node:timers/promises";
import pg, { type Client } from "pg";
import { TestPostgres } from "../../support/postgres.ts";
import { PostgresRelay, type RelayEvents } from "../../support/postgres-relay.ts";
import { words } from "../../support/words.ts";
import { expectThat } from "../checker.ts";
import type { SharedLedger } from "../model-types.ts";
import type { Replacement } from "../subject.ts";
import { loadNodesSubject, type NodesSubject } from "./subject.ts";

const settings = [
  "autovacuum=off",
  "jit=off",
  "deadlock_timeout=20ms",
  "full_page_writes=off",
  "shared_buffers=32MB",
  "max_wal_size=512MB",
];
/** The run limits how long nodes wait. The server's timeouts would fail on a busy machine. */
const patience = "?lock_timeout=0&statement_timeout=0&idle_in_transaction_session_timeout=0&query_timeout=600000";
/** A sequence replaces the server's clock. Unlike a row, its value does not depend on a snapshot. */
const clock = `CREATE SCHEMA sim; CREATE SEQUENCE sim.clock_ms;
  CREATE FUNCTION sim.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS $$ SELECT timestamptz 'epoch' + last_value * interval '1 millisecond' FROM sim.clock_ms $$;
  CREATE FUNCTION sim.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT sim.clock_timestamp() $$`;
const emptied = words(`
  accounts purchases api_keys activity usage_months usage_events key_uses minute_uses
`);
const truncate = `TRUNCATE ${[...emptied, "snapshot_leases", "request_places", "ledger_nodes"].map((name) => `itemtape.${name}`).join(", ")} CASCADE`;

type Row = readonly (string | number | null)[];

/** The PostgreSQL database of simulated nodes, with the clock of the run and a separate connection for the test. */
export class NodesDatabase {
  readonly #server: TestPostgres;
  readonly #url: string;
  #control: Client;

  static async open(): Promise<NodesDatabase> {
    const server = await TestPostgres.start({ settings });
    const url = await server.database();
    const name = new URL(url).pathname.slice(1);
    await server.query(url, clock);
    await server.query(url, `ALTER DATABASE ${name} SET search_path = sim, pg_catalog`);
    // Months are in UTC in any time zone of the server.
    await server.query(url, `ALTER DATABASE ${name} SET timezone = 'Pacific/Apia'`);
    return new NodesDatabase(server, url, await connected(url));
  }

  private constructor(server: TestPostgres, url: string, control: Client) {
    this.#server = server;
    this.#url = url;
    this.#control = control;
  }

  relay(events: RelayEvents): Promise<PostgresRelay> {
    return PostgresRelay.open(this.#server.port, events);
  }

  /** Loads the modules that run on it. `change` replaces one text in their source. */
  loadSubject(change: Replacement | null = null): Promise<NodesSubject> {
    return loadNodesSubject(change);
  }

  /** Opens a connection for an operator. */
  async connect(url: string): Promise<Client> {
    const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Returns the address of the database through the relay at `port`. */
  urlThrough(port: number): string {
    const url = new URL(this.#url);
    url.port = String(port);
    return `${url}${patience}`;
  }

  /** Empties it for a run that begins at `at` (UTC ms). */
  async reset(at: number): Promise<void> {
    await this.#control.query(truncate);
    await this.setClock(at);
  }

  async setClock(at: number): Promise<void> {
    await this.#control.query(`SELECT setval('sim.clock_ms', ${at})`);
  }

  /** Returns whether the backend waits for a lock of another backend. */
  async isBlocked(pid: number): Promise<boolean> {
    const { rows } = await this.#control.query<{ n: number }>(`SELECT cardinality(pg_blocking_pids(${pid})) AS n`);
    return rows[0]!.n > 0;
  }

  /** Resolves when the server has noticed the end of the backends' clients and released their locks. */
  async gone(pids: readonly number[]): Promise<void> {
    const text = `SELECT FROM pg_stat_activity WHERE pid = ANY (ARRAY[${pids.join()}]::int[])`;
    while (pids.length > 0 && (await this.#control.query(text)).rows.length > 0) await turn();
  }

  async terminate(pids: readonly number[]): Promise<void> {
    if (pids.length > 0)
      await this.#control.query(`SELECT pg_terminate_backend(p) FROM unnest(ARRAY[${pids.join()}]) p`);
    await this.gone(pids);
  }

  /** Kills the server and starts it again. */
  async restart(at: number): Promise<void> {
    this.#control.end().catch(() => {});
    await this.#server.stop("SIGKILL");
    await this.#server.run({ settings });
    this.#control = await connected(this.#url);
    await this.setClock(at);
  }

  /**
   * Compares its tables with the model's: each charge if `whole`, else only their number.
   *
   * @throws {Violation} at the first difference
   */
  async compare(shared: SharedLedger, whole: boolean): Promise<void> {
    for (const [what, rows] of Object.entries(wantedRows(shared, whole))) {
      const found = await this.#control.query<{ row: string }>(
        `SELECT (${(whole && wholeTables[what]) || tables[what]})::text AS row`,
      );
      compareRows(what, JSON.parse(found.rows[0]!.row ?? "[]") as Row[], rows);
    }
  }

  async close(): Promise<void> {
    await this.#control.end();
    await this.#server.remove();
  }
}

const rowsOf = (table: string, columns: string) =>
  `SELECT json_agg(json_build_array(${columns})) FROM itemtape.${table}`;
const tables: Readonly<Record<string, string>> = {
  accounts: rowsOf("accounts", "account_id, plan, plan_ends_at, disabled_at"),
  keys: rowsOf("api_keys", "key_id, account_id, expires_at, revoked_at"),
  months: rowsOf("usage_months", "account_id || ' ' || month, used"),
  leases: rowsOf("snapshot_leases", "lease_id, account_id, state, admitted_at, expires_at, ended_at"),
  places: `${rowsOf("request_places", "request_id, kind, account_id, expires_at")}
    WHERE expires_at > extract(epoch FROM clock_timestamp()) * 1000`,
  minutes: rowsOf("minute_uses", "account_id, minute, used"),
  events: "SELECT json_build_array(json_build_array(count(*))) FROM itemtape.usage_events",
};
const wholeTables: Readonly<Record<string, string>> = {
  events: rowsOf("usage_events", "request_id, account_id, key_id, operation, month, at"),
};

async function connected(url: string): Promise<Client> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Returns the model's rows, by table name. */
function wantedRows(
  { accounts, keys, used, events, leases, places, minutes, at: now }: SharedLedger,
  whole: boolean,
): Record<string, Row[]> {
  return {
    accounts: [...accounts].map(([id, { plan, planEndsAt, disabledAt }]) => [id, plan, planEndsAt, disabledAt]),
    keys: [...keys].map(([id, { accountId, expiresAt, revokedAt }]) => [id, accountId, expiresAt, revokedAt]),
    months: [...used],
    leases: leases.map((one) => [one.leaseId, one.accountId, one.state, one.admittedAt, one.expiresAt, one.endedAt]),
    // An expired row does not count, even if it was never removed.
    places: [...places]
      .filter(([, { expiresAt }]) => expiresAt > now)
      .map(([id, { kind, accountId, expiresAt }]) => [id, kind, accountId, expiresAt]),
    minutes: [...minutes].map(([id, { minute, used: count }]) => [id, minute, count]),
    events: whole
      ? [...events].map(([id, one]) => [id, one.accountId, one.keyId, one.operation, one.month, one.at])
      : [[events.size]],
  };
}

/**
 * Compares the rows of a table with the model's rows.
 *
 * @throws {Violation} at the first difference
 */
function compareRows(what: string, rows: readonly Row[], wanted: readonly Row[]): void {
  const got = new Set(rows.map((row) => JSON.stringify(row)));
  const expected = new Set(wanted.map((row) => JSON.stringify(row)));
  const wrong = [...got].find((row) => !expected.has(row));
  const missing = [...expected].find((row) => !got.has(row));
  const equal = wrong === undefined && missing === undefined;
  expectThat("model", equal, `${what}: the database has ${wrong ?? "not"}, it should have ${missing ?? "not"}`);
}

/** Parses 64-bit integers as numbers, as the product does. */
function getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  return oid === 20 ? Number : pg.types.getTypeParser(oid, format);
}
