import type { Socket } from "node:net";
import {
  type AccessRule,
  type Admission,
  AdmissionRefusal,
  type Admissions,
  admissionAt,
} from "../access/admission.ts";
import { type Caller, type Identifies, requireScope, type Scope } from "../access/credentials.ts";
import { CallerChanged } from "../access/ledger/ledger.ts";
import { type Route, type Routes, splitTarget } from "../contract/routes.ts";
import type { SnapshotRun } from "../domain/market-snapshot.ts";
import type { Reference } from "../domain/reference.ts";
import type { Events } from "../log/events.ts";
import { Failure } from "../values/failure/failure.ts";
import { type Soon, whenReady } from "../values/soon.ts";
import type { Clock } from "../values/time/clock.ts";
import { type Arrivals, atOnce } from "./arrivals.ts";
import { readJsonBody } from "./body.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { answerHeaders, type Caching, sendEnvelope } from "./envelope.ts";
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
  /** Left out: each request begins at once. */
  readonly arrivals?: Arrivals | undefined;
  readonly clock: Clock;
  readonly events: Events;
};

/** Performs an operation for an exchange whose caller and parameters are checked; openapi-backend keeps one for each operation. */
export type OperationHandler = (context: unknown, exchange: Exchange, params: object) => void;

type AnyOperation = Operation<"getItem">;
type DataReply = { readonly data: unknown; readonly meta?: object | undefined };
type Later = { readonly waitMs: number; wait(wake: () => void): () => void; read(): DataReply };
type AnyReply = DataReply | Later | { readonly stream: SnapshotRun };
/** Facts of a read that its answer is made with. */
type ReadFacts = { caching: Caching; readAt: number; admission: Admission | null };

/** Time beyond a wait after which a silent socket is cut, ms. */
const waitMarginMs = 30_000;

/**
 * Creates the handler of the contract's operations: it checks route, credential, scope, body size and parameters, then performs the
 * operation. A path outside of `/v1` that no operation has is passed on.
 */
export function createApiHandler(routes: Routes<OperationHandler>, parts: ApiHandlerParts): Middleware {
  const { arrivals = atOnce } = parts;
  return (req, res, next) => {
    const exchange = exchangeOf(res);
    const { path, query } = splitTarget(req.url as string);
    const segments: string[] = [];
    const route = routes.match(req.method as string, path, segments);
    if (route === null) missed(exchange, path, routes.allowed(path), next);
    else arrivals.add(exchange, () => guarded(parts, exchange, () => begin(parts, exchange, route, segments, query)));
  };
}

/** Performs the operation at `url`, a path and query of the contract, for the caller whom the exchange's `identify` finds. */
export type PerformFor = (exchange: Exchange, url: string) => void;

/**
 * Creates the way to the same operations for requests that came by another address than theirs, with POST. Where two methods have the
 * path, the one that names more of it is meant: `/v1/items/resolve` is no item's id. Else it is GET.
 */
export function createPerformFor(routes: Routes<OperationHandler>, parts: ApiHandlerParts): PerformFor {
  return (exchange, url) => {
    const { path, query } = splitTarget(url);
    const found = (["GET", "POST"] as const).flatMap((method) => {
      const segments: string[] = [];
      const route = routes.match(method, path, segments);
      return route === null ? [] : [{ route, segments }];
    });
    const [first] = found.sort((a, b) => a.segments.length - b.segments.length);
    if (first === undefined) sendProblem(exchange, new Failure("endpoint_not_found"));
    else begin(parts, exchange, first.route, first.segments, query);
  };
}

/** Checks credential, scope, body and parameters, and performs the operation. `looks`: whatever is kept of the caller. */
function begin(
  parts: ApiHandlerParts,
  exchange: Exchange,
  route: Route<OperationHandler>,
  segments: readonly string[],
  query: string | null,
  looks = false,
): void {
  exchange.operationId = route.operationId;
  if (route.checkBody === null && announcesBody(exchange.req)) {
    const { failure, close } = unexpectedBody();
    sendProblem(exchange, failure, close);
    return;
  }
  const goOn = () => {
    if (route.checkBody !== null) performWithBody(parts, exchange, route, segments, query);
    else performInTurn(parts, exchange, () => route.handler(null, exchange, route.parameters.read(segments, query)));
  };
  try {
    const kept = looks ? null : keptCaller(parts, exchange, route);
    if (kept !== null) exchange.again = () => begin(parts, exchange, route, segments, query, true);
    const known = route.scopes === null ? undefined : identify(parts, exchange, route.scopes, kept);
    if (known instanceof Promise) known.then(goOn).catch((error) => refuse(parts, exchange, error));
    else goOn();
  } catch (error) {
    refuse(parts, exchange, error);
  }
}

/** Creates the handler of one row of the operation table, to be registered under its operationId. */
export function createOperationHandler(
  row: Operation<never>,
  isRead: boolean,
  parts: ApiHandlerParts,
): OperationHandler {
  const operation = row as unknown as AnyOperation;
  const kept: Caching = isRead && operation.rule !== null ? "private, no-cache" : "no-store";
  return (_context, exchange, params) => {
    // The answer to a page's POST is nobody's to keep.
    const caching = exchange.identify === null ? kept : "no-store";
    perform(parts, operation, caching, exchange, params);
  };
}

function missed(exchange: Exchange, path: string, allow: string | null, next: () => void): void {
  if (allow === null && path !== "/v1" && !path.startsWith("/v1/")) {
    next();
    return;
  }
  sendProblem(exchange, new Failure("endpoint_not_found", allow === null ? {} : { allow }));
}

function identify(
  parts: ApiHandlerParts,
  exchange: Exchange,
  scopes: readonly string[],
  kept: Caller | null,
): Soon<void> {
  return whenReady(kept ?? callerOf(parts, exchange, scopes, exchange.at), (caller) => {
    exchange.caller = caller;
    for (const scope of scopes) requireScope(caller, scope as Scope);
  });
}

/** Returns the caller as a look a moment before has found them, where a charge will compare; null: they are to be looked up. */
function keptCaller(
  { credentials }: ApiHandlerParts,
  { identify: own, req }: Exchange,
  { units, checkBody }: Route<OperationHandler>,
): Caller | null {
  // A body can be read only once, so such a request could not begin again.
  if (own !== null || units === 0 || checkBody !== null) return null;
  return credentials.kept?.(req.headers.authorization) ?? null;
}

function callerOf(
  { credentials }: ApiHandlerParts,
  { identify: own, req }: Exchange,
  scopes: readonly string[],
  at: number,
): Soon<Caller> {
  return own === null ? credentials.identify(req.headers.authorization, at) : own(at, scopes);
}

function performWithBody(
  parts: ApiHandlerParts,
  exchange: Exchange,
  route: Route<OperationHandler>,
  segments: readonly string[],
  query: string | null,
): void {
  const perform = (body: unknown) =>
    performInTurn(parts, exchange, () => {
      const params = route.parameters.read(segments, query);
      route.checkBody?.(body);
      route.handler(null, exchange, { ...params, body });
    });
  readJsonBody(exchange, perform, (failure) => refuse(parts, exchange, failure));
}

/** Does `work` once the exchange has a permit. */
function performInTurn(parts: ApiHandlerParts, exchange: Exchange, work: () => void): void {
  parts.concurrency.perform({
    exchange,
    perform() {
      try {
        work();
      } catch (error) {
        refuse(parts, exchange, error);
      }
    },
    shed() {
      exchange.again = null;
      parts.events.requestShed();
      refuse(parts, exchange, new Failure("service_unavailable"));
    },
  });
}

/** Charges and performs an operation: nothing is charged before `admit`, and nothing for a caller who has gone. */
function perform(
  parts: ApiHandlerParts,
  row: AnyOperation,
  caching: Caching,
  exchange: Exchange,
  params: object,
): void {
  const { requestId, at, caller, operationId } = exchange;
  if (row.rule === null) {
    const readAt = parts.clock.now();
    answer(parts, exchange, row.read(params as never, readAt), { caching, readAt, admission: null });
    return;
  }
  if (caller === null || operationId === null) throw new Error("a protected operation needs a caller");
  const query = row.prepare(params as never, { caller, at, reference: parts.reference });
  if (exchange.isGone) return;
  const { rule } = row;
  const place = row.place?.(query) ?? null;
  const { again } = exchange;
  exchange.again = null;
  parts.admissions.admit({ requestId, operation: operationId, rule, caller, at, place }).then(
    (admission) => {
      exchange.allowance = admission.allowance;
      try {
        // Taken anew: the request may have waited, and no answer is dated before its own data.
        const readAt = parts.clock.now();
        if (exchange.isGone) {
          giveBack(admission);
          return;
        }
        const reply = row.read(query, admissionAt(admission, readAt)) as Soon<AnyReply>;
        const tell = (ready: AnyReply) => {
          if ("wait" in ready) answerLater(parts, exchange, ready, { rule, caching, admission });
          else answer(parts, exchange, ready, { caching, readAt, admission });
        };
        if (reply instanceof Promise) reply.then(tell).catch((error) => refuseRead(parts, exchange, admission, error));
        else tell(reply);
      } catch (error) {
        refuseRead(parts, exchange, admission, error);
      }
    },
    (error) => {
      if (error instanceof CallerChanged) exchange.again = again;
      refuse(parts, exchange, error);
    },
  );
}

function refuseRead(parts: ApiHandlerParts, exchange: Exchange, { lease }: Admission, error: unknown): void {
  // The lease is free again before the client can read that it failed.
  if (lease === null) refuse(parts, exchange, error);
  else void lease.release().then(() => refuse(parts, exchange, error));
}

function giveBack({ lease }: Admission): void {
  if (lease !== null) void lease.release();
}

/** Lets the exchange wait without a permit, and answers it when it is woken if its caller still may read. */
function answerLater(
  parts: ApiHandlerParts,
  exchange: Exchange,
  later: Later,
  { rule, caching, admission }: { rule: AccessRule; caching: Caching; admission: Admission },
): void {
  const { res } = exchange;
  parts.concurrency.release(exchange);
  const silence = (socket: Socket) => socket.setTimeout(later.waitMs + waitMarginMs);
  if (res.socket !== null) silence(res.socket);
  else res.once("socket", silence);
  const cancel = later.wait(() => {
    const left = admission.lease?.release();
    if (exchange.isGone) return;
    try {
      const readAt = parts.clock.now();
      const tell = () => answer(parts, exchange, later.read(), { caching, readAt, admission: null });
      const judged = judgeAgain(parts, exchange, rule, readAt);
      // Who was answered finds the place free on every node: it is left while the key is read.
      if (judged instanceof Promise)
        judged
          .then(() => left)
          .then(tell)
          .catch((error) => refuse(parts, exchange, error));
      else tell();
    } catch (error) {
      refuse(parts, exchange, error);
    }
  });
  res.once("close", () => {
    cancel();
    giveBack(admission);
  });
}

/** Judges the key of a late answer as it is at `at`: it may have been revoked since. */
function judgeAgain(parts: ApiHandlerParts, exchange: Exchange, rule: AccessRule, at: number): Soon<void> {
  return whenReady(callerOf(parts, exchange, rule.scope === null ? [] : [rule.scope], at), (caller) => {
    exchange.caller = caller;
    if (rule.scope !== null) requireScope(caller, rule.scope);
    parts.admissions.requirePlan(rule, caller, at);
  });
}

function answer(
  parts: ApiHandlerParts,
  exchange: Exchange,
  reply: Exclude<AnyReply, Later>,
  { caching, readAt, admission }: ReadFacts,
): void {
  if ("data" in reply) {
    const send = () => {
      sendEnvelope(exchange, reply, readAt, caching);
      parts.concurrency.release(exchange);
    };
    if (admission === null || admission.lease === null) send();
    else
      void admission.lease
        .release()
        .then(send)
        .catch((error) => refuse(parts, exchange, error));
  } else if (admission !== null) void stream(parts, exchange, reply.stream, admission);
}

async function stream(
  parts: ApiHandlerParts,
  exchange: Exchange,
  run: SnapshotRun,
  admission: Admission,
): Promise<void> {
  const { req, res, requestId } = exchange;
  const coding = codingOf(req.headers["accept-encoding"]);
  const headers = answerHeaders(exchange, { mediaType: "application/x-ndjson", caching: "no-store" });
  parts.concurrency.becomeExport(exchange);
  // A slow reader is waited for, once what is before the export was read; the lease has its own deadline.
  if (res.socket !== null) res.socket.setTimeout(0);
  else res.once("socket", (socket) => socket.setTimeout(0));
  parts.events.streamStarted();
  try {
    const { outcome, items, bytes, durationMs, error } = await streamRun(res, run, admission, parts, {
      headers,
      coding,
    });
    parts.events.streamEnded({ request_id: requestId, outcome, items, bytes, duration_ms: durationMs });
    if (error !== undefined)
      parts.events.internalError({ request_id: requestId, operation: exchange.operationId }, error);
  } catch (error) {
    parts.events.streamNotBegun();
    refuse(parts, exchange, error);
  } finally {
    run.over?.();
  }
}

/**
 * Ends the exchange with a problem. An error that is no refusal is logged, counted and shown as a 503. Who was let in by what was kept of them
 * is refused by their key as it is now: the request begins again.
 */
function refuse({ events, admissions, concurrency }: ApiHandlerParts, exchange: Exchange, error: unknown): void {
  const { again } = exchange;
  if (again !== null) {
    exchange.again = null;
    exchange.caller = null;
    concurrency.release(exchange);
    if (!exchange.isGone) again();
    return;
  }
  const known = knownFailure(error);
  if (known === null) {
    events.internalError({ request_id: exchange.requestId, operation: exchange.operationId }, error);
  }
  if (exchange.isGone) return;
  const failure = known ?? new Failure("service_unavailable");
  const { caller, allowance } = exchange;
  // A request that was admitted before, such as one for what does not exist, counts as a request; so may one whose commit is in doubt.
  const isCounted = allowance !== null || failure.code === "service_unavailable";
  if (caller !== null && !isCounted) admissions.refused.add(caller.accountId, failure.code);
  // Of who was only kept a 503 tells nothing: no charge has compared, and their key may be revoked.
  const tellsNothing = isCounted && allowance === null && caller?.keptBy !== undefined;
  if (error instanceof AdmissionRefusal && !tellsNothing) exchange.allowance = error.allowance;
  else if (caller !== null && !tellsNothing) exchange.allowance ??= admissions.allowance(caller, exchange.at);
  sendProblem(exchange, failure);
  concurrency.release(exchange);
}
