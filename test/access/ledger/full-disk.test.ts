import { chmodSync } from "node:fs";
import { expect } from "chai";
import { LedgerRefusal } from "../../../src/access/ledger/ledger.ts";
import { NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { needPostgres, TestPostgres } from "../../support/postgres.ts";
import { SmallDisk } from "../../support/small-disk.ts";
import { sharedWorld } from "../world.ts";

/** Room for the server's own files and some of its log. */
const diskBytes = 256 * 1024 * 1024;
const ids = systemIds();

describe("PostgreSQL on a full disk", function () {
  this.timeout(120_000);
  let disk: SmallDisk;
  let server: TestPostgres;

  before(async function () {
    needPostgres(this);
    disk = SmallDisk.mount(this as never, diskBytes);
    chmodSync(disk.folder, 0o755);
    server = await TestPostgres.start({ within: disk.folder });
  });
  after(async () => {
    await server?.remove();
    disk?.unmount();
  });

  it("refuses charges with 503 at no cost, and recovers by itself", async () => {
    const { url, world, person } = await sharedWorld(server);
    const node = new NodesLedger(await PostgresWriter.start(url));
    const charge = async (operation: string): Promise<string> => {
      const at = Date.now();
      const { accountId, keyId } = person;
      try {
        const request = { requestId: ids.requestId(at), accountId, keyId, operation, plan: "free", at } as const;
        await node.charge({ kind: "charge", ...request });
        return "charged";
      } catch (error) {
        expect(error).to.be.instanceOf(LedgerRefusal);
        const { code, facts } = error as LedgerRefusal;
        return `${code} ${facts.retryAfterS}`;
      }
    };
    const books = async () =>
      (
        await server.query(
          url,
          `SELECT (SELECT sum(used)::int FROM itemtape.usage_months) AS used, (SELECT count(*)::int FROM itemtape.usage_events) AS events`,
        )
      ).rows[0];
    let charged = 0;
    try {
      expect(await charge("getItem")).to.equal("charged");
      charged += 1;
      disk.fill(0);
      // The last page of a table still has room for some rows.
      let refused = 0;
      for (let asked = 0; refused < 5 && asked < 300; asked += 1) {
        const told = await charge("x".repeat(1000));
        if (told === "charged") charged += 1;
        else expect(told).to.equal("service_unavailable 1");
        refused += told === "charged" ? 0 : 1;
      }
      expect(refused, "no charge was refused").to.equal(5);
      expect(await books()).to.deep.equal({ used: charged, events: charged });
      disk.clear();
      for (const _ of [1, 2, 3]) expect(await charge("x".repeat(1000))).to.equal("charged");
      expect(await books()).to.deep.equal({ used: charged + 3, events: charged + 3 });
    } finally {
      disk.clear();
      await node.close();
      await world.close();
    }
  });
});
