import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { clientOperations } from "../../generated/client-operations.ts";
import { agentRetry } from "../../src/agent/agent.ts";
import { agentOf as callsOf, serverOf } from "../../src/agent/server.ts";
import { Itemtape, type ItemtapeOptions } from "../../src/client/index.ts";
import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";

/** A result of a tool: its structured part is an object. */
export type ToolResult = CallToolResult & { structuredContent?: Record<string, unknown> };

/** Notes of the adapter to its operator, over all tests of a process. */
export const notes: string[] = [];

/** The official client, connected to the adapter with one key in front of the server at `base`. */
export async function agentOf(base: string, key: string | null, options: ItemtapeOptions = {}): Promise<Client> {
  const agent = callsOf({
    client: new Itemtape({ baseUrl: base, apiKey: key ?? undefined, retry: agentRetry, ...options }),
    adapterContext: { keySource: "the test", address: base },
    note: (text) => void notes.push(text),
  });
  const server = serverOf(agent, base);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(near);
  return client;
}

/** Calls a tool. */
export async function callTool(client: Client, name: string, given: object = {}): Promise<ToolResult> {
  return (await client.callTool({ name, arguments: { ...given } })) as ToolResult;
}

/** The text of a result, which is one part. */
export function textOf(result: CallToolResult): string {
  const [part] = result.content;
  if (result.content.length !== 1 || part?.type !== "text") throw new Error("the result is not one text");
  return part.text;
}

/** The arguments of a tool that make the adapter send the same request. */
export function argumentsOf(operationId: OperationId, { target, body }: RawRequest): Record<string, unknown> {
  const { path, pathParams, queryParams } = clientOperations[operationId];
  const [given = "", query = ""] = target.split("?");
  const names = Object.keys(pathParams);
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
  const values = pattern.exec(given)?.slice(1) ?? [];
  const kinds: Record<string, string> = { ...pathParams, ...queryParams };
  const pairs = [
    ...names.map((name, index): [string, string] => [name, decodeURIComponent(values[index] ?? "")]),
    ...new URLSearchParams(query),
  ];
  return {
    ...Object.fromEntries(pairs.map(([name, value]) => [name, kinds[name] === "integer" ? Number(value) : value])),
    ...(body === undefined ? {} : JSON.parse(String(body))),
  };
}
