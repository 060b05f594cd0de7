import type { KeyObject } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { refuseUnlessValid } from "../store/file/file.ts";
import { holdLock } from "../store/file/lock.ts";
import { MarketImage, windowPages } from "../store/file/market-image.ts";
import { StoreRefusal } from "../store/file/refusal.ts";
import { atOnce } from "../values/at-once.ts";
import type { Expiries } from "../values/release-status.ts";
import { hourMs } from "../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../values/time/clock.ts";
import { ChunkSpool, compressChunk, decompressChunk } from "./chunk.ts";
import { ChunkMemory } from "./chunk-memory.ts";
import { chunkName, manifestName, ReleaseFolder } from "./folder.ts";
import {
  type Chunk,
  describeImage,
  type Manifest,
  type ManifestFile,
  manifestFileOf,
  placeOf,
  readManifest,
  sha256Of,
} from "./manifest.ts";
import { namedManifest, refuseOtherKey, signTargets } from "./metadata.ts";
import { ReleaseRefusal } from "./refusal.ts";
import { ReleaseState } from "./state.ts";

/** Releases to keep: the newest `count`, and all younger than `hours`. */
export type Retention = { count: number; hours: number };

/**
 * The order to seal a release. `takeOver` also continues the folder of another file. With `ownNodes` providers that may not be passed on
 * are sealed, and the manifest names them. `signsOnly` renews the signatures of the newest release if they are due.
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
  signsOnly?: boolean;
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
} & Expiries;

type SealedRelease = Omit<Sealed, "unknownTerms">;

/** Returns the path of the file that records the release folders of the database at `path`. */
export function sealedStatePath(path: string): string {
  return `${path}-releases.json`;
}

/** Time after which a publisher without a change signs again, ms. */
export const signEveryMs = hourMs;

/**
 * Seals the market tables of a database file into a release folder. Concurrent readers see the last complete release, even if this fails or
 * is killed.
 * @throws {ReleaseRefusal} when the folder belongs to another publisher, its root names another key, or a provider may not be passed on.
 * @throws {OperatorError} when the folder has no root.
 * @throws {StoreRefusal} when the file cannot be read, another process is sealing it, or the disk is full.
 */
export async function sealRelease(order: SealOrder, parts: SealParts): Promise<Sealed> {
  const { databasePath, key } = order;
  if (order.isChecked !== true) refuseUnlessValid(databasePath, { trustsCleanStop: true });
  const lock = holdLock(databasePath, "release");
  try {
    const folder = new ReleaseFolder(order.folder);
    const state = new ReleaseState(sealedStatePath(databasePath));
    refuseOtherKey(folder, key);
    const head = readHead(folder, state);
    refuseOthers(order, state, head);
    // A folder that went back may name a release of another process, which is not signed again.
    if (order.signsOnly === true && head !== null && isOwn(state, head)) {
      const expiries = await signHead(folder, head, order, parts);
      return { ...summaryOf(head, false, new Map()), pruned: 0, unknownTerms: [], ...expiries };
    }
    const image = MarketImage.open(databasePath);
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
  head: ManifestFile | null;
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
  let isPublished = false;
  try {
    const memory = new ChunkMemory(`${order.databasePath}-releases.chunks`, head);
    const chunks = await putChunks(image, memory, sealing, added);
    const manifest: Manifest = {
      itemtape_release: 1,
      lineage: head?.manifest.lineage ?? parts.newLineage(),
      number: 1 + Math.max(head?.manifest.number ?? 0, ...state.all().map(({ number }) => number)),
      sealed_at: toTimestamp(parts.clock.now()),
      previous: head?.sha256 ?? null,
      ...describeImage(image),
      chunks,
    };
    const isSame = head !== null && isOwn(state, head) && isSameMarket(manifest, head.manifest);
    const newest = isSame ? head : manifestFileOf(manifest);
    if (!isSame) {
      const folders = new Set([...added.keys()].map((name) => name.slice(0, "chunks/00".length)));
      await folder.sync([...folders, "chunks"]);
      isPublished = true;
      await publish(folder, state, head, newest);
    }
    const expiries = await signHead(folder, newest, order, parts);
    const { lineage, number } = newest.manifest;
    const known = state.get(lineage);
    if (known?.sha256 !== newest.sha256 || known.next !== null)
      state.set(lineage, { number, sha256: newest.sha256, next: null });
    memory.write(newest);
    return { ...summaryOf(newest, !isSame, added), pruned: prune(folder, order, parts, newest), ...expiries };
  } catch (error) {
    if (head !== null && !isPublished) removeUnnamed(folder, head, added);
    throw error;
  }
}

/** Signs the metadata that make `head` the newest release for all readers. */
function signHead(
  folder: ReleaseFolder,
  head: ManifestFile,
  { key }: SealOrder,
  { clock }: SealParts,
): Promise<Expiries> {
  const named = { sha256: head.sha256, bytes: Buffer.byteLength(head.text) };
  return signTargets(folder, named, { key, now: clock.now() });
}

/**
 * Writes the chunks that the newest release lacks, and records them in `added` with their sizes. Returns all chunks. Closes the image
 * before: compression and flushes may need minutes, and a snapshot lets the write-ahead log grow.
 */
async function putChunks(
  image: MarketImage,
  memory: ChunkMemory,
  sealing: Sealing,
  added: Map<string, number>,
): Promise<Manifest["chunks"]> {
  const { folder, order, parts } = sealing;
  const spool = new ChunkSpool(order.databasePath);
  try {
    const chunks = await findChunks(image, memory, sealing, spool).catch((error: unknown) => {
      throw StoreRefusal.from(order.databasePath, error);
    });
    image.close();
    await atOnce(compressedAtOnce, spool.names(), async (sha256) => {
      parts.signal.throwIfAborted();
      const compressed = await compressChunk(spool.read(sha256));
      await folder.put(chunkName(sha256), compressed);
      added.set(chunkName(sha256), compressed.length);
    });
    return chunks.map(([sha256, stored, ...place]) => [sha256, added.get(chunkName(sha256)) ?? stored, ...place]);
  } finally {
    spool.close();
  }
}

/**
 * Returns all chunks of the image, and adds the missing ones to `spool`, with 0 stored bytes. A chunk without changed pages stays. Each run
 * makes a sixteenth of them again, and rereads their files: a flipped bit does not change the file size.
 */
async function findChunks(
  image: MarketImage,
  memory: ChunkMemory,
  { folder, head, parts }: Sealing,
  spool: ChunkSpool,
): Promise<Chunk[]> {
  const known = storedBytesOf(head?.manifest.chunks ?? []);
  const hashed = ((head?.manifest.number ?? 0) % 16).toString(16);
  const room = Buffer.alloc(windowPages * image.pageBytes);
  const chunks: Chunk[] = [];
  for (const numbers of image.chunks()) {
    // Aborts are noticed between two chunks.
    await setImmediate();
    parts.signal.throwIfAborted();
    const raw = image.readRaw(numbers, room);
    const place = placeOf(numbers.map((number) => number - 1));
    const same = memory.add(place, raw, image.waysOf(numbers));
    if (same !== null && !same[0].startsWith(hashed) && isStored(folder, same)) {
      chunks.push(same);
      continue;
    }
    const bytes = image.clean(numbers, raw);
    const sha256 = sha256Of(bytes);
    const trusted = sha256.startsWith(hashed) ? undefined : known.get(sha256);
    const stored = spool.has(sha256) ? 0 : (trusted ?? storedBytes(folder, sha256));
    const chunk: Chunk = [sha256, stored, ...place];
    if (!isStored(folder, chunk)) spool.add(sha256, bytes);
    chunks.push(chunk);
  }
  return chunks;
}

function isStored(folder: ReleaseFolder, [sha256, storedBytes]: Chunk): boolean {
  return storedBytes > 0 && folder.bytesOf(chunkName(sha256)) === storedBytes;
}

/** Returns the stored bytes of an existing chunk. 0 if it is missing or damaged. */
function storedBytes(folder: ReleaseFolder, sha256: string): number {
  const compressed = folder.content(chunkName(sha256));
  return compressed !== null && decompressChunk(compressed, sha256) !== null ? compressed.length : 0;
}

/** Adds the manifest and records it, before the signed metadata name it. */
async function publish(
  folder: ReleaseFolder,
  state: ReleaseState,
  head: ManifestFile | null,
  next: ManifestFile,
): Promise<void> {
  const before = { number: head?.manifest.number ?? 0, sha256: head?.sha256 ?? "" };
  state.set(next.manifest.lineage, { ...before, next: next.sha256 });
  await folder.put(manifestName(next.sha256), next.text);
  await folder.sync(["manifests"]);
}

/**
 * Returns the manifest that the signed metadata name. After a change of the online key no metadata are in force: then the newest manifest
 * that this file has sealed. Null if the folder is new or its newest manifest is damaged.
 */
function readHead(folder: ReleaseFolder, state: ReleaseState): ManifestFile | null {
  const named = namedManifest(folder);
  if (named !== null) return manifestIn(folder, named);
  const own = state.all().flatMap(({ sha256, next }) => [manifestIn(folder, next ?? ""), manifestIn(folder, sha256)]);
  const found = own.filter((one) => one !== null);
  return found.sort((one, other) => other.manifest.number - one.manifest.number)[0] ?? null;
}

/** A folder belongs to the file that sealed it last. The newest release must be the file's last sealed release, or the release that it was about to seal. */
function refuseOthers(
  { folder, takeOver = false }: Pick<SealOrder, "folder" | "takeOver">,
  state: ReleaseState,
  head: ManifestFile | null,
): void {
  if (head === null) return;
  const { lineage, number } = head.manifest;
  // A folder that was restored from a copy continues: the versions of the metadata grow with the clock.
  if (takeOver || isOwn(state, head) || (state.get(lineage)?.number ?? 0) > number) return;
  throw new ReleaseRefusal("other_publisher", `release ${number} in ${folder} was not sealed from this file`);
}

/**
 * Compares a folder with the releases that the file at `databasePath` has sealed.
 * @throws {ReleaseRefusal} `other_publisher` when another file has sealed the newest release.
 */
export function refuseOtherPublisher(databasePath: string, folder: ReleaseFolder): void {
  const state = new ReleaseState(sealedStatePath(databasePath));
  refuseOthers({ folder: folder.path }, state, readHead(folder, state));
}

/** Returns whether this file has sealed a manifest last, or was about to. */
function isOwn(state: ReleaseState, { manifest, sha256 }: ManifestFile): boolean {
  const known = state.get(manifest.lineage);
  return known !== null && (known.sha256 === sha256 || known.next === sha256);
}

function isSameMarket(one: Manifest, other: Manifest): boolean {
  const facts = ({ schema, generation, checked_at, bytes, chunks }: Manifest) =>
    JSON.stringify([schema, generation, checked_at, bytes, chunks.map(([sha256, , ...place]) => [sha256, place])]);
  return facts(one) === facts(other);
}

/** Removes releases that exceed both the count and the age, and unreferenced files. Returns the number of removed releases. */
function prune(folder: ReleaseFolder, { retention }: SealOrder, { clock }: SealParts, head: ManifestFile): number {
  const oldestAt = clock.now() - retention.hours * hourMs;
  const kept = new Set<string>();
  let one: ManifestFile | null = head;
  for (let count = 0; one !== null; count += 1) {
    const { previous, chunks, sealed_at }: Manifest = one.manifest;
    if (count > 0 && count >= retention.count && Date.parse(sealed_at) < oldestAt) break;
    kept.add(manifestName(one.sha256));
    for (const [sha256] of chunks) kept.add(chunkName(sha256));
    one = previous === null ? null : manifestIn(folder, previous);
  }
  return folder.removeOthers(kept);
}

/** Returns the manifest with this SHA-256. Null if it is missing or damaged, so that its release is unusable. */
function manifestIn(folder: ReleaseFolder, sha256: string): ManifestFile | null {
  const name = manifestName(sha256);
  const bytes = folder.content(name);
  try {
    return bytes === null ? null : readManifest(bytes, name, sha256);
  } catch (error) {
    if (error instanceof ReleaseRefusal) return null;
    throw error;
  }
}

/** Frees the space of a failed seal: removes its new chunks, which no manifest names. */
function removeUnnamed(folder: ReleaseFolder, head: ManifestFile, added: ReadonlyMap<string, number>): void {
  const named = new Set(head.manifest.chunks.map(([sha256]) => chunkName(sha256)));
  for (const name of added.keys()) if (!named.has(name)) folder.remove(name);
}

function storedBytesOf(chunks: readonly Chunk[]): Map<string, number> {
  return new Map(chunks.map(([sha256, bytes]) => [sha256, bytes]));
}

function summaryOf({ manifest, text }: ManifestFile, isNew: boolean, added: ReadonlyMap<string, number>) {
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
  };
}
