import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pipeline } from "node:stream";
import { serialize } from "node:v8";
import { entryFlags, entryPath } from "../../../values/root.ts";
import { secondMs } from "../../../values/time/calendar.ts";
import { withoutOwn } from "../../../worker/process.ts";
import { type ShareOfBound, SourceFailure } from "../source/source.ts";
import { CompressedReading } from "./compressed-reading.ts";
import type { ReadBounds, ReadOrder } from "./read-body.ts";
import { FrameReader } from "./read-frames.ts";

/** Limits of the reader process and its output. */
export type ReaderLimits = ReadBounds & {
  /** Maximum heap of the process in MB, and maximum anonymous memory in MB. The latter is checked on Linux only. */
  heapMbMax: number;
  memoryMbMax: number;
  /** Maximum size of the compressed output in bytes. */
  replyBytesMax: number;
};

/** With these limits all feeds together need less than 250 MB in all processes. */
export const readerLimits: ReaderLimits = {
  heapMbMax: 64,
  memoryMbMax: 110,
  wholeBytesMax: 16 * 1024 * 1024,
  pricesMax: 300_000,
  addressCharsMax: 32 * 1024 * 1024,
  replyBytesMax: 12 * 1024 * 1024,
};

/** Flags for a small process: a small young generation, single-threaded collection, one arena, and explicit garbage collection. */
const smallFlags = ["--max-semi-space-size=1", "--single-threaded-gc", "--optimize-for-size", "--expose-gc"];
const smallEnvironment = { MALLOC_ARENA_MAX: "1" };

type BodyReading = { digest: string; bytes: number; reading: CompressedReading } | { refusal: string };

const checkIntervalMs = 20;
const entry = entryPath("src/jobs/mirror/body-reader-process.ts");

/**
 * Reads bodies in separate processes, one after another, so that a body does not use the server's memory. A process over its memory, time
 * or output limit is killed, and its body is rejected.
 */
export class BodyReader {
  readonly #limits: ReaderLimits;
  #last: Promise<unknown> = Promise.resolve();
  started = 0;

  constructor(limits: ReaderLimits = readerLimits) {
    this.#limits = limits;
  }

  /**
   * Reads a body within `timeoutMs`. `blocks` is the body as received; each block is removed once it is sent.
   * @throws {SourceFailure} when the process was killed, or the reason of `signal` when it is aborted.
   */
  read(
    order: Omit<ReadOrder, "bounds">,
    blocks: Buffer[],
    { timeoutMs, signal, bodySize }: { timeoutMs: number; signal: AbortSignal; bodySize?: ShareOfBound },
  ): Promise<BodyReading> {
    const read = this.#last.then(() => {
      signal.throwIfAborted();
      this.started += 1;
      const { wholeBytesMax, pricesMax, addressCharsMax } = this.#limits;
      const bounds = { wholeBytesMax, pricesMax, addressCharsMax };
      return readInProcess({ ...order, bounds }, blocks, { ...this.#limits, timeoutMs }, signal, bodySize);
    });
    this.#last = read.catch(() => undefined);
    return read;
  }
}

function readInProcess(
  order: ReadOrder,
  blocks: Buffer[],
  limits: ReaderLimits & { timeoutMs: number },
  signal: AbortSignal,
  bodySize: ShareOfBound | undefined,
): Promise<BodyReading> {
  const { heapMbMax, memoryMbMax, replyBytesMax, timeoutMs } = limits;
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMbMax}`, ...smallFlags, ...entryFlags, entry], {
    env: { ...withoutOwn(process.env), ...smallEnvironment },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const tooMuchMemory = "reading the body needs too much memory; its process was ended";
  return new Promise<BodyReading>((resolve, reject) => {
    let endedFor: Error | null = null;
    const end = (reason: Error) => {
      endedFor ??= reason;
      child.kill("SIGKILL");
    };
    const stop = () => end(signal.reason as Error);
    const late = `reading the body lasts longer than ${timeoutMs / secondMs} s; its process was ended`;
    const deadline = setTimeout(() => end(new SourceFailure(late)), timeoutMs);
    const look = setInterval(() => {
      if (memoryMb(child) > memoryMbMax) end(new SourceFailure(tooMuchMemory));
    }, checkIntervalMs);
    signal.addEventListener("abort", stop, { once: true });
    if (bodySize !== undefined) bodySize.cut = end;
    const frames = new FrameReader();
    let replyBytes = 0;
    child.stdout!.on("data", (chunk: Buffer) => {
      replyBytes += chunk.length;
      bodySize?.add(chunk.length);
      if (replyBytes <= replyBytesMax) frames.take(chunk);
      else end(new SourceFailure(`the body has more prices than ${replyBytesMax} bytes can hold`));
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      end(new SourceFailure(`no process can be started to read it (${error.code})`));
      reject(endedFor);
    });
    child.once("close", (code, killedBy) => {
      clearTimeout(deadline);
      clearInterval(look);
      signal.removeEventListener("abort", stop);
      if (bodySize !== undefined) bodySize.cut = null;
      const { reply, chunks } = frames;
      if (endedFor !== null) reject(endedFor);
      else if (code === 0 && reply !== null) {
        if ("refusal" in reply) resolve(reply);
        else resolve({ digest: reply.digest, bytes: reply.bytes, reading: new CompressedReading(chunks, reply.end) });
      }
      // V8 aborts at its heap limit; the system kills the process for the same reason.
      else if (killedBy === "SIGABRT" || killedBy === "SIGKILL" || code === 134)
        reject(new SourceFailure(tooMuchMemory));
      else reject(new SourceFailure(`the process that reads it ended with ${killedBy ?? code}`));
    });
    send(child, order, blocks, bodySize);
  });
}

/** Sends the order and the blocks. Each block is released once it is sent. */
function send({ stdin }: ChildProcess, order: ReadOrder, blocks: Buffer[], bodySize?: ShareOfBound): void {
  const head = serialize(order);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  async function* parts(): AsyncGenerator<Buffer> {
    yield Buffer.concat([length, head]);
    for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
      yield block;
      bodySize?.add(-block.length);
    }
  }
  // A process that ends early does not read the rest.
  pipeline(parts(), stdin!, () => undefined);
}

/** Returns the anonymous memory of a process in MB, without file mappings. Returns 0 if the system does not report it. */
function memoryMb({ pid }: ChildProcess): number {
  try {
    const [, kilobytes = "0"] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}
