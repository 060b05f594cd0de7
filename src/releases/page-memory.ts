import { hash } from "node:crypto";
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";

/** Change it when equal raw pages become other pages of an image: all pages are then read anew. */
const format = "itemtape-pages-1";
const sha256Bytes = 32;
/** Entries begin at the second block of the file. Only changed blocks are written. */
const blockBytes = 4096;
/** An entry is the way of the page in 2 bytes, and the start of the SHA-256 of its raw bytes. */
const entryBytes = 16;

/**
 * Digests of the raw pages of the last sealed image, in a file beside the database. They belong to one manifest. If the file is missing,
 * damaged or of another manifest, no page is known.
 */
export class PageMemory {
  readonly #path: string;
  readonly #manifest: string | null;
  readonly #old: Buffer;
  readonly #new: Buffer;

  /** Reads the digests of the image of `manifest`, a SHA-256, or none. `pages` is the number of pages of the next image. */
  constructor(path: string, manifest: string | null, pages: number) {
    this.#path = path;
    const stored = contentOf(path);
    const isOf = manifest !== null && stored.subarray(0, blockBytes).equals(headerOf(manifest));
    this.#manifest = isOf ? manifest : null;
    this.#old = isOf ? stored.subarray(blockBytes) : Buffer.alloc(0);
    this.#new = Buffer.alloc(pages * entryBytes);
  }

  /** Adds page `number` (from 1) with its raw bytes. `way` 0 is never known. Returns whether the last image has the same page. */
  add(number: number, page: Buffer, way: number): boolean {
    if (way === 0) return false;
    const at = (number - 1) * entryBytes;
    this.#new.writeUInt16LE(way, at);
    hash("sha256", page, "buffer").copy(this.#new, at + 2, 0, entryBytes - 2);
    return this.#new.subarray(at, at + entryBytes).equals(this.#old.subarray(at, at + entryBytes));
  }

  /** Writes the added pages as the pages of `manifest`, which must be on the disk. A crash meanwhile leaves no digest. */
  write(manifest: string): void {
    const blocks: number[] = [];
    for (let at = 0; at < this.#new.length; at += blockBytes)
      if (!this.#blockOf(this.#new, at).equals(this.#blockOf(this.#old, at))) blocks.push(at);
    if (blocks.length === 0 && manifest === this.#manifest && this.#old.length === this.#new.length) return;
    const file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      writeSync(file, Buffer.alloc(sha256Bytes), 0, sha256Bytes, 0);
      fsyncSync(file);
      for (const at of blocks) writeSync(file, this.#blockOf(this.#new, at), 0, null, blockBytes + at);
      ftruncateSync(file, blockBytes + this.#new.length);
      fsyncSync(file);
      writeSync(file, headerOf(manifest), 0, blockBytes, 0);
    } finally {
      closeSync(file);
    }
  }

  #blockOf(entries: Buffer, at: number): Buffer {
    return entries.subarray(at, at + blockBytes);
  }
}

function headerOf(manifest: string): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(`${format} ${manifest}`);
  return header;
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
