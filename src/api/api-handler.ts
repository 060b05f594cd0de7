import type { Socket } from "node:net";
import {
  type AccessRule,
  type Admission,
  AdmissionRefusal,
  type AdmissionRequest,
  type Admissions,
  admissionAt,
} from "../access/admission.ts";
import { type Caller, type Identifies, requireScope, type Scope } from "../access/credentials.ts";
import { type Route, type Routes, splitTarget } from "../contract/routes.ts";
import type { SnapshotRun } from "../domain/market-snapshot.ts";
import type { Reference } from "../domain/reference.ts";
import type { Events } from "../log/events.ts";
import { Failure } from "../values/failure/failure.ts";
import { type MaybePromise, whenReady } from "../values/maybe-promise.ts";
import type { Clock } from "../values/time/clock.ts";
import { readJsonBody } from "./body.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { type Caching, responseHeaders, sendEnvelope } from "./envelope.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { Operation } from "./operations.ts";
import { guarded, knownFailure, sendProblem } from "./problem.ts";
import { codingOf } from "./representation.ts";
import type { Middleware } from "./server.ts";
import { type StreamScheduler, streamRun } from "./streams.ts";
import { announcesBody, unexpectedBody } from "./transport-guard.ts";

export type ApiHandlerParts = {
  readonly credentials: Identifies;
  readonly admissions: Admissions;
  readonly reference: Reference;
  readonly scheduler: StreamScheduler;
  readonly concurrency: ConcurrencyLimiter;
  readonly clock: Clock;
  /** Instants of market data. It differs from `clock` only in a replay. */
  readonly marketClock: Pick<Clock, "now">;
  readonly events: Events;
};

/** Performs an operation for an exchange with a checked caller and parameters. openapi-backend stores one per operation. */
export type OperationHandler = (context: unknown, exchange: Exchange, params: object) => void;

/** A route of the contract with the handler of its operation. */
export type ApiRoute = Route<OperationHandler>;

type AnyOperation = Operation<"getItem">;
type DataReply = { readonly data: unknown; readonly meta?: object | undefined };
type Delayed = { readonly waitMs: number; wait(wake: () => void): () => void; read(): DataReply };
type AnyReply = DataReply | Delayed | { readonly stream: SnapshotRun };
/** Facts of a read that its response needs. */
type ReadFacts = { caching: Caching; readAt: number; admission: Admission | null };

/** Time after the end of a wait at which a silent socket is closed, ms. */
const waitMarginMs = 30_000;

/** Performs the operation at `url` (path and query) on behalf of the caller returned by `exchange.identify`. */
export type PerformFor = (exchange: Exchange, url: string) => void;

/**
 * Answers the operations of the contract. It checks route, credential, scope, body size and parameters, then charges and performs the
 * operation.
 */
export class ApiHandler {
  readonly parts: ApiHandlerParts;

  constructor(parts: ApiHandlerParts) {
    this.parts = parts;
  }

  /** Creates the handler of all routes. It passes on unknown paths outside of `/v1`. */
  middleware(routes: Routes<OperationHandler>): Middleware {
    return (req, res, next) => {
      const exchange = exchangeOf(res);
      const { path, query } = splitTarget(req.url as string);
      const segments: string[] = [];
      const route = routes.match(req.method as string, path, segments);
      if (route === null) missed(exchange, path, routes.allowed(path), next);
      else guarded(this.parts, exchange, () => this.begin(exchange, route, segments, query));
    };
  }

  /**
   * Creates a function that performs the same operations for POST requests to another path. If GET and POST share a path, the route with
   * fewer parameters wins: `/v1/items/resolve` is not an item's id. Otherwise GET wins.
   */
  performFor(routes: Routes<OperationHandler>): PerformFor {
    return (exchange, url) => {
      const { path, query } = splitTarget(url);
      const found = (["GET", "POST"] as const).flatMap((method) => {
        const segments: string[] = [];
        const route = routes.match(method, path, segments);
        return route === null ? [] : [{ route, segments }];
      });
      const [first] = found.sort((a, b) => a.segments.length - b.segments.length);
      if (first === undefined) sendProblem(exchange, new Failure("endpoint_not_found"));
      else this.begin(exchange, first.route, first.segments, query);
    };
  }

  /** Creates the handler of one row of the operation table, to be registered under its operationId. */
  operation(row: Operation<never>, isRead: boolean): OperationHandler {
    const operation = row as unknown as AnyOperation;
    const kept: Caching = isRead && operation.rule !== null ? "private, no-cache" : "no-store";
    return (_context, exchange, params) => {
      // A response to a page's POST must not be cached.
      const caching = exchange.identify === null ? kept : "no-store";
      this.#perform(operation, caching, exchange, params);
    };
  }

  /** Checks credential, scope, body and parameters, and performs the operation. */
  protected begin(exchange: Exchange, route: ApiRoute, segments: readonly string[], query: string | null): void {
    exchange.operationId = route.operationId;
    if (route.checkBody === null && announcesBody(exchange.req)) {
      const { failure, close } = unexpectedBody();
      sendProblem(exchange, failure, close);
      return;
    }
    const goOn = () => {
      if (route.checkBody !== null) this.#performWithBody(exchange, route, segments, query);
      else this.#performInTurn(exchange, () => route.handler(null, exchange, route.parameters.read(segments, query)));
    };
    try {
      const known = route.scopes === null ? undefined : this.#identify(exchange, route.scopes);
      if (known instanceof Promise) known.then(goOn).catch((error) => this.refuse(exchange, error));
      else goOn();
    } catch (error) {
      this.refuse(exchange, error);
    }
  }

  #identify(exchange: Exchange, scopes: readonly string[]): MaybePromise<void> {
    return whenReady(this.callerOf(exchange, scopes, exchange.at), (caller) => {
      exchange.caller = caller;
      for (const scope of scopes) requireScope(caller, scope as Scope);
    });
  }

  protected callerOf({ identify, req }: Exchange, scopes: readonly string[], at: number): MaybePromise<Caller> {
    if (identify !== null) return identify(at, scopes);
    return this.parts.credentials.identify(req.headers.authorization, at);
  }

  #performWithBody(exchange: Exchange, route: ApiRoute, segments: readonly string[], query: string | null): void {
    const perform = (body: unknown) =>
      this.#performInTurn(exchange, () => {
        const params = route.parameters.read(segments, query);
        route.checkBody?.(body);
        route.handler(null, exchange, { ...params, body });
      });
    readJsonBody(exchange, perform, (failure) => this.refuse(exchange, failure));
  }

  /** Runs `work` when the exchange has acquired a permit. */
  #performInTurn(exchange: Exchange, work: () => void): void {
    this.parts.concurrency.perform({
      exchange,
      perform: () => {
        try {
          work();
        } catch (error) {
          this.refuse(exchange, error);
        }
      },
      shed: () => this.shed(exchange),
    });
  }

  /** Refuses an exchange that got no permit. */
  shed(exchange: Exchange): void {
    this.parts.events.requestShed();
    this.refuse(exchange, new Failure("service_unavailable"));
  }

  /** Charges and performs an operation. Nothing is charged before `admit`, or for a caller that has disconnected. */
  #perform(row: AnyOperation, caching: Caching, exchange: Exchange, params: object): void {
    const { clock, marketClock, reference } = this.parts;
    const { requestId, at, caller, operationId } = exchange;
    if (row.rule === null) {
      const readAt = marketClock.now();
      this.#answer(exchange, row.read(params as never, readAt), { caching, readAt, admission: null });
      return;
    }
    if (caller === null || operationId === null) throw new Error("a protected operation needs a caller");
    const query = row.prepare(params as never, {
      caller,
      at: marketClock === clock ? at : marketClock.now(),
      reference,
    });
    if (exchange.isDisconnected) return;
    const { rule } = row;
    const permit = row.permit?.(query) ?? null;
    this.admit(exchange, { requestId, operation: operationId, rule, caller, at, permit }).then(
      (admission) => {
        exchange.allowance = admission.allowance;
        try {
          // Reads the clock again: the request may have waited, and a response must not be dated before its data.
          const readAt = marketClock.now();
          if (exchange.isDisconnected) {
            releaseLease(admission);
            return;
          }
          const reply = row.read(query, admissionAt(admission, readAt)) as MaybePromise<AnyReply>;
          const tell = (ready: AnyReply) => {
            if ("wait" in ready) this.#answerLater(exchange, ready, { rule, caching, admission });
            else this.#answer(exchange, ready, { caching, readAt, admission });
          };
          if (reply instanceof Promise) reply.then(tell).catch((error) => this.#refuseRead(exchange, admission, error));
          else tell(reply);
        } catch (error) {
          this.#refuseRead(exchange, admission, error);
        }
      },
      (error) => this.refuse(exchange, error),
    );
  }

  protected admit(_exchange: Exchange, request: AdmissionRequest): Promise<Admission> {
    return this.parts.admissions.admit(request);
  }

  #refuseRead(exchange: Exchange, { lease }: Admission, error: unknown): void {
    // Releases the lease first, so that the client can start again as soon as it reads the failure.
    if (lease === null) this.refuse(exchange, error);
    else void lease.release().then(() => this.refuse(exchange, error));
  }

  /** Lets the exchange wait without a permit. When it is woken, it is answered if its caller may still read. */
  #answerLater(
    exchange: Exchange,
    later: Delayed,
    { rule, caching, admission }: { rule: AccessRule; caching: Caching; admission: Admission },
  ): void {
    const { res } = exchange;
    this.parts.concurrency.release(exchange);
    const silence = (socket: Socket) => socket.setTimeout(later.waitMs + waitMarginMs);
    if (res.socket !== null) silence(res.socket);
    else res.once("socket", silence);
    const cancel = later.wait(() => {
      const left = admission.lease?.release();
      if (exchange.isDisconnected) return;
      try {
        const { clock, marketClock } = this.parts;
        const readAt = marketClock.now();
        const tell = () => this.#answer(exchange, later.read(), { caching, readAt, admission: null });
        const judged = this.#judgeAgain(exchange, rule, clock.now());
        // Waits for the permit's release, so that a client with its response finds the permit free.
        if (judged instanceof Promise)
          judged
            .then(() => left)
            .then(tell)
            .catch((error) => this.refuse(exchange, error));
        else tell();
      } catch (error) {
        this.refuse(exchange, error);
      }
    });
    res.once("close", () => {
      cancel();
      releaseLease(admission);
    });
  }

  /** Checks the key of a delayed response again at `at` (UTC ms), because it may have been revoked since. */
  #judgeAgain(exchange: Exchange, rule: AccessRule, at: number): MaybePromise<void> {
    return whenReady(this.callerOf(exchange, rule.scope === null ? [] : [rule.scope], at), (caller) => {
      exchange.caller = caller;
      if (rule.scope !== null) requireScope(caller, rule.scope);
      this.parts.admissions.requirePlan(rule, caller, at);
    });
  }

  #answer(exchange: Exchange, reply: Exclude<AnyReply, Delayed>, { caching, readAt, admission }: ReadFacts): void {
    if ("data" in reply) {
      const send = () => {
        sendEnvelope(exchange, reply, readAt, caching);
        this.parts.concurrency.release(exchange);
      };
      if (admission === null || admission.lease === null) send();
      else
        void admission.lease
          .release()
          .then(send)
          .catch((error) => this.refuse(exchange, error));
    } else if (admission !== null) void this.#stream(exchange, reply.stream, admission);
  }

  async #stream(exchange: Exchange, run: SnapshotRun, admission: Admission): Promise<void> {
    const { req, res, requestId } = exchange;
    const { concurrency, events } = this.parts;
    const coding = codingOf(req.headers["accept-encoding"]);
    const headers = responseHeaders(exchange, { mediaType: "application/x-ndjson", caching: "no-store" });
    concurrency.becomeExport(exchange);
    // Disables the timeout for slow readers, once earlier responses have been read. The lease has its own deadline.
    if (res.socket !== null) res.socket.setTimeout(0);
    else res.once("socket", (socket) => socket.setTimeout(0));
    events.streamStarted();
    try {
      const { outcome, items, bytes, durationMs, error } = await streamRun(res, run, admission, this.parts, {
        headers,
        coding,
      });
      events.streamEnded({ request_id: requestId, outcome, items, bytes, duration_ms: durationMs });
      if (error !== undefined) events.internalError({ request_id: requestId, operation: exchange.operationId }, error);
    } catch (error) {
      events.streamNotBegun();
      this.refuse(exchange, error);
    } finally {
      run.over?.();
    }
  }

  /** Ends the exchange with a problem. An error that is not a refusal is logged, counted and reported as a 503. */
  refuse(exchange: Exchange, error: unknown): void {
    const { events, admissions, concurrency } = this.parts;
    const known = knownFailure(error);
    if (known === null) {
      events.internalError({ request_id: exchange.requestId, operation: exchange.operationId }, error);
    }
    if (exchange.isDisconnected) return;
    const failure = known ?? new Failure("service_unavailable");
    const { caller, allowance } = exchange;
    // The charge has counted an admitted request, such as one for an unknown item, and possibly one with a failed commit. Others count as refused.
    const isCounted = allowance !== null || failure.code === "service_unavailable";
    if (caller !== null && !isCounted) admissions.refused.add(caller.accountId, failure.code);
    this.noteAllowance(exchange, error);
    sendProblem(exchange, failure);
    concurrency.release(exchange);
  }

  /** Sets the allowance of a refused exchange's caller, for the headers. */
  protected noteAllowance(exchange: Exchange, error: unknown): void {
    const { caller, at } = exchange;
    if (error instanceof AdmissionRefusal) exchange.allowance = error.allowance;
    else if (caller !== null) exchange.allowance ??= this.parts.admissions.allowance(caller, at);
  }
}

function missed(exchange: Exchange, path: string, allow: string | null, next: () => void): void {
  if (allow === null && path !== "/v1" && !path.startsWith("/v1/")) {
    next();
    return;
  }
  sendProblem(exchange, new Failure("endpoint_not_found", allow === null ? {} : { allow }));
}

function releaseLease({ lease }: Admission): void {
  if (lease !== null) void lease.release();
}
