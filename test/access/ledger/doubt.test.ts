import { connect, createServer, type Server, type Socket } from "node:net";
import { expect } from "chai";
import { GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import { type Charge, LedgerRefusal } from "../../../src/access/ledger/ledger.ts";
import { PostgresWriter } from "../../../src/access/ledger/postgres-writer.ts";
import { checkPrivate } from "../../../src/store/postgres/check.ts";
import { withClient } from "../../../src/store/postgres/connection.ts";
import { importPrivate } from "../../../src/store/postgres/copy.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { hasPostgres, TestPostgres } from "../../support/postgres.ts";
import { skipForWant } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { type Person, World } from "../world.ts";

/** Passes bytes on until a commit comes: then the commit is swallowed, or its answer, and nobody connects any more. */
class CommitLoss {
  loses: "request" | "answer" | null = null;
  isClosed = false;
  readonly #server: Server;

  constructor(port: number) {
    this.#server = createServer((client) => {
      if (this.isClosed) return void client.on("error", () => {}).destroy();
      const server = connect(port, "127.0.0.1");
      let isCommitting = false;
      const end = () => {
        for (const socket of [client, server] as Socket[]) socket.destroy();
      };
      for (const socket of [client, server]) socket.on("error", end).on("close", end);
      client.on("data", (bytes) => {
        isCommitting = this.loses !== null && bytes.includes("COMMIT\0");
        if (isCommitting) this.isClosed = true;
        if (isCommitting && this.loses === "request") end();
        else server.write(bytes);
      });
      server.on("data", (bytes) => {
        if (isCommitting) end();
        else client.write(bytes);
      });
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
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
  let ledger: GroupCommitLedger;
  const settled: (string | undefined)[] = [];
  const ids = systemIds();

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await TestPostgres.start();
    url = await server.database();
    world = new World();
    world.clock.at = Date.now();
    person = world.person("quant");
    await withClient(url, (client) => importPrivate(world.database, client));
    loss = new CommitLoss(server.port);
    const through = url.replace(`:${server.port}/`, `:${await loss.listen()}/`);
    ledger = new GroupCommitLedger(await PostgresWriter.start(through, { doubtMs: 20 }), (report) => {
      if (report.settled !== undefined) settled.push(`${report.settled} ${report.charged.join()}`);
    });
  });
  after(async () => {
    await ledger?.close();
    loss?.close();
    await world?.close();
    await server?.remove();
  });

  const charge = (more: Partial<Charge> = {}) => {
    const { accountId, keyId } = person;
    const request = { kind: "charge", requestId: ids.requestId(Date.now()), accountId, keyId, plan: "free" } as const;
    return ledger.charge({ ...request, operation: "getItem", at: Date.now(), ...more }).then(
      () => "charged",
      (error: unknown) => {
        if (error instanceof LedgerRefusal) return error.code;
        throw error;
      },
    );
  };
  const used = async () => {
    const { rows } = await server.query(url, "SELECT coalesce(sum(used), 0)::int AS used FROM itemtape.usage_months");
    return rows[0].used;
  };

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
});
