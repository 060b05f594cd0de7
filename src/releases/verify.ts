import type { KeyObject } from "node:crypto";
import { decompressChunk } from "./chunk.ts";
import { chunkName, latestName, manifestName } from "./folder.ts";
import { type Chunk, type Manifest, manifestBytesMax, pagesOf, readManifest, type SignedManifest } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import type { ReleaseSource } from "./source.ts";
import type { KnownRelease } from "./state.ts";

/**
 * Reads the newest manifest and verifies its signature.
 * @throws {ReleaseRefusal} when it is missing, incomplete, or not signed by `trusted`.
 */
export async function readLatest(source: ReleaseSource, trusted: KeyObject): Promise<SignedManifest> {
  const bytes = await source.read(latestName, manifestBytesMax);
  if (bytes === null) throw new ReleaseRefusal("missing", `${source.name} has no ${latestName}`);
  return readManifest(bytes.toString(), `${source.name}: ${latestName}`, trusted);
}

/**
 * Reads the manifests before `latest`, newest first, as far back as the folder has them. Verifies signatures, numbers and the chain.
 * @throws {ReleaseRefusal} when a manifest does not match its successor.
 */
export async function* readChain(
  source: ReleaseSource,
  latest: SignedManifest,
  trusted: KeyObject,
): AsyncGenerator<SignedManifest> {
  for (let { manifest } = latest; manifest.previous !== null; ) {
    const name = manifestName(manifest.number - 1);
    const bytes = await source.read(name, manifestBytesMax);
    if (bytes === null) return;
    const before = readManifest(bytes.toString(), `${source.name}: ${name}`, trusted);
    const isNext = before.manifest.number === manifest.number - 1 && before.manifest.lineage === manifest.lineage;
    if (!isNext || before.sha256 !== manifest.previous) {
      throw new ReleaseRefusal("fork", `release ${manifest.number} does not name ${name} as its predecessor`);
    }
    yield before;
    manifest = before.manifest;
  }
}

/**
 * Rejects a release that is neither the `known` one nor a successor of it. Returns false if the folder lacks the releases in between, so
 * that the chain is unverified.
 * @throws {ReleaseRefusal} `rollback` or `fork`.
 */
export async function refuseUnlessNewer(
  source: ReleaseSource,
  latest: SignedManifest,
  known: KnownRelease,
  trusted: KeyObject,
): Promise<boolean> {
  const { number } = latest.manifest;
  if (number < known.number) {
    throw new ReleaseRefusal(
      "rollback",
      `${source.name} has release ${number}, but ${known.number} was fetched before`,
    );
  }
  if (number === known.number) {
    if (latest.sha256 === known.sha256) return true;
    throw new ReleaseRefusal("fork", `release ${number} differs from the fetched release of this number`);
  }
  let oldest = latest;
  for await (const before of readChain(source, latest, trusted)) {
    oldest = before;
    if (before.manifest.number <= known.number) break;
  }
  const isReached = oldest.manifest.number - 1 <= known.number;
  if (!isReached) return false;
  const sha256 = oldest.manifest.number === known.number ? oldest.sha256 : oldest.manifest.previous;
  if (sha256 === known.sha256) return true;
  throw new ReleaseRefusal("fork", `release ${number} does not follow release ${known.number} that was fetched`);
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
export type Checked = { latest: Manifest; oldest: number; chunks: number; bytes: number };

/**
 * Reads and verifies a whole release folder: each signature, the chain, and each named chunk.
 * @throws {ReleaseRefusal} at the first error.
 */
export async function checkReleases(source: ReleaseSource, trusted: KeyObject): Promise<Checked> {
  const latest = await readLatest(source, trusted);
  const seen = new Map<string, number>();
  await checkChunks(source, latest.manifest, seen);
  let oldest = latest.manifest.number;
  for await (const { manifest } of readChain(source, latest, trusted)) {
    try {
      await checkChunks(source, manifest, seen);
    } catch (error) {
      // The publisher may have removed the chunk meanwhile; it removes the manifest first.
      const isMissing = error instanceof ReleaseRefusal && error.kind === "missing";
      if (isMissing && (await source.read(manifestName(manifest.number), manifestBytesMax)) === null) break;
      throw error;
    }
    oldest = manifest.number;
  }
  const bytes = [...seen.values()].reduce((sum, one) => sum + one, 0);
  return { latest: latest.manifest, oldest, chunks: seen.size, bytes };
}

async function checkChunks(source: ReleaseSource, manifest: Manifest, seen: Map<string, number>): Promise<void> {
  for (const chunk of manifest.chunks) {
    const [sha256, storedBytes] = chunk;
    if (seen.has(sha256)) continue;
    await readChunk(source, manifest, chunk);
    seen.set(sha256, storedBytes);
  }
}
