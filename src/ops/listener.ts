import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { isLoopback, ownHosts } from "../values/loopback.ts";

/** One response to an operator's tool. */
export type OpsAnswer = { status: number; mediaType: string; body: string };

/** Pages by path. Each resolves to a response and may reject. */
type OpsPages = Readonly<Record<string, () => Promise<OpsAnswer>>>;

const connectionsMax = 64;
const timeoutMs = 5_000;
const checkMs = 1_000;

/**
 * Listens for operators' tools at `host` and `port`. Resolves to the port and the function that closes it. On a loopback address it serves
 * only host names of this machine. Otherwise a page in a browser could reach it by its own host name.
 * @throws {OperatorError} when it cannot listen on the address.
 */
export async function listenForOps(
  host: string,
  port: number,
  pages: OpsPages,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    keepAliveTimeout: timeoutMs,
    connectionsCheckingInterval: checkMs,
  });
  server.maxConnections = connectionsMax;
  const isOwnHost = isLoopback(host) ? ownHosts(host) : () => true;
  server.on("request", (req, res) => {
    // HTTP/1.0 requests may omit Host.
    if (req.headers.host === undefined || isOwnHost(req.headers.host)) void answer(pages, req, res);
    else send(req, res, textAnswer(403, "this Host is not served; use a loopback name or --ops-host"));
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(pages: OpsPages, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method, url = "" } = req;
  const path = url.split("?")[0] as string;
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) {
    send(req, res, textAnswer(404, `unknown path; use ${Object.keys(pages).join(", ")} `));
    return;
  }
  if (method !== "GET" && method !== "HEAD") {
    res.setHeader("Allow", "GET, HEAD");
    send(req, res, textAnswer(405, "read it with GET"));
    return;
  }
  send(req, res, await page().catch((error: Error) => textAnswer(503, error.message)));
}

/** Builds a response of one line. */
export function textAnswer(status: number, line: string): OpsAnswer {
  return { status, mediaType: "text/plain; charset=utf-8", body: `${line}\n` };
}

function send({ method }: IncomingMessage, res: ServerResponse, { status, mediaType, body }: OpsAnswer): void {
  const length = Buffer.byteLength(body);
  res.writeHead(status, { "Content-Type": mediaType, "Content-Length": length, "Cache-Control": "no-store" });
  if (method === "HEAD") res.end();
  else res.end(body);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", ({ code }: NodeJS.ErrnoException) => {
      const isInUse = code === "EADDRINUSE";
      const reason = isInUse ? "the port is in use" : `the address cannot be used (${code})`;
      const message = `${host}:${port}: ${reason}; choose another with --ops-host and --ops-port`;
      reject(new OperatorError(message, isInUse ? exitCodes.temporary : exitCodes.usage));
    });
    server.listen(port, host, resolve);
  });
}
