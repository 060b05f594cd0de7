import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { secondMs } from "../../values/calendar.ts";
import type { ReadOrder, ReadReply } from "./read-body.ts";
import { SourceFailure } from "./source.ts";

/** Bounds of the process that reads a body. */
export type ReaderLimits = {
  /** Maximum megabytes of its heap, and of all its memory, which is looked at on Linux. */
  heapMbMax: number;
  memoryMbMax: number;
  /** Maximum prices of a body, and bytes of what it says of them. */
  pricesMax: number;
  replyBytesMax: number;
};

/** With as many prices as that, what the server makes of them takes less than 200 MB. */
export const readerLimits: ReaderLimits = {
  heapMbMax: 512,
  memoryMbMax: 1024,
  pricesMax: 250_000,
  replyBytesMax: 64 * 1024 * 1024,
};

const lookEveryMs = 50;
const entry = fileURLToPath(new URL("../../worker/process.mjs", import.meta.url));

/**
 * Reads bodies in processes of their own, one after the other, so that no body takes the memory of the server beside it. A process that
 * takes too much memory or time, or says too much, is killed: its body is refused by name.
 */
export class BodyReader {
  readonly #limits: ReaderLimits;
  #last: Promise<unknown> = Promise.resolve();
  /** Processes that were started. */
  started = 0;

  constructor(limits: ReaderLimits = readerLimits) {
    this.#limits = limits;
  }

  /**
   * Reads a body within `timeoutMs`. `body`: as its source sent it.
   * @throws {SourceFailure} when the process was ended; the reason of `signal` when that is aborted.
   */
  read(order: Omit<ReadOrder, "pricesMax">, body: Buffer, timeoutMs: number, signal: AbortSignal): Promise<ReadReply> {
    const read = this.#last.then(() => {
      signal.throwIfAborted();
      this.started += 1;
      return readInProcess(
        { ...order, pricesMax: this.#limits.pricesMax },
        body,
        { ...this.#limits, timeoutMs },
        signal,
      );
    });
    this.#last = read.catch(() => undefined);
    return read;
  }
}

function readInProcess(
  order: ReadOrder,
  body: Buffer,
  limits: ReaderLimits & { timeoutMs: number },
  signal: AbortSignal,
): Promise<ReadReply> {
  const { heapMbMax, memoryMbMax, replyBytesMax, timeoutMs } = limits;
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMbMax}`, entry, "src/jobs/mirror/body-reader-process.ts"],
    {
      env: withoutOwn(process.env),
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  const tooMuchMemory = "reading the body takes too much memory; its process was ended";
  return new Promise<ReadReply>((resolve, reject) => {
    let endedFor: Error | null = null;
    const end = (reason: Error) => {
      endedFor ??= reason;
      child.kill("SIGKILL");
    };
    const stop = () => end(signal.reason as Error);
    const late = `reading the body takes longer than ${timeoutMs / secondMs} s; its process was ended`;
    const deadline = setTimeout(() => end(new SourceFailure(late)), timeoutMs);
    const look = setInterval(() => {
      if (memoryMb(child) > memoryMbMax) end(new SourceFailure(tooMuchMemory));
    }, lookEveryMs);
    signal.addEventListener("abort", stop, { once: true });
    const reply: Buffer[] = [];
    let replyBytes = 0;
    child.stdout!.on("data", (chunk: Buffer) => {
      replyBytes += chunk.length;
      if (replyBytes <= replyBytesMax) reply.push(chunk);
      else end(new SourceFailure(`the body holds more prices than ${replyBytesMax} bytes can tell`));
    });
    // A process that ends early does not take the rest.
    child.stdin!.on("error", () => undefined);
    child.once("error", (error: NodeJS.ErrnoException) => {
      end(new SourceFailure(`no process can be started to read it (${error.code})`));
      reject(endedFor);
    });
    child.once("close", (code, killedBy) => {
      clearTimeout(deadline);
      clearInterval(look);
      signal.removeEventListener("abort", stop);
      if (endedFor !== null) reject(endedFor);
      else if (code === 0 && replyBytes > 0) resolve(deserialize(Buffer.concat(reply)) as ReadReply);
      // V8 aborts at the bound of its heap; the system kills for the same reason.
      else if (killedBy === "SIGABRT" || killedBy === "SIGKILL" || code === 134)
        reject(new SourceFailure(tooMuchMemory));
      else reject(new SourceFailure(`the process that reads it ended with ${killedBy ?? code}`));
    });
    send(child, order, body);
  });
}

function send(child: ChildProcess, order: ReadOrder, body: Buffer): void {
  const head = serialize(order);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  child.stdin!.write(Buffer.concat([length, head]));
  child.stdin!.end(body);
}

/** Returns the megabytes that a process has in memory; 0 where the system does not tell. */
function memoryMb({ pid }: ChildProcess): number {
  try {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the environment without the program's own variables, some of which are secret, and without flags for Node. */
function withoutOwn(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOther = ([name]: [string, unknown]) => !name.startsWith("ITEMTAPE_") && name !== "NODE_OPTIONS";
  return Object.fromEntries(Object.entries(environment).filter(isOther));
}
