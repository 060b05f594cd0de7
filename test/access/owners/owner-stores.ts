import { NodesOwners } from "../../../src/access/nodes/owners.ts";
import { NodesUsage } from "../../../src/access/nodes/usage.ts";
import { OwnerReads, type ReadsOwners } from "../../../src/access/owners/owner-reads.ts";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import type { Session } from "../../../src/access/owners/sessions.ts";
import type { Database } from "../../../src/store/database.ts";
import { openReader } from "../../../src/store/database.ts";
import { openReads, readUsage } from "../../../src/store/postgres/access-reads.ts";
import { workOnAccounts } from "../../../src/store/postgres/account-work.ts";
import { withClient } from "../../../src/store/postgres/connection.ts";
import type { TestPostgres } from "../../support/postgres.ts";
import type { World } from "../../support/world.ts";
import { cheapCost, goodPassword, type OwnerWorld } from "../../web/dashboard/owner-world.ts";
import { Nodes } from "./postgres-world.ts";

/** Owners in one kind of store, with the program that serves them and a separate writer. */
export type OwnerStore = {
  /** The program on this store. */
  readonly world: World;
  readonly reads: ReadsOwners;
  writer(): OwnerWriter;
  /** Moves all clocks. */
  advance(ms: number): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  sql(text: string): Promise<any[]>;
  /** Runs an operator's work on an account, as another process. */
  operate<T>(accountId: string, work: (database: Database) => T): Promise<T>;
  close(): Promise<void>;
};

/** Opens the owners of the file. */
export function ownersInFile({ world }: OwnerWorld): OwnerStore {
  const reader = openReader(world.path);
  return {
    world,
    reads: new OwnerReads(reader),
    writer: () => new OwnerWriter({ databasePath: world.path, cost: cheapCost }, world.clock),
    advance: async (ms) => world.clock.advance(ms),
    sql: async (text) => world.sql(text),
    operate: async (_accountId, work) => world.change(work),
    close: async () => {
      reader.$client.close();
    },
  };
}

/** Copies the owners into a private database and opens them there. */
export async function ownersInPostgres(server: TestPostgres, owners: OwnerWorld): Promise<OwnerStore> {
  const nodes = await Nodes.start(server, owners, 1);
  const pool = openReads(nodes.url);
  const usage = new NodesUsage((accountId) => readUsage(pool, accountId));
  const world = nodes.worlds[0]!;
  return {
    world,
    reads: new NodesOwners(pool, usage),
    writer: () =>
      new OwnerWriter(
        { databasePath: world.path, privateUrl: nodes.url, cost: cheapCost },
        { ...nodes.clock, now: () => 0 },
      ),
    advance: (ms) => nodes.clock.move(ms),
    sql: (text) => nodes.sql(text),
    operate: (accountId, work) => withClient(nodes.url, (client) => workOnAccounts(client, { accountId }, work)),
    async close() {
      await pool.end();
      await nodes.stop();
    },
  };
}

/** Signs in at the writer, as a page knows it. */
export async function enterStore(store: OwnerStore, writer: OwnerWriter, login: string): Promise<Session> {
  const { cookie } = await writer.signIn(login, goodPassword, null);
  return openSession(store, cookie);
}

/** Returns the open session of a cookie. */
export async function openSession({ reads, world }: OwnerStore, cookie: string): Promise<Session> {
  const open = await reads.openSession(cookie, world.clock.at);
  if (open === null) throw new Error("there is no such session");
  return open.session;
}
