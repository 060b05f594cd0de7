import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admissions } from "../../src/access/admission.ts";
import type { Credentials } from "../../src/access/credentials.ts";
import type { OperationHandler } from "../../src/api/api-handler.ts";
import type { ConcurrencyLimiter } from "../../src/api/concurrency-limiter.ts";
import type { Exchange } from "../../src/api/exchange.ts";
import type { Domain } from "../../src/api/operations.ts";
import type { Middleware } from "../../src/api/server.ts";
import type { StreamScheduler } from "../../src/api/streams.ts";
import type { Route, Routes } from "../../src/contract/routes.ts";
import type { GenerationWaiters } from "../../src/domain/generation-waiters.ts";
import type { Events } from "../../src/log/events.ts";
import type { TestClock } from "../support/clock.ts";
import { type Asked, digestOf, type SimulatedMarket } from "./market.ts";
import type { Call, Headers, Outcome } from "./model-types.ts";
import type { Subject } from "./subject.ts";

const tooLateDetail = "the export could not begin";
const chargedCodes: ReadonlySet<string> = new Set(["day_not_found", "generation_not_found", "changes_too_large"]);

/** A response to a client that reads one chunk, then pauses until it reads on or disconnects. */
export class SlowResponse extends EventEmitter {
  headersSent = false;
  destroyed = false;
  closed = false;
  writableEnded = false;
  writableFinished = false;
  shouldKeepAlive = true;
  status = 200;
  /** The last chunk that was sent. */
  last = "";
  /** Resolves when the response is over or a caller waits for its end. */
  readonly settled: Promise<void>;
  readonly socket = { destroyed: false, setTimeout() {}, cork() {}, uncork() {}, destroy: () => this.destroy() };
  readonly #headers = new Map<string, string>();
  #settle: () => void = () => {};
  #reads = false;

  constructor() {
    super();
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  override once(event: string, listener: () => void): this {
    super.once(event, listener);
    if (event === "close") this.#settle();
    return this;
  }

  setHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  removeHeader(name: string): void {
    this.#headers.delete(name);
  }

  writeHead(status: number, headers: readonly string[]): void {
    this.status = status;
    for (let index = 0; index < headers.length; index += 2) {
      this.#headers.set(headers[index] as string, headers[index + 1] as string);
    }
  }

  write(piece: Buffer | string): boolean {
    this.headersSent = true;
    this.last = String(piece);
    return this.#reads;
  }

  end(piece: Buffer | string = ""): void {
    this.headersSent = true;
    this.writableEnded = true;
    if (piece.length > 0) this.last = String(piece);
    this.#settle();
    process.nextTick(() => {
      this.writableFinished = true;
      this.#close();
    });
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.socket.destroyed = true;
    process.nextTick(() => this.#close());
  }

  /** The client reads everything from now on. */
  readOn(): void {
    this.#reads = true;
    this.emit("drain");
  }

  number(header: string): number | null {
    const text = this.#headers.get(header);
    return text === undefined ? null : Number(text);
  }

  #close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#settle();
    this.emit("close");
  }
}

export type LongRequest = { readonly call: Call; readonly response: SlowResponse; readonly exchange: Exchange };
type Over = (requestId: string, outcome: string) => void;
type Sources = {
  credentials: Credentials;
  admissions: Admissions;
  clock: TestClock;
  market: SimulatedMarket;
  over: Over;
};

/** The server's handler of long operations, with streams and waiting requests, over a market in memory. */
export class Service {
  readonly waiters: GenerationWaiters;
  readonly scheduler: StreamScheduler;
  readonly concurrency: ConcurrencyLimiter;
  readonly #subject: Subject;
  readonly #handle: Middleware;
  readonly #failed = new Set<string>();
  readonly #asked = new Map<string, { operation: string; params: object }>();

  constructor(subject: Subject, { credentials, admissions, clock, market, over }: Sources) {
    this.#subject = subject;
    this.waiters = new subject.generationWaiters.GenerationWaiters(market.generations);
    this.scheduler = new subject.streams.StreamScheduler();
    this.concurrency = new subject.concurrencyLimiter.ConcurrencyLimiter();
    const events = {
      streamStarted() {},
      streamNotBegun() {},
      streamEnded: ({ request_id, outcome }: { request_id: string; outcome: string }) => over(request_id, outcome),
      internalError: ({ request_id }: { request_id: string }) => void this.#failed.add(request_id),
    } as object as Events;
    const domain = domainOf(subject, market, this.waiters);
    const { scheduler, concurrency } = this;
    const reference = domain.reference;
    const parts = { credentials, admissions, reference, scheduler, concurrency, clock, marketClock: clock, events };
    const handler = new subject.apiHandler.ApiHandler(parts);
    const table = subject.operations.operationTable(domain);
    const handlers = new Map(
      (["streamHistoryDay", "streamMarketChanges", "getCurrentGeneration"] as const).map((operation) => {
        return [operation as string, handler.operation(table[operation] as never, false)];
      }),
    );
    this.#handle = handler.middleware(this.#routes(handlers));
  }

  /** Begins to answer a request. It runs until the ledger without a pause. */
  begin(call: Call, asked: Asked): LongRequest {
    const { requestId, authorization, operation, at } = call;
    const { exchange: exchanges } = this.#subject;
    const response = new SlowResponse();
    const { socket } = response;
    const headers = authorization === null ? {} : { authorization };
    const req = { method: "POST", url: `/${requestId}`, headers, complete: true, socket } as object as IncomingMessage;
    const res = response as object as ServerResponse;
    const exchange: Exchange = new exchanges.Exchange({ req, res, connections: {} as never }, requestId, at);
    exchanges.attachExchange(exchange);
    this.#asked.set(requestId, { operation, params: paramsOf(asked) });
    this.concurrency.connect(socket as never);
    this.concurrency.begin(exchange);
    response.on("close", () => this.concurrency.disconnect(socket as never));
    this.#handle(req, res, () => {});
    return { call, response, exchange };
  }

  /** The outcome of a request as its client sees it. */
  outcomeOf({ call, response, exchange }: LongRequest): Outcome {
    if (this.#failed.has(call.requestId)) return { kind: "failed" };
    const headers = headersOf(response);
    // The client of a waiting request has not received anything yet, not even a header.
    if (!response.writableEnded) {
      return { kind: "admitted", headers: headers ?? (exchange.allowance as Headers), deadlineMs: null };
    }
    const body = JSON.parse(response.last) as { code?: string; detail?: string; data?: { generation: string } };
    if (response.status === 200) {
      return { kind: "admitted", headers: headers as Headers, deadlineMs: null, answer: body.data?.generation ?? "" };
    }
    const code = body.code ?? "";
    const retryAfterS = response.number("Retry-After");
    const charged = chargedCodes.has(code) || body.detail === tooLateDetail;
    return { kind: "refused", code, retryAfterS, headers, ...(charged ? { charged } : {}) };
  }

  #routes(handlers: ReadonlyMap<string, OperationHandler>): Routes<OperationHandler> {
    const match = (_method: string, path: string): Route<OperationHandler> | null => {
      const asked = this.#asked.get(path.slice(1));
      if (asked === undefined) return null;
      this.#asked.delete(path.slice(1));
      const handler = handlers.get(asked.operation);
      const parameters = { read: () => asked.params };
      return { operationId: asked.operation, scopes: ["market:read"], checkBody: null, parameters, handler } as never;
    };
    return { match, allowed: () => null } as object as Routes<OperationHandler>;
  }
}

function domainOf(subject: Subject, market: SimulatedMarket, waiters: GenerationWaiters): Domain {
  const { Generations } = subject.generations;
  return {
    reference: { mainProvider: () => "steam" },
    generations: new Generations({ store: market.generations, states: market.exportStates, waiters }),
    marketChanges: new subject.marketChanges.MarketChanges(market.exportStates),
    historyDays: new subject.historyDays.HistoryDays({ list: {} as never, exports: market.dayExports }),
  } as object as Domain;
}

function paramsOf(asked: Asked): object {
  if (asked.of === "day") {
    const date = new Date(asked.day * 86_400_000).toISOString().slice(0, 10);
    return { date, body: { resolution: asked.resolution } };
  }
  if (asked.of === "changes") {
    const identity_digest = digestOf(asked.identity).toString("hex");
    return { body: { generation: `g${asked.generationId}`, identity_digest } };
  }
  const wait_seconds = asked.waitMs / 1000;
  return asked.after === null ? { wait_seconds } : { after: `g${asked.after}`, wait_seconds };
}

/** The allowance in the headers, or null without one. */
function headersOf(response: SlowResponse): Headers | null {
  const limitPerMinute = response.number("X-RateLimit-Limit");
  const remainingInMinute = response.number("X-RateLimit-Remaining");
  if (limitPerMinute === null || remainingInMinute === null) return null;
  return { limitPerMinute, remainingInMinute, quotaRemaining: response.number("X-Quota-Remaining") };
}
