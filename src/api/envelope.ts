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
  const dataJson = data instanceof Encoded ? data.json : JSON.stringify(data);
  const moreJson = meta === undefined ? "{}" : JSON.stringify(meta);
  // JSON without white space holds no line feed, so that no two pairs make the same text.
  const tag = caching === "no-store" ? null : entityTag(`${dataJson}\n${moreJson}`);
  const received = req.headers["if-none-match"];
  if (tag !== null && received !== undefined && namesTag(received, tag)) {
    res.writeHead(304, answerHeaders(exchange, { mediaType: null, caching, tag }));
    res.end();
    return;
  }
  const glue = moreJson.length > 2 ? "," : "";
  const body = `{"data":${dataJson},"meta":{"request_id":"${requestId}","generated_at":"${timestampOf(readAt)}"${glue}${moreJson.slice(1)}}`;
  sendBody(exchange, body, answerHeaders(exchange, { mediaType: "application/json", caching, tag }));
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

/** Sends a body, compressed where it is long enough and the client accepts that. The length is cheap, so it is looked at first. */
function sendBody({ req, res }: Exchange, text: string, headers: string[]): void {
  let body: string | Buffer = text;
  let bytes = Buffer.byteLength(text);
  if (bytes >= codedBytesMin && codingOf(req.headers["accept-encoding"]) === "gzip") {
    body = gzipBody(text);
    bytes = body.length;
    headers.push("Content-Encoding", "gzip");
  }
  headers.push("Content-Length", String(bytes));
  res.writeHead(200, headers);
  if (req.method === "HEAD") res.end();
  else res.end(body);
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
