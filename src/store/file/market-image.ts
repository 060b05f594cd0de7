import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import { marketTables, tableKinds } from "../../../db/schema/kinds.ts";
import { draftPath, removeAbandonedDrafts } from "../../values/drafts.ts";
import { runsOf } from "../../values/runs.ts";
import {
  emptyRoot,
  fileHeaderBytes,
  trunkLeavesMax,
  trunkPage,
  zeroAfterOverflow,
  zeroDeadBytes,
} from "../codec/live-page.ts";
import { beginRead, closeDatabase, openReader } from "../database.ts";
import { type TermsSummary, termsSummary } from "../write/provider-terms.ts";
import { openBare } from "./bare.ts";
import { removeFile } from "./file.ts";
import { StoreRefusal } from "./refusal.ts";

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
  largestRoot: 52,
  pagesValidFor: 92,
} as const;
/** SQLite leaves the page with this byte unused. */
const pendingByte = 2 ** 30;
/** Pages to copy between two checks of the signal: 32 MiB. */
const copiedPages = 2048;
/** Tables that remain in a release. `sqlite_sequence` retains only their rows. */
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

/**
 * One page of the image: a page of a kept table, or an emptied root. `payloadBytes` is the content size of an overflow page. `pace` is the
 * group of its table in `marketTables`.
 */
type Live = { pace: number } & ({ kind: "rows" | "emptied" } | { kind: "overflow"; payloadBytes: number });

/**
 * The market part of a snapshot of a database file, as a file of its own. It contains only headers and live rows of market tables. All
 * other bytes are zero, so that it has no private or deleted row. Pages keep their numbers, so that a page with unchanged rows is identical
 * in every image. The key of cursors is zero, because it is not market data.
 */
export class MarketImage {
  readonly pageBytes: number;
  /** Pages of the image, without free ones at the end. */
  readonly pages: number;
  readonly facts: ImageFacts;
  readonly #file: number;
  readonly #live: ReadonlyMap<number, Live>;
  /** Trunk pages of the list of free pages, by page number. */
  readonly #trunks: ReadonlyMap<number, Buffer>;
  readonly #freePages: number;
  readonly #firstTrunk: number;
  readonly #draft: string;

  /**
   * Copies the file at `path` to a draft beside `place`, which `close` removes. `signal` aborts the copy.
   * @throws {StoreRefusal} when the file cannot be read, is damaged, or the disk is full.
   */
  static async copy(path: string, signal: AbortSignal, place = path): Promise<MarketImage> {
    removeAbandonedDrafts(place);
    const draft = draftPath(place, "part", "release");
    removeFile(draft);
    try {
      await copyFile(path, draft, signal);
      return new MarketImage(draft, prepareDraft(draft));
    } catch (error) {
      removeFile(draft);
      throw StoreRefusal.from(path, error);
    }
  }

  private constructor(draft: string, { facts, live }: Prepared) {
    this.#draft = draft;
    this.facts = facts;
    this.#live = live;
    this.#file = openSync(draft, "r");
    try {
      const head = Buffer.alloc(fileHeaderBytes);
      this.#read(head, 0);
      const size = head.readUInt16BE(16);
      this.pageBytes = size === 1 ? 65_536 : size;
      if (head[header.reserved] !== 0 || head.readUInt32BE(header.largestRoot) !== 0)
        throw new StoreRefusal("corrupt", draft, "its pages have reserved bytes or vacuum themselves");
      this.pages = 0;
      for (const number of live.keys()) this.pages = Math.max(this.pages, number);
      const free = this.#freeNumbers();
      const perTrunk = trunkLeavesMax(this.pageBytes) + 1;
      const trunks = new Map<number, Buffer>();
      for (let index = 0; index < free.length; index += perTrunk) {
        const next = free[index + perTrunk] ?? 0;
        trunks.set(free[index]!, trunkPage(this.pageBytes, next, free.slice(index + 1, index + perTrunk)));
      }
      this.#trunks = trunks;
      this.#freePages = free.length;
      this.#firstTrunk = free[0] ?? 0;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /**
   * Returns the numbers of the pages in use, by chunk. A chunk has the pages of one window and one group of tables. All other pages are
   * zero.
   */
  chunks(): number[][] {
    const chunks = new Map<number, number[]>();
    const windows = Math.ceil(this.pages / windowPages);
    for (let number = 1; number <= this.pages; number += 1) {
      const isUsed = this.#live.has(number) || this.#trunks.has(number);
      if (!isUsed) continue;
      const key = (this.#live.get(number)?.pace ?? 0) * windows + Math.floor((number - 1) / windowPages);
      chunks.set(key, [...(chunks.get(key) ?? []), number]);
    }
    return [...chunks].sort(([one], [other]) => one - other).map(([, numbers]) => numbers);
  }

  /** Returns the bytes of the pages with these numbers (from 1), in sequence. */
  read(numbers: readonly number[]): Buffer {
    const size = this.pageBytes;
    const bytes = Buffer.alloc(numbers.length * size);
    for (const { index, first, count } of runsOf(numbers))
      this.#read(bytes.subarray(index * size, (index + count) * size), (first - 1) * size);
    for (const [index, number] of numbers.entries())
      this.#clean(number, bytes.subarray(index * size, (index + 1) * size));
    return bytes;
  }

  /** Writes the whole image to a new file at `path` with access for its owner only. */
  write(path: string): void {
    const file = openSync(path, "wx", 0o600);
    try {
      ftruncateSync(file, this.pages * this.pageBytes);
      for (const numbers of this.chunks()) {
        const bytes = this.read(numbers);
        for (const { index, first, count } of runsOf(numbers))
          writeSync(file, bytes, index * this.pageBytes, count * this.pageBytes, (first - 1) * this.pageBytes);
      }
    } finally {
      closeSync(file);
    }
  }

  /** Closes and removes the draft. */
  close(): void {
    closeSync(this.#file);
    removeFile(this.#draft);
  }

  #clean(number: number, page: Buffer): void {
    const live = this.#live.get(number);
    if (live === undefined) {
      const trunk = this.#trunks.get(number);
      if (trunk === undefined) page.fill(0);
      else trunk.copy(page);
    } else if (live.kind === "emptied") emptyRoot(page).copy(page);
    else if (live.kind === "overflow") zeroAfterOverflow(page, live.payloadBytes);
    else zeroDeadBytes(page, number === 1 ? fileHeaderBytes : 0);
    if (number === 1) this.#writeHeader(page);
  }

  /** Writes the header of a plain file without a log. The change counter is constant, so that it never changes the page. */
  #writeHeader(page: Buffer): void {
    page.writeUInt16BE(0x0101, header.versions);
    page.writeUInt32BE(1, header.changes);
    page.writeUInt32BE(1, header.pagesValidFor);
    page.writeUInt32BE(this.pages, header.pages);
    page.writeUInt32BE(this.#firstTrunk, header.firstTrunk);
    page.writeUInt32BE(this.#freePages, header.freePages);
  }

  #freeNumbers(): number[] {
    const pending = pendingByte / this.pageBytes + 1;
    const free: number[] = [];
    for (let number = 1; number <= this.pages; number += 1) {
      if (number !== pending && !this.#live.has(number)) free.push(number);
    }
    return free;
  }

  #read(bytes: Buffer, at: number): void {
    if (readSync(this.#file, bytes, 0, bytes.length, at) < bytes.length) {
      throw new StoreRefusal("corrupt", this.#draft, `it has ${fstatSync(this.#file).size} bytes`);
    }
  }
}

/** Copies a snapshot of the file, regardless of concurrent writes. */
async function copyFile(path: string, draft: string, signal: AbortSignal): Promise<void> {
  const source = openReader(path);
  try {
    closeSync(openSync(draft, "wx", 0o600));
    // Within one transaction, a write between two steps does not restart the copy.
    const end = beginRead(source);
    source.$client.prepare("SELECT count(*) FROM sqlite_schema").get();
    const progress = () => {
      signal.throwIfAborted();
      return copiedPages;
    };
    await source.$client.backup(draft, { progress });
    end();
  } finally {
    closeDatabase(source);
  }
}

type Prepared = { facts: ImageFacts; live: Map<number, Live> };

/** Removes the rows that do not belong in a release, and finds the pages that do. */
function prepareDraft(draft: string): Prepared {
  const client = openBare(draft, { fileMustExist: true });
  try {
    // A failure affects only the draft.
    for (const pragma of ["journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"])
      client.pragma(pragma);
    removePrivateRows(client);
    return { facts: factsOf(client), live: livePages(client) };
  } finally {
    client.close();
  }
}

/** Removes unpublished containers and other private data of market tables. Not built by Drizzle: the draft is open as a bare handle. */
function removePrivateRows(client: SqliteDatabase.Database): void {
  const drafts = "FROM openables WHERE state = 'draft'";
  client.exec(
    `DELETE FROM market_checksums WHERE table_name = 'openables' AND row_key IN (SELECT quote(slug) ${drafts})`,
  );
  client.exec(`DELETE ${drafts}`);
  client.prepare("UPDATE market_state SET cursor_key = zeroblob(32), note = NULL").run();
  client
    .prepare("DELETE FROM sqlite_sequence WHERE name NOT IN (SELECT value FROM json_each(?))")
    .run(JSON.stringify([...keptTables]));
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

function livePages(client: SqliteDatabase.Database): Map<number, Live> {
  const tables = client
    .prepare<[], [name: string, table: string, root: number]>(
      "SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0",
    )
    .raw(true)
    .all();
  const tableOf = new Map([
    ["sqlite_schema", "sqlite_schema"],
    ...tables.map(([name, table]) => [name, table] as const),
  ]);
  const live = new Map<number, Live>();
  for (const [, table, root] of tables) if (!keptTables.has(table)) live.set(root, { kind: "emptied", pace: 0 });
  const pages = client
    .prepare<[], [name: string, page: number, kind: string, payload: number]>(
      "SELECT name, pageno, pagetype, payload FROM dbstat",
    )
    .raw(true)
    .iterate();
  for (const [name, page, kind, payloadBytes] of pages) {
    const table = tableOf.get(name) ?? "";
    if (!keptTables.has(table)) continue;
    const pace = paceOf.get(table) ?? 0;
    live.set(page, kind === "overflow" ? { kind, payloadBytes, pace } : { kind: "rows", pace });
  }
  return live;
}
