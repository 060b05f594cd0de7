import { createServer, get, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { type StreamOutcome, StreamScheduler, streamRun } from "../../src/api/streams.ts";
import { MarketSnapshot, type SnapshotRun } from "../../src/domain/market-snapshot.ts";
import { MarketSnapshotStore } from "../../src/store/read/market-snapshot.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { MarketFile } from "../support/market-file.ts";
import { until } from "../support/until.ts";

const items = 2000;
const at = Date.UTC(2026, 0, 15, 12);

const plain = { headers: ["Content-Type", "application/x-ndjson"], coding: "identity" } as const;

type Run = { run: SnapshotRun; ends: string[]; outcome: Promise<StreamOutcome>; pages: () => number };

describe("export over a socket", () => {
  const file = new MarketFile();
  const scheduler = new StreamScheduler();
  const runs: Run[] = [];
  let server: Server;
  let deadlineMs = 120_000;
  let leaseEndsMs = 0;
  let clock = systemClock;
  let onPage: (page: number) => void = () => {};

  before((done) => {
    file.feed("one", ["steam"], at);
    const fill = file.writer.$client.transaction(() => {
      for (let id = 1; id <= items; id += 1) file.item(id, { name: `★ Item "${id}"`, inCatalog: id % 7 !== 0 });
    });
    fill();
    publish(1);
    const snapshot = new MarketSnapshot(new MarketSnapshotStore(file.reader));
    server = createServer((_req, res) => {
      const run = snapshot.open({ requestId: `req_${runs.length}`, at });
      let pages = 0;
      const counted: SnapshotRun = {
        requestId: run.requestId,
        get itemsSent() {
          return run.itemsSent;
        },
        next() {
          pages += 1;
          onPage(pages);
          return run.next();
        },
      };
      const ends: string[] = [];
      const lease = {
        deadlineMonotonicMs: clock.monotonicMs() + deadlineMs,
        finish: async () => {
          await wait(leaseEndsMs);
          ends.push("finished");
        },
        release: async () => void ends.push("released"),
      };
      const outcome = streamRun(res, counted, { lease }, { scheduler, clock }, plain);
      runs.push({ run, ends, outcome, pages: () => pages });
    }).listen(0, "127.0.0.1", done);
  });

  after(() => {
    server.closeAllConnections();
    server.close();
    file.remove();
  });

  afterEach(() => {
    deadlineMs = 120_000;
    leaseEndsMs = 0;
    clock = systemClock;
    onPage = () => {};
  });

  it("releases its lease before the body ends, even with a slow ledger", async () => {
    leaseEndsMs = 100;
    const res = await open();
    res.resume();
    await new Promise((ended) => res.once("end", ended));
    expect(latest().ends).to.include("finished");
  });

  it("leaves no timer behind", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    await read();
    await latest().outcome;
    // Its own timers would run for two minutes.
    await until("all timers are gone", () => timers() <= before, 60_000);
  });

  it("ends with snapshot_interrupted at its deadline", async () => {
    let nowMs = 5000;
    clock = { now: () => at, monotonicMs: () => nowMs };
    onPage = (number) => {
      if (number === 3) nowMs += 119_000;
    };
    const lines = await read();
    expect(lines.at(-1)).to.deep.include({ type: "error", code: "snapshot_interrupted" });
    expect(latest().pages()).to.equal(3);
  });

  it("uses one page of memory for a stalled reader, until the deadline", async () => {
    const page = Buffer.alloc(100_000, "{}\n");
    // A delay of this process is not the export's.
    const loopDelay = monitorEventLoopDelay({ resolution: 5 });
    loopDelay.enable();
    const startedMs = performance.now();
    const lease = { deadlineMonotonicMs: startedMs + 1400, finish: async () => {}, release: async () => {} };
    let buffered = 0;
    let ended: (outcome: StreamOutcome) => void = () => {};
    const outcome = new Promise<StreamOutcome>((resolve) => {
      ended = resolve;
    });
    const stalling = createServer((_req, res) => {
      const endless: SnapshotRun = {
        requestId: "req_x",
        itemsSent: 0,
        next() {
          buffered = Math.max(buffered, res.writableLength);
          return page;
        },
      };
      void streamRun(res, endless, { lease }, { scheduler, clock }, plain).then(ended);
    });
    await new Promise<void>((ready) => stalling.listen(0, "127.0.0.1", ready));
    const socket = raw(stalling);
    socket.pause();
    const { outcome: how, bytes } = await outcome;
    expect(how).to.equal("snapshot_interrupted");
    loopDelay.disable();
    expect(performance.now()).to.be.within(startedMs + 400, startedMs + 1400 + loopDelay.max / 1e6);
    expect(bytes, "what the system's buffers took").to.be.lessThan(64 * 1024 * 1024);
    expect(buffered, "in the process when the next page is read").to.equal(0);
    socket.destroy();
    stalling.close();
  });

  it("gives the start back if the client disconnects before the first byte", async () => {
    const ends: string[] = [];
    const lease = {
      deadlineMonotonicMs: systemClock.monotonicMs() + 60_000,
      finish: async () => void ends.push("finished"),
      release: async () => void ends.push("released"),
    };
    const gone = createServer((_req, res) => {
      res.destroy();
      void streamRun(res, latest().run, { lease }, { scheduler, clock }, plain).then(({ outcome, bytes }) => {
        ends.push(`${outcome} ${bytes}`);
        gone.close();
      });
    });
    await new Promise<void>((ready) => gone.listen(0, "127.0.0.1", ready));
    const closed = new Promise((done) => gone.once("close", done));
    get({ port: (gone.address() as AddressInfo).port }).on("error", () => {});
    await closed;
    expect(ends).to.deep.equal(["released", "disconnected 0"]);
  });

  it("ends with its error record at shutdown, and starts no new export", async () => {
    const own = new StreamScheduler();
    const lease = { deadlineMonotonicMs: Number.MAX_SAFE_INTEGER, finish: async () => {}, release: async () => {} };
    const endless: SnapshotRun = { requestId: "req_x", itemsSent: 0, next: () => Buffer.from("{}\n") };
    const stopping = createServer((_req, res) => {
      void streamRun(res, endless, { lease }, { scheduler: own, clock }, plain).catch((error) =>
        res.writeHead(503).end(error.code),
      );
    });
    await new Promise<void>((ready) => stopping.listen(0, "127.0.0.1", ready));
    const { port } = stopping.address() as AddressInfo;
    const res = await new Promise<IncomingMessage>((arrived) => get({ port, agent: false }, arrived));
    const body = text(res);
    await own.interruptAll();
    expect((await body).trimEnd().split("\n").at(-1)).to.equal(
      '{"type":"error","request_id":"req_x","code":"snapshot_interrupted"}',
    );
    const late = await new Promise<IncomingMessage>((arrived) => get({ port, agent: false }, arrived));
    expect([late.statusCode, await text(late)]).to.deep.equal([503, "service_unavailable"]);
    stopping.close();
  });

  function publish(generationId: number): void {
    file.publishMost(generationId, at, items, (id) => (id === 2 ? 0 : 3));
  }

  function latest(): Run {
    return runs.at(-1)!;
  }

  function open(): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    return new Promise((arrived) => get({ port, agent: false }, arrived));
  }

  function raw(to = server): Socket {
    const socket = connect((to.address() as AddressInfo).port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    return socket;
  }

  // biome-ignore lint/suspicious/noExplicitAny: records of four kinds, with fields that differ by test.
  async function read(): Promise<any[]> {
    const body = await text(await open());
    expect(body.endsWith("\n")).to.equal(true);
    return body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
});

async function text(res: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
