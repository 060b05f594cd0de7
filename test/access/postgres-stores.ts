import { getTableName } from "drizzle-orm";
import type { Context } from "mocha";
import type { Client, Pool } from "pg";
import { NodesCredentials } from "../../src/access/nodes/credentials.ts";
import { NodesOwners } from "../../src/access/nodes/owners.ts";
import { PostgresWriter } from "../../src/access/nodes/postgres-writer.ts";
import { NodesUsage } from "../../src/access/nodes/usage.ts";
import type { Database } from "../../src/store/database.ts";
import { privateCopy } from "../../src/store/file/file.ts";
import { openReads, PostgresCredentialReads, readUsage } from "../../src/store/postgres/access-reads.ts";
import {
  type AccountSelection,
  type AccountSelector,
  OwnerWork,
  workOnAccounts,
} from "../../src/store/postgres/account-work.ts";
import { openClient } from "../../src/store/postgres/connection.ts";
import { privateTables } from "../../src/store/postgres/copy.ts";
import { keyedRows, writeChanges } from "../../src/store/postgres/working-copy.ts";
import type { FailpointName } from "../../src/values/failpoints.ts";
import { ArmedFailpoints } from "../support/armed-failpoints.ts";
import { needPostgres, sharedPostgres } from "../support/postgres.ts";
import { setStandingClock, standClock } from "../support/standing-clock.ts";
import type { Row, Store, StoreOptions } from "./stores.ts";
import { noon } from "./world.ts";

/** Tables that only nodes use. The table of node starts is not emptied. */
const ofNodes = ["minute_uses", "request_places", "sign_in_counts"];
/** Faster than recreating each table, because there are few rows. Triggers protect the charges, so they are disabled. */
const emptied = `SET session_replication_role = replica;
  ${[...ofNodes, ...privateTables.map(getTableName)].map((name) => `DELETE FROM itemtape.${name};`).join(" ")}
  SET session_replication_role = DEFAULT; UPDATE standing.clock SET at = ${noon};`;

/** Parts shared by the stores of one test file. */
type Parts = { url: string; client: Client; pool: Pool; copy: Database; work: OwnerWork };

/** Stores in one private database, which each of them finds empty. */
export class PostgresStores {
  #parts: Parts | null = null;
  readonly #writers = new Map<StoreOptions["plans"], PostgresWriter>();
  #failpoints = new ArmedFailpoints();

  /** Empties the database, sets its clock to noon and opens it. Skips the test without PostgreSQL. */
  async open(test: Context, { plans }: StoreOptions): Promise<Store> {
    needPostgres(test);
    this.#parts ??= await start();
    await this.#parts.client.query(emptied);
    const failpoints = new ArmedFailpoints();
    this.#failpoints = failpoints;
    const another = () => this.#writer(plans);
    const writer = this.#writers.get(plans) ?? (await another());
    this.#writers.set(plans, writer);
    return new PostgresStore(this.#parts, writer, failpoints, another);
  }

  /** Tests that run again open others. */
  async close(): Promise<void> {
    for (const writer of this.#writers.values()) await writer.close();
    this.#writers.clear();
    if (this.#parts === null) return;
    const { client, pool, copy, work } = this.#parts;
    this.#parts = null;
    await work.close();
    copy.$client.close();
    await pool.end();
    await client.end();
  }

  #writer(plans: StoreOptions["plans"]): Promise<PostgresWriter> {
    const failpoints = { hit: (name: FailpointName) => this.#failpoints.hit(name) };
    return PostgresWriter.start(this.#parts!.url, { failpoints, ...(plans === undefined ? {} : { plans }) });
  }
}

async function start(): Promise<Parts> {
  const server = await sharedPostgres();
  const url = await server.database();
  await standClock(server, url, noon);
  const client = await openClient(`${url}?options=-csearch_path%3Ditemtape`);
  return { url, client, pool: openReads(url), copy: privateCopy(), work: new OwnerWork(url) };
}

/** The access layer of a node on PostgreSQL, with a clock that is set by the test. */
class PostgresStore implements Store {
  readonly isShared = true;
  readonly writer: PostgresWriter;
  readonly another: () => Promise<PostgresWriter>;
  readonly failpoints: ArmedFailpoints;
  readonly credentials;
  readonly usage;
  readonly owners;
  readonly #client: Client;
  readonly #copy: Database;
  readonly #work: OwnerWork;
  #toldAt = noon;

  constructor(
    { client, pool, copy, work }: Parts,
    writer: PostgresWriter,
    failpoints: ArmedFailpoints,
    another: () => Promise<PostgresWriter>,
  ) {
    this.#client = client;
    this.#copy = copy;
    this.#work = work;
    this.writer = writer;
    this.another = another;
    this.failpoints = failpoints;
    this.credentials = new NodesCredentials(new PostgresCredentialReads(pool));
    this.usage = new NodesUsage((accountId) => readUsage(pool, accountId));
    this.owners = new NodesOwners(pool, this.usage);
    this.owners.mainPlatform = () => "steam";
  }

  async tell(at: number): Promise<void> {
    if (at === this.#toldAt) return;
    await this.#client.query(setStandingClock, [at]);
    this.#toldAt = at;
  }

  async sql(text: string, values: readonly unknown[]): Promise<Row[]> {
    const numbered = text.split("?").reduce((before, after, index) => `${before}$${index}${after}`);
    return (await this.#client.query<Row>(numbered, values)).rows;
  }

  operate<T>(selector: AccountSelection, work: (database: Database) => T, month: string | null): Promise<T> {
    return workOnAccounts(this.#client, selector, work, month);
  }

  act<T>(selector: readonly AccountSelector[], _at: number, work: (database: Database, at: number) => T): Promise<T> {
    return this.#work.run(selector, work);
  }

  /** Without a new copy for each. */
  async plant<T>(work: (database: Database) => T): Promise<T> {
    const { $client: copy } = this.#copy;
    copy.exec("BEGIN");
    try {
      const result = work(this.#copy);
      for (const table of privateTables)
        await writeChanges(this.#client, table, new Map(), keyedRows(this.#copy, table));
      return result;
    } finally {
      copy.exec("ROLLBACK");
    }
  }

  /** The database is emptied when it is opened again. */
  async close(): Promise<void> {}
}
