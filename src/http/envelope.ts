import { toTimestamp } from "../values/clock.ts";
import { Encoded } from "../values/encoded.ts";
import type { Exchange } from "./exchange.ts";
import { addAllowance } from "./problem.ts";

/** How an answer may be cached: by the caller alone, who asks again each time, or not at all. */
export type Caching = "private, no-cache" | "no-store";

/** Sends `{ data, meta }` with status 200. `meta` is what goes beside the request's id and instant. */
export function sendEnvelope(exchange: Exchange, data: unknown, meta: object | undefined, caching: Caching): void {
  const { req, res, requestId, at } = exchange;
  const dataJson = data instanceof Encoded ? data.json : JSON.stringify(data);
  const more = meta === undefined ? "}" : JSON.stringify(meta);
  const glue = more.length > 2 ? "," : "";
  const body = `{"data":${dataJson},"meta":{"request_id":"${requestId}","generated_at":"${timestampOf(at)}"${glue}${
    more === "}" ? more : more.slice(1)
  }}`;
  const headers = answerHeaders(exchange, "application/json", caching);
  headers.push("Content-Length", String(Buffer.byteLength(body)));
  res.writeHead(200, headers);
  if (req.method === "HEAD") res.end();
  else res.end(body);
}

/** The headers of a successful answer but its length, as a flat list. */
export function answerHeaders(exchange: Exchange, mediaType: string, caching: Caching): string[] {
  const headers = [
    "Content-Type",
    mediaType,
    "X-Request-Id",
    exchange.requestId,
    "X-Content-Type-Options",
    "nosniff",
    "Cache-Control",
    caching,
    "Vary",
    "Authorization",
  ];
  addAllowance(headers, exchange);
  return headers;
}

let lastAt = Number.NaN;
let lastText = "";

/** Many requests share a millisecond. */
function timestampOf(at: number): string {
  if (at !== lastAt) {
    lastAt = at;
    lastText = toTimestamp(at);
  }
  return lastText;
}
