import { hostname } from "node:os";
import { expect } from "chai";
import type { AdmissionRefusal } from "../../../src/access/admission.ts";
import { type Charge, LedgerRefusal, leaseMs } from "../../../src/access/ledger/ledger.ts";
import { openNodesAccess } from "../../../src/access/nodes/access.ts";
import { NodesAdmissions } from "../../../src/access/nodes/admissions.ts";
import { type NodesCharge, NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import { plans } from "../../../src/access/plans.ts";
import { RateLimiter } from "../../../src/access/rate-limiter.ts";
import { withClient } from "../../../src/store/postgres/connection.ts";
import { importPrivate } from "../../../src/store/postgres/copy.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { needPostgres, TestPostgres } from "../../support/postgres.ts";
import { itLong } from "../../support/size.ts";
import { until } from "../../support/until.ts";
import { freeOfCharge, type Person, pointRead, World } from "../world.ts";

const scaled = {
  free: { ...plans.free, requestsPerMonth: 10 },
  builder: { ...plans.builder, requestsPerMonth: 10, requestsPerMinute: 1000, snapshotStartsPerDay: 2 },
  trader: { ...plans.trader, requestsPerMinute: 5 },
  quant: { ...plans.quant, requestsPerMinute: 100_000 },
};
const ids = systemIds();

describe("ledger of many nodes", function () {
  this.timeout(120_000);
  let server: TestPostgres;
  let url: string;
  let world: World;
  let people: { builder: Person; trader: Person; quant: Person; other: Person };
  let nodes: NodesLedger[];

  before(async function () {
    needPostgres(this);
    server = await TestPostgres.start();
  });
  after(() => server?.remove());

  beforeEach(async () => {
    url = await server.database();
    world = new World();
    world.clock.at = Date.now();
    people = {
      builder: world.person("builder"),
      trader: world.person("trader"),
      quant: world.person("quant"),
      other: world.person("quant"),
    };
    await withClient(url, (client) => importPrivate(world.database, client));
    nodes = [await open(), await open()];
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    await world.close();
  });

  async function open(): Promise<NodesLedger> {
    return new NodesLedger(await PostgresWriter.start(url, { plans: scaled }));
  }

  function chargeOf({ accountId, keyId }: Person, more: Partial<NodesCharge> = {}): Charge {
    const at = Date.now();
    return {
      kind: "charge",
      requestId: ids.requestId(at),
      accountId,
      keyId,
      operation: "getItem",
      plan: "free",
      at,
      ...more,
    };
  }

  async function outcome(node: NodesLedger, charge: Charge): Promise<string> {
    try {
      await node.charge(charge);
      return "charged";
    } catch (error) {
      if (error instanceof LedgerRefusal) return error.code;
      throw error;
    }
  }

  /** Charges from both nodes in turn, all at once. */
  function outcomes(count: number, charge: () => Charge): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => outcome(nodes[index % 2]!, charge())));
  }

  async function counts(person: Person): Promise<{ used: number; events: number }> {
    const rows = await server.query(
      url,
      `SELECT coalesce((SELECT sum(used) FROM itemtape.usage_months WHERE account_id = $1), 0)::int AS used,
        (SELECT count(*) FROM itemtape.usage_events WHERE account_id = $1)::int AS events`,
      [person.accountId],
    );
    return rows.rows[0];
  }

  it("limits an account's minute over all nodes, including requests without a unit", async () => {
    const begun = Math.floor(Date.now() / 60_000);
    const told = await outcomes(12, () => chargeOf(people.trader));
    const free = await outcome(nodes[1]!, chargeOf(people.trader, { isFree: true, operation: "getUsage" }));
    if (Math.floor(Date.now() / 60_000) !== begun) return;
    expect(told.filter((one) => one === "charged")).to.have.length(5);
    expect(told.filter((one) => one === "rate_limited")).to.have.length(7);
    expect(free).to.equal("rate_limited");
    expect(await counts(people.trader)).to.deep.equal({ used: 5, events: 5 });
  });

  it("refuses a minute used up by other nodes without a database query", async () => {
    const at = Date.now();
    await outcomes(6, () => chargeOf(people.trader));
    const caller = world.identify(people.trader, at);
    const admissions = new NodesAdmissions({
      ledger: nodes[0]!,
      limiter: new RateLimiter(),
      clock: world.clock,
      plans: scaled,
    });
    const limit = scaled.trader.requestsPerMinute;
    const refusal = (rule = pointRead) =>
      admissions.admit({ requestId: ids.requestId(at), operation: "getItem", rule, caller, at }).then(
        () => "admitted",
        ({ code, allowance }: AdmissionRefusal) => {
          expect(allowance).to.deep.equal({ limitPerMinute: limit, remainingInMinute: 0, quotaRemaining: null });
          return code;
        },
      );
    for (let asked = 0; asked < limit; asked += 1) {
      const code = await refusal(asked === 1 ? freeOfCharge : pointRead);
      if (Math.floor(Date.now() / 60_000) !== Math.floor(at / 60_000)) return;
      expect(code).to.equal("rate_limited");
    }
    await nodes[0]!.close();
    expect(await refusal()).to.equal("rate_limited");
  });

  it("limits exports over all nodes: one per account, eight in total", async () => {
    const reserve = (person: Person) =>
      chargeOf(person, { kind: "reserve", plan: "paid", operation: "streamMarketSnapshot" });
    const told = await outcomes(6, () => reserve(people.builder));
    expect(told.toSorted()).to.deep.equal(["charged", ...Array(5).fill("snapshot_busy")]);
    const lease = await server.query(
      url,
      "SELECT lease_id, expires_at - admitted_at AS ms FROM itemtape.snapshot_leases",
    );
    expect(Number(lease.rows[0].ms)).to.equal(leaseMs);
    await nodes[1]!.endLease(lease.rows[0].lease_id, "finished", Date.now());
    expect(await outcome(nodes[1]!, reserve(people.builder))).to.equal("charged");
    const second = await server.query(url, "SELECT lease_id FROM itemtape.snapshot_leases WHERE state = 'reserved'");
    await nodes[0]!.endLease(second.rows[0].lease_id, "finished", Date.now());
    expect(await outcome(nodes[0]!, reserve(people.builder))).to.equal("snapshot_daily_limit");
    await server.query(
      url,
      `INSERT INTO itemtape.snapshot_leases SELECT 'held' || n, 'acc_of_nobody' || n, n, 'reserved', $1, $2, NULL FROM generate_series(1, 8) n`,
      [Date.now() - 1000, Date.now() + dayMs],
    );
    expect(await outcome(nodes[0]!, reserve(people.other))).to.equal("snapshot_capacity");
  });

  /** Lets the next `times` charges fail with this condition: in their transaction, or at its commit. A sequence is never undone. */
  async function fails(times: number, code: string, deferred = false): Promise<void> {
    const trigger = deferred
      ? "CREATE CONSTRAINT TRIGGER failing AFTER INSERT ON itemtape.usage_events DEFERRABLE INITIALLY DEFERRED"
      : "CREATE TRIGGER failing BEFORE INSERT ON itemtape.usage_events";
    await server.query(
      url,
      `DROP TRIGGER IF EXISTS failing ON itemtape.usage_events; DROP SEQUENCE IF EXISTS itemtape.tries; CREATE SEQUENCE itemtape.tries;
       CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('itemtape.tries') <= ${times} THEN RAISE EXCEPTION 'in the way' USING ERRCODE = '${code}'; END IF;
         RAISE WARNING 'nothing of importance' USING DETAIL = 'nor this';
         RETURN NEW; END $$;
       ${trigger} FOR EACH ROW EXECUTE FUNCTION fail();`,
    );
  }

  it("retries a batch once after a conflict, and refuses at other failures", async () => {
    const tries = async () =>
      Number((await server.query(url, "SELECT last_value FROM itemtape.tries")).rows[0].last_value);
    for (const [code, times, told, tried] of [
      ["40001", 1, "charged", 2],
      ["40P01", 1, "charged", 2],
      ["55P03", 2, "service_unavailable", 2],
      ["22012", 1, "service_unavailable", 1],
    ] as const) {
      await fails(times, code);
      expect([await outcome(nodes[0]!, chargeOf(people.quant)), await tries()], code).to.deep.equal([told, tried]);
    }
    expect(await outcome(nodes[0]!, chargeOf(people.quant))).to.equal("charged");
    expect(await counts(people.quant)).to.deep.equal({ used: 3, events: 3 });
  });

  it("disconnects from a server that is read-only or refused a commit", async () => {
    const writer = await PostgresWriter.start(url, { plans: scaled });
    const node = new NodesLedger(writer);
    const before = { isConnected: true, isUncertain: false, connections: 1, batches: 0 };
    expect(writer.status).to.deep.equal(before);
    const known = await server.query(url, "SELECT DISTINCT node FROM itemtape.ledger_nodes");
    expect(known.rows).to.deep.equal([{ node: `${hostname()}:${process.pid}` }]);
    await fails(1, "25006");
    expect(await outcome(node, chargeOf(people.quant))).to.equal("service_unavailable");
    expect(writer.status).to.deep.equal({ ...before, isConnected: false });
    expect(await outcome(node, chargeOf(people.quant))).to.equal("charged");
    expect(writer.status).to.deep.equal({ ...before, connections: 2, batches: 1 });
    await fails(1, "23000", true);
    expect(await outcome(node, chargeOf(people.quant))).to.equal("service_unavailable");
    expect(await outcome(node, chargeOf(people.quant))).to.equal("charged");
    expect(writer.status).to.deep.equal({ ...before, connections: 3, batches: 2 });
    expect(await counts(people.quant)).to.deep.equal({ used: 2, events: 2 });
    const open =
      "SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'itemtape' AND datname = current_database()";
    await until("only what is used is open", async () => (await server.query(url, open)).rows[0].open === 3);
    await node.close();
    await until("its own is closed", async () => (await server.query(url, open)).rows[0].open === 2);
    const foreign = await PostgresWriter.start(await server.database(false)).catch((error) => error);
    expect(foreign).to.be.instanceOf(OperatorError);
  });

  it("charges nothing with a deleted registration, and registers again", async () => {
    const node = nodes[0]!;
    expect(await outcome(node, chargeOf(people.quant))).to.equal("charged");
    await server.query(url, "DELETE FROM itemtape.ledger_nodes");
    expect(await outcome(node, chargeOf(people.quant))).to.equal("service_unavailable");
    expect(await counts(people.quant)).to.deep.equal({ used: 1, events: 1 });
    expect(await outcome(node, chargeOf(people.quant))).to.equal("charged");
    expect(await counts(people.quant)).to.deep.equal({ used: 2, events: 2 });
  });

  itLong("names an unreachable database without its password", async () => {
    const away = await PostgresWriter.start("postgresql://a:hidden@nowhere.invalid/b").catch((error: Error) => error);
    expect(away).to.be.instanceOf(OperatorError);
    expect((away as Error).message)
      .to.match(/^postgresql:\/\/nowhere\.invalid\/b: cannot be reached/)
      .and.not.contain("hidden");
  });

  it("leaves no connection behind when a start fails late", async () => {
    const other = await server.database();
    await server.query(other, "DELETE FROM itemtape.node_secrets");
    expect(await openNodesAccess(other).catch((error: unknown) => error)).to.be.instanceOf(Error);
    const open =
      "SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = $1 AND application_name = 'itemtape'";
    const name = new URL(other).pathname.slice(1);
    await until("none is open", async () => (await server.query("postgres", open, [name])).rows[0].open === 0);
  });

  it("runs probes beside batches without ending or joining them", async () => {
    const probes: Promise<unknown>[] = [];
    const told: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      for (const node of nodes) probes.push(node.probe());
      told.push(...(await outcomes(4, () => chargeOf(people.quant))));
    }
    await Promise.all(probes);
    expect(told.filter((one) => one !== "charged")).to.deep.equal([]);
    expect(await counts(people.quant)).to.deep.equal({ used: 80, events: 80 });
  });

  itLong("uses the writable one of several servers, in any order", async () => {
    const live = new URL(url).host;
    for (const hosts of [`127.0.0.1:1,${live}`, `${live},127.0.0.1:1`]) {
      const address = `${url.replace(live, hosts)}?target_session_attrs=read-write`;
      const node = new NodesLedger(await PostgresWriter.start(address, { plans: scaled }));
      expect(await outcome(node, chargeOf(people.quant))).to.equal("charged");
      await node.close();
    }
    const nowhere = await PostgresWriter.start("postgresql://a@127.0.0.1:1,127.0.0.1:2/b").catch((error) => error);
    expect(nowhere.message).to.match(/^postgresql:\/\/127\.0\.0\.1:1,127\.0\.0\.1:2\/b: cannot be reached/);
  });

  itLong("loses and repeats no charge when backends are killed under load", async () => {
    let charged = 0;
    let isOver = false;
    const requested = new Set<string>();
    const load = Array.from({ length: 8 }, async (_, index) => {
      while (!isOver) {
        const charge = chargeOf(people.quant);
        requested.add(charge.requestId);
        if ((await outcome(nodes[index % 2]!, charge)) === "charged") charged += 1;
      }
    });
    for (let kill = 0; kill < 15; kill += 1) {
      const before = charged;
      await until("charges go on", () => charged > before + 10);
      await server.query(
        "postgres",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'itemtape'",
      );
    }
    isOver = true;
    await Promise.all(load);
    const { used, events } = await counts(people.quant);
    expect(used).to.equal(events);
    expect(events).to.be.at.least(charged);
    const stored = await server.query(url, "SELECT request_id FROM itemtape.usage_events");
    expect(stored.rows.every(({ request_id: id }) => requested.has(id))).to.equal(true);
    // The ledger checked each commit without a response, so the stored events equal the charges in responses.
    expect(events).to.equal(charged);
  });

  it("refuses and names a server that could lose a confirmed charge", async () => {
    await server.configure({ synchronous_commit: "off" });
    await refused(/`synchronous_commit` is off/);
    await server.configure({ synchronous_commit: null, fsync: "off" });
    await refused(/`fsync` is off/);
    await server.configure({ fsync: null, synchronous_commit: "local", synchronous_standby_names: "second" });
    await refused(/`local` beside a synchronous standby/);
    await server.configure({ synchronous_commit: null, synchronous_standby_names: null });
  });

  async function refused(why: RegExp): Promise<void> {
    let message = "";
    await open().catch((error: Error) => {
      message = error.message;
    });
    expect(message).to.match(why);
  }
});
