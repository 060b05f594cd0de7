import { createHash, hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import Negotiator from "negotiator";

/** 132 bits of SHA-256: two answers with the same tag cannot be found. */
const tagCharacters = 22;
const quotedLength = tagCharacters + 2;

/** Returns the weak entity tag of the content of an answer, in one or more parts. Weak, because it is the same for each coding of the body. */
export function entityTag(...content: readonly (string | Buffer)[]): string {
  return `W/"${digestOf(content).slice(0, tagCharacters)}"`;
}

function digestOf(content: readonly (string | Buffer)[]): string {
  if (content.length === 1) return hash("sha256", content[0]!, "base64url");
  const digest = createHash("sha256");
  for (const part of content) digest.update(part);
  return digest.digest("base64url");
}

/** One entry of the list, an empty one too, with the comma behind it. No two of its parts can take the same character. */
const tagEntry = /[\t ]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(?:,|$)/y;

/** Suffix that a proxy adds to the tags of answers that it compresses, and leaves in the requests of its clients. */
const codingSuffix = /^(?:--?|;)(?:gzip|br|zstd|df|deflate)$/;

/**
 * Returns whether an `If-None-Match` names the tag, by weak comparison (RFC 9110), also with the suffix of a coding. A value that is no
 * list of tags names nothing: the answer is then sent in full, which is always right.
 */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch === "*") return true;
  const opaque = tag.slice(-quotedLength).slice(1, -1);
  if (!ifNoneMatch.includes(opaque)) return false;
  let isNamed = false;
  tagEntry.lastIndex = 0;
  while (tagEntry.lastIndex < ifNoneMatch.length) {
    const found = tagEntry.exec(ifNoneMatch);
    if (found === null) return false;
    const named = found[1] ?? "";
    if (named === opaque || (named.startsWith(opaque) && codingSuffix.test(named.slice(opaque.length)))) isNamed = true;
  }
  return isNamed;
}

export type Coding = "gzip" | "identity";

/** A shorter body is sent as it is: its packet would be no smaller by much, and compressing it costs more than sending it. */
export const codedBytesMin = 1024;
/** Clients send a dozen characters. A longer list is not read, because compression is optional. */
const listCharactersMax = 1000;
const codingsMax = 64;
/** The bodies are short-lived and repetitive; higher levels take several times as long for little. */
export const gzipLevel = 1;

const codings = new Map<string, Coding>();

/** Returns the coding of an answer to a request with this `Accept-Encoding`; identity where nothing fits. */
export function codingOf(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding.length > listCharactersMax) return "identity";
  const known = codings.get(acceptEncoding);
  if (known !== undefined) return known;
  // RFC 9110: the old name means the same, and the name of a weight has no case.
  const list = acceptEncoding.toLowerCase().replace(/(?<![\w-])x-gzip(?![\w-])/g, "gzip");
  const chosen =
    new Negotiator({ headers: { "accept-encoding": list } }).encoding<Coding>(["gzip", "identity"], {
      preferred: ["gzip"],
    }) ?? "identity";
  if (codings.size >= codingsMax) codings.clear();
  codings.set(acceptEncoding, chosen);
  return chosen;
}

/** Compresses a whole body while the event loop waits: bodies of this service are at most a few hundred kilobytes. */
export function gzipBody(body: string | Buffer): Buffer {
  return gzipSync(body, { level: gzipLevel });
}
