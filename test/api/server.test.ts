import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import type { OperationTable } from "../../src/api/operations.ts";
import type { ServerOptions } from "../../src/api/server.ts";
import { openWriter } from "../../src/store/database.ts";
import { until } from "../support/until.ts";
import { sendRaw } from "./raw.ts";
import { type Seen, smallTable } from "./small-table.ts";
import { openWorld, type World } from "./world.ts";

const status = "GET /v1/status HTTP/1.1\r\nHost: a\r\n\r\n";

describe("server", () => {
  let world: World;
  const open = async (table: OperationTable = smallTable(), options: Partial<ServerOptions> = {}) => {
    world = await openWorld(table, options);
  };
  afterEach(() => world.close());

  const item = (more = "") =>
    `GET /v1/items/5 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n${more}\r\n`;
  const batch = (more: string) =>
    `POST /v1/markets/batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\n${more}\r\n`;
  const exporting = () => `POST /v1/markets/snapshot HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n\r\n`;

  it("ignores conditions other than tags, and charges every conditional request", async () => {
    await open();
    for (const condition of [
      "If-Modified-Since: Wed, 01 Jan 2099 00:00:00 GMT\r\n",
      "If-Unmodified-Since: Wed, 01 Jan 1999 00:00:00 GMT\r\n",
      'If-Match: "another"\r\n',
      "Range: bytes=0-1\r\n",
    ]) {
      const { answers } = await sendRaw(world.port, item(condition));
      expect(answers[0]?.status).to.equal(200);
      expect(answers[0]?.body).to.contain('"item_id":5');
      const page = await sendRaw(world.port, `GET / HTTP/1.1\r\nHost: a\r\n${condition}\r\n`);
      expect(page.answers[0]?.status).to.equal(200);
    }
    const { answers } = await sendRaw(world.port, item("If-None-Match: *\r\n"));
    expect([answers[0]?.status, answers[0]?.body]).to.deep.equal([304, ""]);
    expect(world.used()).to.equal(5);
  });

  it("answers an unexpected error with a counted 503 without internal detail", async () => {
    await open({
      ...smallTable(),
      getItem: {
        ...smallTable().getItem,
        read() {
          throw new Error("SELECT secret FROM /srv/itemtape.db");
        },
      },
    } as OperationTable);
    const { answers } = await sendRaw(world.port, item());
    expect([answers[0]?.status, JSON.parse(answers[0]?.body ?? "").code]).to.deep.equal([503, "service_unavailable"]);
    expect(answers[0]?.headers.get("retry-after")).to.equal("1");
    expect(answers[0]?.headers.get("x-quota-remaining")).to.equal("999999");
    expect(answers[0]?.body).to.not.match(/SELECT|srv|at /);
    expect(world.counters.get("internal_errors")).to.equal(1);
    expect(world.used()).to.equal(1);
  });

  it("ends an export when garbage follows, without another byte in its stream", async () => {
    await open(endlessExport());
    const socket = await talk(exporting());
    await readUntil(socket, "line 3\n");
    socket.write("GARBAGE \0\r\n\r\n");
    const text = await readAll(socket);
    expect(text).to.not.contain("HTTP/1.1 400");
  });

  it("answers a request in flight at shutdown, undelayed by a pipelined one", async () => {
    await open(endlessExport());
    const running = await talk(exporting());
    await readUntil(running, "line 3\n");
    const half = await talk(`${batch("Content-Length: 16\r\n")}{"item`);
    await until("two requests are open", () => world.concurrency.open === 2);
    const ended = world.server.close({ drainMs: 30_000, interruptExports: () => void world.scheduler.interruptAll() });
    half.write(`_ids":[1]}${status}`);
    const text = await readAll(half);
    expect(text).to.match(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close/);
    running.destroy();
    await ended;
  });

  it("sheds requests over the limit with 503; exports do not count", async () => {
    await open(endlessExport(), { inFlightMax: 1, waitingPerInFlight: 0 });
    const running = await talk(exporting());
    await readUntil(running, "line 3\n");
    const other = openWriter(world.path, 1000);
    other.$client.exec("BEGIN IMMEDIATE");
    const waiting = await talk(item());
    await until("one read is under way", () => world.concurrency.reads === 1);
    const { answers } = await sendRaw(world.port, status);
    expect([answers[0]?.status, answers[0]?.headers.get("retry-after")]).to.deep.equal([503, "1"]);
    expect(world.counters.get("requests_shed")).to.equal(1);
    other.$client.close();
    expect(await readUntil(waiting, '"data"')).to.contain("200 OK");
    waiting.destroy();
    expect((await sendRaw(world.port, status)).answers[0]?.status).to.equal(200);
    running.destroy();
  });

  it("refuses a body over 16 KiB and ends the connection", async () => {
    await open();
    const big = Buffer.alloc(16_385, " ");
    const announced = await sendRaw(world.port, batch("Content-Length: 16385\r\n"), { untilClosed: true });
    const sent = await sendRaw(world.port, [batch("Content-Length: 16385\r\n"), big]);
    const chunked = await sendRaw(world.port, [
      batch("Transfer-Encoding: chunked\r\n"),
      "4001\r\n",
      big,
      "\r\n0\r\n\r\n",
    ]);
    const drips = await sendRaw(world.port, [batch("Transfer-Encoding: chunked\r\n"), "1\r\n \r\n".repeat(20_000)]);
    for (const { answers, closed } of [announced, sent, chunked, drips]) {
      expect([answers[0]?.status, JSON.parse(answers[0]?.body ?? "").code]).to.deep.equal([413, "request_too_large"]);
      expect(closed).to.equal(true);
    }
    const fitting = Buffer.from(`{"item_ids":[1]}${" ".repeat(16_384 - 16)}`);
    const { answers } = await sendRaw(world.port, [batch(`Content-Length: ${fitting.length}\r\n`), fitting]);
    expect(answers[0]?.status).to.equal(200);
  });

  it("checks credential and scope before it reads the body", async () => {
    await open();
    const huge = "POST /v1/markets/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n";
    expect((await sendRaw(world.port, `${huge}\r\n`)).answers[0]?.status).to.equal(401);
    expect(
      (await sendRaw(world.port, `${huge}Authorization: Bearer ${world.token}\r\n\r\n`)).answers[0]?.status,
    ).to.equal(403);
  });

  it("sends 100 Continue only for an admitted request", async () => {
    await open();
    const body = '{"item_ids":[1]}';
    const socket = await talk(batch(`Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`));
    expect(await readUntil(socket, "\r\n\r\n")).to.equal("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write(body);
    expect(await readUntil(socket, '"data"')).to.contain("200 OK");
    socket.destroy();
    const { answers, rest } = await sendRaw(world.port, batch("Content-Length: 99999\r\nExpect: 100-continue\r\n"));
    expect([answers[0]?.status, rest]).to.deep.equal([413, ""]);
  });

  it("charges nothing if the client disconnects before its body is complete", async () => {
    const seen: Seen = [];
    await open(smallTable(seen));
    const socket = await talk(`${batch("Content-Length: 16\r\n")}{"item`);
    await until("one request is open", () => world.concurrency.open === 1);
    socket.destroy();
    await until("no request is open", () => world.concurrency.open === 0);
    expect(seen).to.deep.equal([]);
    expect(world.used()).to.equal(0);
  });

  it("challenges with invalid_token only if the client sent a token", async () => {
    await open();
    const without = await sendRaw(world.port, "GET /v1/items/5 HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(without.answers[0]?.headers.get("www-authenticate")).to.equal('Bearer realm="itemtape"');
    const wrong = await sendRaw(world.port, "GET /v1/items/5 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n\r\n");
    expect(wrong.answers[0]?.headers.get("www-authenticate")).to.equal(
      'Bearer realm="itemtape", error="invalid_token"',
    );
    const token = await sendRaw(world.port, item().replace(world.key, world.token));
    expect(token.answers[0]?.headers.get("www-authenticate")).to.equal(
      'Bearer realm="itemtape", error="insufficient_scope", scope="market:read"',
    );
  });

  function talk(bytes: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(world.port, "127.0.0.1", () => resolve(socket));
      socket.on("error", reject);
      socket.write(bytes);
    });
  }
});

/** An export of numbered lines without end. */
function endlessExport(): OperationTable {
  const table = smallTable();
  const read = (_query: unknown, { requestId }: { requestId: string }) => {
    let line = 0;
    return { stream: { requestId, itemsSent: 0, next: () => Buffer.from(`line ${++line}\n`) } };
  };
  return { ...table, streamMarketSnapshot: { ...table.streamMarketSnapshot, read } } as OperationTable;
}

async function readUntil(socket: Socket, words: string): Promise<string> {
  let text = "";
  while (!text.includes(words)) text += String((await once(socket, "data"))[0]);
  return text;
}

/** Everything until the connection ends. */
function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text = (text + chunk).slice(-100_000);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}
