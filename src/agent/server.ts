import {
  type CacheHint,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  Server,
  type ServerContext,
  type TextResourceContents,
  type Tool,
} from "@modelcontextprotocol/server";
import type { ExportProgress } from "../client/index.ts";
import { type Contract, documentText, loadContract } from "../contract/document.ts";
import { plural } from "../values/text/counted.ts";
import { displayText } from "../values/text/display-text.ts";
import { Agent, type AgentParts } from "./agent.ts";
import type { ArgumentOwners } from "./arguments.ts";
import { type Node, node } from "./contract-view.ts";
import { instructions } from "./descriptions.ts";
import { findPricesName, findPricesTool } from "./find-prices.ts";
import { type AgentTool, agentTools } from "./tools.ts";

/** Items of an export between two progress notices. */
const itemsPerNotice = 2000;

type ContractTools = {
  contract: Contract;
  tools: ReadonlyMap<string, AgentTool>;
  /** The listed tools: the price finder, then one per operation. */
  listed: Tool[];
  owners: ArgumentOwners;
};

let made: ContractTools | undefined;

/** Returns the contract of this build and its tools, created once per process. */
export function contractTools(): ContractTools {
  if (made !== undefined) return made;
  const contract = loadContract();
  const tools = agentTools();
  const listed = [...tools.values()].map(({ tool }) => tool);
  listed.unshift(findPricesTool());
  const owners = new Map(
    listed.flatMap(({ name, inputSchema }) => Object.keys(inputSchema.properties ?? {}).map((key) => [key, name])),
  );
  made = { contract, tools, listed, owners };
  return made;
}

/** Creates an agent for one caller. */
export function agentOf(parts: Omit<AgentParts, "tools" | "owners">): Agent {
  const { tools, owners } = contractTools();
  return new Agent({ ...parts, tools, owners });
}

/** The lists and texts are fixed in a build, and the same for every caller. */
const cacheHint: CacheHint = { ttlMs: 3_600_000, cacheScope: "public" };
const cacheHints = {
  "server/discover": cacheHint,
  "tools/list": cacheHint,
  "prompts/list": cacheHint,
  "resources/list": cacheHint,
  "resources/templates/list": cacheHint,
  "resources/read": cacheHint,
};

/** Creates an MCP server for an agent, not yet connected. `address` is the base URL of the API in the contract, null to hide it. */
export function serverOf(agent: Agent, address: string | null): Server {
  const { contract, tools, listed } = contractTools();
  const server = new Server(
    { name: "itemtape", title: contract.document.info.title, version: contract.document.info.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions, cacheHints },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listed }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal, _meta, notify } }) => {
    const { name, arguments: given = {} } = params;
    if (name === findPricesName) return agent.findPrices(given, { signal });
    const tool = tools.get(name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `unknown tool ${displayText(name)}; tools/list names them`,
      );
    }
    const token = _meta?.progressToken;
    const onProgress = token === undefined ? undefined : progressOf(token, notify);
    return agent.call(tool, given, { signal, onProgress });
  });
  // Callers of the newer revision may request these lists even if the server has none.
  server.setRequestHandler("prompts/list", () => ({ prompts: [] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }));
  server.setRequestHandler("resources/read", ({ params }) => {
    const contents = readResource(contract, params.uri, address ?? "/");
    if (contents === null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown resource ${displayText(params.uri)}`);
    return { contents: [contents] };
  });
  return server;
}

/** Reports the progress of an export occasionally. It ignores a disconnected caller. */
function progressOf(
  progressToken: string | number,
  notify: ServerContext["mcpReq"]["notify"],
): (progress: ExportProgress) => void {
  let noticed = 0;
  return ({ items, itemId, upTo }) => {
    if (items < noticed + itemsPerNotice) return;
    noticed = items;
    const params = { progressToken, progress: itemId, total: upTo, message: `${plural(items, "item")}` };
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

const contractUri = "itemtape://contract/openapi.json";
const problemsUri = "itemtape://contract/problems";

/** Resources beside the tools. They need no key and cost nothing. */
const resources: readonly Resource[] = [
  {
    uri: contractUri,
    name: "openapi.json",
    title: "The contract",
    description: "The OpenAPI 3.1 document that the tools are made from. Large.",
    mimeType: "application/json",
  },
  {
    uri: problemsUri,
    name: "problems",
    title: "Codes of refusals",
    description: "Every code of the API with its HTTP status and meaning, one a line.",
    mimeType: "text/plain",
  },
];

/** Returns the text of a resource, null for an unknown address. `base`: server of the contract. */
function readResource(contract: Contract, uri: string, base: string): TextResourceContents | null {
  if (uri === contractUri) return { uri, mimeType: "application/json", text: documentText(contract, base) };
  if (uri === problemsUri) return { uri, mimeType: "text/plain", text: problemLines(contract).join("\n") };
  return null;
}

/** Returns one line per code, from the problems that the contract shows as examples. */
function problemLines({ document }: Contract): string[] {
  const components = node((document as unknown as Node).components);
  const lines = Object.values(node(components.examples)).flatMap((example) => {
    const { code, status, title } = node(node(example).value);
    return typeof code === "string" && typeof status === "number" ? [`${status} ${code}: ${String(title)}`] : [];
  });
  return [...new Set(lines)].sort();
}
