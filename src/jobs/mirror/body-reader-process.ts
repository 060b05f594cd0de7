import { writeFileSync } from "node:fs";
import { deserialize } from "node:v8";
import type { ReadChunk } from "./body/compressed-reading.ts";
import { type ReadOrder, readBody } from "./body/read-body.ts";
import { chunkFrame, replyFrame } from "./body/read-frames.ts";

// A separate process that reads one body. Standard input receives the order and the body; standard output returns the chunks and the reply.

const lengthBytes = 4;

async function main(): Promise<void> {
  lowerPriority();
  const input = process.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  const isWhole = () => head.length >= lengthBytes && head.length >= lengthBytes + head.readUInt32LE(0);
  while (!isWhole()) {
    const { done, value } = await input.next();
    // The parent process has ended.
    if (done === true) return;
    head = Buffer.concat([head, value]);
  }
  const end = lengthBytes + head.readUInt32LE(0);
  const order = deserialize(head.subarray(lengthBytes, end)) as ReadOrder;
  const output = process.stdout.on("error", () => process.exit());
  const take = async (chunk: ReadChunk) => {
    if (!output.write(chunkFrame(chunk))) await new Promise((resolve) => output.once("drain", resolve));
  };
  const reply = await readBody(order, chunksFrom(head.subarray(end), input), take);
  output.end(replyFrame(reply));
}

async function* chunksFrom(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Makes the Linux out-of-memory killer end this process before the server. */
function lowerPriority(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Other systems do not have this file.
  }
}

void main();
