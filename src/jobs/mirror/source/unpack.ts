import { createHash } from "node:crypto";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createGzip } from "node:zlib";
import { giveBack } from "../give-back.ts";
import { type PackedBody, type Packing, SourceFailure, type Watched } from "./source.ts";

const unpackers = { gzip: createGunzip, br: createBrotliDecompress } as const satisfies Record<Packing, unknown>;

type Bounds = Pick<Watched, "bytesMax" | "signal" | "held">;

/** Reads a body. It stays compressed with `staysPacked`; otherwise it is decompressed. */
export async function takeBody(
  chunks: AsyncIterable<Buffer>,
  packing: Packing | null,
  watched: Watched,
): Promise<{ kind: "body"; bytes: Buffer } | ({ kind: "packed" } & PackedBody)> {
  if (watched.staysPacked === true) return { kind: "packed", ...(await packBody(chunks, packing, watched)) };
  return { kind: "body", bytes: await unpackBody(chunks, packing, watched) };
}

/**
 * Returns the uncompressed bytes of a body, which may itself be a gzip file. Decompresses while it arrives, so that a limit or deadline
 * stops the work.
 * @throws {SourceFailure} when the body is damaged, empty or larger than `bytesMax`.
 */
async function unpackBody(chunks: AsyncIterable<Buffer>, packing: Packing | null, bounds: Bounds): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const chunk of unpackedBody(chunks, packing, bounds)) {
    kept.push(chunk);
    bounds.held?.add(chunk.length);
    bounds.signal.throwIfAborted();
  }
  if (kept.length === 0) throw new SourceFailure("the body is empty");
  return Buffer.concat(kept);
}

/** Yields the uncompressed bytes of a body, like `unpackBody`. An empty body is allowed. */
export async function* unpackedBody(
  chunks: AsyncIterable<Buffer>,
  packing: Packing | null,
  { bytesMax, signal }: Bounds,
): AsyncGenerator<Buffer> {
  const sent = bounded(chunks, bytesMax);
  const opened = packing === null ? sent : bounded(unpacked(sent, packing), bytesMax);
  for await (const chunk of bounded(unpackedFile(opened), bytesMax)) {
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
async function packBody(
  chunks: AsyncIterable<Buffer>,
  packing: Packing | null,
  { bytesMax, signal, held }: Bounds,
): Promise<PackedBody> {
  const hash = createHash("sha256");
  let isEmpty = true;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of bounded(chunks, bytesMax)) {
      isEmpty = false;
      hash.update(chunk);
      giveBack();
      yield chunk;
    }
  }
  const blocks: Buffer[] = [];
  // Chunks are merged: a source may send single bytes, and each chunk has an overhead of some hundred bytes.
  let room = Buffer.alloc(0);
  for await (const chunk of packing === null ? packed(watched()) : watched()) {
    signal.throwIfAborted();
    for (let at = 0; at < chunk.length; ) {
      if (room.length === 0) {
        room = Buffer.allocUnsafeSlow(blockBytes);
        blocks.push(room);
        held?.add(blockBytes);
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
  return { blocks, packing: packing ?? "gzip", packedDigest: hash.digest("hex") };
}

/** Creates the failure for a body larger than `bytesMax`. */
export function tooLarge(bytesMax: number): SourceFailure {
  return new SourceFailure(`the body is larger than ${bytesMax} bytes`);
}

/** Decompresses a gzip file. Other bytes pass unchanged. */
async function* unpackedFile(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = fromHead(chunks, 2);
  const { done, value: head } = await iterator.next();
  if (done === true) return;
  const whole = joined(head, iterator);
  yield* head[0] === 0x1f && head[1] === 0x8b ? unpacked(whole, "gzip") : whole;
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
async function* packed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

async function* unpacked(chunks: AsyncIterable<Buffer>, packing: Packing): AsyncGenerator<Buffer> {
  const unpacker = unpackers[packing]();
  // An upstream error is thrown by the loop.
  pipeline(chunks, unpacker, () => undefined);
  try {
    for await (const chunk of unpacker) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof SourceFailure || (error as Error).name === "AbortError") throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SourceFailure(code === "Z_BUF_ERROR" ? "the body was cut off" : `broken ${packing} (${code})`);
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
