import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createHistogram } from "node:perf_hooks";
import { systemClock } from "../../../src/values/clock.ts";

/**
 * Connections that each keep one read under way over ids in no order. `keys` are dealt out to the connections; `below` is what is
 * read below an item, with its query: left out, the item itself.
 */
export type PointOrder = { port: number; connections: number; keys: readonly string[]; items: number; below?: string };

/** `loadCpuUs` is CPU time of the generator itself: near `seconds`, it is the generator that was measured. */
export type PointFigures = { requests: number; seconds: number; loadCpuUs: number; p50Ms: number; p99Ms: number };

/**
 * A client that does as little as can be done for a request, so that the server is what saturates: no pipelining, an answer
 * is taken by its Content-Length, and every status is looked at. An answer other than 200 ends the measurement with an error.
 */
export class PointReaders {
  readonly #readers: Reader[];

  static async open(order: PointOrder): Promise<PointReaders> {
    const readers = Array.from({ length: order.connections }, (_, index) => new Reader(order, index));
    await Promise.all(readers.map((reader) => once(reader.socket, "connect")));
    return new PointReaders(readers);
  }

  private constructor(readers: Reader[]) {
    this.#readers = readers;
  }

  /** Reads for so long, and returns when every answer has come. */
  async run(seconds: number): Promise<PointFigures> {
    const histogram = createHistogram();
    const startedMs = systemClock.monotonicMs();
    const cpuBefore = process.cpuUsage();
    const untilMs = startedMs + seconds * 1000;
    const counts = await Promise.all(this.#readers.map((reader) => reader.run(untilMs, histogram)));
    const requests = counts.reduce((sum, count) => sum + count, 0);
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      requests,
      loadCpuUs: user + system,
      seconds: (systemClock.monotonicMs() - startedMs) / 1000,
      p50Ms: histogram.percentile(50) / 1000,
      p99Ms: histogram.percentile(99) / 1000,
    };
  }

  close(): void {
    for (const reader of this.#readers) reader.socket.destroy();
  }
}

type Histogram = ReturnType<typeof createHistogram>;

class Reader {
  readonly socket: Socket;
  readonly #items: number;
  readonly #rest: string;
  #state: number;
  #histogram: Histogram = createHistogram();
  #untilMs = 0;
  #sentMs = 0;
  #requests = 0;
  #got: Buffer | null = null;
  #done: (requests: number) => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor({ port, keys, items, below = "" }: PointOrder, index: number) {
    this.#items = items;
    this.#state = index * 2_654_435_761 + 1;
    const key = keys[index % keys.length] ?? "";
    this.#rest = `${below} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n\r\n`;
    this.socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.socket.on("data", (chunk) => this.#take(chunk));
    this.socket.on("error", (error) => this.#fail(error));
    this.socket.on("close", () => this.#fail(new Error("the server closed a connection")));
  }

  run(untilMs: number, histogram: Histogram): Promise<number> {
    this.#untilMs = untilMs;
    this.#histogram = histogram;
    this.#requests = 0;
    return new Promise((done, fail) => {
      this.#done = done;
      this.#fail = fail;
      this.#send();
    });
  }

  #send(): void {
    // Numerical Recipes' generator: cheap, and each connection has an order of its own.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    const itemId = 1 + (this.#state % this.#items);
    this.#sentMs = systemClock.monotonicMs();
    this.socket.write(`GET /v1/items/${itemId}${this.#rest}`, "latin1");
  }

  #take(chunk: Buffer): void {
    const answer = this.#got === null ? chunk : Buffer.concat([this.#got, chunk]);
    const length = answerLength(answer);
    if (length === null || answer.length < length) {
      this.#got = answer;
      return;
    }
    this.#got = null;
    // "HTTP/1.1 200": the three digits begin at 9.
    if (answer[9] !== 50 || answer[10] !== 48 || answer[11] !== 48) {
      this.#fail(new Error(`a point read was answered with ${answer.toString("latin1", 0, 600)}`));
      return;
    }
    const nowMs = systemClock.monotonicMs();
    this.#histogram.record(Math.max(1, Math.round((nowMs - this.#sentMs) * 1000)));
    this.#requests += 1;
    if (nowMs < this.#untilMs) this.#send();
    else this.#done(this.#requests);
  }
}

const lengthHeader = /\r\ncontent-length: *([0-9]+)\r\n/i;

/** Bytes of the whole answer; null: its headers are not all there. */
function answerLength(answer: Buffer): number | null {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const found = lengthHeader.exec(answer.toString("latin1", 0, headEnd + 2));
  if (found === null) throw new Error("an answer has no Content-Length");
  return headEnd + 4 + Number(found[1]);
}
