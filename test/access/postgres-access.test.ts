import { expect } from "chai";
import { openNodesAccess } from "../../src/access/nodes/access.ts";
import { NodesCredentials } from "../../src/access/nodes/credentials.ts";
import { openReads, PostgresCredentialReads } from "../../src/store/postgres/access-reads.ts";
import { OwnerWork } from "../../src/store/postgres/account-work.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { importPrivate } from "../../src/store/postgres/copy.ts";
import { needPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { PostgresRelay } from "../support/postgres-relay.ts";
import { World } from "./world.ts";

describe("PostgreSQL access of a node", () => {
  let server: SharedPostgres;
  before(async function () {
    needPostgres(this);
    server = await sharedPostgres();
  });

  it("shares one cursor key with other nodes and accepts its own release", async () => {
    const url = await server.database();
    const nodes = [await openNodesAccess(url), await openNodesAccess(url)];
    const [one, other] = nodes.map(({ cursorKey }) => cursorKey);
    expect(one).to.be.instanceOf(Buffer).with.property("length", 32);
    expect(other).to.deep.equal(one);
    for (const { otherRelease } of nodes) expect(otherRelease).to.equal(null);
    for (const node of nodes) {
      expect(node.status()).to.deep.include({ isConnected: true, isUncertain: false, connections: 1 });
      await node.ledger.probe();
      expect((await node.owners.signIns.begin("ann", "192.0.2.1")).waitS).to.equal(null);
      await node.ledger.close();
      await node.close();
    }
  });

  it("fails only its own work when a connection ends during its check", async () => {
    let cuts = 0;
    const relay = await PostgresRelay.open(server.port, {
      requested(link) {
        if (link.held?.name !== "SHOW transaction_read_only") return link.forward();
        cuts += 1;
        link.cut();
      },
    });
    const { pathname } = new URL(await server.database());
    const url = `postgresql://itemtape@127.0.0.1:${relay.port},127.0.0.1:${relay.port}${pathname}`;
    const reads = openReads(url);
    const work = new OwnerWork(url);
    // An unhandled error of a connection would end this run.
    const failures = await Promise.all([
      reads.query("SELECT 1").catch((error: Error) => error.message),
      work.run([], () => null).catch((error: Error) => error.name),
    ]);
    expect(failures[0]).to.equal("Connection terminated unexpectedly");
    expect(failures[1]).to.be.a("string");
    expect(cuts).to.equal(2);
    await reads.end();
    await work.close();
    await relay.close();
  });

  it("drops the least recently used caller beyond its bound", async () => {
    const url = await server.database();
    const world = new World();
    world.clock.at = Date.now();
    const people = [1, 2, 3].map(() => world.person());
    await withClient(url, (client) => importPrivate(world.database, client));
    world.close();
    const pool = openReads(url);
    const credentials = new NodesCredentials(new PostgresCredentialReads(pool), { monotonicMs: () => 0 }, 2);
    const headers = people.map(({ secret }) => `Bearer ${secret}`);
    for (const index of [0, 1, 0, 2]) await credentials.identify(headers[index]);
    const kept = headers.map((header) => credentials.cached(header)?.keyId ?? null);
    expect(kept).to.deep.equal([people[0]!.keyId, null, people[2]!.keyId]);
    await pool.end();
  });
});
