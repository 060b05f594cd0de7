import { once } from "node:events";
import { connect } from "node:net";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { systemClock } from "../../src/values/clock.ts";
import { stopwatch } from "./rounds.ts";

// Does as little as possible for a request, so that the server is what saturates: a general load generator (autocannon) takes
// twice the CPU time, and would be the bottleneck of the plainest servers.

/** Connections that each keep one request under way. The keys are dealt out to them in turn. */
export type RequestOrder = {
  port: number;
  connections: number;
  keys: readonly string[];
  method?: "GET" | "POST";
  /** `{item}` stands for another item id each time, from 1 to `items`; in the body, for as many characters. */
  target: string;
  items: number;
  body?: string;
  gzip?: boolean;
};

/** Opens the connections of an order. */
export async function openConnections(order: RequestOrder) {
  const connections = Array.from({ length: order.connections }, (_, index) => openConnection(order, index));
  await Promise.all(connections.map(({ socket }) => once(socket, "connect")));
  return {
    /** Sends requests for so long, at least one on each connection. Rejects on an answer other than 200. */
    async run(seconds: number) {
      const counts = { requests: 0, bytes: 0, histogram: createHistogram() };
      const since = stopwatch();
      const untilMs = systemClock.monotonicMs() + seconds * 1000;
      await Promise.all(connections.map((one) => one.run(untilMs, counts)));
      const { cpuMs, ms } = since();
      return { ...counts, loadCpuUs: cpuMs * 1000, seconds: ms / 1000 };
    },
    close() {
      for (const { socket } of connections) socket.destroy();
    },
  };
}

/** `bytes`: of all bodies as they were sent; times are in µs. */
type Counts = { requests: number; bytes: number; histogram: RecordableHistogram };

function openConnection(order: RequestOrder, index: number) {
  const [beforeItem = "", afterItem = ""] = requestText(order, index).split("{item}");
  const isInBody = order.body?.includes("{item}") ?? false;
  const isConstant = !isInBody && !order.target.includes("{item}");
  const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true });
  let random = index * 2_654_435_761 + 1;
  let sentMs = 0;
  let received: Buffer | null = null;
  let take: (bodyBytes: number) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const send = () => {
    // Numerical Recipes' generator: cheap, and each connection has an order of its own.
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    sentMs = systemClock.monotonicMs();
    const item = isConstant ? "" : String(1 + (random % order.items));
    socket.write(`${beforeItem}${isInBody ? item.padStart("{item}".length) : item}${afterItem}`, "latin1");
  };
  socket.on("data", (chunk) => {
    const answer = received === null ? chunk : Buffer.concat([received, chunk]);
    const { headBytes, bodyBytes } = lengthsOf(answer);
    received = answer.length < headBytes + bodyBytes ? answer : null;
    if (received !== null) return;
    // "HTTP/1.1 200": the three digits begin at 9.
    if (answer[9] === 50 && answer[10] === 48 && answer[11] === 48) take(bodyBytes);
    else fail(new Error(`a request was answered with ${answer.toString("latin1", 0, 600)}`));
  });
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("the server closed a connection")));
  return {
    socket,
    run: (untilMs: number, counts: Counts) =>
      new Promise<void>((resolve, reject) => {
        fail = reject;
        take = (bodyBytes) => {
          const nowMs = systemClock.monotonicMs();
          counts.histogram.record(Math.max(1, Math.round((nowMs - sentMs) * 1000)));
          counts.requests += 1;
          counts.bytes += bodyBytes;
          if (nowMs < untilMs) send();
          else resolve();
        };
        send();
      }),
  };
}

function requestText({ port, keys, method = "GET", target, body, gzip = false }: RequestOrder, index: number): string {
  const headers = [
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${keys[index % keys.length]}`,
    "Accept: application/json",
    ...(gzip ? ["Accept-Encoding: gzip"] : []),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Returns the lengths of an answer's head and body; infinite: its head is not complete. */
function lengthsOf(answer: Buffer): { headBytes: number; bodyBytes: number } {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd === -1) return { headBytes: Number.POSITIVE_INFINITY, bodyBytes: 0 };
  const found = /\r\ncontent-length: *([0-9]+)\r\n/i.exec(answer.toString("latin1", 0, headEnd + 2));
  if (found === null) throw new Error("an answer has no Content-Length");
  return { headBytes: headEnd + 4, bodyBytes: Number(found[1]) };
}
