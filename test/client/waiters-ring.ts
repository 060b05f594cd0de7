import { rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createLargeMarket } from "../../scripts/support/large-market.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { type Database, openWriter } from "../../src/store/database.ts";
import { GenerationsStore } from "../../src/store/read/generations.ts";
import { importBusyMs } from "../../src/store/write/batches.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { temporaryFolder } from "../support/files.ts";
import { until } from "../support/until.ts";
import { ClockedServer } from "./copies-processes.ts";

/** `connectionsMax` is the server's setting, default 1024. */
export type WaitersOptions = { waiters: number; connectionsMax: number; items?: number };

export type WaitersReport = {
  waiters: number;
  /** Memory of all waiters in the server: bytes of objects and buffers after a garbage collection. */
  heapBytes: number;
  /** Milliseconds from the activation of a generation to the answers, and from SIGTERM to them. */
  wokenMs: { p50: number; p99: number; max: number };
  stoppedMs: { p99: number; max: number };
  /** Processor time of the server for all answers of a publication, µs. */
  cpuUs: number;
  /** Faults. Empty in a good run. */
  faults: string[];
};

/** Of the server, for each that waits: 40 MB for 900. */
const heapBytesMax = 40e6 / 900;
/** Requests that an account may let wait. */
const waitingPerAccount = 4;
/** Requests that start together: fewer than the server's limit in flight. */
const begunTogether = 64;

/**
 * Lets requests wait for the next generation, publishes one, lets them wait again and ends the server. Both times each needs a complete
 * response with the current generation. Their memory must stay below the promised limit. Times are reported and not checked.
 */
export async function waitersRing({ waiters, connectionsMax, items = 600 }: WaitersOptions): Promise<WaitersReport> {
  const folder = temporaryFolder();
  const path = join(folder, "market.db");
  const keys = createLargeMarket(path, items, Math.ceil(waiters / waitingPerAccount));
  const writer = openWriter(path, importBusyMs);
  const server = await ClockedServer.start(path, systemClock.now(), connectionsMax);
  const clients = new Waiters(server, keys, waiters);
  try {
    await clients.connect();
    const idle = await server.figures();
    await clients.wait("g1");
    const full = await server.figures();
    const activatedMs = await publish(writer, items);
    const wokenMs = await clients.answered(activatedMs);
    const faults = clients.faults("g2", "after the publication");
    const { cpuUs } = await server.figures();
    await clients.wait("g2");
    const stoppedAtMs = systemClock.monotonicMs();
    const ended = server.stop();
    const stoppedMs = await clients.answered(stoppedAtMs);
    faults.push(...clients.faults("g2", "at SIGTERM"));
    const code = await ended;
    if (code !== 0) faults.push(`the server ended with ${code}`);
    const heapBytes = full.heapBytes - idle.heapBytes;
    if (heapBytes > waiters * heapBytesMax)
      faults.push(
        `${waiters} take ${(heapBytes / 1e6).toFixed(1)} MB, more than ${Math.round(heapBytesMax)} bytes each`,
      );
    return { waiters, heapBytes, wokenMs, stoppedMs, cpuUs: cpuUs - full.cpuUs, faults };
  } finally {
    clients.close();
    writer.$client.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Publishes a generation, and returns the time at which it was activated, in monotonic ms. The event loop turns meanwhile. */
async function publish(writer: Database, items: number): Promise<number> {
  const facts = {
    feed: "wake",
    adapter: "canonical",
    providers: [{ provider: "wake", name: "Wake", kind: "cash" as const }],
  };
  const ask = { provider: "wake", amountCents: 100, quantity: 1, url: null, observedAt: null };
  const quotes = new Map(Array.from({ length: items }, (_, index) => [index + 1, { asks: [ask], bids: [] }]));
  const store = new GenerationsStore(writer);
  const before = store.currentId();
  let activatedMs: number | null = null;
  const batches = publishInBatches(writer, [{ facts, items: quotes }], { clock: systemClock });
  for (let step = batches.next(); ; step = batches.next()) {
    if (activatedMs === null && store.currentId() !== before) activatedMs = systemClock.monotonicMs();
    if (step.done === true) break;
    await new Promise(setImmediate);
  }
  if (activatedMs === null) throw new Error("nothing was activated");
  return activatedMs;
}

/** Connections that each let one request wait. */
class Waiters {
  readonly #server: ClockedServer;
  readonly #keys: readonly string[];
  readonly #count: number;
  readonly #sockets: Socket[] = [];
  readonly #texts: string[] = [];
  /** When each response was complete, monotonic ms. 0 if it is not. */
  readonly #answeredMs: number[] = [];

  constructor(server: ClockedServer, keys: readonly string[], count: number) {
    this.#server = server;
    this.#keys = keys;
    this.#count = count;
  }

  async connect(): Promise<void> {
    for (let index = 0; index < this.#count; index += 1) {
      const socket = connect(this.#server.port, "127.0.0.1");
      this.#sockets.push(socket);
      socket.setEncoding("utf8").on("data", (text: string) => this.#take(index, text));
      socket.on("error", () => undefined);
      if (index % begunTogether === begunTogether - 1 || index === this.#count - 1)
        await until("it is connected", () => !socket.connecting);
    }
  }

  /** Lets all of them wait for the generation after `generation`. */
  async wait(generation: string): Promise<void> {
    const target = `/v1/markets/generations/current?after=${generation}&wait_seconds=30`;
    for (let index = 0; index < this.#count; index += 1) {
      this.#texts[index] = "";
      this.#answeredMs[index] = 0;
      const key = this.#keys[Math.floor(index / waitingPerAccount)]!;
      this.#sockets[index]!.write(`GET ${target} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      if (index % begunTogether === begunTogether - 1) await this.#areWaiting(index + 1);
    }
    await this.#areWaiting(this.#count);
  }

  /** Resolves when each has a complete response or is closed. Returns the ms since `fromMs`. */
  async answered(fromMs: number): Promise<{ p50: number; p99: number; max: number }> {
    await until("all are answered", () =>
      this.#sockets.every((socket, index) => this.#answeredMs[index]! > 0 || socket.closed),
    );
    const sorted = this.#answeredMs.map((at) => at - fromMs).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1)! };
  }

  faults(generation: string, when: string): string[] {
    const wrong = this.#texts.filter(
      (text) => !text.startsWith("HTTP/1.1 200 ") || !text.includes(`"generation":"${generation}"`),
    );
    return wrong.length === 0 ? [] : [`${wrong.length} ${when} got another answer, such as ${wrong[0]!.slice(0, 300)}`];
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(index: number, text: string): void {
    this.#texts[index] += text;
    const whole = this.#texts[index]!;
    const head = whole.indexOf("\r\n\r\n");
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(whole)?.[1]);
    if (head > 0 && Buffer.byteLength(whole) >= head + 4 + length) this.#answeredMs[index] = systemClock.monotonicMs();
  }

  async #areWaiting(count: number): Promise<void> {
    await until(`${count} wait`, async () => (await this.#server.waiting()) === count);
  }
}
