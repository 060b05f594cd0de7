import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { until } from "../support/until.ts";
import { smallTable } from "./small-table.ts";
import { openWorld, type World } from "./world.ts";

const floodConnections = 40;
const pipelined = 64;

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const requests = {
  "a page": get("/"),
  "a compressed page": get("/", "Accept-Encoding: gzip\r\n"),
  "a status": get("/v1/status"),
  "a request without a key": get("/v1/items/5"),
  "a request with a wrong key": get("/v1/items/5", "Authorization: Bearer itemtape_live_none\r\n"),
  "a missing path": get("/v1/nothing"),
  "a malformed target": get("/%"),
};

describe("turns of connections", () => {
  let world: World;
  let sockets: Socket[];
  let begun: number;
  let answers: AnswerCounts;
  beforeEach(async () => {
    sockets = [];
    begun = 0;
    answers = new AnswerCounts();
    const table = smallTable();
    const prepare = (params: unknown) => {
      begun += 1;
      for (const socket of sockets) socket.destroy();
      return params;
    };
    world = await openWorld({ ...table, getItem: { ...table.getItem, prepare } } as typeof table);
  });
  afterEach(async () => {
    answers.close();
    for (const socket of sockets) socket.destroy();
    await world.close();
  });

  /** Opens a connection that reads nothing until it is resumed. */
  function open(): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connect(world.port, "127.0.0.1", () => resolve(socket.pause()));
      socket.on("error", () => {});
      sockets.push(socket);
    });
  }

  for (const [name, request] of Object.entries(requests)) {
    it(`lets others get two responses at most beside floods of ${name}`, async () => {
      const calm = await open();
      const flood = await Promise.all(Array.from({ length: floodConnections }, open));
      calm.resume();
      const accepted = () => [...world.concurrency.sockets()].length;
      await until("the server has accepted all connections", () => accepted() === floodConnections + 1);
      for (const socket of flood) socket.write(request.repeat(pipelined));
      for (const calmRequest of [requests["a page"], requests["a status"], requests["a request without a key"]]) {
        answers.clear();
        calm.write(calmRequest);
        await answers.of(calm);
        expect(answers.most).to.be.at.most(2);
      }
      // Else nothing was tested.
      expect(world.concurrency.open).to.be.greaterThan(floodConnections * (pipelined / 2));
    });
  }

  it("do not start requests pipelined on a closed connection", async () => {
    const socket = await open();
    socket.write(get("/v1/items/5", `Authorization: Bearer ${world.key}\r\n`).repeat(pipelined));
    await until("a request has begun and its connection is closed", () => begun > 0 && world.concurrency.open === 0);
    expect(begun).to.be.lessThan(pipelined / 2);
    await until("no permit is held", () => world.concurrency.reads === 0);
  });
});

/** Counts the answers that the server finishes, by the port of the client. */
class AnswerCounts {
  readonly #counts = new Map<number | undefined, number>();
  #waiting: { port: number | undefined; resolve(): void } | null = null;

  readonly #count = (message: unknown): void => {
    const port = (message as { request: IncomingMessage }).request.socket.remotePort;
    if (port === this.#waiting?.port) this.#waiting?.resolve();
    else this.#counts.set(port, (this.#counts.get(port) ?? 0) + 1);
  };

  constructor() {
    subscribe("http.server.response.finish", this.#count);
  }

  /** The most answers of one connection since the last `clear`, without the awaited ones. */
  get most(): number {
    return Math.max(0, ...this.#counts.values());
  }

  clear(): void {
    this.#counts.clear();
  }

  /** Resolves when the server finishes the next answer to `socket`. */
  of({ localPort: port }: Socket): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { port, resolve };
    });
  }

  close(): void {
    unsubscribe("http.server.response.finish", this.#count);
  }
}
