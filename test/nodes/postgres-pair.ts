import { setTimeout as wait } from "node:timers/promises";
import pg, { type Client } from "pg";
import { TestPostgres } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { addresses } from "./network.ts";

const settings = [
  "listen_addresses=*",
  "synchronous_standby_names=*",
  "wal_retrieve_retry_interval=200ms",
  "wal_receiver_status_interval=1s",
  "max_connections=60",
  "shared_buffers=32MB",
];
const startAttempts = 40;

/** A PostgreSQL server with a synchronous streaming standby. They swap roles at a failover. */
export class PostgresPair {
  #primary: TestPostgres;
  #standby: TestPostgres;
  readonly servers: readonly TestPostgres[];
  /** Cached connections to the primary, by database. Opening one costs more than a query. */
  readonly #clients = new Map<string, Client>();

  static async start(): Promise<PostgresPair> {
    const first = await TestPostgres.start({ settings, trusted: addresses });
    const pair = new PostgresPair(first, await TestPostgres.reserve());
    try {
      await pair.#startStandby();
      await pair.hasStandby();
      return pair;
    } catch (error) {
      await pair.remove();
      throw error;
    }
  }

  private constructor(primary: TestPostgres, standby: TestPostgres) {
    this.#primary = primary;
    this.#standby = standby;
    this.servers = [primary, standby];
  }

  get primary(): TestPostgres {
    return this.#primary;
  }

  /** Ends the primary as a power cut does. `revive` runs it again. */
  async kill(): Promise<void> {
    this.#forgetClients();
    await this.#primary.stop("SIGKILL");
  }

  async revive(): Promise<void> {
    await this.#run(this.#primary);
  }

  async killStandby(): Promise<void> {
    await this.#standby.stop("SIGKILL");
  }

  async reviveStandby(): Promise<void> {
    await this.#run(this.#standby);
  }

  /** Promotes the standby of a dead primary. The dead one returns as its standby. */
  async failOver(): Promise<void> {
    await this.#standby.promote();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.#startStandby();
  }

  /** Kills a backend of a node's connection, so that PostgreSQL restarts all backends. Returns whether it found a backend. */
  async killBackend(): Promise<boolean> {
    const text = "SELECT pid FROM pg_stat_activity WHERE application_name = 'itemtape' ORDER BY random() LIMIT 1";
    for (;;) {
      const { rows } = await this.query(text);
      if (rows.length === 0) return false;
      try {
        process.kill(rows[0].pid, "SIGKILL");
        this.#forgetClients();
        return true;
      } catch (error) {
        // It has ended by itself meanwhile.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  /** Resolves when a commit can be on both. */
  async hasStandby(): Promise<void> {
    await until("the standby follows", async () => {
      const found = await this.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").catch(() => null);
      return found?.rows.length === 1;
    });
  }

  /** Resolves when no transaction of a node is in progress. */
  async isQuiet(): Promise<void> {
    const text = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'itemtape' AND state <> 'idle'";
    await until("no transaction is under way", async () => (await this.query(text)).rows.length === 0);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  async query(text: string, values: unknown[] = [], database = "postgres"): Promise<{ rows: any[] }> {
    return (await this.#connected(database)).query(text, values);
  }

  async remove(): Promise<void> {
    this.#forgetClients();
    for (const server of this.servers) await server.stop("SIGKILL");
    for (const server of this.servers) await server.remove();
  }

  async #connected(database: string): Promise<Client> {
    const known = this.#clients.get(database);
    if (known !== undefined) return known;
    const client = new pg.Client(this.#primary.urlOf(database));
    const forget = () => {
      if (this.#clients.get(database) === client) this.#clients.delete(database);
    };
    client.on("error", forget).on("end", forget);
    await client.connect();
    this.#clients.set(database, client);
    return client;
  }

  #forgetClients(): void {
    for (const client of this.#clients.values()) client.end().catch(() => {});
    this.#clients.clear();
  }

  async #startStandby(): Promise<void> {
    await this.#standby.follow(this.#primary);
    await this.#run(this.#standby);
  }

  /** After a `kill -9` the processes of the dead server hold its memory for a moment, in which no new one starts. */
  async #run(server: TestPostgres): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await server.run({ settings });
      } catch (error) {
        if (attempt === startAttempts) throw error;
        await wait(100);
      }
    }
  }
}
