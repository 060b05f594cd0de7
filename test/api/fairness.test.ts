import { connect, type Socket } from "node:net";
import { expect } from "chai";
import type { OperationTable } from "../../src/api/operations.ts";
import type { ServerOptions } from "../../src/api/server.ts";
import { until } from "../support/until.ts";
import { sendRaw } from "./raw.ts";
import { smallTable } from "./small-table.ts";
import { openWorld, type World } from "./world.ts";

const status = "GET /v1/status HTTP/1.1\r\nHost: a\r\n\r\n";
const page = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";

describe("fairness between clients", () => {
  let world: World;
  let sockets: Socket[];
  const open = async (options: Partial<ServerOptions> = {}, getItem: object = {}) => {
    sockets = [];
    const table = tableWithExport();
    world = await openWorld({ ...table, getItem: { ...table.getItem, ...getItem } }, options);
  };
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await world.close();
  });

  /** Sends bytes over a connection that reads nothing until it is resumed. */
  function hold(bytes: string): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connect(world.port, "127.0.0.1", () => socket.write(bytes, () => resolve(socket)));
      socket.on("error", () => {});
      sockets.push(socket.pause());
    });
  }

  async function statuses(count: number): Promise<number[]> {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) {
      seen.push((await sendRaw(world.port, status)).answers[0]?.status ?? 0);
    }
    return seen;
  }

  const allServed = Array.from({ length: 10 }, () => 200);
  const batch = (credential: string) =>
    `POST /v1/markets/batch HTTP/1.1\r\nHost: a\r\n${credential}Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{`;
  const exporting = () => `POST /v1/markets/snapshot HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n\r\n`;

  it("keeps other clients' permits free from connections with unread responses", async () => {
    await open({ inFlightMax: 20 });
    await Promise.all(Array.from({ length: 30 }, () => hold(page.repeat(60))));
    await until("more than 30 requests are open", () => world.concurrency.open > 30);
    expect(await statuses(10)).to.deep.equal(allServed);
  });

  it("answers 1,500 pipelined requests of a reading client in order", async () => {
    await open();
    const requests = Array.from({ length: 1500 }, (_, index) =>
      index % 3 === 0 ? status.replace("status", "x") : status,
    );
    const { answers } = await sendRaw(world.port, requests.join(""), { answers: 1500 });
    expect(answers.map(({ status }) => status)).to.deep.equal(
      requests.map((_, index) => (index % 3 === 0 ? 404 : 200)),
    );
  });

  it("charges no more of a connection's requests at once than its share", async () => {
    const { promise: allShed, resolve } = Promise.withResolvers<void>();
    await open({}, { read: () => allShed.then(() => ({ data: {} })) });
    const item = `GET /v1/items/5 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n\r\n`;
    const sent = sendRaw(world.port, item.repeat(100), { answers: 100 });
    await until("36 requests are shed", () => world.counters.get("requests_shed") === 36);
    resolve();
    const { answers } = await sent;
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(503)]).to.deep.equal([64, 36]);
    expect(world.used()).to.equal(64);
  });

  // A request without a key is refused at once and its connection closed soon after, so not all of them are open together.
  for (const [who, credential, openMin] of [
    ["with a key", () => `Authorization: Bearer ${world.key}\r\n`, 300],
    ["without a key", () => "", 30],
  ] as const) {
    it(`keeps permits free from 300 connections ${who} that withhold their bodies`, async () => {
      // No connection with a key may be closed before the last one is accepted, even on a busy machine.
      await open({ inFlightMax: 20, headersTimeoutMs: 120_000, requestTimeoutMs: 120_000, socketIdleMs: 120_000 });
      const held = Promise.all(Array.from({ length: 300 }, () => hold(batch(credential()))));
      await until(`${openMin} requests are open`, () => world.concurrency.open >= openMin);
      expect(world.concurrency.reads).to.equal(0);
      await held;
      expect(await statuses(10)).to.deep.equal(allServed);
      expect(world.used()).to.equal(0);
    });
  }

  it("cuts off unread responses behind an export after a long silence", async () => {
    await open({ socketIdleMs: 200 });
    const socket = await hold(exporting() + page.repeat(100));
    await until("the export has ended", () => world.counters.get("stream_complete") === 1);
    expect(world.concurrency.open).to.be.greaterThan(0);
    await until("no request is open", () => world.concurrency.open === 0);
    expect(await readAll(socket)).to.contain("the only line");
  });

  it("ends an export behind unread responses with its connection", async () => {
    await open({ socketIdleMs: 200 });
    const keyed = page.replace("\r\n\r\n", `\r\nAuthorization: Bearer ${world.key}\r\n\r\n`);
    await hold(keyed.repeat(100) + exporting());
    await until("the disconnected export is counted", () => world.counters.get("stream_disconnected") === 1);
    await until("no request is open", () => world.concurrency.open === 0);
  });

  it("limits a connection's unread responses when the server holds many in all", async () => {
    await open();
    world.concurrency.limit({ openMax: 200, openPerConnectionShare: 5 });
    const first = await hold(page.repeat(300));
    const cut = readAll(first.resume());
    expect((await cut).split("HTTP/1.1 200").length).to.be.lessThan(300);
    expect(await statuses(2)).to.deep.equal([200, 200]);
    expect(world.counters.get("connections_cut")).to.equal(1);
  });

  it("ignores an offer to upgrade to another protocol", async () => {
    await open();
    for (const offer of [
      "Upgrade\r\nUpgrade: websocket",
      "Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM",
    ]) {
      const upgrade = `Host: a\r\nConnection: ${offer}\r\n`;
      const body = '{"item_ids":[1]}';
      const requests = [
        `GET /v1/status HTTP/1.1\r\n${upgrade}\r\n`,
        `POST /v1/markets/batch HTTP/1.1\r\n${upgrade}Authorization: Bearer ${world.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: 16\r\n\r\n${body}`,
      ];
      for (const bytes of requests) {
        const { answers, closed } = await sendRaw(world.port, [bytes, status]);
        expect([answers.length, answers[0]?.status, closed]).to.deep.equal([1, 200, true]);
      }
    }
  });

  it("refuses a body with broken framing and ends its connection", async () => {
    await open();
    const chunked = batch(`Authorization: Bearer ${world.key}\r\n`).replace(
      /Content-Length[\s\S]*/,
      "Transfer-Encoding: chunked\r\n\r\n",
    );
    const broken = [
      "zz\r\nabc",
      "2\r\n{}\r\nXX\r\n",
      `10;${"a=b;".repeat(8_000)}\r\n{"item_ids":[1]}\r\n0\r\n\r\n`,
      `10\r\n{"item_ids":[1]}\r\n0\r\nX: ${"y".repeat(9_000)}\r\n\r\n`,
    ];
    for (const bytes of broken) {
      const { answers, closed, rest } = await sendRaw(world.port, chunked + bytes);
      expect([answers.length, answers[0]?.status, closed, rest]).to.deep.equal([1, 400, true, ""]);
      expect(JSON.parse(answers[0]?.body ?? "").code).to.equal("malformed_request");
    }
    expect(world.used()).to.equal(0);
  });

  it("refuses a chunked body in an HTTP/1.0 request", async () => {
    await open();
    const old = "GET /v1/status HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    const { answers, closed } = await sendRaw(world.port, old);
    expect([answers.length, answers[0]?.status, closed]).to.deep.equal([1, 400, true]);
    expect(JSON.parse(answers[0]?.body ?? "").detail).to.contain("HTTP/1.0");
  });
});

/** An export of one line. */
function tableWithExport(): OperationTable {
  const table = smallTable();
  const read = (_query: unknown, { requestId }: { requestId: string }) => {
    const pages = [Buffer.from("the only line\n")];
    return { stream: { requestId, itemsSent: 0, next: () => pages.pop() ?? null } };
  };
  return { ...table, streamMarketSnapshot: { ...table.streamMarketSnapshot, read } } as OperationTable;
}

/** Everything until the connection ends. */
function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.resume();
  });
}
