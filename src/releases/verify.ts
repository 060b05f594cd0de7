import type { Expiries } from "../values/release-status.ts";
import { decompressChunk } from "./chunk.ts";
import { chunkName, manifestName } from "./folder.ts";
import { type Chunk, type Manifest, type ManifestFile, manifestBytesMax, pagesOf, readManifest } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import type { ReleaseSource } from "./source.ts";
import { readNewest, type Trust } from "./trust.ts";

/**
 * Reads the manifests before `newest`, back to the first that the folder lacks. Each is proven by its successor.
 * @throws {ReleaseRefusal} when a manifest does not match its successor.
 */
async function* readEarlier(source: ReleaseSource, newest: Manifest): AsyncGenerator<ManifestFile> {
  for (let { previous } = newest; previous !== null; ) {
    const name = manifestName(previous);
    const bytes = await source.read(name, manifestBytesMax);
    if (bytes === null) return;
    const before = readManifest(bytes, `${source.name}: ${name}`, previous);
    yield before;
    previous = before.manifest.previous;
  }
}

/**
 * Reads a chunk of a release.
 * @throws {ReleaseRefusal} `missing`; `torn` when the bytes do not match the manifest; `malformed` when they do not fit the pages.
 */
export async function readChunk(source: ReleaseSource, manifest: Manifest, chunk: Chunk): Promise<Buffer> {
  const [sha256, storedBytes] = chunk;
  const name = chunkName(sha256);
  const compressed = await source.read(name, storedBytes);
  if (compressed === null) throw new ReleaseRefusal("missing", `${source.name} has no ${name}`);
  const bytes = compressed.length === storedBytes ? decompressChunk(compressed, sha256) : null;
  if (bytes === null) throw new ReleaseRefusal("torn", `${source.name}: ${name} does not match its name`);
  if (bytes.length !== pagesOf(chunk).length * manifest.page_bytes) {
    throw new ReleaseRefusal("malformed", `${name} has ${bytes.length} bytes, which differs from its pages`);
  }
  return bytes;
}

/** The verified releases of a folder. `bytes` counts the stored size, each chunk once. */
export type Checked = { latest: Manifest; oldest: number; chunks: number; bytes: number } & Expiries;

/**
 * Reads and verifies a whole release folder: the signed metadata, each manifest, and each named chunk.
 * @throws {ReleaseRefusal} at the first error.
 */
export async function checkReleases(source: ReleaseSource, trust: Trust): Promise<Checked> {
  const { manifest: latest, expiresAt, rootExpiresAt } = await readNewest(source, trust, null);
  const seen = new Map<string, number>();
  await checkChunks(source, latest, seen);
  let oldest = latest.number;
  for await (const { manifest, sha256 } of readEarlier(source, latest)) {
    try {
      await checkChunks(source, manifest, seen);
    } catch (error) {
      // The publisher may have removed the chunk meanwhile; it removes the manifest first.
      const isMissing = error instanceof ReleaseRefusal && error.kind === "missing";
      if (isMissing && (await source.read(manifestName(sha256), manifestBytesMax)) === null) break;
      throw error;
    }
    oldest = manifest.number;
  }
  const bytes = [...seen.values()].reduce((sum, one) => sum + one, 0);
  return { latest, oldest, chunks: seen.size, bytes, expiresAt, rootExpiresAt };
}

async function checkChunks(source: ReleaseSource, manifest: Manifest, seen: Map<string, number>): Promise<void> {
  for (const chunk of manifest.chunks) {
    const [sha256, storedBytes] = chunk;
    if (seen.has(sha256)) continue;
    await readChunk(source, manifest, chunk);
    seen.set(sha256, storedBytes);
  }
}
