import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect } from "chai";
import { LedgerRefusal } from "../../../src/access/ledger/ledger.ts";
import type { NodesOptions } from "../../../src/access/nodes/decisions.ts";
import { type NodesCharge, NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import { checkPrivate } from "../../../src/store/postgres/check.ts";
import { ReconnectingClient, withClient } from "../../../src/store/postgres/connection.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { needPostgres, TestPostgres } from "../../support/postgres.ts";
import { PostgresRelay, type RelayLink } from "../../support/postgres-relay.ts";
import { until } from "../../support/until.ts";
import { failureOf, type Person, sharedWorld, type World } from "../world.ts";

describe("uncertain commit", function () {
  this.timeout(60_000);
  let server: TestPostgres;
  let url: string;
  let world: World;
  let person: Person;
  let relay: PostgresRelay;
  let ledger: NodesLedger;
  /** The half of the next commit that gets lost. After it the relay refuses connections. */
  let loses: "request" | "answer" | null = null;
  /** Holds back the answer to the question for the fate of a commit. */
  let holdsQuestions = false;
  /** Monotonic times at which connections were refused, ms. */
  const refusedAtMs: number[] = [];
  const settled: (string | undefined)[] = [];
  const ids = systemIds();

  before(async function () {
    needPostgres(this);
    server = await TestPostgres.start();
    ({ url, world, person } = await sharedWorld(server));
    const lose = (link: RelayLink) => {
      relay.refuses = true;
      link.cut();
    };
    relay = await PostgresRelay.open(server.port, {
      requested: (link) => (loses === "request" && link.held!.name === "COMMIT" ? lose(link) : link.forward()),
      answered(link, { name }) {
        if (holdsQuestions && name.startsWith("SELECT batch")) return;
        if (loses === "answer" && link.answer!.tag === "COMMIT") lose(link);
        else link.deliver();
      },
      refused: () => void refusedAtMs.push(performance.now()),
    });
    ledger = new NodesLedger(await through({ uncertainMs: 20 }), (report) => {
      if (report.settled !== undefined) settled.push(`${report.settled} ${report.charged.join()}`);
    });
  });
  after(async () => {
    await ledger?.close();
    await relay?.close();
    await world?.close();
    await server?.remove();
  });

  const charge = (more: Partial<NodesCharge> = {}, of = ledger) => {
    const { accountId, keyId } = person;
    const request = { kind: "charge", requestId: ids.requestId(Date.now()), accountId, keyId, plan: "free" } as const;
    return of.charge({ ...request, operation: "getItem", at: Date.now(), ...more }).then(
      () => "charged",
      (error: unknown) => {
        if (error instanceof LedgerRefusal) return error.code;
        throw error;
      },
    );
  };
  const through = (options?: NodesOptions) =>
    PostgresWriter.start(url.replace(`:${server.port}/`, `:${relay.port}/`), options);
  const restore = () => {
    loses = null;
    relay.refuses = false;
  };
  const used = async () => {
    const { rows } = await server.query(url, "SELECT coalesce(sum(used), 0)::int AS used FROM itemtape.usage_months");
    return rows[0].used;
  };

  it("refuses batches behind the first one of a start until it settles", async () => {
    for (const [lost, told] of [
      ["request", "service_unavailable"],
      ["answer", "charged"],
    ] as const) {
      const first = new NodesLedger(await through({ uncertainMs: 60_000, askAgainMs: 20 }));
      const before = await used();
      loses = lost;
      const asked = charge({}, first);
      await until("the commit is lost", () => relay.refuses);
      expect(await charge({}, first)).to.equal("service_unavailable");
      restore();
      expect(await asked).to.equal(told);
      expect(await charge({}, first)).to.equal("charged");
      expect(await used()).to.equal(before + (told === "charged" ? 2 : 1));
      await first.close();
    }
  });

  it("probes an unreachable database at most four times a second", async () => {
    const waiting = new NodesLedger(await through());
    refusedAtMs.length = 0;
    loses = "answer";
    const asked = charge({}, waiting);
    await until("it was asked three times", () => refusedAtMs.length >= 3);
    restore();
    expect(await asked).to.equal("charged");
    const [first = 0, second = 0, third = 0] = refusedAtMs;
    expect(Math.min(second - first, third - second)).to.be.at.least(245);
    await waiting.close();
  });

  it("refuses an uncertain batch without a listener, then continues once it settles", async () => {
    const alone = await through({ uncertainMs: 20, askAgainMs: 20 });
    loses = "request";
    const refusal = await failureOf(() => alone.commit([]));
    expect(refusal).to.include({ kind: "refused" });
    expect(refusal.message).to.contain("the commit is still uncertain");
    expect(alone.status).to.include({ isConnected: false, isUncertain: true, batches: 0 });
    expect((await failureOf(() => alone.commit([]))).message).to.contain("the previous commit is still uncertain");
    restore();
    await until("it is known", () => !alone.isUncertain);
    expect(await alone.commit([])).to.deep.equal([]);
    expect(alone.status).to.include({ isConnected: true, isUncertain: false, connections: 2, batches: 1 });
    await alone.close();
    expect(alone.status.isConnected, "it is closed").to.equal(false);
  });

  it("closes without waiting for a probe that the database blocks", async () => {
    const probed = new NodesLedger(await through());
    const locks = "SELECT FROM itemtape.ledger_nodes FOR UPDATE";
    const isWaiting = "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await withClient(url, async (other) => {
      await other.query("BEGIN");
      await other.query(locks);
      const probe = failureOf(() => probed.probe());
      await until("it waits", async () => (await server.query(url, isWaiting)).rows[0].waiting > 0);
      await probed.close();
      expect((await probe).message)
        .to.match(/Connection terminated/)
        .and.not.contain("lock timeout");
      await other.query("ROLLBACK");
    });
  });

  for (const [lost, outcome, units] of [
    ["answer", "charged", 2],
    ["request", "undone", 0],
  ] as const) {
    it(`refuses a commit without its ${lost}, then reports it as ${outcome}`, async () => {
      settled.length = 0;
      expect(await charge()).to.equal("charged");
      const before = await used();
      loses = lost;
      const export_ = { kind: "reserve", plan: "paid", operation: "streamMarketSnapshot" } as const;
      const permit = { kind: "changes", holdMs: 600_000 } as const;
      const stream = { plan: "paid", operation: "streamMarketChanges", permit } as const;
      const both = await Promise.all([charge(export_), charge(stream)]);
      expect(both).to.deep.equal(["service_unavailable", "service_unavailable"]);
      expect(await charge(), "while it is in doubt nobody waits").to.equal("service_unavailable");
      expect(settled).to.deep.equal([]);
      restore();
      await until("it is known", () => settled.length > 0);
      expect(settled).to.deep.equal([`${outcome} ${units === 0 ? "" : "streamMarketSnapshot,streamMarketChanges"}`]);
      await until("it charges again", async () => (await charge()) === "charged");
      expect(await used()).to.equal(before + units + 1);
      const held = `SELECT ((SELECT count(*) FROM itemtape.snapshot_leases WHERE state = 'reserved')
        + (SELECT count(*) FROM itemtape.request_places))::int AS held`;
      await until("both places are given back", async () => (await server.query(url, held)).rows[0].held === 0);
      expect((await withClient(url, checkPrivate)).faults).to.deep.equal([]);
    });
  }

  it("refuses a commit that missed the standby, then reports it as charged", async () => {
    const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    const before = await used();
    settled.length = 0;
    await server.waitForStandby("second");
    let told = "";
    const asked = charge({ kind: "reserve", plan: "paid", operation: "streamMarketSnapshot" }).then((one) => {
      told = one;
    });
    await until("the commit ends without its standby", async () => {
      await server.query(url, `SELECT pg_cancel_backend(pid) ${waiting}`);
      return told !== "";
    });
    await asked;
    await server.waitForStandby(null);
    // The release of the slot may also have waited for the standby. It charges nothing.
    const charged = settled.filter((one) => one !== "charged ");
    expect([told, charged]).to.deep.equal(["service_unavailable", ["charged streamMarketSnapshot"]]);
    const held = "SELECT count(*)::int AS held FROM itemtape.snapshot_leases WHERE state = 'reserved'";
    await until("the place is given back", async () => (await server.query(url, held)).rows[0].held === 0);
    expect(await used()).to.equal(before + 1);
    expect((await withClient(url, checkPrivate)).faults).to.deep.equal([]);
  });

  describe("ledger closed during an uncertain commit", () => {
    /** Starts a ledger and requests a charge. Its commit succeeds, but the response is lost. */
    const inDoubt = async (uncertainMs: number) => {
      const reports: (string | undefined)[] = [];
      const writer = await through({ uncertainMs, askAgainMs: 20 });
      const closing = new NodesLedger(writer, (report) => reports.push(report.settled));
      loses = "answer";
      const told = charge({}, closing);
      await until("the commit is lost", () => relay.refuses);
      return { closing, told, reports };
    };
    /** Lets the ledger ask for the fate of its commit, and holds the answer. */
    const heldQuestion = async () => {
      holdsQuestions = true;
      restore();
      await until("it has asked", () => relay.links.some(({ answer }) => answer !== null));
      return relay.links.find(({ answer }) => answer !== null)!;
    };
    afterEach(() => {
      holdsQuestions = false;
      restore();
    });

    it("waits for a response that is on its way", async () => {
      const { closing, told } = await inDoubt(600_000);
      const asked = await heldQuestion();
      const closed = closing.close();
      asked.deliver();
      await closed;
      expect(await told).to.equal("charged");
    });

    it("does not wait for an unreachable database", async () => {
      const { closing, told } = await inDoubt(600_000);
      await closing.close();
      expect(await told).to.equal("service_unavailable");
    });

    it("reports the outcome of a refused commit", async () => {
      const { closing, told, reports } = await inDoubt(20);
      expect(await told).to.equal("service_unavailable");
      const asked = await heldQuestion();
      const closed = closing.close();
      asked.deliver();
      await closed;
      expect(reports).to.deep.equal([undefined, "charged"]);
    });

    it("does not wait for a silent server", async () => {
      let isSilent = false;
      const silent = createServer({ allowHalfOpen: true }, (near) => {
        const far = connect(server.port, "127.0.0.1");
        for (const socket of [near, far])
          socket
            .unref()
            .on("error", () => {})
            .on("close", () => far.destroy());
        near.on("data", (bytes) => isSilent || far.write(bytes));
        far.on("data", (bytes) => isSilent || near.write(bytes));
      });
      await once(silent.listen(0, "127.0.0.1"), "listening");
      const { port } = silent.address() as AddressInfo;
      const address = url.replace(`:${server.port}/`, `:${port}/`);
      const writer = await PostgresWriter.start(address);
      const kept = new ReconnectingClient(address);
      await kept.run((client) => client.query("SELECT 1"));
      isSilent = true;
      await Promise.all([writer.close(), kept.close()]);
      silent.close();
    });
  });
});
