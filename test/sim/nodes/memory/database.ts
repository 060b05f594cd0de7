import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Client } from "pg";
import type { Database } from "../../../../src/store/database.ts";
import { privateCopy } from "../../../../src/store/file/file.ts";
import type { workOnAccounts } from "../../../../src/store/postgres/account-work.ts";
import type { Relay, RelayEvents } from "../../../support/postgres-relay.ts";
import type { SharedLedger } from "../../model-types.ts";
import { loadTranslated, type Replacement, repository, textWith } from "../../subject.ts";
import { compareRows, type NodesDatabase, type Row, wantedRows } from "../database.ts";
import { type NodesSubject, nodesModules } from "../subject.ts";
import driver, { addRelay, removeRelay } from "./driver.ts";
import { type AccountRows, changeAccounts, Engine } from "./engine.ts";
import { MemoryRelay } from "./relay.ts";
import type { Account, Key } from "./tables.ts";

const migrations = `${repository}db/postgres/migrations`;
const driverPath = fileURLToPath(new URL("driver.ts", import.meta.url));
/** Tables of the operator's rows. */
const written = ["activity", "purchases", "api_keys", "accounts"];

/** The private database of simulated nodes in this process: what it knows of SQL are the statements of nodes. */
export class MemoryDatabase implements NodesDatabase {
  readonly #engine = new Engine(readMigrationFiles({ migrationsFolder: migrations }).length);
  /** Accounts and keys as the commands' own code writes them. */
  readonly #copy: Database = privateCopy();
  readonly #relays = new Set<MemoryRelay>();
  #ports = 0;
  #links = 0;

  async reset(at: number): Promise<void> {
    this.#engine.reset();
    this.#links = 0;
    for (const table of written) this.#copy.$client.exec(`DELETE FROM ${table}`);
    await this.setClock(at);
  }

  async setClock(at: number): Promise<void> {
    this.#engine.at = at;
  }

  async isBlocked(pid: number): Promise<boolean> {
    return this.#linksOf([pid]).some((link) => link.isBlocked);
  }

  async gone(): Promise<void> {}

  async terminate(pids: readonly number[]): Promise<void> {
    for (const link of this.#linksOf(pids)) link.cut();
  }

  async restart(at: number): Promise<void> {
    for (const relay of this.#relays) relay.cutAll();
    await this.setClock(at);
  }

  async relay(events: RelayEvents): Promise<Relay> {
    this.#ports += 1;
    const relay = new MemoryRelay(1 + (this.#ports % 60_000), this.#engine, events, () => {
      this.#links += 1;
      return this.#links;
    });
    const close = relay.close.bind(relay);
    relay.close = async () => {
      removeRelay(relay);
      this.#relays.delete(relay);
      await close();
    };
    addRelay(relay);
    this.#relays.add(relay);
    return relay;
  }

  urlThrough(port: number): string {
    return `postgresql://itemtape@127.0.0.1:${port}/simulated`;
  }

  async connect(url: string): Promise<Client> {
    const client = new driver.Client(url);
    client.on("error", () => {});
    await client.connect();
    return client as unknown as Client;
  }

  async loadSubject(change: Replacement | null = null): Promise<NodesSubject> {
    const textOf = (path: string) => textWith(change, path).replaceAll('from "pg"', `from "${driverPath}"`);
    const subject = await loadTranslated<NodesSubject>(nodesModules, textOf);
    return { ...subject, accountWork: { ...subject.accountWork, workOnAccounts: this.#work } };
  }

  async compare(shared: SharedLedger, whole: boolean): Promise<void> {
    const { tables } = this.#engine;
    const found: Record<string, Row[]> = {
      accounts: [...tables.accounts].map(([id, { plan, planEndsAt, disabledAt }]) => [
        id,
        plan,
        planEndsAt,
        disabledAt,
      ]),
      keys: [...tables.keys].map(([id, { accountId, expiresAt, revokedAt }]) => [id, accountId, expiresAt, revokedAt]),
      months: [...tables.months],
      leases: [...tables.leases.values()].map((one) => [
        one.leaseId,
        one.accountId,
        one.state,
        one.admittedAt,
        one.expiresAt,
        one.endedAt,
      ]),
      places: [...tables.places.values()]
        .filter(({ expiresAt }) => expiresAt > this.#engine.at)
        .map(({ requestId, kind, accountId, expiresAt }) => [requestId, kind, accountId, expiresAt]),
      minutes: [...tables.minutes].map(([id, { minute, used }]) => [id, minute, used]),
      events: whole
        ? [...tables.events].map(([id, one]) => [id, one.accountId, one.keyId, one.operation, one.month, one.at])
        : [[tables.events.size]],
    };
    for (const [what, rows] of Object.entries(wantedRows(shared, whole))) compareRows(what, found[what]!, rows);
  }

  async close(): Promise<void> {
    this.#copy.$client.close();
  }

  #linksOf(pids: readonly number[]) {
    return [...this.#relays].flatMap(({ links }) => links.filter(({ pid }) => pids.includes(pid)));
  }

  /** An operator's command: the same code on a copy of the rows, in one transaction that holds the account's row. */
  readonly #work: typeof workOnAccounts = async (client, whose, work) => {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    const accountIds =
      whose === "all" ? [] : [whose].flat().flatMap((one) => ("accountId" in one ? [one.accountId] : []));
    if (accountIds.length > 0) await client.query({ name: "lock", text: "", values: [accountIds] });
    const { $client } = this.#copy;
    $client.exec("BEGIN");
    let result: ReturnType<typeof work>;
    try {
      result = work(this.#copy);
      $client.exec("COMMIT");
    } catch (error) {
      $client.exec("ROLLBACK");
      await client.query("ROLLBACK");
      throw error;
    }
    await client.query({ name: changeAccounts, text: "", values: [accountRows(this.#copy)] });
    await client.query("COMMIT");
    return result;
  };
}

function accountRows({ $client }: Database): AccountRows {
  const accounts = $client
    .prepare("SELECT account_id AS id, plan, plan_ends_at AS planEndsAt, disabled_at AS disabledAt FROM accounts")
    .all() as (Account & { id: string })[];
  const keys = $client
    .prepare(
      `SELECT key_id AS id, account_id AS accountId, secret_hash AS secretHash, kind, scopes, expires_at AS expiresAt,
         revoked_at AS revokedAt FROM api_keys`,
    )
    .all() as (Key & { id: string })[];
  return {
    accounts: new Map(accounts.map(({ id, ...account }) => [id, account])),
    keys: new Map(keys.map(({ id, ...key }) => [id, key])),
  };
}
