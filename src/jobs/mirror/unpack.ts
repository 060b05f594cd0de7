import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { type Packing, SourceFailure, type Watched } from "./source.ts";

const unpackers = { gzip: createGunzip, br: createBrotliDecompress } as const satisfies Record<Packing, unknown>;

type Bounds = Pick<Watched, "bytesMax" | "signal" | "held">;

/**
 * Returns the unpacked bytes of a body, which may itself be a gzip file. It is unpacked while it comes, so that a bound or a deadline
 * that is reached stops the unpacking as well.
 * @throws {SourceFailure} when it is broken, empty or larger than `bytesMax`.
 */
export async function unpackBody(
  chunks: AsyncIterable<Buffer>,
  packing: Packing | null,
  bounds: Bounds,
): Promise<Buffer> {
  const sent = bounded(chunks, bounds.bytesMax);
  const opened = packing === null ? sent : bounded(unpacked(sent, packing), bounds.bytesMax);
  return joinBody(unpackedFile(opened), bounds);
}

/**
 * Returns the bytes of a body as one buffer.
 * @throws {SourceFailure} when it is empty or larger than `bytesMax`.
 */
export async function joinBody(chunks: AsyncIterable<Buffer>, { bytesMax, signal, held }: Bounds): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const chunk of bounded(chunks, bytesMax)) {
    signal.throwIfAborted();
    kept.push(chunk);
    held?.add(chunk.length);
    signal.throwIfAborted();
  }
  if (kept.length === 0) throw new SourceFailure("the body is empty");
  return Buffer.concat(kept);
}

/** Creates the failure of a body that is larger than `bytesMax`. */
export function tooLarge(bytesMax: number): SourceFailure {
  return new SourceFailure(`the body is larger than ${bytesMax} bytes`);
}

/** Unpacks what begins as a gzip file. */
async function* unpackedFile(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  const whole = joined(head, iterator);
  yield* head[0] === 0x1f && head[1] === 0x8b ? unpacked(whole, "gzip") : whole;
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* unpacked(chunks: AsyncIterable<Buffer>, packing: Packing): AsyncGenerator<Buffer> {
  const unpacker = unpackers[packing]();
  // What fails before it is what the loop throws.
  pipeline(chunks, unpacker, () => undefined);
  try {
    for await (const chunk of unpacker) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof SourceFailure || (error as Error).name === "AbortError") throw error;
    throw new SourceFailure(`broken ${packing} (${(error as NodeJS.ErrnoException).code})`);
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
