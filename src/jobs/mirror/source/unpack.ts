import { createHash } from "node:crypto";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createGzip } from "node:zlib";
import { collectGarbage } from "../collect-garbage.ts";
import { type CompressedBody, type ContentEncoding, SourceFailure, type Watched } from "./source.ts";

const decompressors = { gzip: createGunzip, br: createBrotliDecompress } as const satisfies Record<
  ContentEncoding,
  unknown
>;

type Bounds = Pick<Watched, "bytesMax" | "signal" | "bodySize">;

/** Reads a body. It stays compressed with `staysCompressed`; otherwise it is decompressed. */
export async function readSourceBody(
  chunks: AsyncIterable<Buffer>,
  contentEncoding: ContentEncoding | null,
  watched: Watched,
): Promise<{ kind: "body"; bytes: Buffer } | ({ kind: "packed" } & CompressedBody)> {
  if (watched.staysCompressed === true)
    return { kind: "packed", ...(await compressBody(chunks, contentEncoding, watched)) };
  return { kind: "body", bytes: await decompressBody(chunks, contentEncoding, watched) };
}

/**
 * Returns the uncompressed bytes of a body, which may itself be a gzip file. Decompresses while it arrives, so that a limit or deadline
 * stops the work.
 * @throws {SourceFailure} when the body is damaged, empty or larger than `bytesMax`.
 */
async function decompressBody(
  chunks: AsyncIterable<Buffer>,
  contentEncoding: ContentEncoding | null,
  bounds: Bounds,
): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const chunk of decompressedBody(chunks, contentEncoding, bounds)) {
    kept.push(chunk);
    bounds.bodySize?.add(chunk.length);
    bounds.signal.throwIfAborted();
  }
  if (kept.length === 0) throw new SourceFailure("the body is empty");
  return Buffer.concat(kept);
}

/** Yields the uncompressed bytes of a body, like `decompressBody`. An empty body is allowed. */
export async function* decompressedBody(
  chunks: AsyncIterable<Buffer>,
  contentEncoding: ContentEncoding | null,
  { bytesMax, signal }: Bounds,
): AsyncGenerator<Buffer> {
  const sent = bounded(chunks, bytesMax);
  const opened = contentEncoding === null ? sent : bounded(decompressed(sent, contentEncoding), bytesMax);
  for await (const chunk of bounded(decompressedFile(opened), bytesMax)) {
    signal.throwIfAborted();
    yield chunk;
  }
}

const blockBytes = 64 * 1024;

/**
 * Keeps a body compressed. An uncompressed body is compressed quickly while it arrives. Only compressed bytes count in the shared limit of
 * all feeds.
 * @throws {SourceFailure} when the body is empty or larger than `bytesMax`.
 */
async function compressBody(
  chunks: AsyncIterable<Buffer>,
  contentEncoding: ContentEncoding | null,
  { bytesMax, signal, bodySize }: Bounds,
): Promise<CompressedBody> {
  const hash = createHash("sha256");
  let isEmpty = true;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of bounded(chunks, bytesMax)) {
      isEmpty = false;
      hash.update(chunk);
      collectGarbage();
      yield chunk;
    }
  }
  const blocks: Buffer[] = [];
  // Chunks are merged: a source may send single bytes, and each chunk has an overhead of some hundred bytes.
  let room = Buffer.alloc(0);
  for await (const chunk of contentEncoding === null ? compressed(watched()) : watched()) {
    signal.throwIfAborted();
    for (let at = 0; at < chunk.length; ) {
      if (room.length === 0) {
        room = Buffer.allocUnsafeSlow(blockBytes);
        blocks.push(room);
        bodySize?.add(blockBytes);
        signal.throwIfAborted();
      }
      const copied = chunk.copy(room, 0, at);
      room = room.subarray(copied);
      at += copied;
    }
  }
  if (isEmpty) throw new SourceFailure("the body is empty");
  const last = blocks.pop()!;
  blocks.push(last.subarray(0, blockBytes - room.length));
  return { blocks, contentEncoding: contentEncoding ?? "gzip", compressedDigest: hash.digest("hex") };
}

/** Creates the failure for a body larger than `bytesMax`. */
export function tooLarge(bytesMax: number): SourceFailure {
  return new SourceFailure(`the body is larger than ${bytesMax} bytes`);
}

/** Decompresses a gzip file. Other bytes pass unchanged. */
async function* decompressedFile(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = fromHead(chunks, 2);
  const { done, value: head } = await iterator.next();
  if (done === true) return;
  const whole = joined(head, iterator);
  yield* head[0] === 0x1f && head[1] === 0x8b ? decompressed(whole, "gzip") : whole;
}

async function* joined(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Yields the chunks. The first one has at least `headBytes` bytes if the stream is long enough. */
export async function* fromHead(chunks: AsyncIterable<Buffer>, headBytes: number): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    head = head === null ? null : Buffer.concat([head, chunk]);
    if (head !== null && head.length < headBytes) continue;
    yield head ?? chunk;
    head = null;
  }
  if (head !== null && head.length > 0) yield head;
}

/** Compresses quickly and with little memory, because many bodies may arrive at once. */
async function* compressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packer = createGzip({ level: 1, memLevel: 6, windowBits: 14 });
  let failure: Error | null = null;
  pipeline(chunks, packer, (error) => {
    failure = error ?? null;
  });
  try {
    for await (const chunk of packer) yield chunk as Buffer;
  } catch (error) {
    throw failure ?? error;
  }
}

async function* decompressed(chunks: AsyncIterable<Buffer>, contentEncoding: ContentEncoding): AsyncGenerator<Buffer> {
  const decompressor = decompressors[contentEncoding]();
  // An upstream error is thrown by the loop.
  pipeline(chunks, decompressor, () => undefined);
  try {
    for await (const chunk of decompressor) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof SourceFailure || (error as Error).name === "AbortError") throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SourceFailure(code === "Z_BUF_ERROR" ? "the body was cut off" : `broken ${contentEncoding} (${code})`);
  }
}

async function* bounded(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    yield chunk;
  }
}
