import { createHash, hash } from "node:crypto";

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
const entry = /[\t ]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(?:,|$)/y;

/**
 * Returns whether an `If-None-Match` names the tag, by weak comparison (RFC 9110). A value that is no list of tags names nothing: the
 * answer is then sent in full, which is always right.
 */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch === "*") return true;
  const quoted = tag.slice(-quotedLength);
  if (!ifNoneMatch.includes(quoted)) return false;
  const opaque = quoted.slice(1, -1);
  let isNamed = false;
  entry.lastIndex = 0;
  while (entry.lastIndex < ifNoneMatch.length) {
    const found = entry.exec(ifNoneMatch);
    if (found === null) return false;
    if (found[1] === opaque) isNamed = true;
  }
  return isNamed;
}
