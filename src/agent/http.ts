import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { createMcpHandler, type JSONRPCMessage, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { Itemtape } from "../client/index.ts";
import { ownHosts } from "../values/loopback.ts";
import type { AgentParts } from "./agent.ts";
import { requestBytesMax } from "./limits.ts";
import { InvalidMessage, invalidMessageAnswer, messageOf, tooLong } from "./messages.ts";
import { agentOf, serverOf } from "./server.ts";

type HttpParts = Omit<AgentParts, "tools" | "owners" | "client"> & {
  host: string;
  /** Port to listen on; 0 picks a free one. */
  port: number;
  /** Returns a client with the key of one caller, or without a key. A caller never uses another key. */
  clientOf(key: string | null): Itemtape;
};

export type HttpAgent = {
  port: number;
  /** Refuses new requests, waits for the current ones for at most `drainMs` milliseconds, then aborts them. */
  close(drainMs: number): Promise<void>;
};

export const httpPath = "/mcp";
/** Maximum concurrent requests. Further ones are refused with Retry-After. */
const requestsMax = 64;
const connectionsMax = 256;
/** Maximum streams of changes. They stay empty, because nothing changes while a server runs. */
const listenersMax = 16;
const keyForm = /^Bearer +(itemtape_(?:live|pat)_[0-9a-z]{1,100}) *$/i;
/** Time limits of a whole request and interval of their check, in milliseconds. */
const receiveMs = 15_000;
const timing = { requestTimeout: receiveMs, headersTimeout: receiveMs, connectionsCheckingInterval: 1000 };
/**
 * Maximum time in which a caller reads no byte of a response, in milliseconds. While a response is in preparation, a keep-alive is sent
 * every 15 seconds.
 */
const idleMs = 60_000;

/** Serves any number of callers over HTTP, each request with its own key. Without sessions, callers share no state. */
export async function serveHttp(parts: HttpParts): Promise<HttpAgent> {
  const isOwnHost = ownHosts(parts.host);
  const handler = handlerOf(parts);
  let running = 0;
  let isClosing = false;
  const closing = new AbortController();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const came = refusalOf(request, isOwnHost) ?? (await messageIn(request));
    // The caller has disconnected.
    if (request.socket.destroyed) return;
    if (!("jsonrpc" in came)) return refuse(request, response, came);
    if ("method" in came && came.method === "subscriptions/listen")
      return answer(handler, request, response, came, closing.signal);
    // Requests are counted only after their body has arrived, so that slow senders do not block others.
    if (running >= requestsMax) return refuse(request, response, tooMany);
    running += 1;
    response.once("close", () => {
      running -= 1;
      if (isClosing) endIfIdle();
    });
    await answer(handler, request, response, came);
  };
  const http = createServer(timing, (request, response) => {
    receive(request, response).catch((error: unknown) => {
      if (!request.socket.destroyed)
        parts.note(`itemtape mcp: unexpected failure: ${(error as Error).stack ?? String(error)}`);
      response.destroy();
    });
  });
  http.timeout = idleMs;
  http.maxConnections = connectionsMax;
  // Idle connections would delay the end.
  const endIfIdle = () => {
    if (running === 0) setImmediate(() => running === 0 && http.closeAllConnections());
  };
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(parts.port, parts.host, resolve);
  });
  return {
    port: (http.address() as AddressInfo).port,
    close: async (drainMs) => {
      isClosing = true;
      closing.abort();
      const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
      endIfIdle();
      const timer = setTimeout(() => http.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(timer);
      await handler.close();
    },
  };
}

type OwnHosts = ReturnType<typeof ownHosts>;
type HttpRefusal = { status: number; message: string; code?: number; headers?: Record<string, string> };

const tooMany: HttpRefusal = { status: 503, message: "too many requests at once", headers: { "retry-after": "1" } };

/** Checks a request first, so that a page in a browser cannot call the adapter by any host name. */
function refusalOf(request: IncomingMessage, isOwnHost: OwnHosts): HttpRefusal | null {
  const wrong = foreign(request.headers, isOwnHost);
  if (wrong !== null) return { status: 403, message: wrong };
  if (request.url?.split("?")[0] !== httpPath) return { status: 404, message: `the adapter is at ${httpPath}` };
  if (request.method === "POST") return null;
  return {
    status: 405,
    message: "only POST is supported, without sessions or other streams",
    headers: { allow: "POST" },
  };
}

/** Reads the body. The library would accept a batch of a hundred calls as one request. */
async function messageIn(request: IncomingMessage): Promise<JSONRPCMessage | HttpRefusal> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > requestBytesMax) return { status: 413, ...tooLong };
    parts.push(part);
  }
  const message = messageOf(Buffer.concat(parts).toString("utf8"));
  return message instanceof InvalidMessage ? { status: 400, ...message } : message;
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
  const { status, message, code = -32000, headers } = refusal;
  const body = invalidMessageAnswer({ code, message });
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  response.end(body);
  request.resume();
}

/** Creates the handler of requests in both revisions of the protocol. Each request gets its own server. */
function handlerOf({ clientOf, adapterContext, note }: HttpParts): McpHttpHandler {
  return createMcpHandler(
    ({ requestInfo }) => {
      const client = clientOf(bearerOf(requestInfo?.headers.get("authorization") ?? undefined));
      return serverOf(agentOf({ client, adapterContext, note }), adapterContext.address);
    },
    { maxSubscriptions: listenersMax },
  );
}

async function answer(
  handler: McpHttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
  message: JSONRPCMessage,
  ending?: AbortSignal,
): Promise<void> {
  // A disconnected caller aborts the call.
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  ending?.addEventListener("abort", () => gone.abort(), { once: true, signal: gone.signal });
  const headers = new Headers(request.headers as Record<string, string>);
  const asked = new Request(`http://localhost${httpPath}`, { method: "POST", headers, signal: gone.signal });
  const answered = await handler.fetch(asked, { parsedBody: message });
  response.statusCode = answered.status;
  response.setHeaders(answered.headers);
  // The headers of a long call are sent before its first event.
  if (answered.body !== null) response.flushHeaders();
  await pipeline(answered.body ?? [], response);
}

/** Returns the caller's own key. Null without a well-formed key, which the API then refuses. */
function bearerOf(header: string | undefined): string | null {
  return keyForm.exec(header ?? "")?.[1] ?? null;
}

/** Returns the reason to refuse a foreign request, null for a program that uses this address. */
function foreign({ host, origin }: IncomingHttpHeaders, isOwnHost: OwnHosts): string | null {
  if (!isOwnHost(host)) return "this Host is not served";
  if (origin === undefined) return null;
  const isOwnOrigin = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
  return isOwnOrigin ? null : "pages of another origin are not served";
}
