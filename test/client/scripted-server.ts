import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Itemtape, type ItemtapeOptions, type RetryNotice } from "../../src/client/index.ts";

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** The key that every client of these tests sends. */
export const apiKey = `itemtape_live_${"s3cret".repeat(6)}`;
export const requestId = `req_${"0".repeat(26)}`;

/** A server that sends one scripted reply per request and records the requests. */
export class ScriptedServer {
  script: Reply[] = [];
  /** Reply to requests beyond the script. */
  otherwise: Reply = problem(404, "endpoint_not_found");
  /** Reply to `listProviders`, which the script and `requests` then leave out. Null to treat it as any request. */
  providers: Reply | null = null;
  requests: { line: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  readonly #server: Server;

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    await server.listen();
    return server;
  }

  constructor() {
    this.#server = createServer((request, response) => {
      response.sendDate = false;
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.once("end", () => {
        if (this.providers !== null && request.url?.startsWith("/v1/providers?"))
          return this.providers(response, request);
        const body = Buffer.concat(chunks).toString();
        this.requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
        (this.script.shift() ?? this.otherwise)(response, request);
      });
    });
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): Promise<number> {
    return new Promise((resolve) => this.#server.getConnections((_, count) => resolve(count)));
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  play(...replies: Reply[]): void {
    this.script = replies;
    this.requests = [];
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A scripted server for the tests of the block around the call. */
export function useScriptedServer(): ScriptedServer {
  const server = new ScriptedServer();
  before(() => server.listen());
  after(() => server.stop());
  return server;
}

/** A client with a clock that moves only during waits. It draws `random` for its jitter. */
export class TimedClient {
  readonly waits: number[] = [];
  readonly notices: RetryNotice[] = [];
  atMs = Date.UTC(2026, 0, 15, 12);
  elapsedMs = 0;
  random = 0;
  readonly api: Itemtape;

  constructor(baseUrl: string, options: ItemtapeOptions = {}) {
    this.api = new Itemtape({
      baseUrl,
      apiKey,
      onRetry: (notice) => void this.notices.push(notice),
      ...options,
      parts: {
        clock: { now: () => this.atMs, monotonicMs: () => this.elapsedMs },
        random: () => this.random,
        wait: async (ms) => {
          this.waits.push(ms);
          this.elapsedMs += ms;
          this.atMs += ms;
        },
        ...options.parts,
      },
    });
  }
}

/** A body of JSON, as the service sends it. */
export function send(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (response) => void response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const body = { type: `/problems/${code}`, title: code, status, code, detail: `about ${code}`, request_id: requestId };
  return send(status, body, { "content-type": "application/problem+json", ...headers });
}

/** The answer of listProviders without rows. */
export const noProviders: Reply = send(200, {
  data: [],
  meta: { request_id: requestId, generated_at: "2026-01-15T12:00:00.000Z", next_page: null },
});

/** The answer of getStatus. */
export const status: Reply = send(200, {
  data: { database: "ok", market_snapshot: "available", release: "0.1.0" },
  meta: { request_id: requestId, generated_at: "2026-01-15T12:00:00.000Z" },
});

/** Returns the error that `work` throws. Fails the test if it does not throw. */
export async function thrownBy(work: Promise<unknown>): Promise<Error> {
  const thrown = await work.then(
    () => new Error("nothing was thrown"),
    (error: unknown) => error,
  );
  if (thrown instanceof Error && thrown.message !== "nothing was thrown") return thrown;
  throw thrown;
}

/** Reads an iteration to its end. */
export async function allOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
