import { connect, createServer, type Server, type Socket } from "node:net";
import { expect } from "chai";
import { type Charge, LedgerRefusal } from "../../../src/access/ledger/ledger.ts";
import type { NodesOptions } from "../../../src/access/nodes/decisions.ts";
import { NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import { checkPrivate } from "../../../src/store/postgres/check.ts";
import { withClient } from "../../../src/store/postgres/connection.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { needPostgres, TestPostgres } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { failureOf, type Person, sharedWorld, type World } from "../world.ts";

/** Passes bytes on until a commit comes: then the commit is swallowed, or its answer, and nobody connects any more. */
class CommitLoss {
  loses: "request" | "answer" | null = null;
  isClosed = false;
  /** When connections were refused, on the monotonic clock, ms. */
  readonly refusedAtMs: number[] = [];
  readonly #server: Server;

  constructor(port: number) {
    this.#server = createServer((client) => {
      if (this.isClosed) {
        this.refusedAtMs.push(performance.now());
        return void client.on("error", () => {}).destroy();
      }
      const server = connect(port, "127.0.0.1");
      let isCommitting = false;
      let lost = "";
      const end = () => {
        for (const socket of [client, server] as Socket[]) socket.destroy();
      };
      for (const socket of [client, server]) socket.on("error", end).on("close", end);
      client.on("data", (bytes) => {
        isCommitting ||= this.loses !== null && bytes.includes("COMMIT\0");
        if (isCommitting) this.isClosed = true;
        if (isCommitting && this.loses === "request") end();
        else server.write(bytes);
      });
      server.on("data", (bytes) => {
        if (!isCommitting) client.write(bytes);
        else lost += bytes.toString("latin1");
        // What was sent before it is answered first.
        if (lost.includes("COMMIT\0")) end();
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  close(): void {
    this.#server.close();
  }
}

describe("a commit in doubt", function () {
  this.timeout(60_000);
  let server: TestPostgres;
  let url: string;
  let world: World;
  let person: Person;
  let loss: CommitLoss;
  let ledger: NodesLedger;
  const settled: (string | undefined)[] = [];
  const ids = systemIds();

  before(async function () {
    needPostgres(this);
    server = await TestPostgres.start();
    ({ url, world, person } = await sharedWorld(server));
    loss = new CommitLoss(server.port);
    await loss.listen();
    ledger = new NodesLedger(await through({ doubtMs: 20 }), (report) => {
      if (report.settled !== undefined) settled.push(`${report.settled} ${report.charged.join()}`);
    });
  });
  after(async () => {
    await ledger?.close();
    loss?.close();
    await world?.close();
    await server?.remove();
  });

  const charge = (more: Partial<Charge> = {}, of = ledger) => {
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
    PostgresWriter.start(url.replace(`:${server.port}/`, `:${loss.port}/`), options);
  const used = async () => {
    const { rows } = await server.query(url, "SELECT coalesce(sum(used), 0)::int AS used FROM itemtape.usage_months");
    return rows[0].used;
  };

  it("the first batch of a start is asked for like any other; meanwhile those behind it are refused, and it waits to be told", async () => {
    for (const [loses, told] of [
      ["request", "service_unavailable"],
      ["answer", "charged"],
    ] as const) {
      const first = new NodesLedger(await through({ doubtMs: 60_000, askAgainMs: 20 }));
      const before = await used();
      loss.loses = loses;
      const asked = charge({}, first);
      await until("the commit is lost", () => loss.isClosed);
      expect(await charge({}, first)).to.equal("service_unavailable");
      loss.loses = null;
      loss.isClosed = false;
      expect(await asked).to.equal(told);
      expect(await charge({}, first)).to.equal("charged");
      expect(await used()).to.equal(before + (told === "charged" ? 2 : 1));
      await first.close();
    }
  });

  it("a database that is away is asked four times a second at most, and who waits is told when it is back within ten seconds", async () => {
    const waiting = new NodesLedger(await through());
    loss.refusedAtMs.length = 0;
    loss.loses = "answer";
    const asked = charge({}, waiting);
    await until("it was asked three times", () => loss.refusedAtMs.length >= 3);
    loss.loses = null;
    loss.isClosed = false;
    expect(await asked).to.equal("charged");
    const [first = 0, second = 0, third = 0] = loss.refusedAtMs;
    expect(Math.min(second - first, third - second)).to.be.at.least(245);
    await waiting.close();
  });

  it("a writer that nobody listens to refuses a batch in doubt all the same, and goes on when it knows", async () => {
    const alone = await through({ doubtMs: 20, askAgainMs: 20 });
    loss.loses = "request";
    const refusal = await failureOf(() => alone.commit([]));
    expect(refusal).to.include({ kind: "refused" });
    expect(refusal.message).to.contain("not known yet whether it was done");
    expect(alone.status).to.include({ isConnected: false, isInDoubt: true, batches: 0 });
    expect((await failureOf(() => alone.commit([]))).message).to.contain("what became of the commit before");
    loss.loses = null;
    loss.isClosed = false;
    await until("it is known", () => !alone.isInDoubt);
    expect(await alone.commit([])).to.deep.equal([]);
    expect(alone.status).to.include({ isConnected: true, isInDoubt: false, connections: 2, batches: 1 });
    await alone.close();
    expect(alone.status.isConnected, "it is closed").to.equal(false);
  });

  it("a ledger that is closed while its probe waits for the database does not wait for it", async () => {
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

  for (const [loses, outcome, units] of [
    ["answer", "charged", 1],
    ["request", "undone", 0],
  ] as const) {
    it(`a commit whose ${loses} is lost is refused after its time, and told as ${outcome} when that is known; nothing is charged twice`, async () => {
      settled.length = 0;
      expect(await charge()).to.equal("charged");
      const before = await used();
      loss.loses = loses;
      const export_ = { kind: "reserve", plan: "paid", operation: "streamMarketSnapshot" } as const;
      expect(await charge(export_)).to.equal("service_unavailable");
      expect(await charge(), "while it is in doubt nobody waits").to.equal("service_unavailable");
      expect(settled).to.deep.equal([]);
      loss.loses = null;
      loss.isClosed = false;
      await until("it is known", () => settled.length > 0);
      expect(settled).to.deep.equal([`${outcome} ${units === 1 ? export_.operation : ""}`]);
      await until("it charges again", async () => (await charge()) === "charged");
      expect(await used()).to.equal(before + units + 1);
      const held = "SELECT count(*)::int AS held FROM itemtape.snapshot_leases WHERE state = 'reserved'";
      await until("the place is given back", async () => (await server.query(url, held)).rows[0].held === 0);
      expect((await withClient(url, checkPrivate)).faults).to.deep.equal([]);
    });
  }

  it("a charge that a synchronous standby did not get is refused, told as charged, and its export place is given back", async () => {
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
    // The end of the place may have waited for the standby, too: it charges nothing.
    const charged = settled.filter((one) => one !== "charged ");
    expect([told, charged]).to.deep.equal(["service_unavailable", ["charged streamMarketSnapshot"]]);
    const held = "SELECT count(*)::int AS held FROM itemtape.snapshot_leases WHERE state = 'reserved'";
    await until("the place is given back", async () => (await server.query(url, held)).rows[0].held === 0);
    expect(await used()).to.equal(before + 1);
    expect((await withClient(url, checkPrivate)).faults).to.deep.equal([]);
  });
});
