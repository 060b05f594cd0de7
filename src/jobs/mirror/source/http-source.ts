import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { hourMs, secondMs } from "../../../values/time/calendar.ts";
import { type ContentEncoding, type Fetched, SourceFailure, type Validator, type Watched } from "./source.ts";
import { addressWith, type SourceSecrets } from "./source-secrets.ts";
import { readSourceBody, tooLarge } from "./unpack.ts";

const redirectsMax = 3;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const retryAfterMaxMs = 6 * hourMs;
const validatorCharsMax = 1024;

/**
 * Requests `url` with its secrets. Follows redirects only within the same origin. Other hosts must not receive a secret, and the operator
 * decides about a source that moves. Only the first request carries the secret parameters; a redirect has its own parameters.
 */
export async function fetchHttp(
  { url: address, secrets = null }: { url: string; secrets?: SourceSecrets | null },
  validator: Validator | null,
  watched: Watched,
): Promise<Fetched> {
  const { origin } = new URL(address);
  const headers = { ...headersFor(validator), ...secrets?.headers };
  let url = addressWith(new URL(address), secrets);
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const answer = await ask(url, headers, watched);
    if (!redirectStatuses.has(answer.response.statusCode ?? 0)) return read(answer, validator, watched);
    answer.request.destroy();
    url = targetOf(answer.response.headers.location, url, origin);
  }
  throw new SourceFailure(`redirects more than ${redirectsMax} times`);
}

type Answer = { request: ClientRequest; response: IncomingMessage; failure(): Error | null };

/** Sends the request on a new connection and waits for the head of the answer. */
function ask(url: URL, headers: Readonly<Record<string, string>>, { signal }: Watched): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(url, { agent: false, signal, headers });
    let failure: Error | null = null;
    // The listener stays, because bytes after the announced length cause an error even after the body was read.
    request.on("error", (error: NodeJS.ErrnoException) => {
      failure = new SourceFailure(reasonOf(error));
      reject(failure);
    });
    request.on("response", (response) => resolve({ request, response, failure: () => failure }));
    // A connection that the source upgrades ends without an error and without an answer.
    request.on("close", () => reject(failure ?? new SourceFailure("the connection was closed without an answer")));
    request.end();
  });
}

async function read(answer: Answer, validator: Validator | null, watched: Watched): Promise<Fetched> {
  const { request, response } = answer;
  try {
    refuseStatus(response, validator, watched.now());
    if (response.statusCode === 304) return { kind: "not_modified" };
    const contentEncoding = encodingOf(response.headers["content-encoding"]);
    const chunks = chunksOf(response, watched);
    const body = await readSourceBody(chunks, contentEncoding, watched);
    const failure = answer.failure();
    if (failure !== null) throw failure;
    return { ...body, validator: validatorOf(response.headers) };
  } finally {
    request.destroy();
  }
}

/** Accepts only 200, and 304 to a conditional request. */
function refuseStatus({ statusCode, headers }: IncomingMessage, validator: Validator | null, now: number): void {
  if (statusCode === 200) return;
  if (statusCode === 304) {
    if (validator !== null) return;
    throw new SourceFailure("HTTP 304, although it was not asked whether anything changed");
  }
  const isBusy = statusCode === 429 || statusCode === 503;
  throw new SourceFailure(`HTTP ${statusCode}`, isBusy ? retryAfterMs(headers["retry-after"], now) : null);
}

async function* chunksOf(response: IncomingMessage, { bytesMax, alive }: Watched): AsyncGenerator<Buffer> {
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax);
  alive();
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      alive();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof SourceFailure ? error : new SourceFailure("the body was cut off");
  }
  if (!response.complete) throw new SourceFailure("the body was cut off");
}

function headersFor(validator: Validator | null): Record<string, string> {
  return {
    accept: "*/*",
    "accept-encoding": "gzip, br",
    "user-agent": "itemtape",
    ...(validator?.etag == null ? {} : { "if-none-match": validator.etag }),
    ...(validator?.lastModified == null ? {} : { "if-modified-since": validator.lastModified }),
  };
}

/** Returns the validators for the next request. Null if the source sent none. */
function validatorOf({ etag, "last-modified": modified }: IncomingHttpHeaders): Validator | null {
  const usable = (text: string | undefined) => (text && text.length <= validatorCharsMax ? text : null);
  const validator = { etag: usable(etag), lastModified: usable(modified), fileStamp: null };
  return validator.etag === null && validator.lastModified === null ? null : validator;
}

function targetOf(location: string | undefined, from: URL, origin: string): URL {
  if (location === undefined || !URL.canParse(location, from.href))
    throw new SourceFailure("redirects to an invalid address");
  const target = new URL(location, from.href);
  if (target.origin === origin && target.username === "" && target.password === "") return target;
  throw new SourceFailure(
    `redirects to another origin (${target.origin}); set that address as the feed's source if it is correct`,
  );
}

function encodingOf(encoding: string | undefined): ContentEncoding | null {
  const coding = (encoding ?? "identity").trim().toLowerCase();
  if (coding === "identity" || coding === "") return null;
  if (coding === "gzip" || coding === "x-gzip") return "gzip";
  if (coding === "br") return "br";
  throw new SourceFailure("the body has an unrequested encoding");
}

/** Parses a Retry-After header, in seconds or as a date, into ms within limits. Null if it is missing or invalid. */
function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^[0-9]{1,9}$/.test(header) ? Number(header) * secondMs : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), retryAfterMaxMs);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host does not exist",
  EAI_AGAIN: "the host's name cannot be resolved now",
  ETIMEDOUT: "the host does not answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
};

function reasonOf({ code = "no code" }: NodeJS.ErrnoException): string {
  if (code.startsWith("HPE_")) return `the answer is not HTTP to be trusted (${code})`;
  return reasons[code] ?? `the connection failed (${code})`;
}
