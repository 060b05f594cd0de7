import type { Itemtape } from "../client/index.ts";
import { type Call, commandsOf, noSettings, urlFlag, usageError, wholeNumberFlag } from "./command.ts";
import { cannotListen, localAddress } from "./open.ts";
import { signals } from "./signals.ts";

const defaultHost = "127.0.0.1";
const defaultPort = 8090;
const portMax = 65_535;
/** Maximum wait for open calls at the end. */
const drainMs = 10_000;

export const agentCommands = commandsOf(noSettings, [
  {
    usage: "mcp",
    flags: {
      "url BASE": urlFlag,
      http: "serve many callers over HTTP, each with its own key",
      "host ADDRESS": "with --http: address to listen on (default: 127.0.0.1)",
      "port N": "with --http: port to listen on (default: 8090); 0 picks a free one",
    },
    description: "serve the API to agents as read-only MCP tools",
    example: "mcp --http --port 8090",
    run: serveAgents,
  },
]);

/** Serves agents until a signal, or over stdin and stdout until the caller disconnects. */
async function serveAgents(call: Call): Promise<void> {
  const { serviceAddress } = await import("./connect.ts");
  const baseUrl = serviceAddress(call);
  if (call.has("http")) return overHttp(call, baseUrl);
  const ofHttp = ["host", "port"].find((name) => call.flag(name) !== undefined);
  if (ofHttp !== undefined) throw usageError(`--${ofHttp}: needs --http`);
  return overStdio(call, baseUrl);
}

/** Serves one caller with the key of the environment. Standard output contains only the protocol. */
async function overStdio(call: Call, baseUrl: string): Promise<void> {
  const { serveStdio } = await import("../agent/stdio.ts");
  const { requiredKey } = await import("./connect.ts");
  const apiKey = (call.apiKey ?? "") === "" ? undefined : requiredKey(call);
  const note = (text: string) => call.out.note(text);
  if (apiKey === undefined) note("itemtape mcp: ITEMTAPE_API_KEY is not set, so only getStatus answers");
  const client = (await agentClients(baseUrl))(apiKey);
  const { first, forget } = signals();
  const adapterContext = { keySource: "the environment variable ITEMTAPE_API_KEY of the adapter", address: baseUrl };
  const { stdin: input, stdout: output } = process;
  await serveStdio({ input, output, client, adapterContext, note, ending: first, drainMs });
  forget();
}

/** Serves any number of callers. None of them uses the key of the environment. */
async function overHttp(call: Call, baseUrl: string): Promise<void> {
  const { httpPath, serveHttp } = await import("../agent/http.ts");
  const [host, port] = [hostOf(call.flag("host")), wholeNumberFlag(call, "port", [0, portMax]) ?? defaultPort];
  const note = (text: string) => call.out.note(text);
  const { first, forget } = signals();
  const keySource = "the header Authorization: Bearer of each request";
  const adapterContext = { keySource, address: null };
  const clients = await agentClients(baseUrl);
  const clientOf = (key: string | null) => clients(key ?? undefined);
  const adapter = await serveHttp({ host, port, clientOf, adapterContext, note }).catch((error) => {
    forget();
    throw cannotListen(error, host, port);
  });
  const at = localAddress({ host, port: adapter.port });
  note(`Itemtape serves agents on ${at}${httpPath}, each caller with its own key (stop with Ctrl+C)`);
  if ((call.apiKey ?? "") !== "") note("ITEMTAPE_API_KEY is not used with --http");
  await first;
  await adapter.close(drainMs);
  forget();
}

/** Returns a function that creates a client of the service for a key. */
async function agentClients(baseUrl: string): Promise<(apiKey: string | undefined) => Itemtape> {
  const { agentRetry } = await import("../agent/agent.ts");
  const { createClient } = await import("./connect.ts");
  return (apiKey) => createClient({ baseUrl, apiKey, userAgent: "itemtape-mcp", retry: agentRetry });
}

/** An empty address would listen on every interface. */
function hostOf(text: string | undefined): string {
  if (text?.trim() === "") throw usageError("--host: must be a non-empty address");
  return text ?? defaultHost;
}
