import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../access/credentials.ts";
import type { ReadsOwners } from "../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import type { OwnerWriter } from "../../access/owners/owner-writer.ts";
import type { IdentifiesPages } from "../../access/owners/page-credentials.ts";
import { isReadToken, isWorthKeepingAlive } from "../../access/owners/sessions.ts";
import { takesSignInLinks } from "../../access/owners/sign-in-links.ts";
import { refusalDetails } from "../../access/refusals.ts";
import type { PerformFor } from "../../api/api-handler.ts";
import type { ConcurrencyLimiter } from "../../api/concurrency-limiter.ts";
import { type Exchange, exchangeOf } from "../../api/exchange.ts";
import type { PerformPage } from "../../api/page-reads.ts";
import { sendProblem } from "../../api/problem.ts";
import type { Config } from "../../config/config.ts";
import { Failure } from "../../values/failure/failure.ts";
import { loopback } from "../../values/loopback.ts";
import { type MaybePromise, whenReady } from "../../values/maybe-promise.ts";
import { isLoopbackRequest } from "../loopback-request.ts";
import type { OriginPolicy } from "./origin-policy.ts";
import { cookiesOf } from "./request-context.ts";
import { isSameOrigin, liveSession } from "./session-guard.ts";

/** Parts of page reads. `config.host` is the listening address, `config.publicUrl` the origin that owners use. */
type Parts = {
  reads: ReadsOwners;
  credentials: IdentifiesPages;
  writer: OwnerWriter;
  origins: OriginPolicy;
  concurrency: ConcurrencyLimiter;
  performFor: PerformFor;
  performPage: PerformPage;
  config: Partial<Pick<Config, "host" | "publicUrl" | "pageUnits">>;
};

/** Prefixes before the path of an operation: for reads of an owner, and of a visitor of a demo. */
const ownerPrefix = "/dashboard/read";
const visitorPrefix = "/dashboard/look";
/** Path after a prefix for several operations in one request. */
const pageReadPath = "/together";
const tokenHeader = "x-itemtape-token";

/**
 * Reads operations of the contract for pages. A page sends a POST to `/dashboard/read` plus the operation's path. It needs the owner's
 * session cookie, the token of `GET /dashboard/session` and this origin. The operation is checked, charged and read as with a key of the
 * account. Below `/dashboard/look` a visitor of a demo reads its market. `/together` reads several operations for one unit, if the
 * configuration permits it.
 */
export class PageReads {
  readonly #parts: Parts;
  readonly #credentials: IdentifiesPages;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#credentials = parts.credentials;
  }

  /** Cost of opening a page: one unit, or one per operation. */
  get pageUnits(): "one" | "each" {
    const { host = "", publicUrl = "", pageUnits = "" } = this.#parts.config;
    if (pageUnits !== "") return pageUnits;
    return takesSignInLinks({ host, publicUrl }) ? "one" : "each";
  }

  /** Handles a read of a page. Returns false for other requests. */
  handle(req: IncomingMessage, res: ServerResponse): boolean {
    const url = req.url ?? "";
    const prefix = [ownerPrefix, visitorPrefix].find((start) => url.startsWith(`${start}/`));
    if (prefix === undefined) return false;
    const rest = url.slice(prefix.length);
    const isPageRead = rest === pageReadPath && this.pageUnits === "one";
    if (!isPageRead && !rest.startsWith("/v1/")) return false;
    const exchange = exchangeOf(res);
    if (req.method !== "POST") {
      sendProblem(exchange, new Failure("endpoint_not_found", { allow: "POST" }));
      return true;
    }
    exchange.identify =
      prefix === ownerPrefix ? (at) => this.#owner(req, at) : (at, scopes) => this.#visitor(exchange, at, scopes);
    // The operation acquires a permit of its own, as a request of the account.
    this.#parts.concurrency.release(exchange);
    exchange.shareAnew();
    if (isPageRead) this.#parts.performPage(exchange);
    else this.#parts.performFor(exchange, rest);
    return true;
  }

  /** Returns the caller for a visitor of a demo; null if the request may not read a demo. */
  visitor(req: IncomingMessage, at: number): Caller | null {
    try {
      return this.#demoVisitor(req, at);
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }

  /**
   * Returns the caller for a visitor of a demo; null unless the browser runs on this machine.
   * @throws {Failure} `account_disabled`.
   */
  #demoVisitor(req: IncomingMessage, at: number): Caller | null {
    return this.isOnThisMachine(req) ? this.#credentials.demoVisitor(at) : null;
  }

  /** Returns whether the request is from a browser on this machine, and the server is not reachable from others. */
  isOnThisMachine(req: IncomingMessage): boolean {
    const { host = "", publicUrl = "" } = this.#parts.config;
    return takesSignInLinks({ host, publicUrl }) && cameDirectly(req);
  }

  #owner(req: IncomingMessage, at: number): MaybePromise<Caller> {
    const { reads, origins } = this.#parts;
    refuseElsewhere(req, origins);
    const live = liveSession(req, at, { reads, origins });
    const caller = whenReady(live, (found) => this.#callerOf(req, found));
    return caller instanceof Promise ? caller.catch(asFailure) : caller;
  }

  #callerOf(req: IncomingMessage, live: Awaited<ReturnType<typeof liveSession>>): MaybePromise<Caller> {
    const { writer } = this.#parts;
    if (live === null) throw unrecognised("no session of this browser is open; sign in at /dashboard");
    if (!isReadToken(tokenOf(req), live.secret)) throw wrongToken();
    const { session, at } = live;
    return whenReady(this.#credentials.owner(session, at), (caller) => {
      if (isWorthKeepingAlive(session, at)) writer.keepAlive(session).catch(() => undefined);
      return caller;
    });
  }

  #visitor({ req }: Exchange, at: number, scopes: readonly string[]): Caller {
    const { origins } = this.#parts;
    refuseElsewhere(req, origins);
    const caller = this.#demoVisitor(req, at);
    if (caller === null) throw unrecognised("only a demo that listens on this machine has visitors without an account");
    const token = tokenOf(req);
    if (!cookiesOf(req, origins.formCookie).some((secret) => isReadToken(token, secret))) throw wrongToken();
    if (scopes.includes("market:read")) return caller;
    const [scope] = scopes;
    const lacking = scope === undefined ? "" : `: it lacks the scope \`${scope}\``;
    throw new Failure("insufficient_scope", { detail: `a visitor of a demo can read market data only${lacking}` });
  }
}

/** Reads are refused with a problem record instead of a page. */
function asFailure(error: unknown): never {
  if (!(error instanceof OwnerRefusal)) throw error;
  throw new Failure("service_unavailable", {
    detail: refusalDetails.service_unavailable,
    retryAfterS: error.retryAfterS ?? 1,
  });
}

function refuseElsewhere(req: IncomingMessage, origins: OriginPolicy): void {
  if (!isSameOrigin(req, origins)) throw unrecognised("the request is not from a page of this service");
}

function tokenOf({ headers }: IncomingMessage): string {
  const token = headers[tokenHeader];
  return typeof token === "string" ? token : "";
}

/**
 * Returns whether a browser on this machine sent the request directly, to a loopback name. Browsers send `Connection: keep-alive`. Proxies
 * do not forward it, even if they add no headers and use a loopback host.
 */
function cameDirectly(req: IncomingMessage): boolean {
  const { remoteAddress = "", localAddress = "" } = req.socket;
  const isOfBrowser = req.headers.connection?.toLowerCase() === "keep-alive";
  return isOfBrowser && loopback.includes(remoteAddress) && loopback.includes(localAddress) && isLoopbackRequest(req);
}

function wrongToken(): Failure {
  return unrecognised("header `X-Itemtape-Token`: does not match this browser's session; load the page again");
}

function unrecognised(detail: string): Failure {
  return new Failure("invalid_api_key", { detail });
}
