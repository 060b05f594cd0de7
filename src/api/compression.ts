import { gzipSync } from "node:zlib";
import Negotiator from "negotiator";

export type Coding = "gzip" | "identity";

/** A shorter body is sent as it is: its packet would be no smaller by much, and compressing it costs more than sending it. */
export const codedBytesMin = 1024;
/** Clients send a dozen characters. A longer list is not read, because compression is optional. */
const listCharactersMax = 1000;
const kindsKeptMax = 64;
/** The bodies are short-lived and repetitive; higher levels take several times as long for little. */
const level = 1;

const kept = new Map<string, Coding>();

/** Returns the coding of an answer to a request with this `Accept-Encoding`; identity where nothing fits. */
export function codingOf(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding.length > listCharactersMax) return "identity";
  const known = kept.get(acceptEncoding);
  if (known !== undefined) return known;
  // RFC 9110: the old name means the same, and the name of a weight has no case.
  const list = acceptEncoding.toLowerCase().replace(/(?<![\w-])x-gzip(?![\w-])/g, "gzip");
  const chosen =
    new Negotiator({ headers: { "accept-encoding": list } }).encoding<Coding>(["gzip", "identity"], {
      preferred: ["gzip"],
    }) ?? "identity";
  if (kept.size >= kindsKeptMax) kept.clear();
  kept.set(acceptEncoding, chosen);
  return chosen;
}

/** Compresses a whole body while the event loop waits: bodies of this service are at most a few hundred kilobytes. */
export function gzipBody(body: string | Buffer): Buffer {
  return gzipSync(body, { level });
}
