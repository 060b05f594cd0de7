import { createHash, hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import Negotiator from "negotiator";

/** 132 bits of SHA-256, so that two responses with the same tag cannot be constructed. */
const tagCharacters = 22;
const quotedLength = tagCharacters + 2;

/**
 * Returns the weak entity tag of a response's content, in one or more parts. It is weak because it is the same for each coding of the body.
 */
export function entityTag(...content: readonly (string | Buffer)[]): string {
  return `W/"${digestOf(content).slice(0, tagCharacters)}"`;
}

function digestOf(content: readonly (string | Buffer)[]): string {
  if (content.length === 1) return hash("sha256", content[0]!, "base64url");
  const digest = createHash("sha256");
  for (const part of content) digest.update(part);
  return digest.digest("base64url");
}

/** One entry of the list, possibly empty, with its following comma. No character matches two parts of it. */
const tagEntry = /[\t ]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(?:,|$)/y;

/** Suffix that a proxy adds to the tags of responses that it compresses, and leaves in requests. */
const codingSuffix = /^(?:--?|;)(?:gzip|br|zstd|df|deflate)$/;

/**
 * Returns whether an `If-None-Match` contains the tag, by weak comparison (RFC 9110), with or without a coding suffix. An invalid list
 * matches nothing, so the full response is sent, which is always correct.
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

/** Minimum bytes of a compressed body. Compressing a shorter one costs more than sending it and hardly shortens its packet. */
export const codedBytesMin = 1024;
/** Maximum length of `Accept-Encoding`. Clients send a dozen characters; a longer list is ignored, because compression is optional. */
const listCharactersMax = 1000;
const codingsMax = 64;
/** Bodies are short-lived and repetitive; higher levels need several times as long for little gain. */
export const gzipLevel = 1;

const codings = new Map<string, Coding>();

/** Returns the coding of a response to a request with this `Accept-Encoding`, identity if none fits. */
export function codingOf(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding.length > listCharactersMax) return "identity";
  const known = codings.get(acceptEncoding);
  if (known !== undefined) return known;
  // RFC 9110: `x-gzip` equals `gzip`, and codings and weights ignore case.
  const list = acceptEncoding.toLowerCase().replace(/(?<![\w-])x-gzip(?![\w-])/g, "gzip");
  const chosen =
    new Negotiator({ headers: { "accept-encoding": list } }).encoding<Coding>(["gzip", "identity"], {
      preferred: ["gzip"],
    }) ?? "identity";
  if (codings.size >= codingsMax) codings.clear();
  codings.set(acceptEncoding, chosen);
  return chosen;
}

/** Compresses a whole body synchronously. Bodies of this service have at most a few hundred kilobytes. */
export function gzipBody(body: string | Buffer): Buffer {
  return gzipSync(body, { level: gzipLevel });
}
