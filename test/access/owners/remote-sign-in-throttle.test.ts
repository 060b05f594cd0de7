import { expect } from "chai";
import { NodesSignInThrottle } from "../../../src/access/nodes/sign-in-throttle.ts";
import { OwnerRefusal } from "../../../src/access/owners/owner-refusal.ts";
import { SignInThrottle } from "../../../src/access/owners/sign-in-throttle.ts";
import { openReads } from "../../../src/store/postgres/access-reads.ts";
import { hourMs, secondMs } from "../../../src/values/time/calendar.ts";
import { Random } from "../../sim/random.ts";
import { needPostgres, type SharedPostgres, sharedPostgres } from "../../support/postgres.ts";
import { PostgresRelay } from "../../support/postgres-relay.ts";
import { itLong } from "../../support/size.ts";
import { until } from "../../support/until.ts";

const start = Date.UTC(2026, 0, 15, 12);

describe("sign-in throttle over all nodes", function () {
  this.timeout(30_000);
  let server: SharedPostgres;
  let url: string;
  let pools: ReturnType<typeof openReads>[];
  before(async function () {
    needPostgres(this);
    server = await sharedPostgres();
    url = await server.database();
    // With any default isolation of the server, an attempt must see the earlier counts.
    const name = new URL(url).pathname.slice(1);
    await server.query(url, `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    pools = [openReads(url), openReads(url)];
  });
  after(async () => {
    for (const pool of pools ?? []) await pool.end();
  });

  const rows = async () =>
    (await server.query(url, "SELECT kind, failures, octet_length(key_hash) AS bytes FROM itemtape.sign_in_counts"))
      .rows;

  it("decides on two nodes together as one process does alone", async () => {
    const random = new Random(7);
    let at = start;
    const one = new SignInThrottle();
    const nodes = pools.map((pool) => new NodesSignInThrottle(pool, { now: () => at }));
    const underWay: { withdraw(): void | Promise<void> }[][] = [];
    const told: (number | null)[] = [];
    for (let step = 0; step < 150; step += 1) {
      at += random.between(0, 3) * secondMs;
      const who = [`login${random.between(0, 2)}`, `192.0.2.${random.between(0, 1)}`] as const;
      const node = nodes[step % 2]!;
      const [mine, theirs] = [one.begin(...who, at), await node.begin(...who)];
      expect(theirs.waitS, `step ${step}`).to.equal(mine.waitS);
      told.push(mine.waitS);
      if (mine.waitS !== null) continue;
      const how = random.between(0, 9);
      if (how === 0) {
        one.succeeded(...who, at);
        await node.succeeded(...who);
      } else if (how < 3) underWay.push([mine, theirs]);
      // A second withdrawal must not withdraw another attempt.
      if (how === 9) for (const attempt of underWay.shift() ?? []) for (const _ of [1, 2]) await attempt.withdraw();
    }
    expect(told.filter((waitS) => waitS !== null)).not.to.have.length(0);
    expect(told.filter((waitS) => waitS === null).length).to.be.greaterThan(30);
    expect((await rows()).map(({ bytes }) => bytes)).to.include(32);
  });

  it("counts simultaneous attempts at both nodes before any has failed", async () => {
    const nodes = pools.map((pool) => new NodesSignInThrottle(pool, { now: () => start + 24 * hourMs }));
    const waits = await Promise.all(
      Array.from({ length: 16 }, (_, index) => nodes[index % 2]!.begin("ann", "192.0.2.9")),
    );
    expect(waits.filter(({ waitS }) => waitS === null)).to.have.length(5);
  });

  it("queries the database twice per attempt, once per refusal, without held locks", async () => {
    const asked: string[] = [];
    let isSilent = false;
    const relay = await PostgresRelay.open(server.port, {
      requested: (link) => {
        asked.push(link.held!.name);
        link.forward();
      },
      answered: (link) => {
        if (!isSilent) link.deliver();
      },
    });
    const pool = openReads(url.replace(`:${server.port}/`, `:${relay.port}/`));
    try {
      const now = () => start + 48 * hourMs;
      const node = new NodesSignInThrottle(pool, { now });
      const asks: number[] = [];
      for (let time = 0; time < 6; time += 1) {
        asked.length = 0;
        await node.begin("carol", "192.0.2.20");
        asks.push(asked.length);
      }
      expect(asks).to.deep.equal([2, 2, 2, 2, 2, 1]);
      isSilent = true;
      const lost = node.begin("dora", "192.0.2.21").catch((error: unknown) => error);
      await until("the node has asked", () => relay.links.some(({ answer }) => answer !== null));
      const other = new NodesSignInThrottle(pools[1]!, { now });
      for (const login of ["dora", "emil"]) expect((await other.begin(login, "192.0.2.21")).waitS).to.equal(null);
      relay.cutAll();
      expect(await lost)
        .to.be.instanceOf(OwnerRefusal)
        .with.property("code", "unavailable");
    } finally {
      await relay.close();
      await pool.end();
    }
  });

  itLong("refuses as busy an attempt that other nodes overtake fifty times", async () => {
    const now = () => start + 96 * hourMs;
    const login = "overtaken";
    await new NodesSignInThrottle(pools[1]!, { now }).begin(login, "192.0.2.30");
    let asked = 0;
    const relay = await PostgresRelay.open(server.port, {
      requested: async (link) => {
        asked += 1;
        await server.query(url, "UPDATE itemtape.sign_in_counts SET last_at = last_at + 1");
        link.forward();
      },
    });
    const pool = openReads(url.replace(`:${server.port}/`, `:${relay.port}/`));
    try {
      const error = await new NodesSignInThrottle(pool, { now })
        .begin(login, "192.0.2.30")
        .catch((one: unknown) => one);
      expect(error).to.be.instanceOf(OwnerRefusal).with.property("code", "busy");
      expect(asked).to.equal(2 * 50);
    } finally {
      await relay.close();
      await pool.end();
    }
  });

  it("drops the oldest counts of a kind beyond its bound", async () => {
    let at = start;
    const node = new NodesSignInThrottle(pools[0]!, { rowsMax: 10, now: () => at });
    for (let step = 0; step < 100; step += 1) {
      at += 1000;
      await node.begin(`user${step}`, `198.51.${step}.1`);
    }
    // On the connection of the attempts: a count that is removed only later would be seen here.
    const { rows: left } = await pools[0]!.query<{ kind: string }>("SELECT kind FROM itemtape.sign_in_counts");
    const kept = left.map(({ kind }) => kind);
    for (const kind of ["logins", "addresses"]) expect(kept.filter((one) => one === kind)).to.have.length(10);
  });

  it("uses one connection for a flood: 64 wait, the rest are refused", async () => {
    const pool = openReads(url);
    const node = new NodesSignInThrottle(pool, { now: () => start + 48 * hourMs });
    const asked = Array.from({ length: 70 }, (_, index) => node.begin(`flood${index}`, `203.0.113.${index}`));
    const told = await Promise.allSettled(asked);
    expect(told.map(({ status }) => status)).to.deep.equal([
      ...Array(64).fill("fulfilled"),
      ...Array(6).fill("rejected"),
    ]);
    const { reason } = told[64] as PromiseRejectedResult;
    expect(reason).to.be.instanceOf(OwnerRefusal).with.property("code", "busy");
    expect(pool.totalCount).to.equal(1);
    expect((await node.begin("ann", "203.0.113.99")).waitS).to.equal(null);
    await pool.end();
  });

  it("drops the connection of an attempt that it cannot count", async () => {
    const pool = openReads(url);
    const node = new NodesSignInThrottle(pool, { now: () => start + 72 * hourMs });
    await server.query(url, "ALTER TABLE itemtape.sign_in_counts ADD CONSTRAINT never CHECK (failures < 0) NOT VALID");
    const fault = await node.begin("ann", "203.0.113.1").catch((error: unknown) => error);
    expect(fault).to.have.property("code", "23514");
    expect(pool.totalCount).to.equal(0);
    await server.query(url, "ALTER TABLE itemtape.sign_in_counts DROP CONSTRAINT never");
    expect((await node.begin("ann", "203.0.113.1")).waitS).to.equal(null);
    await pool.end();
  });

  it("checks no password while the database is unreachable", async () => {
    const relay = await PostgresRelay.open(server.port);
    const pool = openReads(url.replace(`:${server.port}/`, `:${relay.port}/`));
    const node = new NodesSignInThrottle(pool);
    expect((await node.begin("ann", "192.0.2.1")).waitS).to.equal(null);
    // Ends its connections and accepts no new ones, like a killed server.
    await relay.close();
    const error = await node.begin("ann", "192.0.2.1").catch((one: unknown) => one);
    expect(error).to.be.instanceOf(OwnerRefusal).with.property("code", "unavailable");
    await pool.end();
  });
});
