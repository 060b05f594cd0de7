import { agentRetry } from "../agent/agent.ts";
import { httpPath, serveHttp } from "../agent/http.ts";
import { serveStdio } from "../agent/stdio.ts";
import type { Itemtape } from "../client/index.ts";
import { exitCodes, OperatorError } from "../values/operator-error.ts";
import { type Call, usageError, wholeNumberFlag } from "./command.ts";
import { createClient, requiredKey, serviceAddress } from "./connect.ts";
import { signals } from "./signals.ts";

const defaultHost = "127.0.0.1";
const defaultPort = 8090;
const portMax = 65_535;
/** Longest wait for calls under way at the end. */
const drainMs = 10_000;

/** Serves agents until a signal comes, or over stdin and stdout until their caller goes. Returns the exit code. */
export async function serveAgents(call: Call): Promise<number> {
  const baseUrl = serviceAddress(call);
  if (call.has("http")) return overHttp(call, baseUrl);
  const ofHttp = ["host", "port"].find((name) => call.flag(name) !== undefined);
  if (ofHttp !== undefined) throw usageError(`--${ofHttp}: goes with --http`);
  return overStdio(call, baseUrl);
}

/** Serves one caller with the key of the environment. Nothing but the protocol goes to standard output. */
async function overStdio(call: Call, baseUrl: string): Promise<number> {
  const apiKey = (call.apiKey ?? "") === "" ? undefined : requiredKey(call);
  const note = (text: string) => call.out.note(text);
  if (apiKey === undefined) note("itemtape mcp: ITEMTAPE_API_KEY holds no key, so that only getStatus answers");
  const client = createAgentClient(baseUrl, apiKey);
  const { first, forget } = signals();
  const surroundings = { keySource: "the environment variable ITEMTAPE_API_KEY of the adapter", tellsAddress: true };
  const { stdin: input, stdout: output } = process;
  await serveStdio({ input, output, client, surroundings, note, ending: first, drainMs });
  forget();
  return exitCodes.ok;
}

/** Any number of callers. The key of the environment is lent to none of them. */
async function overHttp(call: Call, baseUrl: string): Promise<number> {
  const [host, port] = [hostOf(call.flag("host")), wholeNumberFlag(call, "port", [0, portMax]) ?? defaultPort];
  const note = (text: string) => call.out.note(text);
  const { first, forget } = signals();
  const surroundings = {
    keySource: "the header Authorization: Bearer of the caller's own requests",
    tellsAddress: false,
  };
  const clientOfCaller = (key: string | null) => createAgentClient(baseUrl, key ?? undefined);
  const adapter = await serveHttp({ host, port, clientOf: clientOfCaller, surroundings, note }).catch((error) => {
    forget();
    throw cannotListen(error as NodeJS.ErrnoException, host, port);
  });
  const at = `http://${host.includes(":") ? `[${host}]` : host}:${adapter.port}${httpPath}`;
  note(`Itemtape serves agents on ${at}, each caller with its own key (stop with Ctrl+C)`);
  if ((call.apiKey ?? "") !== "") note("ITEMTAPE_API_KEY is not used with --http");
  await first;
  await adapter.close(drainMs);
  forget();
  return exitCodes.ok;
}

function createAgentClient(baseUrl: string, apiKey: string | undefined): Itemtape {
  return createClient({ baseUrl, apiKey, userAgent: "itemtape-mcp", retry: agentRetry });
}

/** An empty one would listen on every interface. */
function hostOf(text: string | undefined): string {
  if (text?.trim() === "") throw usageError("--host: takes a non-empty address");
  return text ?? defaultHost;
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.syscall !== "listen" && error.syscall !== "getaddrinfo") return error;
  const inUse = error.code === "EADDRINUSE";
  const why = inUse ? "the port is in use" : `the address cannot be used (${error.code})`;
  const message = `${host}:${port}: ${why}; choose another with --host and --port`;
  return new OperatorError(message, inUse ? exitCodes.temporary : exitCodes.usage);
}
