import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { needPath, needPosix } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { bearer, jobsOff, ServerChild, tryFetch } from "./child.ts";
import { FaultFile, type Person } from "./fault-file.ts";

type Line = { msg: string; lines?: number; err?: { type: string; message: string } };

describe("server log", function () {
  this.timeout(180_000);
  let file: FaultFile;
  let person: Person;
  let server: ServerChild | null = null;

  beforeEach(() => {
    file = new FaultFile({ fewItems: true });
    person = file.person();
  });
  afterEach(async () => {
    await server?.stop();
    file.remove();
  });

  /** Starts a server with the file at `path` as standard error. */
  async function startWithLog(path: string, flags: readonly string[] = []): Promise<ServerChild> {
    const wrap = ["sh", "-c", 'exec 2>"$0" && exec "$@"', path];
    server = await ServerChild.start(file.path, { wrap, flags });
    return server;
  }

  async function readTimes({ base }: ServerChild, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const answer = await tryFetch(`${base}/v1/items/1`, {
        headers: bearer(person),
        signal: AbortSignal.timeout(60_000),
      });
      expect(answer?.status, `request ${count + 1}`).to.equal(200);
    }
  }

  itLong("on a full disk lets the server start, answer and exit 0", async function () {
    needPath(this, "/dev/full");
    const full = await startWithLog("/dev/full", ["--log-level", "debug", ...jobsOff]);
    await readTimes(full, 30);
    full.signal("SIGTERM");
    expect(await full.exited).to.deep.equal({ code: 0, signal: null });
    expect(file.used(person)).to.equal(30);
  });

  itLong("with an unread pipe lets the server answer and exit 0", async function () {
    needPosix(this);
    const pipe = new Fifo();
    try {
      const stalled = await startWithLog(pipe.path, ["--log-level", "debug"]);
      pipe.fill();
      await readTimes(stalled, 30);
      stalled.signal("SIGTERM");
      expect(await stalled.exited).to.deep.equal({ code: 0, signal: null });
      expect(file.used(person)).to.equal(30);
    } finally {
      pipe.close();
    }
  });

  itLong("contains whole lines and a count of dropped ones when read again", async function () {
    needPosix(this);
    const pipe = new Fifo();
    try {
      // Without jobs, because their log lines are not about responses.
      const stalled = await startWithLog(pipe.path, ["--log-level", "debug", ...jobsOff]);
      const before = linesOf(pipe.read());
      pipe.fill();
      // More lines than the limit of 256 KiB. A refusal costs nothing.
      const requests = 2000;
      await pipeline(stalled.port, requests);
      let text = "";
      await until("the log says that lines were dropped", () => {
        text += pipe.read();
        return text.includes("log lines were dropped");
      });
      const lines = linesOf(text.slice(text.indexOf("{")));
      const logged = lines.filter(({ msg }) => msg === "request answered").length;
      const reported = lines.filter(({ msg }) => msg.startsWith("log lines were dropped"));
      expect(before.map(({ msg }) => msg)).to.deep.equal(["listening"]);
      expect(reported).to.have.length(1);
      expect(reported[0]!.lines).to.be.greaterThan(0);
      expect(logged + reported[0]!.lines!).to.equal(requests);
    } finally {
      pipe.close();
    }
  });

  itLong("has no warning for twelve feeds polled at once", async () => {
    const asked = new Set<Socket>();
    const silent = createServer((socket) => asked.add(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const feeds = Array.from({ length: 12 }, (_, index) => ({
      feed: `feed${index}`,
      adapter: "canonical",
      source: `http://127.0.0.1:${port}/${index}`,
      interval_seconds: 1,
      providers: [`provider${index}`],
    }));
    const config = join(temporaryFolder(), "mirror.json");
    writeFileSync(config, JSON.stringify({ feeds }));
    try {
      server = await ServerChild.start(file.path, { flags: ["--mirror", "--mirror-config", config] });
      await until("all feeds are polled", () => asked.size === feeds.length);
      server.signal("SIGTERM");
      expect((await server.exited).code).to.equal(0);
      expect(server.stderr).to.contain("listening").and.to.not.contain("arning");
    } finally {
      for (const socket of asked) socket.destroy();
      silent.close();
    }
  });

  it("contains runtime warnings as lines, including those from threads", async () => {
    const preload = join(temporaryFolder(), "warn.cjs");
    writeFileSync(
      preload,
      `const where = require("node:worker_threads").isMainThread ? "program" : "thread";
       setInterval(() => process.emitWarning("odd in the " + where), 50).unref();`,
    );
    const warning = await ServerChild.start(file.path, { wrap: ["env", `NODE_OPTIONS=--require=${preload}`] });
    server = warning;
    const reported = (where: string) =>
      linesOf(warning.stderr).some(({ err }) => err?.message === `odd in the ${where}`);
    const listening = () => warning.stderr.split("\n").slice(warning.stderr.split("\n").findIndex(isListening));
    await until("both are told", () => reported("program") && reported("thread"));
    expect(listening().filter((line) => line !== "" && !line.startsWith("{"))).to.deep.equal([]);
  });
});

/** A pipe with a name, opened for reading and writing so that neither side waits for the other. */
class Fifo {
  readonly path = join(temporaryFolder(), "log");
  readonly #fd: number;

  constructor() {
    execFileSync("mkfifo", [this.path]);
    this.#fd = openSync(this.path, constants.O_RDWR | constants.O_NONBLOCK);
  }

  /** Fills the pipe until it accepts no more. */
  fill(): void {
    for (const size of [4096, 1]) {
      try {
        for (;;) writeSync(this.#fd, Buffer.alloc(size, " "));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      }
    }
  }

  /** Returns the contents of the pipe. */
  read(): string {
    const chunks: Buffer[] = [];
    try {
      for (;;) {
        const chunk = Buffer.alloc(65_536);
        chunks.push(chunk.subarray(0, readSync(this.#fd, chunk)));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    return Buffer.concat(chunks).toString();
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Sends `requests` that are refused over one connection, and waits for their answers. */
async function pipeline(port: number, requests: number): Promise<void> {
  const atOnce = 50;
  const socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  for (let sent = 0; sent < requests; sent += atOnce) {
    socket.write("GET /v1/nothing HTTP/1.1\r\nHost: test\r\n\r\n".repeat(atOnce));
    await until(`${sent + atOnce} answers`, () => text.split('"status":404').length - 1 === atOnce);
    text = "";
  }
  socket.destroy();
}

function isListening(line: string): boolean {
  return line.includes('"msg":"listening"');
}

function linesOf(text: string): Line[] {
  const lines = text.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as Line);
}
