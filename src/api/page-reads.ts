import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip as gzipCallback } from "node:zlib";
import type { AccessRule, Admission } from "../access/admission.ts";
import { admissionAt } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import { requireScope, type Scope } from "../access/credentials.ts";
import { type Routes, splitTarget } from "../contract/routes.ts";
import type { OperationId } from "../contract/types.ts";
import { Encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure/failure.ts";
import { isLoopback } from "../values/loopback.ts";
import type { MaybePromise } from "../values/maybe-promise.ts";
import { toTimestamp } from "../values/time/clock.ts";
import type { ApiHandler, ApiHandlerParts, OperationHandler } from "./api-handler.ts";
import { readJsonBody } from "./body.ts";
import { responseHeaders } from "./envelope.ts";
import type { Exchange } from "./exchange.ts";
import type { Operation, OperationTable } from "./operations.ts";
import { partsOf, refuseBeyondPage, visitOf, type Wanted } from "./page-read-limits.ts";
import { PageVisits } from "./page-visits.ts";
import { knownFailure, problemOf } from "./problem.ts";
import { codedBytesMin, codingOf, gzipLevel } from "./representation.ts";

/** Performs the operations of a page on behalf of the caller returned by `exchange.identify`. */
export type PerformPage = (exchange: Exchange) => void;

type AnyOperation = Operation<"getItem">;
type ProtectedRow = Exclude<AnyOperation, { rule: null }>;
type DataReply = { readonly data: unknown; readonly meta?: object | undefined };
/** One part: checked, or refused with `failure`. `operation` is null if its path is unknown. */
type Part = { operation: OperationId | null; params: object } & (
  | { failure: unknown }
  | { row: AnyOperation; query: unknown }
);
type Checked = Extract<Part, { row: unknown }>;

const gzip = promisify(gzipCallback);
/** Time for which parts are read in one turn of the event loop, ms. A request with a key waits at most this long. */
const turnMs = 1;
const bodyBytesMax = 64 * 1024;

/**
 * Answers one request of a page that contains several operations of the contract. It checks all parts, then charges one unit, then reads
 * the parts. Each part has the status and body of the operation alone. A request that names an earlier visit is not charged. The limits of
 * a page apply to all requests of a visit together.
 */
export class PageReads {
  readonly #parts: ApiHandlerParts;
  readonly #handler: ApiHandler;
  readonly #routes: Routes<OperationHandler>;
  readonly #table: OperationTable;
  readonly #visits = new PageVisits();

  constructor(handler: ApiHandler, routes: Routes<OperationHandler>, table: OperationTable) {
    this.#handler = handler;
    this.#parts = handler.parts;
    this.#routes = routes;
    this.#table = table;
  }

  readonly perform: PerformPage = (exchange) => {
    const refuse = (error: unknown) => this.#handler.refuse(exchange, error);
    void (async () => {
      exchange.caller = (await exchange.identify?.(exchange.at, ["market:read"])) ?? null;
      const read = (body: unknown) =>
        this.#parts.concurrency.perform({
          exchange,
          perform: () => void this.#read(exchange, body).catch(refuse),
          shed: () => this.#handler.shed(exchange),
        });
      readJsonBody(exchange, read, refuse, bodyBytesMax);
    })().catch(refuse);
  };

  async #read(exchange: Exchange, body: unknown): Promise<void> {
    const { caller } = exchange;
    if (caller === null) throw new Error("a page's read needs a caller");
    const checked = await this.#inTurns(partsOf(body), (one) => this.#check(one, caller, exchange.at));
    refuseBeyondPage(checked);
    const admission = await this.#admit(exchange, caller, checked, visitOf(body));
    if (admission !== null) exchange.allowance = admission.allowance;
    const texts = await this.#inTurns(checked, (part) =>
      exchange.isDisconnected ? [] : this.#textOf(part, exchange, admission),
    );
    const comma = Buffer.from(",");
    const all = texts.flatMap((text, place) => (place === 0 ? text : [comma, ...text]));
    const visit = Buffer.from(`{"visit":"${admission?.requestId ?? ""}","parts":[`);
    await this.#send(exchange, Buffer.concat([visit, ...all, Buffer.from("]}")]));
  }

  /** Runs `work` for each of `all`, in turns of the event loop. */
  async #inTurns<T, U>(all: readonly T[], work: (one: T) => MaybePromise<U>): Promise<U[]> {
    const { clock } = this.#parts;
    const done: U[] = [];
    let endMs = clock.monotonicMs() + turnMs;
    for (const one of all) {
      const made = work(one);
      done.push(made instanceof Promise ? await made : made);
      if (clock.monotonicMs() < endMs) continue;
      await nextTurn();
      endMs = clock.monotonicMs() + turnMs;
    }
    return done;
  }

  /** Checks one part as its operation does before the charge. */
  #check({ path, body }: Wanted, caller: Caller, at: number): Part {
    let operation: OperationId | null = null;
    let params: object = {};
    try {
      const { path: plain, query } = splitTarget(path);
      const segments: string[] = [];
      const method = body === undefined ? "GET" : "POST";
      const route = this.#routes.match(method, plain, segments);
      if (route === null) throw new Failure("endpoint_not_found");
      operation = route.operationId;
      const row = this.#table[operation] as unknown as AnyOperation;
      if (route.scopes !== null) requirePageScopes(caller, route.scopes);
      params = { ...route.parameters.read(segments, query), ...(body === undefined ? {} : { body }) };
      if (body !== undefined) route.checkBody?.(body);
      // Exports are excluded, because they last minutes and have their own permits.
      if (row.rule?.lease === true) throw new Failure("endpoint_not_found");
      if (row.rule === null) return { operation, row, query: params, params };
      this.#parts.admissions.requirePlan(row.rule, caller, at);
      const prepared = row.prepare(params as never, {
        caller,
        at: this.#parts.marketClock.now(),
        reference: this.#parts.reference,
      });
      return { operation, row, query: prepared, params };
    } catch (failure) {
      return { operation, failure, params };
    }
  }

  /** Admits the whole page as one request, or adds it to a visit. Returns null if no part needs a charge. */
  async #admit(
    exchange: Exchange,
    caller: Caller,
    checked: readonly Part[],
    visit: string | null,
  ): Promise<Admission | null> {
    const { requestId, at } = exchange;
    const rows = checked.filter((part): part is Checked => "row" in part && part.row.rule !== null);
    const charged = rows.find(({ row }) => row.rule?.monthlyUnits === 1) ?? rows[0];
    if (charged === undefined || exchange.isDisconnected) return null;
    const operation = charged.operation as OperationId;
    exchange.operationId = operation;
    const joined = this.#visits.join(visit, caller, at, checked);
    if (joined !== null) return joined;
    const rule: AccessRule = {
      scope: null,
      plan: rows.some(({ row }) => row.rule?.plan === "paid") ? "paid" : "free",
      monthlyUnits: charged.row.rule?.monthlyUnits ?? 0,
      lease: false,
    };
    const admission = await this.#parts.admissions.admit({ requestId, operation, rule, caller, at });
    if (rule.monthlyUnits === 1) this.#visits.begin(admission, checked);
    return admission;
  }

  async #textOf(part: Part, exchange: Exchange, admission: Admission | null): Promise<Buffer[]> {
    try {
      if ("failure" in part) throw part.failure;
      const readAt = this.#parts.marketClock.now();
      const { row, query } = part;
      const reply = await (row.rule === null
        ? row.read(query as never, readAt)
        : (row as ProtectedRow).read(query, admissionAt(admission!, readAt)));
      return answerText(part.operation, exchange.requestId, reply as DataReply, readAt);
    } catch (error) {
      const known = knownFailure(error);
      if (known === null)
        this.#parts.events.internalError({ request_id: exchange.requestId, operation: part.operation }, error);
      const failure = known ?? new Failure("service_unavailable");
      const body = problemOf(failure, exchange.requestId);
      return [Buffer.from(JSON.stringify({ operation: part.operation, status: body.status, body }))];
    }
  }

  async #send(exchange: Exchange, body: Buffer): Promise<void> {
    const { req, res } = exchange;
    const headers = responseHeaders(exchange, { mediaType: "application/json", caching: "no-store" });
    const isLong = body.length >= codedBytesMin && !isLoopback(exchange.clientAddress);
    const isCoded = isLong && codingOf(req.headers["accept-encoding"]) === "gzip";
    const sent = isCoded ? await gzip(body, { level: gzipLevel }) : body;
    if (isCoded) headers.push("Content-Encoding", "gzip");
    headers.push("Content-Length", String(sent.length));
    if (!exchange.isDisconnected) res.writeHead(200, headers).end(sent);
    this.#parts.concurrency.release(exchange);
  }
}

/** A visitor of a demo reads only the market. Operations for any key concern the account. */
function requirePageScopes(caller: Caller, scopes: readonly string[]): void {
  if (scopes.length === 0 && caller.session === null) throw new Failure("insufficient_scope");
  for (const scope of scopes) requireScope(caller, scope as Scope);
}

function answerText(
  operation: OperationId | null,
  requestId: string,
  { data, meta }: DataReply,
  readAt: number,
): Buffer[] {
  const content = data instanceof Encoded ? data.content : JSON.stringify(data);
  const copied = Buffer.from(content as string);
  if (data instanceof Encoded) data.sent?.();
  const beside = JSON.stringify({ request_id: requestId, generated_at: toTimestamp(readAt), ...meta });
  const start = `{"operation":"${operation}","status":200,"body":{"data":`;
  return [Buffer.from(start), copied, Buffer.from(`,"meta":${beside}}}`)];
}
