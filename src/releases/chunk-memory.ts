import { createHash } from "node:crypto";
import { refuseUnlessRegularFile } from "../store/file/refusal.ts";
import { contentOf, replaceWhole } from "./folder.ts";
import type { Chunk, ManifestFile } from "./manifest.ts";

/** Change it when equal raw pages become another chunk: all chunks are then made anew. */
const format = "itemtape-chunks-1";
const digestBytes = 16;

type Place = readonly [window: number, bits: number];

/**
 * Digests of the raw pages behind each chunk of the last sealed release, in a file beside the database. They are in the sequence of its
 * manifest. If the file is missing, damaged or of another manifest, no chunk is known.
 */
export class ChunkMemory {
  readonly #path: string;
  readonly #old: ReadonlyMap<string, Chunk>;
  readonly #stored: Buffer;
  readonly #digests = new Map<string, Buffer>();

  /**
   * Reads the digests of the release `head`. Pass null for a folder without a release.
   * @throws {StoreRefusal} when a folder has the path.
   */
  constructor(path: string, head: ManifestFile | null) {
    this.#path = path;
    refuseUnlessRegularFile(path, "unwritable");
    this.#stored = contentOf(path) ?? Buffer.alloc(0);
    this.#old = head === null ? new Map() : knownIn(this.#stored, head);
  }

  /**
   * Adds a chunk of the next release. `ways` comes from `MarketImage.waysOf`. Returns the chunk of the last release if it has the same,
   * unchanged pages, else null.
   */
  add(place: Place, raw: Buffer, ways: Uint16Array | null): Chunk | null {
    if (ways === null) return null;
    const digest = createHash("sha256").update(raw).update(ways).digest().subarray(0, digestBytes);
    this.#digests.set(`${place}`, digest);
    return this.#old.get(keyOf(place, digest)) ?? null;
  }

  /** Writes the digests of the added chunks as the chunks of a new manifest. */
  write({ manifest, sha256 }: ManifestFile): void {
    const none = Buffer.alloc(digestBytes);
    const digests = manifest.chunks.map(([, , ...place]) => this.#digests.get(`${place}`) ?? none);
    const content = Buffer.concat([headerOf(sha256), ...digests]);
    if (!content.equals(this.#stored)) replaceWhole(this.#path, content);
  }
}

function knownIn(stored: Buffer, { manifest, sha256 }: ManifestFile): Map<string, Chunk> {
  const header = headerOf(sha256);
  if (!stored.subarray(0, header.length).equals(header)) return new Map();
  return new Map(
    manifest.chunks.map((chunk, index) => {
      const at = header.length + index * digestBytes;
      const [, , ...place] = chunk;
      return [keyOf(place, stored.subarray(at, at + digestBytes)), chunk];
    }),
  );
}

function keyOf(place: Place, digest: Buffer): string {
  return `${place} ${digest.toString("latin1")}`;
}

function headerOf(sha256: string): Buffer {
  return Buffer.from(`${format} ${sha256}\n`);
}
