import type { Readable, Writable } from "node:stream";
import type { AgentParts } from "./agent.ts";
import { LineTransport } from "./lines.ts";
import { agentServer } from "./server.ts";

type StdioParts = Omit<AgentParts, "tools"> & {
  input: Readable;
  output: Writable;
  /** Resolves when the program is to end. */
  ending: Promise<unknown>;
  /** Longest wait, at the end of the input, for calls under way, in milliseconds. */
  drainMs: number;
};

/**
 * Serves one caller over its streams until the input ends or `ending` resolves. Calls that are under way when the input ends are
 * answered first.
 */
export async function serveStdio({ input, output, ending, drainMs, ...parts }: StdioParts): Promise<void> {
  const { server, agent } = agentServer(parts);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const ended = new Promise<void>((resolve) => void input.once("end", resolve).once("close", resolve));
  // The message itself is not shown: it may contain anything.
  server.onerror = () => parts.note("itemtape mcp: a message could not be understood or delivered");
  await server.connect(new LineTransport(input, output));
  await Promise.race([ended.then(() => drained(agent, drainMs)), closed, ending]);
  await server.close();
}

async function drained(agent: { idle(): Promise<void> }, drainMs: number): Promise<void> {
  // A message that came with the end is handed on in a turn of its own.
  await new Promise((resolve) => setImmediate(resolve));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  await Promise.race([agent.idle(), late]);
  clearTimeout(timer);
  // The answer is written in the turns after the call.
  await new Promise((resolve) => setImmediate(resolve));
}
