import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { serverDefaults } from "../../src/api/server.ts";
import { bySize, itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { bearer, jobsOff, ServerChild, tryFetch } from "./child.ts";
import { FaultFile, type Person } from "./fault-file.ts";

/** Time by which a connection without a complete request must be closed, on a busy machine. */
const goneMs = serverDefaults.headersTimeoutMs + 60_000;

const dripping = bySize({ short: 40, long: 300 });
const connectionsMax = dripping + 20;

describe("too many connections", function () {
  this.timeout(180_000);
  let file: FaultFile;
  let person: Person;
  let server: ServerChild;
  const attackers: Attackers[] = [];

  before(async () => {
    file = new FaultFile({ fewItems: true });
    person = file.person();
    server = await start({ flags: ["--connections-max", String(connectionsMax), ...jobsOff] });
  });
  afterEach(() => {
    for (const attacker of attackers.splice(0)) attacker.end();
  });
  after(async () => {
    await server.stop();
    file.remove();
  });

  function start(options: Parameters<typeof ServerChild.start>[1]): Promise<ServerChild> {
    return ServerChild.start(file.path, options);
  }

  function attack(count: number): Attackers {
    const attacker = new Attackers(server.port, count);
    attackers.push(attacker);
    return attacker;
  }

  it("close idle connections first, and keep connections with a request", async () => {
    const good = connect({ port: server.port, host: "127.0.0.1" });
    let text = "";
    good.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    good.write("GET /v1/status HTTP/1.1\r\nHost: test\r\n\r\n");
    await until("the first answer", () => text.includes("200 OK"));
    const extra = attack(connectionsMax + 30);
    await until("the surplus is closed", () => extra.closed === 31);
    expect(extra.open).to.equal(connectionsMax - 1);
    good.write("GET /v1/status HTTP/1.1\r\nHost: test\r\n\r\n");
    await until("the second answer", () => text.split("200 OK").length === 3);
    expect(server.stderr).to.contain("connections-max");
    extra.end();
    await until("new connections are taken", async () => (await tryFetch(`${server.base}/v1/status`))?.status === 200);
    good.destroy();
  });

  itLong(`delay no client if ${dripping} drip headers, and time out`, async () => {
    const ask = async () => {
      const answer = await tryFetch(`${server.base}/v1/items/1`, { headers: bearer(person) });
      expect(answer?.status).to.equal(200);
      await answer?.text();
    };
    const attacker = attack(dripping);
    await until("all are connected", () => attacker.open === dripping);
    const beganMs = performance.now();
    let answers = 0;
    while (attacker.open > 0 && performance.now() - beganMs < goneMs) {
      attacker.drip();
      await ask();
      answers += 1;
      await wait(50);
    }
    expect(attacker.open).to.equal(0);
    expect(answers).to.be.greaterThan(10);
  });

  itLong("leave a server without descriptors that recovers after the timeout", async () => {
    const limit = server.openFiles() + 30;
    await server.stop();
    server = await start({ flags: jobsOff, wrap: ["bash", "-c", `ulimit -n ${limit}; exec "$@"`, "bash"] });
    const attacker = attack(300);
    await until("connections are refused", () => attacker.open < 300);
    const status = async () =>
      (await tryFetch(`${server.base}/v1/status`, { signal: AbortSignal.timeout(500) }))?.status;
    expect(await status()).to.equal(undefined);
    await until("it answers again", async () => (await status()) === 200, goneMs);
    // The drippers are timed out one after the other, so that the next connection may still be one too many.
    const item = async () => (await tryFetch(`${server.base}/v1/items/1`, { headers: bearer(person) }))?.status;
    await until("a read is answered again", async () => (await item()) === 200, goneMs);
    expect(server.exit).to.equal(null);
  });
});

/** Connections that begin a request and never end it. */
class Attackers {
  open = 0;
  closed = 0;
  readonly #sockets: Socket[];

  constructor(port: number, count: number) {
    this.#sockets = Array.from({ length: count }, () => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.once("connect", () => {
        this.open += 1;
        socket.write("GET /v1/status HTTP/1.1\r\nHost: test\r\nX-Drip: ");
        socket.once("close", () => {
          this.open -= 1;
          this.closed += 1;
        });
      });
      socket.on("error", () => undefined);
      return socket.resume();
    });
  }

  drip(): void {
    for (const socket of this.#sockets) if (socket.writable) socket.write("x");
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
