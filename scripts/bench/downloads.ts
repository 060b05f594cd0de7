import { connect, type NetConnectOpts } from "node:net";
import { systemClock } from "../../src/values/clock.ts";

/** Exports to download: a reader for each key, one export after another for so long, at least one. */
export type DownloadOrder = {
  port: number;
  keys: readonly string[];
  seconds: number;
  /** Left out: as fast as they come. A slow reader is cut when the time is over. */
  bytesPerSecond?: number | undefined;
  gzip?: boolean;
};

/** An account has only so many export starts in a day. */
const exportsMax = 200;
const bufferBytes = 256 * 1024;
const slowBufferBytes = 64 * 1024;
const tailBytes = 256;

/** Downloads whole exports. Rejects if one is not answered with 200 or does not end with its `end` record. */
export async function download(order: DownloadOrder) {
  const startedMs = systemClock.monotonicMs();
  const untilMs = startedMs + order.seconds * 1000;
  const figures = { exports: 0, bytes: 0, firstByteMs: [] as number[] };
  const readers = order.keys.map(async (key) => {
    for (let count = 0; count < exportsMax && (count === 0 || systemClock.monotonicMs() < untilMs); count += 1) {
      const { bytes, firstByteMs } = await downloadOne(order, key, untilMs);
      figures.exports += 1;
      figures.bytes += bytes;
      figures.firstByteMs.push(firstByteMs);
    }
  });
  await Promise.all(readers);
  return { ...figures, seconds: (systemClock.monotonicMs() - startedMs) / 1000 };
}

function downloadOne({ port, bytesPerSecond, gzip = false }: DownloadOrder, key: string, untilMs: number) {
  return new Promise<{ bytes: number; firstByteMs: number }>((resolve, reject) => {
    const sentMs = systemClock.monotonicMs();
    const figures = { bytes: 0, firstByteMs: 0 };
    let tail: Buffer = Buffer.alloc(0);
    const take = (bytes: number, buffer: Uint8Array): boolean => {
      if (figures.bytes === 0) {
        figures.firstByteMs = systemClock.monotonicMs() - sentMs;
        const head = Buffer.from(buffer.subarray(0, Math.min(bytes, 600))).toString("latin1");
        if (!head.startsWith("HTTP/1.1 200")) reject(new Error(`an export was answered with ${head}`));
      }
      figures.bytes += bytes;
      tail = Buffer.concat([tail, buffer.subarray(Math.max(0, bytes - tailBytes), bytes)]).subarray(-tailBytes);
      if (bytesPerSecond !== undefined) setTimeout(() => socket.resume(), (bytes / bytesPerSecond) * 1000);
      return bytesPerSecond === undefined;
    };
    const onread = {
      buffer: Buffer.alloc(bytesPerSecond === undefined ? bufferBytes : slowBufferBytes),
      callback: take,
    };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread } as NetConnectOpts);
    const isSlow = bytesPerSecond !== undefined;
    const cut = isSlow ? setTimeout(() => socket.destroy(), untilMs - sentMs) : undefined;
    socket.once("error", reject);
    socket.once("close", () => {
      clearTimeout(cut);
      // The `end` of a compressed export cannot be read here; one that was aborted has no last chunk.
      const isWhole = gzip ? tail.toString("latin1").endsWith("\r\n0\r\n\r\n") : tail.includes('"type":"end"');
      if (isWhole || isSlow) resolve(figures);
      else reject(new Error("an export was cut"));
    });
    socket.write(
      `POST /v1/markets/snapshot HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Length: 0\r\n${gzip ? "Accept-Encoding: gzip\r\n" : ""}Connection: close\r\n\r\n`,
    );
  });
}
