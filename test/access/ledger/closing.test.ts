import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect } from "chai";
import { LedgerRefusal } from "../../../src/access/ledger/ledger.ts";
import { NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import { KeptClient } from "../../../src/store/postgres/connection.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { needPostgres, type SharedPostgres, sharedPostgres } from "../../support/postgres.ts";
import { PostgresRelay } from "../../support/postgres-relay.ts";
import { until } from "../../support/until.ts";
import { type Person, sharedWorld, type World } from "../world.ts";

describe("a ledger on PostgreSQL that is closed", function () {
  this.timeout(60_000);
  let server: SharedPostgres;
  let url: string;
  let world: World;
  let relay: PostgresRelay;
  /** True: what the server says of a commit is heard by nobody. */
  let losesCommits = false;
  /** True: the answer to what became of a commit is on its way. */
  let holdsQuestions = false;
  let through: string;
  let person: Person;
  const ids = systemIds();

  before(async function () {
    needPostgres(this);
    server = await sharedPostgres();
    ({ url, world, person } = await sharedWorld(server));
    relay = await PostgresRelay.open(server.port, {
      requested: (link) => link.forward(),
      answered: (link, request) => {
        if (holdsQuestions && request.name.startsWith("SELECT batch")) return;
        if (!losesCommits || link.answer!.tag !== "COMMIT") return link.deliver();
        relay.refuses = true;
        link.cut();
      },
      changed: () => {},
    });
    through = url.replace(`:${server.port}/`, `:${relay.port}/`);
  });
  after(async () => {
    await relay?.close();
    await world?.close();
  });

  beforeEach(() => {
    losesCommits = false;
    holdsQuestions = false;
    relay.refuses = false;
  });

  /** Starts a ledger and asks it for a charge, whose commit is done and not heard. */
  const inDoubt = async (doubtMs: number) => {
    const settled: (string | undefined)[] = [];
    const writer = await PostgresWriter.start(through, { doubtMs, askAgainMs: 20 });
    const ledger = new NodesLedger(writer, (report) => settled.push(report.settled));
    const { accountId, keyId } = person;
    const request = { kind: "charge", plan: "paid", requestId: ids.requestId(Date.now()), accountId, keyId } as const;
    losesCommits = true;
    const told = ledger
      .charge({ ...request, operation: "getItem", at: Date.now() })
      .then(() => "charged")
      .catch((error) => (error instanceof LedgerRefusal ? error.code : error));
    await until("the commit is lost", () => relay.refuses);
    return { ledger, told, settled };
  };

  /** Lets the ledger ask, and keeps the answer. */
  const heldQuestion = async () => {
    holdsQuestions = true;
    relay.refuses = false;
    await until("it has asked", () => relay.links.some(({ answer }) => answer !== null));
    return relay.links.find(({ answer }) => answer !== null)!;
  };

  it("while it asks what became of a commit it waits for the answer, and the request that waits is answered by it", async () => {
    const { ledger, told } = await inDoubt(600_000);
    const asked = await heldQuestion();
    const closed = ledger.close();
    asked.deliver();
    await closed;
    expect(await told).to.equal("charged");
  });

  it("a database that is away keeps it from its end for no time, and the request that waits to know is refused", async () => {
    const { ledger, told } = await inDoubt(600_000);
    await ledger.close();
    expect(await told).to.equal("service_unavailable");
  });

  it("what became of a commit whose request was refused meanwhile is told at the end, too", async () => {
    const { ledger, told, settled } = await inDoubt(20);
    expect(await told).to.equal("service_unavailable");
    const asked = await heldQuestion();
    const closed = ledger.close();
    asked.deliver();
    await closed;
    expect(settled).to.deep.equal([undefined, "charged"]);
  });

  it("a server that is gone without a word keeps it from its end for no time", async () => {
    let isSilent = false;
    const silent = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect(server.port, "127.0.0.1");
      for (const socket of [near, far]) socket.on("error", () => {}).on("close", () => far.destroy());
      near.on("data", (bytes) => isSilent || far.write(bytes));
      far.on("data", (bytes) => isSilent || near.write(bytes));
    });
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const { port } = silent.address() as AddressInfo;
    const address = url.replace(`:${server.port}/`, `:${port}/`);
    const writer = await PostgresWriter.start(address);
    const kept = new KeptClient(address);
    await kept.run((client) => client.query("SELECT 1"));
    isSilent = true;
    await Promise.all([writer.close(), kept.close()]);
    silent.close();
  });
});
