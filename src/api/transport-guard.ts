import type { IncomingMessage } from "node:http";
import { Failure } from "../values/failure/failure.ts";

/** A refusal by the transport. `close`: the connection is no longer trustworthy. */
type TransportRefusal = { readonly failure: Failure; readonly close: boolean };

const headerPairsMax = 100;
/** Maximum layers of percent-encoding that are searched for a key in a URL. */
const encodingLayersMax = 3;
const suspicious = /[^\x21-\x7e]|[#%]|itemtape_/i;
const notPrintable = /[^\x21-\x7e]|#/;
const credential = /itemtape_(?:live|pat)_/i;
const hostForm = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/**
 * Checks version, headers and target of a request before anything else. Returns null if all are valid. Bodies are checked separately,
 * because only the operation determines whether a body is allowed.
 */
export function refuseTransport(req: IncomingMessage): TransportRefusal | null {
  return refuseVersion(req) ?? refuseHeaders(req) ?? refuseTarget(req.url ?? "");
}

/** Returns whether a body follows the headers. */
export function announcesBody(req: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": coding } = req.headers;
  return coding !== undefined || (length !== undefined && Number(length) > 0);
}

/** Builds the refusal of an unexpected body. */
export function unexpectedBody(): TransportRefusal {
  return refusal("request body: this request must not have one");
}

function refuseVersion(req: IncomingMessage): TransportRefusal | null {
  if (req.httpVersionMajor === 1 && req.httpVersionMinor <= 1) return null;
  return refusal("request line: the version must be HTTP/1.0 or HTTP/1.1");
}

/** Repeated headers are refused: Node uses the first one, but a proxy may use the last. */
function refuseHeaders(req: IncomingMessage): TransportRefusal | null {
  const { rawHeaders } = req;
  if (rawHeaders.length > 2 * headerPairsMax) return refusal(`headers: must be at most ${headerPairsMax}`);
  let hosts = 0;
  let credentials = 0;
  let lengths = 0;
  let codings = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === "authorization") credentials += 1;
    else if (name.length === 14 && name.toLowerCase() === "content-length") lengths += 1;
    else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") codings += 1;
  }
  if (credentials > 1) return refusal("header `Authorization`: must be given once");
  if (lengths > 1) return refusal("header `Content-Length`: must be given once");
  if (codings > 1) return refusal("header `Transfer-Encoding`: must be given once");
  if (lengths > 0 && codings > 0) return refusal("header `Content-Length`: must not accompany `Transfer-Encoding`");
  if (codings > 0 && req.httpVersionMinor === 0) {
    return refusal("header `Transfer-Encoding`: does not belong to HTTP/1.0");
  }
  if (codings > 0 && req.headers["transfer-encoding"]?.toLowerCase() !== "chunked") {
    return refusal("header `Transfer-Encoding`: must be chunked");
  }
  if (hosts > 1) return refusal("header `Host`: must be given once");
  if (hosts === 0) return req.httpVersionMinor === 0 ? null : refusal("header `Host`: is required");
  return hostForm.test(req.headers.host ?? "") ? null : refusal("header `Host`: must be a host and an optional port");
}

function refuseTarget(url: string): TransportRefusal | null {
  if (url.charCodeAt(0) !== 47 /* "/" */) return refusal("request target: must be a path that begins with /");
  if (!suspicious.test(url)) return null;
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? "" : url.slice(mark + 1);
  return refuseCredential(path, query) ?? refusePart("path", path) ?? refusePart("query string", query);
}

function refuseCredential(path: string, query: string): TransportRefusal | null {
  const part = holdsCredential(path) ? "path" : holdsCredential(query) ? "query string" : null;
  if (part === null) return null;
  const detail = `${part}: contains an API key; send it in the Authorization header only, and rotate this key`;
  return { failure: new Failure("credential_in_url", { detail }), close: false };
}

function holdsCredential(part: string): boolean {
  let text = part;
  for (let layer = 0; layer <= encodingLayersMax; layer += 1) {
    if (credential.test(text)) return true;
    if (!text.includes("%")) return false;
    text = text.replace(/%([0-7][0-9A-Fa-f])/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
  return false;
}

function refusePart(name: string, part: string): TransportRefusal | null {
  if (notPrintable.test(part)) return refusal(`${name}: must be percent-encoded ASCII`);
  if (!part.includes("%")) return null;
  if (/%(?![0-9A-Fa-f]{2})/.test(part)) return misencoded(`${name}: malformed percent-encoding`);
  try {
    if (decodeURIComponent(part).includes("\0")) return misencoded(`${name}: must not contain NUL`);
  } catch {
    return misencoded(`${name}: percent-encoded bytes must be UTF-8`);
  }
  return null;
}

function misencoded(detail: string): TransportRefusal {
  return { failure: new Failure("malformed_request", { detail }), close: false };
}

function refusal(detail: string): TransportRefusal {
  return { failure: new Failure("malformed_request", { detail }), close: true };
}
