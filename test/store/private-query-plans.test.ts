import { expect } from "chai";
import type { Client } from "pg";
import { openClient } from "../../src/store/postgres/connection.ts";
import { keepPlans, lockSlots, PostgresBatch, registerEpoch } from "../../src/store/postgres/ledger.ts";
import { hasPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { skipForWant } from "../support/skip.ts";

const names = ["lock", "load", "write"];
const parameters: Readonly<Record<string, number>> = { lock: 1, load: 7, write: 16 };

describe("batch statements in PostgreSQL", function () {
  this.timeout(60_000);
  let server: SharedPostgres;
  let client: Client;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await sharedPostgres();
    client = await openClient(await server.database(), { pipeline: true });
    await registerEpoch(client, "epoch", "node");
    await keepPlans(client);
  });
  after(async () => {
    await client?.end();
  });

  it("are planned once per connection, scan no table and skip JIT compilation", async () => {
    const asked = { keyId: "key_1", accountId: "acc_1", leaseId: "req_1", session: "ab" };
    for (const [turn, kind] of ["charge", "reserve", "place"].entries()) {
      const batch = await PostgresBatch.begin(client, "epoch", [{ ...asked, kind, permit: { kind: "changes" } }]);
      await batch.commit(client, "epoch", turn + 1);
    }
    const { rows } = await client.query(
      "SELECT name, generic_plans::int AS kept FROM pg_prepared_statements ORDER BY name",
    );
    expect(rows.filter(({ name }) => names.includes(String(name)))).to.deep.equal([
      { name: "load", kept: 3 },
      { name: "lock", kept: 3 },
      { name: "write", kept: 3 },
    ]);
    const planOf = async (statement: string) => {
      const plan = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${statement}`);
      const lines = plan.rows.map((row) => row["QUERY PLAN"].trim());
      expect(lines, `${statement} takes longer to compile than to run`).not.to.include("JIT:");
      return lines;
    };
    await planOf(lockSlots);
    const whole: string[] = [];
    for (const name of names) {
      const values = Array.from({ length: parameters[name]! }, () => "NULL").join();
      const lines = await planOf(`EXECUTE "${name}"(${values})`);
      lines.forEach((line, index) => {
        const scan = /(?:Seq Scan on|Index Scan using|Index Only Scan using|Bitmap Index Scan on) ([a-z_]+)/.exec(line);
        if (scan !== null && !/^Index Cond/.test(lines[index + 1] ?? "")) whole.push(`${name}: ${scan[0]}`);
      });
    }
    expect(whole, "indexes of what is taken now, at most eight rows each").to.deep.equal([
      "load: Bitmap Index Scan on request_places_changes",
      "load: Bitmap Index Scan on snapshot_leases_live_slot",
    ]);
  });
});
