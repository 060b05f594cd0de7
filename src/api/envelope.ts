import type { ServerResponse } from "node:http";
import { toTimestamp } from "../values/clock.ts";
import { Encoded } from "../values/encoded.ts";
import { codedBytesMin, codingOf, gzipBody } from "./compression.ts";
import { entityTag, namesTag } from "./conditional.ts";
import type { Exchange } from "./exchange.ts";
import { addAllowance, varying } from "./problem.ts";

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
  const beside = `,"meta":{"request_id":"${requestId}","generated_at":"${timestampOf(readAt)}"${glue}${moreJson.slice(1)}}`;
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
/** Longer text is encoded apart: what is sent as text is copied and encoded once more than bytes are. */
const textCharactersMax = 1024;

/**
 * Sends the body `{"data":…` with what stands beside the data, compressed where it is long enough and the client accepts that. The
 * length is cheap, so it is looked at first.
 */
function sendBody({ req, res }: Exchange, { content: data, sent }: Encoded, beside: string, headers: string[]): void {
  const isText = typeof data === "string" && data.length <= textCharactersMax;
  const body = isText ? start + data + beside : typeof data === "string" ? Buffer.from(data) : data;
  let bytes = isText ? Buffer.byteLength(body as string) : start.length + body.length + Buffer.byteLength(beside);
  let coded: Buffer | null = null;
  if (bytes >= codedBytesMin && codingOf(req.headers["accept-encoding"]) === "gzip") {
    coded = gzipBody(isText ? body : Buffer.concat([Buffer.from(start), body as Buffer, Buffer.from(beside)]));
    bytes = coded.length;
    headers.push("Content-Encoding", "gzip");
  }
  headers.push("Content-Length", String(bytes));
  res.writeHead(200, headers);
  if (req.method !== "HEAD" && coded === null && !isText) {
    sendPieces(res, body as Buffer, beside, sent);
    return;
  }
  sent?.();
  if (req.method === "HEAD") res.end();
  else res.end(coded ?? body);
}

/** Writes the pieces of a body at once: joined, they would be copied. `sent` is called when the system has them all. */
function sendPieces(res: ServerResponse, data: Buffer, beside: string, sent: (() => void) | undefined): void {
  res.cork();
  res.write(start, "latin1");
  res.write(data);
  res.end(beside, sent);
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
