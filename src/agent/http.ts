import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Itemtape } from "../client/index.ts";
import type { AgentParts } from "./agent.ts";
import { allowedHosts, foreign } from "./host-check.ts";
import { requestBytesMax } from "./limits.ts";
import { agentServer } from "./server.ts";

export type HttpParts = Omit<AgentParts, "tools" | "client"> & {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** A client with the key of one caller, or with none. Callers are lent no other key. */
  clientOf(key: string | null): Itemtape;
};

export type HttpAgent = {
  port: number;
  /** Takes no more requests, waits for those under way at most `drainMs` milliseconds, then breaks them off. */
  close(drainMs: number): Promise<void>;
};

export const httpPath = "/mcp";
/** Requests under way at once; more are told to come back. */
const requestsMax = 64;
const connectionsMax = 256;
const keyForm = /^Bearer +(itemtape_(?:live|pat)_[0-9a-z]{1,100}) *$/i;
/** For a request to come in whole, in milliseconds. */
const receiveMs = 15_000;

/**
 * Serves any number of callers over HTTP, each request by itself and with the key that it brings. There are no sessions, so nothing
 * of one caller is there when another asks.
 */
export async function serveHttp(parts: HttpParts): Promise<HttpAgent> {
  const hosts = allowedHosts(parts.host);
  let underWay = 0;
  let isClosing = false;
  const http = createServer({ requestTimeout: receiveMs, headersTimeout: receiveMs }, (request, response) => {
    const refused = refusalOf(request, hosts, underWay);
    if (refused !== null) return refuse(request, response, refused);
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
      if (isClosing) endIfIdle();
    });
    answer(parts, request, response).catch((error: unknown) => {
      parts.note(`itemtape mcp: unexpected failure: ${(error as Error).stack ?? String(error)}`);
      response.destroy();
    });
  });
  http.maxConnections = connectionsMax;
  // Connections that are kept, or were opened in advance, would hold up the end.
  const endIfIdle = () => {
    if (underWay === 0) setImmediate(() => http.closeAllConnections());
  };
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(parts.port, parts.host, resolve);
  });
  return {
    port: (http.address() as AddressInfo).port,
    close: async (drainMs) => {
      isClosing = true;
      const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
      endIfIdle();
      const timer = setTimeout(() => http.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

type HttpRefusal = { status: number; message: string; headers?: Record<string, string> };

/** Judged in front of everything else: a page in a browser has no business here, whatever name it was led to. */
function refusalOf(request: IncomingMessage, hosts: ReadonlySet<string>, underWay: number): HttpRefusal | null {
  const wrong = foreign(request.headers, hosts);
  if (wrong !== null) return { status: 403, message: wrong };
  if (request.url?.split("?")[0] !== httpPath) return { status: 404, message: `the adapter is at ${httpPath}` };
  if (request.method !== "POST") {
    return {
      status: 405,
      message: "only POST: there are no sessions and no other streams",
      headers: { allow: "POST" },
    };
  }
  if (underWay >= requestsMax) {
    return { status: 503, message: "too many requests at once", headers: { "retry-after": "1" } };
  }
  return null;
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, message, headers }: HttpRefusal): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null });
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  response.end(body);
  request.resume();
}

async function answer(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { surroundings, note } = parts;
  const client = parts.clientOf(bearerOf(request.headers.authorization));
  const { server } = agentServer({ client, surroundings, note });
  // A caller who goes away ends what is under way.
  response.once("close", () => void server.close());
  const transport = new StreamableHTTPServerTransport({ maxRequestBodySize: requestBytesMax });
  // Its own type leaves out `undefined` where the interface's optional handlers may hold it.
  await server.connect(transport as unknown as Transport);
  await transport.handleRequest(request, response);
}

/** The caller's own key; null where none came that could be one, which the API then refuses. */
function bearerOf(header: string | undefined): string | null {
  return keyForm.exec(header ?? "")?.[1] ?? null;
}
