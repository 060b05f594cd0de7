import { expect } from "chai";
import { openRemoteAccess } from "../../src/access/remote-access.ts";
import { hasPostgres, TestPostgres } from "../support/postgres.ts";
import { skipForWant } from "../support/skip.ts";

describe("the access of a node to a private database", () => {
  let server: TestPostgres;
  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await TestPostgres.start();
  });
  after(() => server?.remove());

  it("two nodes have one key for their cursors, and nothing to tell of a database of their own release", async () => {
    const url = await server.database();
    const nodes = [await openRemoteAccess(url), await openRemoteAccess(url)];
    const [one, other] = nodes.map(({ cursorKey }) => cursorKey);
    expect(one).to.be.instanceOf(Buffer).with.property("length", 32);
    expect(other).to.deep.equal(one);
    for (const { otherRelease } of nodes) expect(otherRelease).to.equal(null);
    for (const node of nodes) {
      expect(node.status()).to.deep.include({ isConnected: true, isInDoubt: false, connections: 1 });
      expect(node.ledger.sharesMinutes).to.equal(true);
      await node.ledger.probe();
      expect((await node.owners.signIns.begin("ann", "192.0.2.1")).waitS).to.equal(null);
      await node.ledger.close();
      await node.close();
    }
  });
});
