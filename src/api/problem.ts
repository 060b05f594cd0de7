import { STATUS_CODES } from "node:http";
import type { Events } from "../log/events.ts";
import { Failure } from "../values/failure/failure.ts";
import type { Exchange } from "./exchange.ts";
import { type ProblemEntry, problems } from "./problems.ts";
import { announcesBody } from "./transport-guard.ts";

/** `Vary` of every response, so that a cache never confuses two responses. */
export const varying = "Authorization, Accept-Encoding";
/** Time for which the rest of a refused body is discarded before the connection closes, so that the client can read the response. */
const lingerMs = 500;

/**
 * Sends the problem record of `failure`. `close` also ends the connection, because the framing is uncertain; so does an unread body. A
 * response that has begun cannot be replaced, so its connection is closed.
 */
export function sendProblem(exchange: Exchange, failure: Failure, close = false): void {
  const { req, res } = exchange;
  exchange.code = failure.code;
  if (res.headersSent) {
    req.socket.destroy();
    return;
  }
  const entry: ProblemEntry = problems[failure.code];
  const body = problemJson(failure, exchange.requestId);
  const headers = problemHeaders(failure, exchange.requestId, body);
  addChallenge(headers, failure, req.headers.authorization);
  if (entry.status !== 401) addAllowance(headers, exchange, failure);
  const unread = announcesBody(req) && !req.readableEnded;
  if (close || unread) res.shouldKeepAlive = false;
  res.writeHead(entry.status, headers);
  if (unread && !exchange.awaitsContinue) {
    endAfterBody(exchange, body);
    return;
  }
  if (req.method === "HEAD") res.end();
  else res.end(body);
}

/** Encodes a problem response as bytes for a socket with an unparseable request. It closes the connection. */
export function rawProblem(failure: Failure, requestId: string, { isHead }: { isHead: boolean }): string {
  const { status } = problems[failure.code];
  const body = problemJson(failure, requestId);
  const headers = problemHeaders(failure, requestId, body);
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n`;
  for (let index = 0; index < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${text}\r\n${isHead ? "" : body}`;
}

/** Returns the failure for a thrown value. Returns null for an unexpected error, which is counted and reported as a 503. */
export function knownFailure(error: unknown): Failure | null {
  return error instanceof Failure ? error : null;
}

/** Adds the account's allowance after this request to the headers of an authenticated answer. */
export function addAllowance(headers: string[], exchange: Exchange, failure?: Failure): void {
  const { allowance } = exchange;
  if (allowance === null) return;
  headers.push("X-RateLimit-Limit", String(allowance.limitPerMinute));
  headers.push("X-RateLimit-Remaining", String(allowance.remainingInMinute));
  if (allowance.quotaRemaining !== null && failure?.code !== "rate_limited") {
    headers.push("X-Quota-Remaining", String(allowance.quotaRemaining));
  }
}

/** Runs `work`. An error is logged, counted and reported as a 503. */
export function guarded({ events }: { readonly events: Events }, exchange: Exchange, work: () => void): void {
  try {
    work();
  } catch (error) {
    events.internalError({ request_id: exchange.requestId, operation: exchange.operationId }, error);
    sendProblem(exchange, new Failure("service_unavailable"));
  }
}

function problemJson(failure: Failure, requestId: string): string {
  return JSON.stringify(problemOf(failure, requestId));
}

/** Returns the problem record of `failure`. */
export function problemOf(failure: Failure, requestId: string) {
  const { status, title, detail } = problems[failure.code];
  return {
    type: `/problems/${failure.code}`,
    title,
    status,
    detail: failure.facts.detail ?? detail,
    code: failure.code,
    request_id: requestId,
  };
}

/** Returns the headers of the problem response `body`. */
export function problemHeaders(failure: Failure, requestId: string, body: string): string[] {
  const headers = [
    "Content-Type",
    "application/problem+json",
    "Content-Length",
    String(Buffer.byteLength(body)),
    "X-Request-Id",
    requestId,
    "X-Content-Type-Options",
    "nosniff",
    "Cache-Control",
    "no-store",
    "Vary",
    varying,
  ];
  const { retryAfterS } = problems[failure.code];
  if (retryAfterS !== null) headers.push("Retry-After", String(failure.facts.retryAfterS ?? retryAfterS));
  if (failure.facts.allow !== undefined) headers.push("Allow", failure.facts.allow);
  return headers;
}

/** Adds the challenge of a refused credential. By RFC 6750, a request without a credential gets no `error` in it. */
export function addChallenge(headers: string[], failure: Failure, authorization: string | undefined): void {
  if (problems[failure.code].status === 401) {
    const error = authorization === undefined ? "" : ', error="invalid_token"';
    headers.push("WWW-Authenticate", `Bearer realm="itemtape"${error}`);
  } else if (failure.code === "insufficient_scope") {
    const scope = /`([a-z:]+)`/.exec(failure.facts.detail ?? "")?.[1];
    const named = scope === undefined ? "" : `, scope="${scope}"`;
    headers.push("WWW-Authenticate", `Bearer realm="itemtape", error="insufficient_scope"${named}`);
  }
}

/** Closing with unread bytes would reset the connection before the client reads the response, so some bytes are discarded first. */
function endAfterBody({ req, res }: Exchange, body: string): void {
  if (req.method !== "HEAD") res.write(body);
  const end = () => {
    clearTimeout(timer);
    if (!res.writableEnded) res.end();
  };
  const timer = setTimeout(() => {
    end();
    req.socket.destroySoon();
  }, lingerMs);
  req.once("end", end);
  res.once("close", end);
  req.resume();
}
