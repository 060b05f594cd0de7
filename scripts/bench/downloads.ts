import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/values/clock.ts";

/** Exports to download: a reader for each key, one export after another for so long, at least one. */
type DownloadOrder = {
  port: number;
  keys: readonly string[];
  seconds: number;
  /** Left out: as fast as they come. A slow reader is cut when the time is over. */
  bytesPerSecond?: number | undefined;
  gzip?: boolean;
};

/** An account has only so many export starts in a day. */
const exportsMax = 200;
const tailBytes = 256;

/** Downloads whole exports. Rejects if one is not answered with 200 or does not end with its `end` record. */
export async function download(order: DownloadOrder) {
  const startedMs = systemClock.monotonicMs();
  const untilMs = startedMs + order.seconds * 1000;
  const figures = { exports: 0, bytes: 0, firstByteMs: [] as number[] };
  const readers = order.keys.map(async (key) => {
    for (let count = 0; count < exportsMax && (count === 0 || systemClock.monotonicMs() < untilMs); count += 1) {
      const sentMs = systemClock.monotonicMs();
      const answer = await ask(order, key);
      figures.firstByteMs.push(systemClock.monotonicMs() - sentMs);
      figures.bytes += await read(answer, order, untilMs);
      figures.exports += 1;
    }
  });
  await Promise.all(readers);
  return { ...figures, seconds: (systemClock.monotonicMs() - startedMs) / 1000 };
}

async function ask({ port, gzip = false }: DownloadOrder, key: string): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${key}`, "Accept-Encoding": gzip ? "gzip" : "identity" };
  const options = { port, host: "127.0.0.1", method: "POST", path: "/v1/markets/snapshot", headers, agent: false };
  const [answer] = await once(request(options).end(), "response");
  if (answer.statusCode !== 200) throw new Error(`an export was answered with ${await text(answer)}`);
  return answer;
}

/** Reads an answer to its end and returns its bytes as they were sent. */
async function read(answer: IncomingMessage, { bytesPerSecond, gzip = false }: DownloadOrder, untilMs: number) {
  let bytes = 0;
  let last = Buffer.alloc(0);
  for await (const chunk of answer) {
    bytes += chunk.length;
    last = chunk;
    if (bytesPerSecond === undefined) continue;
    await sleep((chunk.length / bytesPerSecond) * 1000);
    if (systemClock.monotonicMs() >= untilMs) return bytes;
  }
  // The `end` of a compressed export cannot be read here; one that was cut rejects above.
  if (!gzip && !last.subarray(-tailBytes).includes('"type":"end"')) throw new Error("an export has no end");
  return bytes;
}
