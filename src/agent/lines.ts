import type { Readable } from "node:stream";
import { requestBytesMax } from "./limits.ts";
import { InvalidMessage, messageOf, tooLong } from "./messages.ts";

const newline = 0x0a;

/**
 * Yields the lines of `input` that contain one message, and passes the reason to `refuse` for any other line. The library's own
 * transport would drop such a line without an answer, and would disconnect after a line that is too long.
 */
export async function* messageLines(input: Readable, refuse: (reason: InvalidMessage) => void): AsyncGenerator<string> {
  for await (const line of boundedLines(input)) {
    if (line?.trim() === "") continue;
    const message = line === null ? tooLong : messageOf(line);
    if (message instanceof InvalidMessage) refuse(message);
    else yield `${JSON.stringify(message)}\n`;
  }
}

/** Yields each line of `input`, or null for a line that is too long. Only the length of such a line is kept. */
async function* boundedLines(input: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    if (bytes > requestBytesMax) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const end = () => {
    const line = bytes > requestBytesMax ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  yield end();
}
