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
import { openBare } from "./bare.ts";
import { removeFile } from "./file.ts";
import { StoreRefusal } from "./refusal.ts";

/** The published generation of an image. Instants are UTC ms; digests are hexadecimal SHA-256, null: of an older release. */
type ImageGeneration = {
  generationId: number;
  ingestedAt: number;
  items: number;
  digest: string;
  delistedDigest: string | null;
};

/** What an image holds. `generation` null: nothing is published. `checkedAt`: when any feed was last verified, UTC ms; null: never. */
export type ImageFacts = { schemaVersion: number; generation: ImageGeneration | null; checkedAt: number | null };

/** Places in the file's header, by the documentation of SQLite's file format. */
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
/** SQLite leaves the page with this byte empty. */
const pendingByte = 2 ** 30;
/** Pages that are copied between two looks at the signal: 32 MiB. */
const copiedPages = 2048;
/** What a release keeps beside the market's tables. Of `sqlite_sequence` only their rows. */
const keptTables: ReadonlySet<string> = new Set([
  ...tableKinds.market,
  "__drizzle_migrations",
  "sqlite_schema",
  "sqlite_sequence",
]);

/** Pages of one chunk have their numbers within a window of so many: where it begins does not depend on how many pages there are. */
export const windowPages = 32;
/** Which tables share chunks: by what changes them. What the file itself needs changes with each publication. */
const paceOf: ReadonlyMap<string, number> = new Map(
  Object.values(marketTables).flatMap((tables, pace) => tables.map((table) => [table, pace] as const)),
);

/**
 * One page of the image: a page of a kept table (`overflow`: the bytes of its content there), or a root that is emptied. `pace`: of its
 * table, among `marketTables`.
 */
type Live = { pace: number } & ({ kind: "rows" | "emptied" } | { kind: "overflow"; payloadBytes: number });

/**
 * The market part of a database file as a file of its own, made of one state of it. Only header and living rows of the market's tables
 * are in it: every other byte is zero, so that no private row, and nothing that was deleted, can be. Each page keeps its number, so that
 * a page whose rows did not change is the same page in every image. Keys of cursors are no part of the market: theirs is zero.
 */
export class MarketImage {
  readonly pageBytes: number;
  /** Pages of the image. Free ones at the end are left out. */
  readonly pages: number;
  readonly facts: ImageFacts;
  readonly #file: number;
  readonly #live: ReadonlyMap<number, Live>;
  /** Trunks of the list of free pages, by page. */
  readonly #trunks: ReadonlyMap<number, Buffer>;
  readonly #freePages: number;
  readonly #firstTrunk: number;
  readonly #draft: string;

  /**
   * Copies the file at `path` to a draft beside `place`, which `close` removes. `signal` ends the copying.
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
   * Returns the numbers of the pages that are not free, by chunk: those of a window of pages whose tables change together. All other
   * pages are zero.
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

  /** Returns the bytes of these pages (from 1), one after the other. */
  read(numbers: readonly number[]): Buffer {
    const size = this.pageBytes;
    const bytes = Buffer.alloc(numbers.length * size);
    for (const { index, first, count } of runsOf(numbers))
      this.#read(bytes.subarray(index * size, (index + count) * size), (first - 1) * size);
    for (const [index, number] of numbers.entries())
      this.#clean(number, bytes.subarray(index * size, (index + 1) * size));
    return bytes;
  }

  /** Writes the whole image into a new file at `path`, which only its owner can read. */
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

  /** A plain file without a log; the count of changes stays the same, so that it alone changes no page. */
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

/** Copies one state of the file, however often it is written meanwhile. */
async function copyFile(path: string, draft: string, signal: AbortSignal): Promise<void> {
  const source = openReader(path);
  try {
    closeSync(openSync(draft, "wx", 0o600));
    // A copy of several steps begins again when the file is written between them, unless they are of one transaction.
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

/** Removes the rows of market tables that are no part of a release, and finds which pages are. */
function prepareDraft(draft: string): Prepared {
  const client = openBare(draft, { fileMustExist: true });
  try {
    // A failure costs the draft alone.
    for (const pragma of ["journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"])
      client.pragma(pragma);
    removePrivateRows(client);
    return { facts: factsOf(client), live: livePages(client) };
  } finally {
    client.close();
  }
}

/** Not built by Drizzle, like all here: the draft is open as a bare handle. A container that is not published yet is the operator's alone. */
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
