import type { ServerResponse } from "node:http";
import { Encoded } from "../values/encoded.ts";
import { toTimestamp } from "../values/time/clock.ts";
import type { Exchange } from "./exchange.ts";
import { addAllowance, varying } from "./problem.ts";
import { codedBytesMin, codingOf, entityTag, gzipBody, namesTag } from "./representation.ts";

/** `Cache-Control` of an answer: the caller alone may keep it and asks again each time, or nobody may. */
export type Caching = "private, no-cache" | "no-store";

/**
 * Sends `{ data, meta }` with status 200. `meta` is what goes beside the request's id and the instant of the read, UTC ms. An answer
 * that may be kept has a tag of everything else in it, and is a 304 where the client holds it already.
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
    res.writeHead(304, answerHeaders(exchange, { mediaType: null, caching, tag }));
    res.end();
    return;
  }
  const glue = moreJson.length > 2 ? "," : "";
  const beside = `,"meta":{"request_id":"${requestId}","generated_at":"${timestampOf(readAt)}"${glue}${byteText(moreJson).slice(1)}}`;
  sendBody(exchange, content, beside, answerHeaders(exchange, { mediaType: "application/json", caching, tag }));
}

/** JSON without white space holds no line feed, so that no two pairs make the same text. */
function tagOf(content: string | Buffer, moreJson: string): string {
  return typeof content === "string" ? entityTag(`${content}\n${moreJson}`) : entityTag(content, `\n${moreJson}`);
}

/** Returns the headers of a successful answer but those of its length and coding, as a flat list. `mediaType`: null without a body. */
export function answerHeaders(
  exchange: Exchange,
  { mediaType, caching, tag = null }: { mediaType: string | null; caching: Caching; tag?: string | null },
): string[] {
  const headers = mediaType === null ? [] : ["Content-Type", mediaType];
  headers.push("X-Request-Id", exchange.requestId, "X-Content-Type-Options", "nosniff");
  if (tag !== null) headers.push("ETag", tag);
  headers.push("Cache-Control", caching, "Vary", varying);
  // An answer that takes no key is for pages of every origin, and no other one is.
  if (exchange.caller === null) headers.push("Access-Control-Allow-Origin", "*");
  addAllowance(headers, exchange);
  return headers;
}

const start = '{"data":';
/** Bytes of data up to which a body is written in one piece: to copy more costs as much as to let the system gather the pieces. */
const joinedBytesMax = 8 * 1024;

/** A body in one piece, or in pieces. Each sign of a text is one byte. */
type Body = string | { data: Buffer; beside: string };

/**
 * Sends the body `{"data":…` with what stands beside the data, as text each sign of which is one byte; compressed where it is long enough
 * and the client accepts that. The length is cheap, so it is looked at first.
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

/** Returns the bytes of a text in UTF-8 as text of one sign each, which is joined and written without being encoded. */
function byteText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}

/**
 * Ends the answer with a body in one piece. Written before the end, it goes to the system with its head from the stack; at the end Node
 * adds an empty piece, and copies all of them into memory of their own first.
 */
function sendText(res: ServerResponse, body: string): void {
  const { socket } = res;
  // Without one it waits for the answers before it.
  if (socket === null) {
    res.end(body, "latin1");
    return;
  }
  socket.cork();
  res.write(body, "latin1");
  socket.uncork();
  res.end();
}

/** Writes the pieces of a body at once: joined, they would be copied. `sent` is called when the system has them all. */
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

/** Returns the timestamp of a read; many share a millisecond, so the last one is kept. */
function timestampOf(at: number): string {
  if (at !== lastAt) {
    lastAt = at;
    lastText = toTimestamp(at);
  }
  return lastText;
}
