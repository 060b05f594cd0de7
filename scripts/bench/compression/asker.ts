import { Agent, request } from "node:http";
import { createHistogram } from "node:perf_hooks";
import { systemClock } from "../../../src/values/clock.ts";

/** So many at once share the commit that charges them, as requests of a busy server do. */
export const askers = 8;

/** One request, sent again and again over each of `askers` connections until `seconds` have passed, at least once. */
export type AskOrder = {
  port: number;
  method: "GET" | "POST";
  target: string;
  key: string | null;
  body: string | null;
  gzip: boolean;
  seconds: number;
};

/** `bytes`: of one answer's body, as it came over the connection. Times are from sending to the last byte, not decoded. */
export type AskFigures = { answers: number; bytes: number; p50Ms: number; p99Ms: number };

/** Rejects on another answer than 200 and on one that is not coded as was asked for. */
export async function ask(order: AskOrder): Promise<AskFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: askers });
  const histogram = createHistogram();
  const untilMs = systemClock.monotonicMs() + order.seconds * 1000;
  let answers = 0;
  let bytes = 0;
  const askOn = async () => {
    do {
      const sentMs = systemClock.monotonicMs();
      bytes = await askOnce(order, agent);
      histogram.record(Math.max(1, Math.round((systemClock.monotonicMs() - sentMs) * 1000)));
      answers += 1;
    } while (systemClock.monotonicMs() < untilMs);
  };
  try {
    await Promise.all(Array.from({ length: askers }, askOn));
  } finally {
    agent.destroy();
  }
  return { answers, bytes, p50Ms: histogram.percentile(50) / 1000, p99Ms: histogram.percentile(99) / 1000 };
}

function askOnce({ port, method, target, key, body, gzip }: AskOrder, agent: Agent): Promise<number> {
  const headers = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === null ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...(gzip ? { "accept-encoding": "gzip" } : {}),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, path: target, method, headers, agent });
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      let bytes = 0;
      incoming.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      incoming.once("error", reject);
      incoming.once("end", () => {
        if (incoming.statusCode === 200) resolve(bytes);
        else reject(new Error(`${method} ${target} was answered with ${incoming.statusCode}`));
      });
    });
    outgoing.end(body ?? undefined);
  });
}
