import { createHash } from "node:crypto";
import { type ImageFacts, type MarketImage, windowPages } from "../store/file/market-image.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { ReleaseRefusal } from "./refusal.ts";

/**
 * A chunk holds pages of the file in ascending order. `sha256` is of the uncompressed bytes, `storedBytes` the compressed size. Bit b of
 * `bits` selects page 32 * `window` + b, from 0.
 */
export type Chunk = readonly [sha256: string, storedBytes: number, window: number, bits: number];

/**
 * One release of the market. Pages outside all `chunks` are zero. `previous` is the SHA-256 of the preceding manifest, or null for the
 * first. `number` and `lineage` inform; readers trust only the signed metadata. `not_for_others` names the providers that may not be passed
 * on; absent if there are none.
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

/** A manifest and its file: the SHA-256 and the text. */
export type ManifestFile = { manifest: Manifest; sha256: string; text: string };

export const manifestBytesMax = 16 * 1024 * 1024;
/** Maximum size of an uncompressed chunk in bytes. */
export const chunkBytesMax = 2 * 1024 * 1024;
/** SQLite's largest page. 32 of them fill `chunkBytesMax`. */
const pageBytesMax = 64 * 1024;
/** Maximum bytes by which compression enlarges a chunk. */
const overheadBytesMax = 4096;

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

/** Writes a manifest as a line of JSON. */
export function manifestFileOf(manifest: Manifest): ManifestFile {
  const text = `${JSON.stringify(manifest)}\n`;
  return { manifest, sha256: sha256Of(text), text };
}

/**
 * Parses a manifest file with the SHA-256 that signed metadata or its successor names. Errors call the file `name`.
 * @throws {ReleaseRefusal} `torn` or `malformed`.
 */
export function readManifest(bytes: Buffer, name: string, sha256: string): ManifestFile {
  if (sha256Of(bytes) !== sha256) throw new ReleaseRefusal("torn", `${name} does not match its SHA-256`);
  const text = bytes.toString();
  const manifest = parsed(text);
  if (!isManifest(manifest))
    throw new ReleaseRefusal("malformed", `${name} is signed but is not a manifest of this program`);
  return { manifest, sha256, text };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isManifest(value: Record<string, unknown>): value is Manifest & Record<string, unknown> {
  const { lineage, number, sealed_at, previous, schema, not_for_others, page_bytes, bytes, chunks } = value;
  if (value.itemtape_release !== 1 || typeof lineage !== "string" || typeof sealed_at !== "string") return false;
  if (!isNames(not_for_others ?? [])) return false;
  if (!isCount(number, 1) || !isCount(schema, 1) || !isCount(bytes, 1)) return false;
  if (!isCount(page_bytes, 512) || page_bytes > pageBytesMax || bytes % page_bytes !== 0) return false;
  if (previous !== null && !isDigest(previous)) return false;
  if (Number.isNaN(Date.parse(sealed_at))) return false;
  if (!Array.isArray(chunks) || !chunks.every(isChunk)) return false;
  return hasOwnPages(chunks, bytes / page_bytes);
}

/** Returns whether no page is in two chunks, and all pages are below `pages`. */
function hasOwnPages(chunks: readonly Chunk[], pages: number): boolean {
  const taken = new Map<number, number>();
  return chunks.every(([, , window, bits]) => {
    const before = taken.get(window) ?? 0;
    taken.set(window, before | bits);
    return (before & bits) === 0 && (window + 1) * windowPages - Math.clz32(bits) <= pages;
  });
}

function isChunk(value: unknown): value is Chunk {
  if (!Array.isArray(value) || !isDigest(value[0])) return false;
  const [, storedBytes, window, bits] = value;
  if (!isCount(storedBytes, 1) || storedBytes > chunkBytesMax + overheadBytesMax) return false;
  return isCount(window, 0) && isCount(bits, 1) && bits < 2 ** 32;
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
