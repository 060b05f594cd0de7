import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Events } from "../log/events.ts";
import { Failure } from "../values/failure/failure.ts";
import type { Ids } from "../values/ids.ts";
import { loopback } from "../values/loopback.ts";
import { Networks } from "../values/networks.ts";
import type { Clock } from "../values/time/clock.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { type ConnectionLimits, Connections } from "./connections.ts";
import { type CloseOptions, drain } from "./drain.ts";
import { attachExchange, Exchange } from "./exchange.ts";
import { guarded, rawProblem, sendProblem } from "./problem.ts";
import { announcesBody, refuseTransport } from "./transport-guard.ts";
import { Turns } from "./turns.ts";

/** Handles a request or passes it on to `next`. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

export type ServerOptions = ConnectionLimits & {
  readonly inFlightMax: number;
  /** Maximum waiting requests, as a multiple of `inFlightMax`. */
  readonly waitingPerInFlight: number;
  readonly headersTimeoutMs: number;
  /** Time to receive a whole request. It does not limit the response. */
  readonly requestTimeoutMs: number;
  readonly timeoutCheckMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Maximum silence of a socket during a read. Exports disable it. */
  readonly socketIdleMs: number;
  readonly headerBytesMax: number;
};

export const serverDefaults: ServerOptions = {
  connectionsMax: 1024,
  connectionsPerAddressMax: 128,
  trustedProxies: new Networks(""),
  localPeers: loopback,
  inFlightMax: 256,
  waitingPerInFlight: 4,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  timeoutCheckMs: 1_000,
  keepAliveTimeoutMs: 5_000,
  socketIdleMs: 30_000,
  headerBytesMax: 8_192,
};

type ServerParts = {
  /** The contract's operations. Other requests go on to `pages`. */
  readonly apiHandler: Middleware;
  readonly pages: Middleware;
  readonly concurrency: ConcurrencyLimiter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
};

export type HttpServer = {
  /** Listens and resolves to the port. */
  listen(host: string, port: number): Promise<number>;
  /** Closes each connection after its next response, so that proxies have none left when the server stops listening. */
  announceEnd(): void;
  /** Refuses new requests, waits for the current ones and closes every connection. `clean` is false if it had to interrupt one. */
  close(options: CloseOptions): Promise<{ clean: boolean }>;
};

/** Maximum time for a client to read the response to bytes that are not a request. */
const lingerMs = 500;

/** Creates the server: limits, timeouts, transport guard, API handler and pages. Every response has a request id. */
export function createHttpServer(parts: ServerParts, given: Partial<ServerOptions> = {}): HttpServer {
  const options = { ...serverDefaults, ...given };
  const { inFlightMax, waitingPerInFlight } = options;
  parts.concurrency.limit({ readsMax: inFlightMax, waitingMax: inFlightMax * waitingPerInFlight });
  const state = { draining: false, isEnding: false };
  const connections = new Connections(options);
  const server = createServer({
    maxHeaderSize: options.headerBytesMax,
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    connectionsCheckingInterval: options.timeoutCheckMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
    // Node's own refusal of a missing Host has no body; this program sends a problem record.
    requireHostHeader: false,
    rejectNonStandardBodyWrites: true,
  });
  server.maxRequestsPerSocket = 0;
  server.timeout = options.socketIdleMs;
  const turns = new Turns(parts.concurrency);
  const take = (req: IncomingMessage, res: ServerResponse, perform: (exchange: Exchange) => void) => {
    const exchange = begin(parts, { options, connections, turns }, req, res);
    if (exchange === null) return;
    // Requests that arrived before the drain are still answered.
    const isLate = state.draining;
    turns.add(req.socket, {
      exchange,
      begin() {
        if (exchange.isDisconnected || res.headersSent) return;
        if (isLate) sendProblem(exchange, new Failure("service_unavailable"), true);
        else perform(exchange);
      },
    });
  };
  const answerOne = (exchange: Exchange) => answer(parts, state, exchange);
  server.on("request", (req, res) => take(req, res, answerOne));
  server.on("checkContinue", (req, res) =>
    take(req, res, (exchange) => {
      exchange.awaitsContinue = true;
      answerOne(exchange);
    }),
  );
  server.on("checkExpectation", (req, res) =>
    take(req, res, (exchange) => {
      const failure = new Failure("malformed_request", { detail: "header `Expect`: must be 100-continue" });
      sendProblem(exchange, failure, true);
    }),
  );
  server.on("clientError", (error, stream) => {
    const socket = stream as Socket;
    // Queued after the requests that arrived before the bytes.
    turns.add(socket, { exchange: null, begin: () => refuseBytes(parts, error, socket) });
  });
  server.on("connection", (socket) => {
    const cut = connections.open(socket);
    if (cut !== null) {
      parts.events.connectionDropped();
      cut.destroy();
    }
    if (cut === socket) return;
    parts.concurrency.connect(socket);
    socket.once("close", () => {
      turns.forget(socket);
      // A response that is queued on the connection gets no `close` event from Node.
      for (const { res } of parts.concurrency.on(socket)) if (res.socket === null) res.emit("close");
      parts.concurrency.disconnect(socket);
      connections.close(socket);
    });
  });
  // Tunnels are not supported. An upgrade is ignored, because it has no listener.
  server.on("connect", (_req, socket) => socket.destroy());
  return {
    listen: (host, port) => listen(server, host, port),
    announceEnd() {
      state.isEnding = true;
    },
    close(how) {
      state.draining = true;
      return drain(server, parts.concurrency, how);
    },
  };
}

/** Returns null if the connection is closed, with all its requests. */
function begin(
  { clock, ids, concurrency, events }: ServerParts,
  { options, connections, turns }: { options: ServerOptions; connections: Connections; turns: Turns },
  req: IncomingMessage,
  res: ServerResponse,
): Exchange | null {
  if (req.socket.destroyed) return null;
  const at = clock.now();
  const exchange = new Exchange({ req, res, connections }, ids.requestId(at), at);
  attachExchange(exchange);
  if (!concurrency.begin(exchange)) {
    events.connectionCut();
    req.socket.destroy();
    return null;
  }
  if (announcesBody(req)) req.once("end", () => connections.requested(req.socket));
  else connections.requested(req.socket);
  const startedMs = events.reportsRequests ? clock.monotonicMs() : 0;
  res.once("close", () => {
    const wasExport = exchange.permit === "export";
    concurrency.end(exchange);
    const [next] = concurrency.on(req.socket);
    if (next === undefined) connections.answered(req.socket);
    if (wasExport) limitSilence(concurrency, options, req.socket);
    turns.advance(req.socket);
    if (!events.reportsRequests) return;
    events.requestAnswered({
      request_id: exchange.requestId,
      operation: exchange.operationId,
      status: res.headersSent ? res.statusCode : null,
      code: exchange.code,
      key_id: exchange.caller?.keyId ?? null,
      duration_ms: clock.monotonicMs() - startedMs,
    });
  });
  return exchange;
}

/** Restores the usual timeout for responses that follow an export. */
function limitSilence(concurrency: ConcurrencyLimiter, { socketIdleMs }: ServerOptions, socket: Socket): void {
  const [next] = concurrency.on(socket);
  if (next !== undefined && next.permit !== "export") socket.setTimeout(socketIdleMs);
}

function answer(parts: ServerParts, state: { isEnding: boolean }, exchange: Exchange): void {
  const { req, res } = exchange;
  if (state.isEnding) res.shouldKeepAlive = false;
  // The parser discards requests that follow an upgrade, so the connection is closed instead of leaving the client waiting.
  if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
  const refusal = refuseTransport(req);
  if (refusal !== null) {
    sendProblem(exchange, refusal.failure, refusal.close);
    return;
  }
  guarded(parts, exchange, () => parts.apiHandler(req, res, () => showPage(parts, exchange)));
}

function showPage(parts: ServerParts, exchange: Exchange): void {
  const { req, res } = exchange;
  parts.concurrency.perform({
    exchange,
    perform() {
      guarded(parts, exchange, () => parts.pages(req, res, () => notFound(exchange)));
      if (res.headersSent) parts.concurrency.release(exchange);
    },
    shed() {
      parts.events.requestShed();
      sendProblem(exchange, new Failure("service_unavailable"));
    },
  });
}

function notFound(exchange: Exchange): void {
  sendProblem(exchange, new Failure("endpoint_not_found"));
}

/** Refuses bytes that are not a request. It must not write into the middle of another response on the socket. */
function refuseBytes(
  { clock, ids, concurrency, events }: ServerParts,
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
): void {
  if (socket.destroyed || socket.writableEnded) return;
  const isSilent = error.code === "ECONNRESET" || error.code === "ERR_HTTP_REQUEST_TIMEOUT" || !socket.writable;
  const running = [...concurrency.on(socket)];
  const last = running.at(-1);
  if (!isSilent && last !== undefined && !last.res.headersSent && !last.req.complete) {
    // The invalid bytes belong to this request's body, so this request is refused, after earlier ones.
    events.malformedRequest({ request_id: last.requestId, reason: error.code ?? "unknown" });
    sendProblem(
      last,
      new Failure("malformed_request", { detail: "request body: its framing is not valid HTTP" }),
      true,
    );
    return;
  }
  if (isSilent || running.some(({ code }) => code === null)) {
    socket.destroy();
    return;
  }
  if (running.length > 0) {
    // The refusal is already written and only waits for the rest of a body that will not arrive.
    for (const { res } of running) if (!res.writableEnded) res.end();
    socket.destroySoon();
    return;
  }
  const requestId = ids.requestId(clock.now());
  const detail =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "request line and headers: must be at most 8192 bytes"
      : "the request is not valid HTTP";
  events.malformedRequest({ request_id: requestId, reason: error.code ?? "unknown" });
  socket.end(rawProblem(new Failure("malformed_request", { detail }), requestId, { isHead: isHead(error.rawPacket) }));
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Returns whether refused bytes begin a HEAD request. Returns false if an earlier packet began the request. */
function isHead(packet: Buffer | undefined): boolean {
  return /^[\r\n]*HEAD /.test(packet?.toString("latin1") ?? "");
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
