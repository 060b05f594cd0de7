import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/values/time/clock.ts";
import { randomOf } from "../support/numbers.ts";
import { stopwatch } from "./machine.ts";

// Does as little as possible for a request, so that the server is what saturates: a general load generator (autocannon) takes
// twice the CPU time, and would be the bottleneck of the plainest servers.

/**
 * Connections that each keep one request under way, or with `perSecond` send at planned instants, evenly spaced over all of them: a
 * request that its connection was not free for counts from its plan. The keys are dealt out to them in turn.
 */
export type RequestOrder = {
  port: number;
  connections: number;
  perSecond?: number;
  keys: readonly string[];
  method?: "GET" | "POST";
  /** `{item}` stands for another item id each time; in the body, for as many characters. */
  target: string;
  items: { first: number; last: number };
  body?: string;
  gzip?: boolean;
};

/** `bytes`: of all bodies as they were sent; times are in µs. */
type Counts = { requests: number; bytes: number; histogram: RecordableHistogram; isOver: boolean };

/** Opens the connections of an order. `run` sends requests until `work` has ended. It rejects on an answer other than 200. */
export async function sendRequests(order: RequestOrder) {
  const connections = Array.from({ length: order.connections }, (_, index) => openConnection(order, index));
  await Promise.all(connections.map(({ socket }) => once(socket, "connect")));
  return {
    async run(work: Promise<unknown>) {
      const counts = { requests: 0, bytes: 0, histogram: createHistogram(), isOver: false };
      const end = () => {
        counts.isOver = true;
      };
      work.then(end, end);
      const since = stopwatch();
      const startMs = systemClock.monotonicMs();
      await Promise.all(connections.map((one) => one.run(counts, startMs)));
      const { cpuMs, ms } = since();
      return { ...counts, cpuUs: cpuMs * 1000, seconds: ms / 1000 };
    },
    close: () => connections.forEach(({ socket }) => void socket.destroy()),
  };
}

function openConnection(order: RequestOrder, index: number) {
  const [beforeItem = "", afterItem] = requestText(order, index).split("{item}");
  const isInBody = order.body?.includes("{item}") ?? false;
  const { first, last } = order.items;
  const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true });
  // Each connection has an order of its own.
  const random = randomOf(index * 2_654_435_761 + 1);
  const everyMs = (order.connections * 1000) / (order.perSecond ?? 0);
  /** When it was sent or, where that was planned, was to be. */
  let fromMs = 0;
  let received: Buffer | null = null;
  let take: (bodyBytes: number) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const send = () => {
    const item = afterItem !== undefined ? String(first + (random() % (last - first + 1))) : "";
    socket.write(`${beforeItem}${isInBody ? item.padStart("{item}".length) : item}${afterItem ?? ""}`, "latin1");
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
    /** Sends requests, of which the first planned ones of all connections follow `startMs`. */
    run: (counts: Counts, startMs: number) =>
      new Promise<void>((resolve, reject) => {
        fail = reject;
        const next = (nowMs: number) => {
          fromMs = order.perSecond === undefined ? nowMs : fromMs + everyMs;
          if (fromMs <= nowMs) send();
          else setTimeout(send, fromMs - nowMs);
        };
        take = (bodyBytes) => {
          const nowMs = systemClock.monotonicMs();
          counts.histogram.record(Math.max(1, Math.round((nowMs - fromMs) * 1000)));
          counts.requests += 1;
          counts.bytes += bodyBytes;
          if (counts.isOver) resolve();
          else next(nowMs);
        };
        fromMs = startMs + (index / order.connections - 1) * everyMs;
        next(systemClock.monotonicMs());
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

/** Exports to download: a reader for each key, one export after another for so long, at least one. */
export type DownloadOrder = {
  port: number;
  keys: readonly string[];
  seconds: number;
  /** Null or left out: as fast as they come. A slow reader is cut when the time is over. */
  bytesPerSecond?: number | null;
  gzip?: boolean;
};

/** An account has only so many export starts in a day. */
const exportsMax = 100;
const tailBytes = 256;

/** Downloads whole exports. Rejects if one is not answered with 200 or does not end with its `end` record. */
export async function download({ keys, seconds, ...order }: DownloadOrder) {
  const since = stopwatch();
  const isOver = () => since().ms >= seconds * 1000;
  const exports: { firstByteMs: number; bytes: number }[] = [];
  const readers = keys.map(async (key) => {
    for (let count = 0; count === 0 || (count < exportsMax && !isOver()); count += 1)
      exports.push(await takeExport(order, key, isOver));
  });
  await Promise.all(readers);
  return { exports, seconds: since().ms / 1000 };
}

async function takeExport(
  { port, gzip = false, bytesPerSecond = null }: Omit<DownloadOrder, "keys" | "seconds">,
  key: string,
  isOver: () => boolean,
) {
  const since = stopwatch();
  const headers = { Authorization: `Bearer ${key}`, "Accept-Encoding": gzip ? "gzip" : "identity" };
  const options = { port, host: "127.0.0.1", method: "POST", path: "/v1/markets/snapshot", headers, agent: false };
  const [answer] = (await once(request(options).end(), "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`an export was answered with ${await text(answer)}`);
  const taken = { firstByteMs: since().ms, bytes: 0 };
  let last = Buffer.alloc(0);
  for await (const chunk of answer) {
    taken.bytes += chunk.length;
    last = chunk.length < tailBytes ? Buffer.concat([last, chunk]) : chunk;
    if (bytesPerSecond === null) continue;
    await sleep((chunk.length / bytesPerSecond) * 1000);
    if (isOver()) return taken;
  }
  // The `end` of a compressed export cannot be read here; one that was cut rejects above.
  if (!gzip && !last.subarray(-tailBytes).includes('"type":"end"'))
    throw new Error(`an export ends with ${last.subarray(-tailBytes)}`);
  return taken;
}
