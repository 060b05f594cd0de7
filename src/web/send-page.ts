import type { ServerResponse } from "node:http";
import { gzip } from "node:zlib";
import { type Exchange, exchangeOf } from "../api/exchange.ts";
import { varying } from "../api/problem.ts";
import { codedBytesMin, codingOf, entityTag, namesTag } from "../api/representation.ts";
import { withExpiredNotice } from "./expired-notice.ts";

/**
 * A file or page that is equal for all visitors and never changes while the program runs. `policy` is its Content-Security-Policy.
 * `anyOrigin` permits other origins to read it. `lasting` means that its address contains a digest, so that caches may keep it for a year.
 */
export type Page = {
  readonly mediaType: string;
  readonly body: string | Buffer;
  readonly policy?: string;
  readonly anyOrigin?: boolean;
  readonly lasting?: boolean;
  /** Whether shared caches must not store it. */
  readonly isPrivate?: boolean;
};

const plainSources = { "style-src": "'self'", "font-src": "'self'", "img-src": "'self'", "form-action": "'none'" };

/**
 * Returns a content security policy. It permits style sheets, fonts and pictures of this origin, plus `sources` by directive. Everything
 * else is forbidden, including inline code and frames.
 */
export function policyOf(sources: Readonly<Record<string, string>> = {}): string {
  const all = {
    "default-src": "'none'",
    ...plainSources,
    ...sources,
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(all)
    .map(([directive, source]) => `${directive} ${source}`)
    .join("; ");
}

const plainPolicy = policyOf();

const compressible = /^text\/|^application\/(?:[\w.-]+\+)?json\b|javascript|\+xml/;

/** Returns a function that sends a page as `senderOf` does. HTML pages show when signatures have expired. */
export function pageSender(page: Page, isRare = false): (res: ServerResponse) => void {
  const send = senderOf(page, isRare);
  if (!page.mediaType.startsWith("text/html")) return send;
  let noticed: ReturnType<typeof senderOf> | null = null;
  return (res) => {
    const exchange = exchangeOf(res);
    if (!exchange.showsExpired) return send(res);
    noticed ??= senderOf({ ...page, body: withExpiredNotice(String(page.body), exchange) }, true);
    noticed(res);
  };
}

/**
 * Returns a function that sends a page, or a 304 to a client with a current copy. Express is not used because it evaluates other conditions
 * and sends its own responses. The compressed page is made on first use, off the event loop, and cached. Pass true as `isRare` to send the
 * first response uncompressed.
 */
function senderOf(page: Page, isRare: boolean): (res: ServerResponse) => void {
  const { mediaType, body, policy = plainPolicy, anyOrigin = false, lasting = false, isPrivate = false } = page;
  const caching = lasting ? "public, max-age=31536000, immutable" : isPrivate ? "private, no-cache" : "no-cache";
  const bytes = Buffer.from(body);
  const tag = entityTag(Buffer.concat([Buffer.from(`${mediaType}\n${policy}\n`), bytes]));
  const isCompressible = bytes.length >= codedBytesMin && compressible.test(mediaType);
  let packed: Promise<Buffer | null> | null = null;
  let isFirst = isRare;
  return (res) => {
    const { requestId, req } = exchangeOf(res);
    const headers = [
      "X-Request-Id",
      requestId,
      "X-Content-Type-Options",
      "nosniff",
      "ETag",
      tag,
      "Cache-Control",
      caching,
      "Vary",
      varying,
      "Referrer-Policy",
      "no-referrer",
      "Content-Security-Policy",
      policy,
    ];
    if (anyOrigin) headers.push("Access-Control-Allow-Origin", "*");
    const received = req.headers["if-none-match"];
    if (received !== undefined && namesTag(received, tag)) {
      res.writeHead(304, headers);
      res.end();
      return;
    }
    headers.push("Content-Type", mediaType);
    if (isFirst || !isCompressible || codingOf(req.headers["accept-encoding"]) === "identity") {
      isFirst = false;
      send(res, headers, bytes);
      return;
    }
    packed ??= compressed(bytes);
    void packed.then((coded) => {
      if (coded !== null) headers.push("Content-Encoding", "gzip");
      if (!exchangeOf(res).isDisconnected) send(res, headers, coded ?? bytes);
    });
  };
}

/** Sends a 404 page to a browser. Programs get a problem record instead. */
export function sendMissingPage(exchange: Exchange, text: string): void {
  const page = withExpiredNotice(text, exchange);
  const { req, res, requestId } = exchange;
  exchange.code = "endpoint_not_found";
  res.writeHead(404, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    "X-Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    Vary: `${varying}, Accept`,
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": plainPolicy,
  });
  res.end(req.method === "HEAD" ? undefined : page);
}

function send(res: ServerResponse, headers: string[], body: Buffer): void {
  headers.push("Content-Length", String(body.length));
  res.writeHead(200, headers);
  if (res.req.method === "HEAD") res.end();
  else res.end(body);
}

/** Compresses a page. Resolves to null if memory is insufficient; the page is then sent uncompressed. */
function compressed(bytes: Buffer): Promise<Buffer | null> {
  return new Promise((resolve) => gzip(bytes, (error, coded) => resolve(error === null ? coded : null)));
}

/** Sends a permanent redirect. Browsers keep the fragment of the address. */
export function sendMoved(res: ServerResponse, path: string): void {
  const headers = ["X-Request-Id", exchangeOf(res).requestId, "X-Content-Type-Options", "nosniff"];
  headers.push("Cache-Control", "no-cache", "Vary", varying, "Referrer-Policy", "no-referrer", "Location", path);
  res.writeHead(301, [...headers, "Content-Length", "0"]);
  res.end();
}
