import { statSync } from "node:fs";
import { connect } from "node:net";
import { expect } from "chai";
import { openWriter } from "../../src/store/database.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { lengthenExport } from "../api/exports.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { bearer, type Exit, jobsOff, ServerChild } from "./child.ts";
import { stalledExport } from "./export-client.ts";
import { FaultFile, type Person } from "./fault-file.ts";

/** The longest possible drain. A test that waits for its end would time out. */
const longDrainMs = 120_000;
const testMsMax = 100_000;
/** Offers of each of few items that make an export longer than the system's buffers between two sockets: 7 MB. */
const offersOfFew = 300;

describe("signals to the server", function () {
  this.timeout(testMsMax);
  let file: FaultFile;
  let person: Person;
  let server: ServerChild;

  before(() => {
    file = new FaultFile({ fewItems: true });
    lengthenExport(file, offersOfFew);
    person = file.person();
  });
  after(() => file.remove());
  afterEach(() => server.stop());

  async function start(drainMs: number): Promise<void> {
    const flags = ["--drain-ms", String(drainMs), "--ops-port", "0", ...jobsOff];
    server = await ServerChild.start(file.path, { flags });
  }

  /** Waits until the server has received a request without responding. */
  async function requestIsOpen(): Promise<void> {
    const said = /\/metrics are on (\S+)/;
    await until("it says where its metrics are", () => said.test(server.stdout));
    const metrics = `${said.exec(server.stdout)![1]}/metrics`;
    const isOpen = async () => /^itemtape_requests_open 1$/m.test(await (await fetch(metrics)).text());
    await until("a request is open", isOpen);
  }

  const drains = () => until("it drains", () => server.stderr.includes("draining"));

  /** Resolves to the exit. The exit code is not 0 if the server needs more than its drain, the end of exports and half a second. */
  function endsBy(signal: NodeJS.Signals): Promise<Exit> {
    server.signal(signal);
    return server.exited;
  }

  for (const signal of casesBySize(["SIGTERM", "SIGINT"] as const, 1)) {
    it(`${signal} ends an idle server with exit code 0 despite half-sent requests`, async () => {
      await start(longDrainMs);
      const idle = connect({ port: server.port, host: "127.0.0.1" });
      idle.on("error", () => undefined);
      idle.write("GET /v1/status HTTP/1.1\r\nHo");
      const { code } = await endsBy(signal);
      expect(code, server.stderr).to.equal(0);
      const timeOf = (path: string) => Math.floor(statSync(path).mtimeMs + 0.5);
      expect(Math.abs(timeOf(`${file.path}-serve.lock`) - timeOf(file.path)), "noted as left").to.be.at.most(1);
      holdLock(file.path, "serve").release();
      expect(file.ledger().faults).to.deep.equal([]);
      idle.destroy();
    });
  }

  it("SIGTERM lets a read that waits for its charge finish", async () => {
    await start(longDrainMs);
    const usedBefore = file.used(person);
    const other = openWriter(file.path, 1000);
    other.$client.exec("BEGIN IMMEDIATE");
    const answer = fetch(`${server.base}/v1/items/1`, { headers: bearer(person) });
    await requestIsOpen();
    const ended = endsBy("SIGTERM");
    await drains();
    other.$client.exec("ROLLBACK");
    other.$client.close();
    const { status, headers } = await answer;
    expect([status, headers.get("connection")]).to.deep.equal([200, "close"]);
    expect((await ended).code).to.equal(0);
    expect(file.used(person)).to.equal(usedBefore + 1);
    expect(file.ledger().requestIds.has(headers.get("x-request-id")!)).to.equal(true);
  });

  itLong("SIGTERM lets a read finish its body, and refuses new connections", async () => {
    await start(longDrainMs);
    const body = JSON.stringify({ item_ids: [1, 2] });
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.write(
      `POST /v1/markets/batch HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${person.secret}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await requestIsOpen();
    const ended = endsBy("SIGTERM");
    await until(
      "no connection is taken",
      async () => (await fetch(`${server.base}/v1/status`).catch(() => null)) === null,
    );
    socket.write(body.slice(5));
    expect((await ended).code).to.equal(0);
    await until("the answer has come", () => text.includes("}}"));
    expect(text).to.match(/^HTTP\/1\.1 200 /);
  });

  itLong("SIGTERM lets a running export end within the drain, exiting with 0", async () => {
    await start(longDrainMs);
    const client = await stalledExport(server.port, person, file);
    const ended = endsBy("SIGTERM");
    await drains();
    client.socket.resume();
    expect((await ended).code, server.stderr).to.equal(0);
    await client.over;
    expect(client.records.at(-1)).to.include({ type: "end" });
    expect(file.ledger()).to.deep.include({ liveLeases: 0, faults: [] });
  });

  itLong("SIGTERM ends a long export with `snapshot_interrupted` and exit code 0", async () => {
    await start(0);
    const client = await stalledExport(server.port, person, file);
    const ended = endsBy("SIGTERM");
    client.socket.resume();
    expect((await ended).code, server.stderr).to.equal(0);
    await client.over;
    expect(client.records.at(-1)).to.include({ type: "error", code: "snapshot_interrupted" });
    expect(file.ledger()).to.deep.include({ liveLeases: 0, faults: [] });
  });

  itLong("a second signal ends a draining server with 1, file intact", async () => {
    await start(longDrainMs);
    const client = await stalledExport(server.port, person, file);
    server.signal("SIGTERM");
    await drains();
    expect((await endsBy("SIGINT")).code).to.equal(1);
    client.vanish();
    holdLock(file.path, "serve").release();
    expect(file.ledger().faults).to.deep.equal([]);
    file.change(({ $client }) =>
      $client.exec("UPDATE snapshot_leases SET state = 'expired', ended_at = expires_at WHERE state = 'reserved'"),
    );
  });
});
