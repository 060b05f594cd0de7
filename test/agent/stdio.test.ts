import { PassThrough } from "node:stream";
import { ProtocolErrorCode } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { messageLines } from "../../src/agent/lines.ts";
import { serveStdio } from "../../src/agent/stdio.ts";
import { Itemtape } from "../../src/client/index.ts";
import { collectGarbage } from "../support/garbage.ts";

type Answer = { id: number | null; result?: object; error?: { code: number; message: string } };

const ping = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;
const call = (id: number) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "getStatus" } })}\n`;

/** The adapter's responses to `chunks`, and its number of log notes. */
async function answersTo(
  chunks: readonly (string | Buffer)[],
  fetch: typeof globalThis.fetch = () => Promise.reject(new Error("nothing is to be sent")),
): Promise<{ answers: Answer[]; noted: number }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let noted = 0;
  const served = serveStdio({
    input,
    output,
    ending: new Promise(() => undefined),
    drainMs: 10_000,
    client: new Itemtape({ fetch }),
    adapterContext: { keySource: "the test", address: "http://127.0.0.1:9" },
    note: () => {
      noted += 1;
    },
  });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await served;
  const lines = textIn(output).split("\n");
  return { answers: lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Answer), noted };
}

/** Returns the whole output. From Node 26 on a read returns one chunk at a time. */
function textIn(output: PassThrough): string {
  const parts: string[] = [];
  for (let part = output.read(); part !== null; part = output.read()) parts.push(String(part));
  return parts.join("");
}

describe("agent adapter over stdin and stdout", () => {
  const { ParseError, InvalidRequest } = ProtocolErrorCode;
  /** The bytes of a line that is just short enough. */
  const lineBytesMax = 262_144;
  const long = `${"x".repeat(lineBytesMax + 1)}\n`;
  const refused: [string, string, number][] = [
    ["not JSON", "hello\n", ParseError],
    ["not a message", '{"id":1}\n', InvalidRequest],
    ["a list of messages", `[${ping(7).trim()}]\n`, InvalidRequest],
    ["too long", long, InvalidRequest],
  ];
  for (const [what, line, code] of refused) {
    it(`answers a line that is ${what} without an id, then the next`, async () => {
      const { answers, noted } = await answersTo([ping(1), line, ping(2)]);
      expect(answers.map(({ id }) => id)).to.have.members([1, null, 2]);
      expect(answers.find(({ id }) => id === null)?.error?.code).to.equal(code);
      expect(noted).to.equal(1);
    });
  }

  it("accepts a line of exactly 256 KiB, not a byte more", async () => {
    const padded = (bytes: number) => `${ping(5).trim().padEnd(bytes)}\n`;
    const { answers } = await answersTo([padded(lineBytesMax), padded(lineBytesMax + 1)]);
    expect(answers.map(({ id, error }) => [id, error?.code])).to.have.deep.members([
      [5, undefined],
      [null, InvalidRequest],
    ]);
  });

  it("limits the memory for a line without an end", async () => {
    const input = new PassThrough();
    const next = messageLines(input, () => undefined).next();
    const heldMb = async () => {
      await new Promise(setImmediate);
      return process.memoryUsage().arrayBuffers / 2 ** 20;
    };
    const before = await heldMb();
    for (let sent = 0; sent < 128; sent += 1) {
      input.write(Buffer.alloc(2 ** 20, 0x78));
      await new Promise(setImmediate);
    }
    // Buffered to its end it would need 128 MB.
    collectGarbage();
    expect((await heldMb()) - before).to.be.below(64);
    input.end();
    expect(await next).to.deep.equal({ done: true, value: undefined });
  });

  it("answers a call in progress although an overlong line follows", async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const fetch = async () => {
      await opened;
      return new Response("{}", { status: 500 });
    };
    const running = answersTo([call(1), long, ping(2)], fetch);
    setImmediate(open);
    expect((await running).answers.map(({ id }) => id)).to.have.members([1, null, 2]);
  });

  it("reads a line in chunks, split within a character or unterminated", async () => {
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: "ключ", method: "ping" }));
    const { answers } = await answersTo([...bytes].map((byte) => Buffer.from([byte])));
    expect(answers).to.deep.equal([{ jsonrpc: "2.0", id: "ключ", result: {} }]);
  });

  it("ignores responses and empty lines", async () => {
    const refusal = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: ParseError, message: "?" } })}\n`;
    const { answers } = await answersTo([refusal, "\n", " \r\n", ping(1)]);
    expect(answers.map(({ id }) => id)).to.deep.equal([1]);
  });
});
