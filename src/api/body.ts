import type { IncomingHttpHeaders } from "node:http";
import { Failure } from "../values/failure/failure.ts";
import { BrokenJson, readJson } from "../values/text/strict-json.ts";
import type { Exchange } from "./exchange.ts";
import { announcesBody } from "./transport-guard.ts";

export const bodyBytesMax = 16 * 1024;

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads the JSON body and passes on its value, undefined without a body. `refuse` gets `request_too_large` as soon as the body is too long,
 * or `invalid_body` if it is not UTF-8 JSON. Neither is called if the client disconnects.
 */
export function readJsonBody(
  exchange: Exchange,
  then: (value: unknown) => void,
  refuse: (failure: Failure) => void,
  limitBytes = bodyBytesMax,
): void {
  const { req, res } = exchange;
  if (!announcesBody(req)) {
    then(undefined);
    return;
  }
  const refusal = refuseBodyHeaders(req.headers, limitBytes);
  if (refusal !== null) {
    refuse(refusal);
    return;
  }
  if (exchange.awaitsContinue) {
    exchange.awaitsContinue = false;
    res.writeContinue();
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) {
      chunks.push(chunk);
      return;
    }
    req.off("data", onData);
    req.off("end", onEnd);
    refuse(new Failure("request_too_large"));
  };
  const onEnd = () => {
    const value = parse(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    if (value instanceof Failure) refuse(value);
    else then(value);
  };
  req.on("data", onData);
  req.on("end", onEnd);
}

function refuseBodyHeaders(headers: IncomingHttpHeaders, limitBytes: number): Failure | null {
  const { "content-length": length, "content-type": type, "content-encoding": coding } = headers;
  if (Number(length ?? 0) > limitBytes) return new Failure("request_too_large");
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    return invalid("header `Content-Encoding`: must be absent; compressed bodies are not supported");
  }
  if (type !== undefined && jsonType.test(type)) return null;
  return invalid("header `Content-Type`: must be application/json in UTF-8");
}

function parse(bytes: Buffer): unknown {
  try {
    const text = strictUtf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    // JSON.parse uses the last of two equal keys, but a proxy may have checked the first, so duplicates are refused.
    readJson(text);
    return value;
  } catch (error) {
    if (error instanceof BrokenJson) return invalid(`request body: ${error.message}`);
    return invalid(`request body: must be valid ${error instanceof SyntaxError ? "JSON" : "UTF-8"}`);
  }
}

function invalid(detail: string): Failure {
  return new Failure("invalid_body", { detail });
}
