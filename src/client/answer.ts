import { ItemtapeError, TransportError } from "./errors.ts";
import { displayReply, holdsKey, withoutKey } from "./redaction.ts";
import type { OutgoingRequest } from "./request.ts";
import { retryAfterMsOf } from "./retry.ts";
import type { Allowance, Answer, JsonOperationId, RawAnswer, Schema } from "./types.ts";

/** Largest JSON response that is read, in bytes. */
const bodyBytesMax = 32 * 1024 * 1024;
const problemBytesMax = 64 * 1024;

/**
 * Reads the whole body.
 * @throws {TransportError} `too_large` if it exceeds `bytesMax`; the rest is cancelled.
 */
export async function bodyOf(
  { address }: OutgoingRequest,
  response: Response,
  bytesMax = bodyBytesMax,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new TransportError("too_large", `${address}: the answer is larger than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return joined(chunks, bytes);
}

/** Concatenates chunks with a total length of `bytes`. */
export function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Reads the bytes of a response and the values of its headers. */
export async function rawAnswerOf(outgoing: OutgoingRequest, response: Response, attempts: number): Promise<RawAnswer> {
  const { headers } = response;
  return {
    status: response.status === 304 ? 304 : 200,
    address: outgoing.address,
    body: await bodyOf(outgoing, response),
    etag: headers.get("etag"),
    allowance: allowanceOf(headers),
    requestId: headers.get("x-request-id"),
    attempts,
  };
}

/**
 * Decodes a response with an array in `data`.
 * @throws {TransportError} `broken` for any other body.
 */
export function listOf<Id extends JsonOperationId>(outgoing: OutgoingRequest, raw: RawAnswer): Answer<Id> {
  const answer = answerOf<Id>(outgoing, raw);
  if (Array.isArray(answer.data)) return answer;
  throw broken(outgoing, "`data` must be an array", { attempts: raw.attempts, requestId: answer.requestId });
}

/**
 * Decodes `{ data, meta }` of a 200.
 * @throws {TransportError} `broken` for any other body.
 */
export function answerOf<Id extends JsonOperationId>(outgoing: OutgoingRequest, raw: RawAnswer): Answer<Id> {
  const { data, meta } = envelopeOf(outgoing, raw);
  const { request_id: requestId } = meta;
  if (typeof requestId !== "string") throw broken(outgoing, "`meta.request_id` is missing", raw);
  if (raw.requestId !== null && raw.requestId !== requestId) {
    throw broken(outgoing, "X-Request-Id and `meta.request_id` name different requests", raw);
  }
  const { etag, allowance } = raw;
  return { status: 200, data, meta, etag, allowance, requestId } as Answer<Id>;
}

function envelopeOf(outgoing: OutgoingRequest, raw: RawAnswer): { data: unknown; meta: Record<string, unknown> } {
  const whole = jsonOf(raw.body);
  if (whole === undefined) throw broken(outgoing, "it is not JSON in UTF-8", raw);
  const { data, meta } = isRecord(whole) ? whole : {};
  if (!isRecord(meta) || !(isRecord(data) || Array.isArray(data))) {
    throw broken(outgoing, "it must have `data` and `meta`", raw);
  }
  return { data, meta };
}

/**
 * Checks status and media type of a response.
 * @throws {TransportError} unless it is a 200 with the media type or a requested 304.
 */
export function refuseOther(
  outgoing: OutgoingRequest,
  response: Response,
  mediaType: string,
  apiKey: string | null,
): void {
  const { status, headers } = response;
  if (status === 304 && outgoing.headers["if-none-match"] !== undefined) return;
  if (status !== 200) throw broken(outgoing, `HTTP ${status} is not in the contract`);
  const contentType = headers.get("content-type") ?? "";
  if ((contentType.split(";")[0] ?? "").trim().toLowerCase() !== mediaType) {
    throw broken(
      outgoing,
      `its content type is ${contentType === "" ? "absent" : displayReply(contentType, apiKey)}, not ${mediaType}`,
    );
  }
}

/**
 * Refuses redirects, because following one would send the key to another address.
 * @throws {TransportError} `redirect`.
 */
export function refuseRedirect({ address }: OutgoingRequest, response: Response, apiKey: string | null): void {
  const isRedirect = response.type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(response.status);
  if (!isRedirect) return;
  const target = displayReply(response.headers.get("location") ?? "nowhere", apiKey);
  throw new TransportError("redirect", `${address}: redirects to ${target}, which is not followed`);
}

/** Decodes a refusal, a response with status 400 or higher. */
export async function refusalOf(
  outgoing: OutgoingRequest,
  response: Response,
  facts: { apiKey: string | null; nowMs: number; attempts: number },
): Promise<ItemtapeError> {
  const { status, headers } = response;
  const problem = problemOf(headers.get("content-type") ?? "", await problemBytes(outgoing, response), facts.apiKey);
  const explanation =
    problem === null
      ? "without a problem record"
      : `\`${problem.code}\`: ${displayReply(problem.detail ?? problem.title, facts.apiKey)}`;
  return new ItemtapeError(`${outgoing.address}: HTTP ${status}, ${explanation}`, {
    status,
    problem,
    requestId: problem?.request_id || headers.get("x-request-id"),
    retryAfterMs: retryAfterMsOf(headers, facts.nowMs),
    attempts: facts.attempts,
  });
}

async function problemBytes(outgoing: OutgoingRequest, response: Response): Promise<Uint8Array> {
  try {
    return await bodyOf(outgoing, response, problemBytesMax);
  } catch (error) {
    if (error instanceof TransportError && error.reason === "too_large") return new Uint8Array();
    throw error;
  }
}

/** Decodes a problem record leniently: a proxy may have changed the media type, and the code decides whether to retry. */
function problemOf(mediaType: string, body: Uint8Array, apiKey: string | null): Schema<"Problem"> | null {
  const whole = /\bjson\b/i.test(mediaType) ? jsonOf(body) : undefined;
  if (!isRecord(whole)) return null;
  const clean = (value: unknown) => (typeof value === "string" ? withoutKey(value, apiKey).slice(0, 2000) : undefined);
  // Code and request id are used without redaction: a key such as "key" is part of many words.
  const { code, request_id: sentId } = whole;
  if (typeof code !== "string" || !/^[a-z_]{1,200}$/.test(code) || holdsKey(code, null)) return null;
  const requestId = typeof sentId === "string" && /^req_[0-9a-z]{26}$/.test(sentId) ? sentId : (clean(sentId) ?? "");
  const [title, type, detail] = [whole.title, whole.type, whole.detail].map(clean);
  return {
    type: type ?? `/problems/${code}`,
    title: title ?? code,
    status: typeof whole.status === "number" ? whole.status : 0,
    ...(detail === undefined ? {} : { detail }),
    code: code as Schema<"ErrorCode">,
    request_id: requestId,
  };
}

function allowanceOf(headers: Headers): Allowance {
  const number = (name: string) => {
    const text = headers.get(name) ?? "";
    return /^\d{1,15}$/.test(text) ? Number(text) : null;
  };
  return {
    limitPerMinute: number("x-ratelimit-limit"),
    remainingInMinute: number("x-ratelimit-remaining"),
    quotaRemaining: number("x-quota-remaining"),
  };
}

type Facts = { readonly attempts: number; readonly requestId: string | null };

function broken({ address, operationId }: OutgoingRequest, why: string, { attempts, requestId }: Partial<Facts> = {}) {
  return new TransportError("broken", `${address}: not an answer of ${operationId}: ${why}`, { attempts, requestId });
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
