import type { ServerResponse } from "node:http";
import { Encoded } from "../values/encoded.ts";
import { toTimestamp } from "../values/time/clock.ts";
import type { Exchange } from "./exchange.ts";
import { addAllowance, varying } from "./problem.ts";
import { codedBytesMin, codingOf, entityTag, gzipBody, namesTag } from "./representation.ts";

/** `Cache-Control` of a response: cacheable by the client with revalidation, or not cacheable. */
export type Caching = "private, no-cache" | "no-store";

/**
 * Sends `{ data, meta }` with status 200. `meta` is added to the request's id and the instant of the read (`readAt`, UTC ms). A cacheable
 * response has an entity tag of its data and `meta`; if the client has it already, the status is 304.
 */
export function sendEnvelope(
  exchange: Exchange,
  { data, meta }: { data: unknown; meta?: object | undefined },
  readAt: number,
  caching: Caching,
): void {
  const { req, res, requestId } = exchange;
  const content = data instanceof Encoded ? data : new Encoded(JSON.stringify(data));
  const moreJson = meta === undefined ? "{}" : JSON.stringify(meta);
  const tag = caching === "no-store" ? null : content.tagWith(moreJson, tagOf);
  const received = req.headers["if-none-match"];
  if (tag !== null && received !== undefined && namesTag(received, tag)) {
    content.sent?.();
    res.writeHead(304, responseHeaders(exchange, { mediaType: null, caching, tag }));
    res.end();
    return;
  }
  const glue = moreJson.length > 2 ? "," : "";
  const beside = `,"meta":{"request_id":"${requestId}","generated_at":"${timestampOf(readAt)}"${glue}${byteText(moreJson).slice(1)}}`;
  sendBody(exchange, content, beside, responseHeaders(exchange, { mediaType: "application/json", caching, tag }));
}

/** JSON without white space contains no line feed, so different pairs never give the same text. */
function tagOf(content: string | Buffer, moreJson: string): string {
  return typeof content === "string" ? entityTag(`${content}\n${moreJson}`) : entityTag(content, `\n${moreJson}`);
}

/** Returns the headers of a successful response as a flat list, without length and coding. Pass null as `mediaType` without a body. */
export function responseHeaders(
  exchange: Exchange,
  { mediaType, caching, tag = null }: { mediaType: string | null; caching: Caching; tag?: string | null },
): string[] {
  const headers = mediaType === null ? [] : ["Content-Type", mediaType];
  headers.push("X-Request-Id", exchange.requestId, "X-Content-Type-Options", "nosniff");
  if (tag !== null) headers.push("ETag", tag);
  headers.push("Cache-Control", caching, "Vary", varying);
  // Only a response that needs no key may be read by pages of every origin.
  if (exchange.caller === null) headers.push("Access-Control-Allow-Origin", "*");
  addAllowance(headers, exchange);
  return headers;
}

const start = '{"data":';
/** Maximum bytes of data for which a body is joined. Beyond it, copying costs as much as letting the system gather the pieces. */
const joinedBytesMax = 8 * 1024;

/** A body in one piece, or in several. Each character of a string is one byte. */
type Body = string | { data: Buffer; beside: string };

/**
 * Sends the body `{"data":…` followed by `beside`, a string with one byte per character. It is compressed if it is long enough and the
 * client accepts that. The length is checked first because that is cheap.
 */
function sendBody({ req, res }: Exchange, { content, sent }: Encoded, beside: string, headers: string[]): void {
  const body = bodyOf(content, beside);
  const isText = typeof body === "string";
  let bytes = isText ? body.length : start.length + body.data.length + beside.length;
  let coded: Buffer | null = null;
  if (bytes >= codedBytesMin && codingOf(req.headers["accept-encoding"]) === "gzip") {
    const bytesOf = (text: string) => Buffer.from(text, "latin1");
    coded = gzipBody(isText ? bytesOf(body) : Buffer.concat([bytesOf(start), body.data, bytesOf(beside)]));
    bytes = coded.length;
    headers.push("Content-Encoding", "gzip");
  }
  headers.push("Content-Length", String(bytes));
  res.writeHead(200, headers);
  if (req.method !== "HEAD" && coded === null && !isText) {
    sendPieces(res, body, sent);
    return;
  }
  sent?.();
  if (req.method === "HEAD") res.end();
  else if (coded !== null || !isText) res.end(coded);
  else sendText(res, body);
}

function bodyOf(content: string | Buffer, beside: string): Body {
  if (content.length > joinedBytesMax)
    return { data: typeof content === "string" ? Buffer.from(content) : content, beside };
  return start + (typeof content === "string" ? byteText(content) : content.toString("latin1")) + beside;
}

/** Returns the UTF-8 bytes of a text as a string with one character per byte, which is joined and written without encoding. */
function byteText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}

/**
 * Ends the response with a body in one piece. Written before the end, it reaches the system together with its head without a copy.
 * `end(body)` would add an empty piece, and Node would copy all of them first.
 */
function sendText(res: ServerResponse, body: string): void {
  const { socket } = res;
  // Without a socket, the response waits for earlier responses.
  if (socket === null) {
    res.end(body, "latin1");
    return;
  }
  socket.cork();
  res.write(body, "latin1");
  socket.uncork();
  res.end();
}

/** Writes the pieces of a body without joining them, which would copy them. `sent` is called when the system has all of them. */
function sendPieces(
  res: ServerResponse,
  { data, beside }: Exclude<Body, string>,
  sent: (() => void) | undefined,
): void {
  res.cork();
  res.write(start, "latin1");
  res.write(data);
  res.end(beside, "latin1", sent);
}

let lastAt = Number.NaN;
let lastText = "";

/** Returns the timestamp of a read. It caches the last one, because many reads share a millisecond. */
function timestampOf(at: number): string {
  if (at !== lastAt) {
    lastAt = at;
    lastText = toTimestamp(at);
  }
  return lastText;
}
