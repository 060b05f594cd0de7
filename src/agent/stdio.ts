import { Readable, type Writable } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import { StdioServerTransport, serveStdio as serveTransport } from "@modelcontextprotocol/server/stdio";
import type { AgentParts } from "./agent.ts";
import { messageLines } from "./lines.ts";
import { type InvalidMessage, invalidMessageAnswer } from "./messages.ts";
import { agentOf, serverOf } from "./server.ts";

type StdioParts = Omit<AgentParts, "tools" | "owners"> & {
  input: Readable;
  output: Writable;
  /** Resolves when the program should end. */
  ending: Promise<unknown>;
  /** Maximum wait for open calls at the end of the input, in milliseconds. */
  drainMs: number;
};

/** Serves one caller over its streams until the input ends or `ending` resolves. Open calls are answered first at the end of the input. */
export async function serveStdio({ input, output, ending, drainMs, ...parts }: StdioParts): Promise<void> {
  const agent = agentOf(parts);
  // The note omits the message, which may contain anything.
  const note = () => parts.note("itemtape mcp: a message could not be parsed or delivered");
  const refuse = (reason: InvalidMessage) => {
    note();
    if (!reason.isAnswer) output.write(`${invalidMessageAnswer(reason)}\n`);
  };
  async function* lines() {
    yield* messageLines(input, refuse);
    // The transport aborts all calls at the end of its input.
    await drained(agent, drainMs);
  }
  const source = Readable.from(lines(), { objectMode: false });
  const closed = new Promise<void>((resolve) => void source.once("close", resolve));
  const transport = new StdioServerTransport(source, output);
  const connection = serveTransport(() => serverOf(agent, parts.adapterContext.address), {
    transport,
    onerror: note,
    maxSubscriptions: 0,
  });
  await Promise.race([closed, ending]);
  await connection.close();
  source.destroy();
  input.destroy();
}

async function drained(agent: { idle(): Promise<void> }, drainMs: number): Promise<void> {
  // The last message reaches the server in a later turn.
  await setImmediate();
  await Promise.race([agent.idle(), setTimeout(drainMs, undefined, { ref: false })]);
  // The response is written in the turn after the call.
  await setImmediate();
}
