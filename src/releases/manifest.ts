import { createHash, type KeyObject } from "node:crypto";
import { type ImageFacts, type MarketImage, windowPages } from "../store/file/market-image.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { isSignedBy, publicKeyText, signLine } from "./key.ts";
import { ReleaseRefusal } from "./refusal.ts";

/**
 * A chunk holds pages of the file in ascending order. `sha256` is of the uncompressed bytes, `storedBytes` the compressed size. Bit b of
 * `bits` selects page 32 * `window` + b, from 0.
 */
export type Chunk = readonly [sha256: string, storedBytes: number, window: number, bits: number];

/**
 * One release of the market. Pages outside all `chunks` are zero. `previous` is the SHA-256 of the preceding manifest, or null for the
 * first. `lineage` is assigned to a folder with its first release. `not_for_others` names the providers that may not be passed on; absent if
 * there are none.
 */
export type Manifest = {
  itemtape_release: 1;
  lineage: string;
  number: number;
  sealed_at: string;
  previous: string | null;
  schema: number;
  generation: {
    generation: string;
    published_at: string;
    items: number;
    digest: string;
    delisted_digest: string | null;
  } | null;
  checked_at: string | null;
  not_for_others?: readonly string[];
  page_bytes: number;
  bytes: number;
  chunks: readonly Chunk[];
};

/** A manifest with a verified signature. `sha256` is of its line. `text` is the whole file. */
export type SignedManifest = { manifest: Manifest; sha256: string; text: string };

export const manifestBytesMax = 16 * 1024 * 1024;
/** Maximum size of a chunk in bytes, both compressed and uncompressed. */
export const chunkBytesMax = 1024 * 1024;
/** 32 pages of this size fill `chunkBytesMax`. */
const pageBytesMax = 32 * 1024;

/** Returns the SHA-256 of `bytes` in hexadecimal. */
export function sha256Of(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns the manifest fields that describe an image. */
export function describeImage(
  image: MarketImage,
): Pick<Manifest, "schema" | "generation" | "checked_at" | "not_for_others" | "page_bytes" | "bytes"> {
  const { schemaVersion, generation, checkedAt, terms }: ImageFacts = image.facts;
  return {
    schema: schemaVersion,
    generation:
      generation === null
        ? null
        : {
            generation: `g${generation.generationId}`,
            published_at: toTimestamp(generation.ingestedAt),
            items: generation.items,
            digest: generation.digest,
            delisted_digest: generation.delistedDigest,
          },
    checked_at: toTimestampOrNull(checkedAt),
    ...(terms.notAllowed.length > 0 && { not_for_others: terms.notAllowed }),
    page_bytes: image.pageBytes,
    bytes: image.pages * image.pageBytes,
  };
}

/** Signs a manifest. The text is one line of JSON, then a line with the key and the signature of the first line. */
export function signManifest(manifest: Manifest, key: KeyObject): SignedManifest {
  const line = JSON.stringify(manifest);
  const text = `${line}\n${JSON.stringify({ key: publicKeyText(key), signature: signLine(line, key) })}\n`;
  return { manifest, sha256: sha256Of(line), text };
}

/**
 * Parses a manifest file and verifies its signature. Errors call the file `name`.
 * @throws {ReleaseRefusal} `torn`, `forged` or `malformed`.
 */
export function readManifest(text: string, name: string, key: KeyObject): SignedManifest {
  const parts = text.split("\n", 4);
  const [line = "", seal = "", rest] = parts;
  if (rest !== "" || parts.length !== 3) throw new ReleaseRefusal("torn", `${name} is cut off`);
  const { signature, key: sealedBy } = parseObject(seal, name);
  if (typeof signature !== "string" || !isSignedBy(line, signature, key)) {
    const other = typeof sealedBy === "string" && sealedBy !== publicKeyText(key);
    throw new ReleaseRefusal("forged", `${name} is not signed by the trusted key${other ? " but names another" : ""}`);
  }
  const manifest = parseObject(line, name);
  if (!isManifest(manifest))
    throw new ReleaseRefusal("malformed", `${name} is signed but is not a manifest of this program`);
  return { manifest, sha256: sha256Of(line), text };
}

function parseObject(line: string, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Invalid JSON is handled like an invalid value.
  }
  throw new ReleaseRefusal("torn", `${name} is incomplete`);
}

function isManifest(value: Record<string, unknown>): value is Manifest & Record<string, unknown> {
  const { lineage, number, sealed_at, previous, schema, not_for_others, page_bytes, bytes, chunks } = value;
  if (value.itemtape_release !== 1 || typeof lineage !== "string" || typeof sealed_at !== "string") return false;
  if (!isNames(not_for_others ?? [])) return false;
  if (!isCount(number, 1) || !isCount(schema, 1) || !isCount(bytes, 1)) return false;
  if (!isCount(page_bytes, 512) || page_bytes > pageBytesMax || bytes % page_bytes !== 0) return false;
  if (previous !== null && !isDigest(previous)) return false;
  if (Number.isNaN(Date.parse(sealed_at)) || (number === 1) !== (previous === null)) return false;
  if (!Array.isArray(chunks) || !chunks.every(isChunk)) return false;
  const pages = chunks.flatMap(pagesOf);
  return new Set(pages).size === pages.length && pages.every((page) => page < bytes / page_bytes);
}

function isChunk(value: unknown): value is Chunk {
  if (!Array.isArray(value) || !isDigest(value[0])) return false;
  const [, storedBytes, window, bits] = value;
  return (
    isCount(storedBytes, 1) && storedBytes <= chunkBytesMax && isCount(window, 0) && isCount(bits, 1) && bits < 2 ** 32
  );
}

/** Returns the page numbers of a chunk, from 0, ascending. */
export function pagesOf([, , window, bits]: Chunk): number[] {
  const pages: number[] = [];
  for (let bit = 0; bit < windowPages; bit += 1) {
    if ((bits / 2 ** bit) % 2 >= 1) pages.push(window * windowPages + bit);
  }
  return pages;
}

/** Returns the window and bits of pages of one window. Pages count from 0. */
export function placeOf(pages: readonly number[]): [window: number, bits: number] {
  const window = Math.floor(pages[0]! / windowPages);
  return [window, pages.reduce((bits, page) => bits + 2 ** (page - window * windowPages), 0)];
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isCount(value: unknown, min: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min;
}

function isDigest(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
