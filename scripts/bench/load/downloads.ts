import { connect, type NetConnectOpts } from "node:net";
import { systemClock } from "../../../src/values/clock.ts";

/**
 * Exports to download: `keys.length` readers side by side, one after another until `seconds` have passed, each reader at
 * least once. `bytesPerSecond` null: as fast as they come; else the readers are cut when the time is over.
 */
export type DownloadOrder = {
  port: number;
  keys: readonly string[];
  seconds: number;
  bytesPerSecond: number | null;
  /** Whether to ask for compressed exports; left out: no. */
  gzip?: boolean;
};

export type DownloadFigures = {
  /** Whole exports read. */
  exports: number;
  bytes: number;
  seconds: number;
  /** From sending the request to the first byte of the answer, one for each export. */
  firstByteMs: number[];
};

/** An account has only so many export starts in a day. */
const exportsMax = 200;
const bufferBytes = 256 * 1024;
const tailBytes = 256;

/** Rejects when an export is not answered with 200 or does not end with its `end` record. */
export async function download(order: DownloadOrder): Promise<DownloadFigures> {
  const startedMs = systemClock.monotonicMs();
  const figures: DownloadFigures = { exports: 0, bytes: 0, seconds: 0, firstByteMs: [] };
  const untilMs = startedMs + order.seconds * 1000;
  await Promise.all(
    order.keys.map(async (key) => {
      for (let count = 0; count < exportsMax && (count === 0 || systemClock.monotonicMs() < untilMs); count += 1) {
        await downloadOne(order, key, untilMs, figures);
      }
    }),
  );
  figures.seconds = (systemClock.monotonicMs() - startedMs) / 1000;
  return figures;
}

function downloadOne(
  { port, bytesPerSecond, gzip = false }: DownloadOrder,
  key: string,
  untilMs: number,
  figures: DownloadFigures,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentMs = 0;
    let tail: Buffer = Buffer.alloc(0);
    let first = true;
    let cut: NodeJS.Timeout | undefined;
    const take = (bytes: number, buffer: Uint8Array): boolean => {
      if (first) {
        first = false;
        figures.firstByteMs.push(systemClock.monotonicMs() - sentMs);
        const status = Buffer.from(buffer.subarray(0, Math.min(bytes, 600))).toString("latin1");
        if (!status.startsWith("HTTP/1.1 200")) reject(new Error(`an export was answered with ${status}`));
      }
      figures.bytes += bytes;
      tail = Buffer.concat([tail, buffer.subarray(Math.max(0, bytes - tailBytes), bytes)]).subarray(-tailBytes);
      if (bytesPerSecond === null) return true;
      setTimeout(() => socket.resume(), (bytes / bytesPerSecond) * 1000);
      return false;
    };
    const onread = { buffer: Buffer.alloc(bytesPerSecond === null ? bufferBytes : bufferBytes / 4), callback: take };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread } as NetConnectOpts);
    socket.once("connect", () => {
      sentMs = systemClock.monotonicMs();
      socket.write(requestHead(port, key, gzip));
      if (bytesPerSecond !== null) cut = setTimeout(() => socket.destroy(), untilMs - sentMs);
    });
    socket.once("error", reject);
    socket.once("close", () => {
      clearTimeout(cut);
      // The end of a compressed export cannot be read here; an aborted one has no last chunk.
      const isWhole = gzip ? tail.toString("latin1").endsWith("\r\n0\r\n\r\n") : tail.includes('"type":"end"');
      if (bytesPerSecond === null && !isWhole) reject(new Error("an export was cut"));
      else if (bytesPerSecond === null) figures.exports += 1;
      resolve();
    });
  });
}

function requestHead(port: number, key: string, gzip: boolean): string {
  return [
    "POST /v1/markets/snapshot HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${key}`,
    "Content-Length: 0",
    ...(gzip ? ["Accept-Encoding: gzip"] : []),
    "Connection: close",
    "\r\n",
  ].join("\r\n");
}
