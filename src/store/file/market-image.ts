import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type SqliteDatabase from "better-sqlite3";
import { marketTables, tableKinds } from "../../../db/schema/kinds.ts";
import { runsOf } from "../../values/runs.ts";
import {
  emptyRoot,
  fileHeaderBytes,
  trunkLeavesMax,
  trunkPage,
  zeroAfterOverflow,
  zeroDeadBytes,
} from "../codec/live-page.ts";
import { type TermsSummary, termsSummary } from "../write/provider-terms.ts";
import { removeFile } from "./file.ts";
import { StoreRefusal } from "./refusal.ts";
import { SnapshotPages } from "./snapshot-pages.ts";

/**
 * The published generation of an image. Instants are UTC ms. Digests are hexadecimal SHA-256; `delistedDigest` is null if an earlier
 * release published it.
 */
type ImageGeneration = {
  generationId: number;
  ingestedAt: number;
  items: number;
  digest: string;
  delistedDigest: string | null;
};

/**
 * Facts about an image. `generation` is null if nothing is published. `checkedAt` is when any feed was last verified, UTC ms, or null if
 * none was.
 */
export type ImageFacts = {
  schemaVersion: number;
  generation: ImageGeneration | null;
  checkedAt: number | null;
  terms: TermsSummary;
};

/** Offsets in the file header, from the documentation of SQLite's file format. */
const header = {
  versions: 18,
  reserved: 20,
  changes: 24,
  pages: 28,
  firstTrunk: 32,
  freePages: 36,
  schemaVersion: 40,
  largestRoot: 52,
  pagesValidFor: 92,
} as const;
/** SQLite leaves the page with this byte unused. */
const pendingByte = 2 ** 30;
/** Tables that remain in a release. `sqlite_sequence` has only their rows. */
const keptTables: ReadonlySet<string> = new Set([
  ...tableKinds.market,
  "__drizzle_migrations",
  "sqlite_schema",
  "sqlite_sequence",
]);

/** Maximum span of page numbers in one chunk. Chunk boundaries do not depend on the number of pages. */
export const windowPages = 32;
/**
 * Group of each table, by its cause of change. Tables of one group share chunks. Tables of the file itself belong to the first group, which
 * each publication changes.
 */
const paceOf: ReadonlyMap<string, number> = new Map(
  Object.values(marketTables).flatMap((tables, pace) => Object.keys(tables).map((table) => [table, pace] as const)),
);

/** Uses of a page by the image: not at all, rows or overflow of a kept table, an emptied root of another table, or a list of free pages. */
const uses = { none: 0, rows: 1, overflow: 2, emptied: 3, trunk: 4 } as const;

/**
 * The market part of a snapshot of a database file, as a file of its own. It contains only headers and live rows of market tables. All
 * other bytes are zero, so that it has no private or deleted row. Pages keep their numbers, so that a page with unchanged rows is identical
 * in every image.
 */
export class MarketImage {
  readonly pageBytes: number;
  /** Pages of the image, without free ones at the end. */
  readonly pages: number;
  readonly facts: ImageFacts;
  readonly #snapshot: SnapshotPages;
  /** By page number: its use, its table's group in `marketTables`, and the content bytes of an overflow page. */
  readonly #uses: Uint8Array;
  readonly #paces: Uint8Array;
  readonly #payloads: Uint16Array;
  /** Trunk pages of the list of free pages, by page number. */
  readonly #trunks = new Map<number, Buffer>();
  readonly #freePages: number;
  readonly #firstTrunk: number;

  /**
   * Opens the current state of the file at `path`, which stays readable until `close`.
   * @throws {StoreRefusal} when the file cannot be read or is damaged.
   */
  static open(path: string): MarketImage {
    try {
      const snapshot = new SnapshotPages(path);
      try {
        return new MarketImage(path, snapshot);
      } catch (error) {
        snapshot.close();
        throw error;
      }
    } catch (error) {
      throw StoreRefusal.from(path, error);
    }
  }

  private constructor(path: string, snapshot: SnapshotPages) {
    const { client, pageBytes } = snapshot;
    this.#snapshot = snapshot;
    this.pageBytes = pageBytes;
    const first = Buffer.alloc(pageBytes);
    snapshot.read(1, first);
    if (first[header.reserved] !== 0 || first.readUInt32BE(header.largestRoot) !== 0)
      throw new StoreRefusal("corrupt", path, "its pages have reserved bytes or vacuum themselves");
    this.facts = factsOf(client);
    const count = 1 + (client.pragma("page_count", { simple: true }) as number);
    this.#uses = new Uint8Array(count);
    this.#paces = new Uint8Array(count);
    this.#payloads = new Uint16Array(count);
    this.#findLive(client);
    this.pages = this.#uses.findLastIndex((use) => use !== uses.none);
    const free = this.#freeNumbers();
    const perTrunk = trunkLeavesMax(pageBytes) + 1;
    for (let at = 0; at < free.length; at += perTrunk) {
      this.#uses[free[at]!] = uses.trunk;
      const leaves = free.slice(at + 1, at + perTrunk);
      this.#trunks.set(free[at]!, trunkPage(pageBytes, free[at + perTrunk] ?? 0, leaves));
    }
    this.#freePages = free.length;
    this.#firstTrunk = free[0] ?? 0;
  }

  /**
   * Returns the numbers of the pages in use, by chunk. A chunk has the pages of one window and one group of tables. All other pages are
   * zero.
   */
  chunks(): number[][] {
    const chunks = new Map<number, number[]>();
    const windows = Math.ceil(this.pages / windowPages);
    for (let number = 1; number <= this.pages; number += 1) {
      if (this.#uses[number] === uses.none) continue;
      const key = this.#paces[number]! * windows + Math.floor((number - 1) / windowPages);
      const chunk = chunks.get(key);
      if (chunk === undefined) chunks.set(key, [number]);
      else chunk.push(number);
    }
    return [...chunks].sort(([one], [other]) => one - other).map(([, numbers]) => numbers);
  }

  /**
   * Reads the pages with these numbers (from 1) into the start of `room`, as they are in the file, in sequence. Returns them. `clean` makes
   * them pages of the image.
   */
  readRaw(numbers: readonly number[], room: Buffer): Buffer {
    const bytes = room.subarray(0, numbers.length * this.pageBytes);
    for (const { index, first, count } of runsOf(numbers))
      this.#snapshot.read(first, bytes.subarray(index * this.pageBytes, (index + count) * this.pageBytes));
    return bytes;
  }

  /** Zeroes all bytes of these raw pages that do not belong to the image, in place. Returns the pages. */
  clean(numbers: readonly number[], bytes: Buffer): Buffer {
    for (const [index, number] of numbers.entries())
      this.#clean(number, bytes.subarray(index * this.pageBytes, (index + 1) * this.pageBytes));
    return bytes;
  }

  /** Returns the bytes of the pages of the image with these numbers (from 1), in sequence. */
  read(numbers: readonly number[]): Buffer {
    return this.clean(numbers, this.readRaw(numbers, Buffer.alloc(numbers.length * this.pageBytes)));
  }

  /**
   * Returns the way in which each raw page becomes a page of the image, as numbers. Null if a page also depends on others: the first, an
   * emptied root, or a list of free pages.
   */
  waysOf(numbers: readonly number[]): Uint16Array | null {
    const isOwn = (number: number) => this.#uses[number] === uses.rows || this.#uses[number] === uses.overflow;
    if (numbers[0] === 1 || !numbers.every(isOwn)) return null;
    return Uint16Array.from(numbers, (number) => (this.#uses[number] === uses.rows ? 0 : 1 + this.#payloads[number]!));
  }

  /** Writes the whole image to a new file at `path` with access for its owner only. */
  async write(path: string, signal: AbortSignal): Promise<void> {
    const file = openSync(path, "wx", 0o600);
    try {
      ftruncateSync(file, this.pages * this.pageBytes);
      for (const numbers of this.chunks()) {
        // Aborts are noticed between two chunks.
        await setImmediate();
        signal.throwIfAborted();
        const bytes = this.read(numbers);
        for (const { index, first, count } of runsOf(numbers))
          writeSync(file, bytes, index * this.pageBytes, count * this.pageBytes, (first - 1) * this.pageBytes);
      }
    } catch (error) {
      removeFile(path);
      throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Ends the snapshot. Runs `afterwards` after the connection is closed and before the descriptors of the file are. */
  close(afterwards?: () => void): void {
    this.#snapshot.close(afterwards);
  }

  #clean(number: number, page: Buffer): void {
    const use = this.#uses[number];
    if (use === uses.trunk) this.#trunks.get(number)!.copy(page);
    else if (use === uses.emptied) emptyRoot(page).copy(page);
    else if (use === uses.overflow) zeroAfterOverflow(page, this.#payloads[number]!);
    else if (use === uses.rows) zeroDeadBytes(page, number === 1 ? fileHeaderBytes : 0);
    else page.fill(0);
    if (number === 1) this.#writeHeader(page);
  }

  /** Writes the header of a plain file without a log. The counters of changes are constant, so that they never change the page. */
  #writeHeader(page: Buffer): void {
    page.writeUInt16BE(0x0101, header.versions);
    page.writeUInt32BE(1, header.changes);
    page.writeUInt32BE(1, header.pagesValidFor);
    page.writeUInt32BE(1, header.schemaVersion);
    page.writeUInt32BE(this.pages, header.pages);
    page.writeUInt32BE(this.#firstTrunk, header.firstTrunk);
    page.writeUInt32BE(this.#freePages, header.freePages);
  }

  #freeNumbers(): number[] {
    const pending = pendingByte / this.pageBytes + 1;
    const free: number[] = [];
    for (let number = 1; number <= this.pages; number += 1) {
      if (number !== pending && this.#uses[number] === uses.none) free.push(number);
    }
    return free;
  }

  /** Finds the pages of kept tables, and the roots of all others. Not built by Drizzle: `dbstat` is SQLite's own table. */
  #findLive(client: SqliteDatabase.Database): void {
    const tables = client
      .prepare<[], [name: string, table: string, root: number]>(
        `SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0
         UNION ALL SELECT 'sqlite_schema', 'sqlite_schema', 1`,
      )
      .raw(true)
      .all();
    // One number for each page costs half of three.
    const pagesOf = client
      .prepare<[string], number>(
        "SELECT pageno * 131072 + (pagetype = 'overflow') * 65536 + payload FROM dbstat WHERE name = ?",
      )
      .pluck();
    for (const [name, table, root] of tables) {
      if (!keptTables.has(table)) {
        this.#uses[root] = uses.emptied;
        continue;
      }
      const pace = paceOf.get(table) ?? 0;
      for (const page of pagesOf.iterate(name)) {
        const number = Math.floor(page / 2 ** 17);
        this.#uses[number] = (page & (2 ** 16)) > 0 ? uses.overflow : uses.rows;
        this.#payloads[number] = page % 2 ** 16;
        this.#paces[number] = pace;
      }
    }
  }
}

function factsOf(client: SqliteDatabase.Database): ImageFacts {
  const generation = client
    .prepare<[], ImageGeneration>(
      `SELECT generation_id AS generationId, ingested_at AS ingestedAt, items, lower(hex(digest)) AS digest,
         CASE WHEN rest_digest IS NOT NULL THEN lower(hex(rest_digest)) END AS delistedDigest
       FROM generations WHERE state = 'published'`,
    )
    .get();
  return {
    schemaVersion: client.pragma("user_version", { simple: true }) as number,
    generation: generation ?? null,
    checkedAt: client.prepare<[], number | null>("SELECT max(checked_at) FROM feeds").pluck().get() ?? null,
    terms: termsSummary(client),
  };
}
