import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import type { Context } from "mocha";
import type { ServerOptions } from "../../src/api/server.ts";
import { openWriter } from "../../src/store/database.ts";
import { Networks } from "../../src/values/networks.ts";
import { bySize } from "../support/size.ts";
import { skip } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { smallTable } from "./small-table.ts";
import { openWorld, type World } from "./world.ts";

const status = "GET /v1/status HTTP/1.1\r\nHost: a\r\n\r\n";
const partial = "GET /v1/status HTTP/1.1\r\nHost: a\r\nX-Drip: ";
const rounds = bySize({ short: 12, long: 100 });
const everyPeer = { localPeers: new Networks("") };

type Client = { socket: Socket; isOpen: boolean; text: string };

describe("connection limit", () => {
  let world: World;
  let clients: Client[];
  const open = async (options: Partial<ServerOptions>) => {
    clients = [];
    world = await openWorld(smallTable(), { headersTimeoutMs: 60_000, requestTimeoutMs: 60_000, ...options });
  };
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    await world.close();
  });

  async function client(bytes: string, localAddress = "127.0.0.1"): Promise<Client> {
    const socket = connect({ port: world.port, host: "127.0.0.1", localAddress });
    const self: Client = { socket, isOpen: true, text: "" };
    clients.push(self);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      self.isOpen = false;
    });
    socket.setEncoding("utf8").on("data", (text: string) => {
      self.text += text;
    });
    await once(socket, "connect");
    socket.write(bytes);
    return self;
  }

  const answers = (self: Client) => self.text.split("HTTP/1.1 200 OK").length - 1;
  /** Sends a request over a connection and waits for the response, or for the end of the connection. */
  async function ask(self: Client): Promise<boolean> {
    const wanted = answers(self) + 1;
    self.socket.write(status);
    await until("an answer or the end", () => answers(self) === wanted || !self.isOpen);
    return answers(self) === wanted;
  }

  it("admits new clients while a stranger holds all connections with partial requests", async () => {
    await open({ connectionsMax: 40 });
    const drippers: Client[] = [];
    const attack = async () => drippers.push(await client(partial));
    while (drippers.length < 40) await attack();
    let served = 0;
    for (let round = 0; round < rounds; round += 1) {
      const good = await client("");
      if (await ask(good)) served += 1;
      good.socket.destroy();
      while (drippers.filter(({ isOpen }) => isOpen).length < 40 && drippers.length < 40 + 2 * (round + 1))
        await attack();
    }
    expect(served).to.equal(rounds);
    expect(world.counters.get("connections_dropped")).to.be.greaterThan(0.6 * rounds);
  });

  it("closes idle connections rather than simultaneous new clients", async () => {
    await open({ connectionsMax: 40 });
    const kept = await Promise.all(Array.from({ length: 40 }, () => client("")));
    for (const self of kept) expect(await ask(self)).to.equal(true);
    const fresh = await Promise.all(Array.from({ length: 8 }, () => client("")));
    expect(await Promise.all(fresh.map(ask))).to.deep.equal(fresh.map(() => true));
    expect(kept.filter(({ isOpen }) => isOpen)).to.have.length(32);
  });

  it("never cuts a running request for a new connection", async () => {
    await open({ connectionsMax: 2 });
    const other = openWriter(world.path, 5000);
    other.$client.exec("BEGIN IMMEDIATE");
    const item = `GET /v1/items/5 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n\r\n`;
    const waiting = [await client(item), await client(item)];
    await until("both are under way", () => world.concurrency.open === 2);
    const late = await client(status);
    await until("the late one is closed", () => !late.isOpen);
    expect(late.text).to.equal("");
    other.$client.close();
    await until("both are answered", () => waiting.every((self) => self.text.includes("HTTP/1.1 ")));
    expect(await ask(await client(""))).to.equal(true);
  });

  it("closes connections with missing bodies to admit new ones", async () => {
    await open({ connectionsMax: 5 });
    const body =
      `POST /v1/markets/batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{";
    for (let count = 0; count < 5; count += 1) await client(body);
    await until("all bodies are awaited", () => world.concurrency.open === 5);
    expect(await ask(await client(""))).to.equal(true);
    expect(world.used()).to.equal(0);
  });

  it("limits the connections of one address without closing other addresses' connections", async function () {
    needLoopbackAddresses(this);
    await open({ ...everyPeer, connectionsPerAddressMax: 5, connectionsMax: 100 });
    const other = await client("", "127.0.0.3");
    for (let count = 0; count < 30; count += 1) await client(partial, "127.0.0.2");
    const stillOpen = () => clients.filter(({ isOpen }) => isOpen).length;
    await until("25 are cut", () => stillOpen() === 6);
    expect(await ask(other)).to.equal(true);
    expect(await ask(await client("", "127.0.0.2"))).to.equal(true);
    expect(stillOpen()).to.equal(6);
  });

  it("sets no address limit for this machine and trusted proxies", async function () {
    needLoopbackAddresses(this);
    await open({ connectionsPerAddressMax: 2 });
    for (let count = 0; count < 10; count += 1) expect(await ask(await client(""))).to.equal(true);
    await world.close();
    await open({ ...everyPeer, connectionsPerAddressMax: 2, trustedProxies: new Networks("127.0.0.2") });
    for (let count = 0; count < 10; count += 1) expect(await ask(await client("", "127.0.0.2"))).to.equal(true);
    expect(clients.every(({ isOpen }) => isOpen)).to.equal(true);
  });
});

/** Skips the test if the system answers only at 127.0.0.1. */
function needLoopbackAddresses(test: Context): void {
  if (process.platform !== "linux") skip(test, "only Linux answers at each address of 127.0.0.0/8");
}
