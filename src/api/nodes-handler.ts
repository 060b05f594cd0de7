import type { Admission, AdmissionRequest } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import { CallerChanged } from "../access/nodes/admissions.ts";
import { type CachedCaller, isCached, type NodesCredentials } from "../access/nodes/credentials.ts";
import type { MaybePromise } from "../values/maybe-promise.ts";
import { ApiHandler, type ApiHandlerParts, type ApiRoute } from "./api-handler.ts";
import type { Exchange } from "./exchange.ts";
import { knownFailure } from "./problem.ts";

/** The first attempt of a request, with a cached caller. `again` restarts it with a lookup. `isAsked`: the charge was requested. */
type FirstTry = { caller: CachedCaller; again: () => void; isAsked: boolean };

/**
 * The handler of a node. A request that will be charged begins with a cached caller, because the charge compares secret and plan. After a
 * refusal before that comparison, the request restarts with a lookup. So the final refusal depends on the current key.
 */
export class NodesApiHandler extends ApiHandler {
  readonly #credentials: NodesCredentials;
  readonly #firstTries = new WeakMap<Exchange, FirstTry>();

  constructor(parts: ApiHandlerParts, credentials: NodesCredentials) {
    super(parts);
    this.#credentials = credentials;
  }

  protected override begin(
    exchange: Exchange,
    route: ApiRoute,
    segments: readonly string[],
    query: string | null,
  ): void {
    const again = () => super.begin(exchange, route, segments, query);
    // A request with a body cannot restart, because a body can be read only once.
    const isRepeatable = exchange.identify === null && route.units !== 0 && route.checkBody === null;
    const caller = isRepeatable ? this.#credentials.cached(exchange.req.headers.authorization) : null;
    if (caller !== null) this.#firstTries.set(exchange, { caller, again, isAsked: false });
    again();
  }

  protected override callerOf(exchange: Exchange, scopes: readonly string[], at: number): MaybePromise<Caller> {
    const first = this.#firstTries.get(exchange);
    return first === undefined || first.isAsked ? super.callerOf(exchange, scopes, at) : first.caller;
  }

  override shed(exchange: Exchange): void {
    this.#firstTries.delete(exchange);
    super.shed(exchange);
  }

  protected override admit(exchange: Exchange, request: AdmissionRequest): Promise<Admission> {
    const first = this.#firstTries.get(exchange);
    if (first !== undefined) first.isAsked = true;
    return super.admit(exchange, request);
  }

  override refuse(exchange: Exchange, error: unknown): void {
    const first = this.#firstTries.get(exchange);
    this.#firstTries.delete(exchange);
    if (first === undefined || (first.isAsked && !(error instanceof CallerChanged))) {
      super.refuse(exchange, error);
      return;
    }
    exchange.caller = null;
    this.parts.concurrency.release(exchange);
    if (!exchange.isDisconnected) first.again();
  }

  /** A 503 contains no allowance of a cached caller before a charge has compared it: the key may be revoked. */
  protected override noteAllowance(exchange: Exchange, error: unknown): void {
    const { caller, allowance } = exchange;
    const isUnavailable = (knownFailure(error)?.code ?? "service_unavailable") === "service_unavailable";
    if (caller === null || !isCached(caller) || allowance !== null || !isUnavailable)
      super.noteAllowance(exchange, error);
  }
}
