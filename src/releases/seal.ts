import type { KeyObject } from "node:crypto";
import { createPublicKey } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { refuseUnlessValid } from "../store/file/file.ts";
import { holdLock } from "../store/file/lock.ts";
import { MarketImage } from "../store/file/market-image.ts";
import { StoreRefusal } from "../store/file/refusal.ts";
import { atOnce } from "../values/at-once.ts";
import { hourMs } from "../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../values/time/clock.ts";
import { compressChunk, decompressChunk } from "./chunk.ts";
import { chunkName, latestName, manifestName, ReleaseFolder } from "./folder.ts";
import {
  type Chunk,
  describeImage,
  type Manifest,
  placeOf,
  readManifest,
  type SignedManifest,
  sha256Of,
  signManifest,
} from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import { ReleaseState } from "./state.ts";

/** Releases to keep: the newest `count`, and all younger than `hours`. */
export type Retention = { count: number; hours: number };

/**
 * The order to seal a release. `takeOver` also continues the folder of another file. With `ownNodes` providers that may not be passed on
 * are sealed, and the manifest names them.
 */
type SealOrder = {
  /** True if the caller has already checked the file's pages. */
  isChecked?: boolean;
  databasePath: string;
  folder: string;
  key: KeyObject;
  retention: Retention;
  takeOver?: boolean;
  ownNodes?: boolean;
};

const compressedAtOnce = 4;

type SealParts = { clock: Clock; newLineage: () => string; signal: AbortSignal };

/** The result of sealing. `isNew` is false if the market equals the newest release. Bytes are the written ones. */
export type Sealed = {
  isNew: boolean;
  number: number;
  generation: string | null;
  chunks: number;
  newChunks: number;
  newBytes: number;
  manifestBytes: number;
  /** Compressed bytes of the whole release. */
  bytes: number;
  pruned: number;
  /** Providers whose terms do not say whether their prices may be passed on. */
  unknownTerms: readonly string[];
};

type SealedRelease = Omit<Sealed, "unknownTerms">;

/** Returns the path of the file that records the release folders of the database at `path`. */
export function sealedStatePath(path: string): string {
  return `${path}-releases.json`;
}

/**
 * Seals the market tables of a database file into a release folder. Concurrent readers see the last complete release, even if this fails or
 * is killed.
 * @throws {ReleaseRefusal} when the folder belongs to another publisher, is older than the last sealed release, or has a damaged newest
 * manifest, or when a provider may not be passed on.
 * @throws {StoreRefusal} when the file cannot be read, another process is sealing it, or the disk is full.
 */
export async function sealRelease(order: SealOrder, parts: SealParts): Promise<Sealed> {
  const { databasePath, key } = order;
  if (order.isChecked !== true) refuseUnlessValid(databasePath, { trustsCleanStop: true });
  const lock = holdLock(databasePath, "release");
  try {
    const folder = new ReleaseFolder(order.folder);
    const state = new ReleaseState(sealedStatePath(databasePath));
    const head = readHead(folder, state, createPublicKey(key));
    refuseOthers(order, state, head);
    const image = await MarketImage.copy(databasePath, parts.signal);
    const { notAllowed, unknown } = image.facts.terms;
    try {
      if (order.ownNodes !== true) refuseUnlessAllowed(notAllowed);
      return { ...(await sealImage(image, { order, parts, folder, state, head })), unknownTerms: unknown };
    } finally {
      image.close();
    }
  } catch (error) {
    throw StoreRefusal.from(order.folder, error);
  } finally {
    lock.release();
  }
}

type Sealing = {
  order: SealOrder;
  parts: SealParts;
  folder: ReleaseFolder;
  state: ReleaseState;
  head: SignedManifest | null;
};

/**
 * Rejects providers that may not be passed on.
 * @throws {ReleaseRefusal} `not_allowed`; it names them.
 */
export function refuseUnlessAllowed(notAllowed: readonly string[]): void {
  if (notAllowed.length === 0) return;
  throw new ReleaseRefusal("not_allowed", `the prices of ${notAllowed.join(", ")} may not be passed on by their terms`);
}

async function sealImage(image: MarketImage, sealing: Sealing): Promise<SealedRelease> {
  const { order, parts, folder, state, head } = sealing;
  const added = new Map<string, number>();
  try {
    const chunks = await putChunks(image, sealing, added);
    const manifest: Manifest = {
      itemtape_release: 1,
      lineage: head?.manifest.lineage ?? parts.newLineage(),
      number: (head?.manifest.number ?? 0) + 1,
      sealed_at: toTimestamp(parts.clock.now()),
      previous: head?.sha256 ?? null,
      ...describeImage(image),
      chunks,
    };
    if (head !== null && isSameMarket(manifest, head.manifest)) {
      await completeHead(folder, state, head);
      return summaryOf(head, false, added, await prune(folder, order, parts, head));
    }
    const folders = new Set([...added.keys()].map((name) => name.slice(0, "chunks/00".length)));
    await folder.sync([...folders, "chunks"]);
    const signed = signManifest(manifest, order.key);
    await publish(folder, state, head, signed);
    return summaryOf(signed, true, added, await prune(folder, order, parts, signed));
  } catch (error) {
    if (head !== null) removeUnnamed(folder, head, added);
    throw error;
  }
}

/**
 * Writes the chunks that the newest release lacks, and records them in `added` with their sizes. Returns all chunks. Each run also rereads
 * and hashes a sixteenth of the old chunks, because a flipped bit does not change the file size.
 */
function putChunks(
  image: MarketImage,
  { folder, head, parts }: Sealing,
  added: Map<string, number>,
): Promise<Manifest["chunks"]> {
  const known = storedBytesOf(head?.manifest.chunks ?? []);
  const hashed = ((head?.manifest.number ?? 0) % 16).toString(16);
  // Chunks with the same bytes share one file name.
  const running = new Map<string, Promise<number>>();
  return atOnce(compressedAtOnce, image.chunks(), async (numbers): Promise<Chunk> => {
    // Aborts are noticed between two chunks.
    await setImmediate();
    parts.signal.throwIfAborted();
    const bytes = image.read(numbers);
    const place = placeOf(numbers.map((number) => number - 1));
    const sha256 = sha256Of(bytes);
    const name = chunkName(sha256);
    const before = folder.bytesOf(name);
    const trusted = sha256.startsWith(hashed) ? undefined : known.get(sha256);
    const stored = added.get(name) ?? trusted ?? storedBytes(folder, sha256);
    if (stored !== null && before === stored) return [sha256, stored, ...place];
    const putting = running.get(name) ?? putChunk(folder, name, bytes);
    running.set(name, putting);
    added.set(name, await putting);
    return [sha256, await putting, ...place];
  });
}

async function putChunk(folder: ReleaseFolder, name: string, bytes: Buffer): Promise<number> {
  const compressed = await compressChunk(bytes);
  await folder.put(name, compressed);
  return compressed.length;
}

/** Returns the stored bytes of an existing chunk. Null if it is missing or damaged. */
function storedBytes(folder: ReleaseFolder, sha256: string): number | null {
  const compressed = folder.content(chunkName(sha256));
  return compressed !== null && decompressChunk(compressed, sha256) !== null ? compressed.length : null;
}

/** Adds the numbered manifest before `latest`. If two publishers seal the same number, the second one fails. */
async function publish(
  folder: ReleaseFolder,
  state: ReleaseState,
  head: SignedManifest | null,
  signed: SignedManifest,
): Promise<void> {
  const { lineage, number } = signed.manifest;
  const before = { number: head?.manifest.number ?? 0, sha256: head?.sha256 ?? "" };
  state.set(lineage, { ...before, next: signed.sha256 });
  if (!folder.add(manifestName(number), signed.text)) {
    throw new ReleaseRefusal("other_publisher", `release ${number} was sealed by another process meanwhile`);
  }
  await folder.sync(["manifests"]);
  await completeHead(folder, state, signed);
}

/** Makes `head` the newest release for all readers. This also repairs a publication that was killed before this step. */
async function completeHead(folder: ReleaseFolder, state: ReleaseState, head: SignedManifest): Promise<void> {
  if (folder.text(latestName) !== head.text) {
    await folder.put(latestName, head.text);
    await folder.sync([""]);
  }
  const { lineage, number } = head.manifest;
  const known = state.get(lineage);
  if (known?.sha256 !== head.sha256 || known.next !== null) {
    state.set(lineage, { number, sha256: head.sha256, next: null });
  }
}

/**
 * Returns the manifest with the highest number, because `latest` may be one behind. Null if the folder is new. Skips an invalid manifest
 * with a number that this publisher has not reached.
 */
function readHead(folder: ReleaseFolder, state: ReleaseState, trusted: KeyObject): SignedManifest | null {
  const reached = 1 + Math.max(0, ...state.lineages().map((lineage) => state.get(lineage)!.number));
  for (const number of folder.numbers().reverse()) {
    try {
      return readNumbered(folder, number, trusted);
    } catch (error) {
      if (!(error instanceof ReleaseRefusal) || error.kind !== "spoilt") throw error;
      if (number <= reached || reached === 1) throw error;
    }
  }
  if (folder.text(latestName) !== null) throw new ReleaseRefusal("spoilt", `${folder.path} has no manifests`);
  return null;
}

function readNumbered(folder: ReleaseFolder, number: number, trusted: KeyObject): SignedManifest {
  const path = `${folder.path}/${manifestName(number)}`;
  try {
    const signed = readManifest(folder.text(manifestName(number)) ?? "", path, trusted);
    if (signed.manifest.number === number) return signed;
  } catch (error) {
    if (!(error instanceof ReleaseRefusal) || error.kind !== "torn") throw error;
  }
  throw new ReleaseRefusal("spoilt", `${path} is not the manifest of release ${number}`);
}

/** A folder belongs to the file that sealed it last. The newest release must be the file's last sealed release, or the release that it was about to seal. */
function refuseOthers({ folder, takeOver = false }: SealOrder, state: ReleaseState, head: SignedManifest | null): void {
  if (head === null) return;
  const { lineage, number } = head.manifest;
  const known = state.get(lineage);
  if (known !== null && known.number > number) {
    const went = `${folder} returned to release ${number}, and ${known.number} was sealed: its readers would refuse another`;
    throw new ReleaseRefusal("restored", went);
  }
  if (known !== null && (known.sha256 === head.sha256 || known.next === head.sha256)) return;
  if (takeOver) return;
  throw new ReleaseRefusal("other_publisher", `release ${number} in ${folder} was not sealed from this file`);
}

function isSameMarket(one: Manifest, other: Manifest): boolean {
  const facts = ({ schema, generation, checked_at, bytes, chunks }: Manifest) =>
    JSON.stringify([schema, generation, checked_at, bytes, chunks.map(([sha256, , ...place]) => [sha256, place])]);
  return facts(one) === facts(other);
}

/** Removes releases that exceed both the count and the age, and unreferenced chunks. Returns the number of removed releases. */
async function prune(
  folder: ReleaseFolder,
  { retention, key }: SealOrder,
  { clock }: SealParts,
  head: SignedManifest,
): Promise<number> {
  const trusted = createPublicKey(key);
  const numbers = folder.numbers().reverse();
  const oldestAt = clock.now() - retention.hours * hourMs;
  const kept = new Set<string>();
  let pruned = 0;
  numbers.forEach((number, index) => {
    const name = manifestName(number);
    const manifest = number === head.manifest.number ? head.manifest : manifestIn(folder, number, trusted);
    const isOld = index >= retention.count && Date.parse(manifest?.sealed_at ?? "") < oldestAt;
    if (manifest === null || (isOld && number < head.manifest.number)) {
      folder.remove(name);
      pruned += 1;
    } else for (const [sha256] of manifest.chunks) kept.add(chunkName(sha256));
  });
  if (pruned > 0) await folder.sync(["manifests"]);
  folder.removeOtherChunks(kept);
  return pruned;
}

/** Returns an older manifest. Null if it is damaged, so that its release is unusable. */
function manifestIn(folder: ReleaseFolder, number: number, trusted: KeyObject): Manifest | null {
  try {
    return readNumbered(folder, number, trusted).manifest;
  } catch {
    return null;
  }
}

/** Frees the space of a failed seal: removes its new chunks, unless a manifest may name them. */
function removeUnnamed(folder: ReleaseFolder, head: SignedManifest, added: ReadonlyMap<string, number>): void {
  const named = new Set(head.manifest.chunks.map(([sha256]) => chunkName(sha256)));
  if (folder.numbers().at(-1) !== head.manifest.number) return;
  for (const name of added.keys()) if (!named.has(name)) folder.remove(name);
}

function storedBytesOf(chunks: readonly Chunk[]): Map<string, number> {
  return new Map(chunks.map(([sha256, bytes]) => [sha256, bytes]));
}

function summaryOf(
  { manifest, text }: SignedManifest,
  isNew: boolean,
  added: ReadonlyMap<string, number>,
  pruned: number,
): SealedRelease {
  const sum = (bytes: Iterable<number>) => [...bytes].reduce((total, one) => total + one, 0);
  return {
    isNew,
    number: manifest.number,
    generation: manifest.generation?.generation ?? null,
    chunks: manifest.chunks.length,
    newChunks: added.size,
    newBytes: sum(added.values()),
    manifestBytes: Buffer.byteLength(text),
    bytes: sum(storedBytesOf(manifest.chunks).values()),
    pruned,
  };
}
