import { createHash, type Hash } from "node:crypto";
import { identityLineSql, itemRecordBytesSql } from "../../wire/export-record.ts";
import type { ChangedItem } from "../codec/changed-items.ts";
import type { Database } from "../database.ts";

/** Ids of a block. A change of the catalog reads the blocks of its items anew. */
const blockIds = 256;
const maxItemIdSql = "SELECT coalesce(max(item_id), 0) FROM items";

/** The lines of the items of a block of ids, and the bytes of their records. */
type Block = { lines: Buffer; recordBytes: number };
type BlockRange = { generationId: number; from: number; to: number; moved: string };

/**
 * The identity part of exports: a line for each item of the catalog in ascending id, with its availability in one generation. It is kept
 * in blocks of ids and with the state of the hash before each of them, so that a change costs what lies behind it and no more. The
 * caller holds the import lock.
 */
export class ExportIdentity {
  readonly #database: Database;
  readonly #generationId: number;
  readonly #blocks: Block[] = [];
  /** The hash of everything before each block. */
  readonly #hashes: Hash[] = [createHash("sha256")];

  /** Reads the whole catalog. `moved`: the items that are about to enter or leave it, taken as if they had. */
  constructor(database: Database, generationId: number, moved: readonly number[] = []) {
    this.#database = database;
    this.#generationId = generationId;
    this.#readFrom(0, JSON.stringify(moved));
  }

  get generationId(): number {
    return this.#generationId;
  }

  /** SHA-256 over all lines. */
  digest(): Buffer {
    return this.#hashes.at(-1)!.copy().digest();
  }

  /** Bytes of all `item` records of an export. */
  exportBytes(): number {
    return this.#blocks.reduce((sum, { recordBytes }) => sum + recordBytes, 0);
  }

  /** Reads again what was written of these items. Returns those whose lines changed, came or went, in ascending id. */
  refresh(itemIds: Iterable<number>): ChangedItem[] {
    const known = this.#blocks.length;
    const touched = new Set(Array.from(itemIds, (itemId) => Math.floor(itemId / blockIds)));
    const changed: ChangedItem[] = [];
    let first = known;
    for (const index of [...touched].filter((index) => index < known).sort((a, b) => a - b)) {
      const before = this.#blocks[index]!;
      const now = this.#read(index, "[]");
      if (before.lines.equals(now.lines)) continue;
      this.#blocks[index] = now;
      changed.push(...differences(before.lines, now.lines));
      first = Math.min(first, index);
    }
    this.#readFrom(known, "[]");
    for (const { lines } of this.#blocks.slice(known)) changed.push(...differences(Buffer.alloc(0), lines));
    this.#hashFrom(first);
    return changed;
  }

  #readFrom(first: number, moved: string): void {
    const max = this.#database.$client.prepare<[], number>(maxItemIdSql).pluck().get() ?? 0;
    for (let index = first; index * blockIds <= max; index += 1) this.#blocks.push(this.#read(index, moved));
    this.#hashFrom(first);
  }

  #hashFrom(first: number): void {
    this.#hashes.length = first + 1;
    for (const { lines } of this.#blocks.slice(first)) this.#hashes.push(this.#hashes.at(-1)!.copy().update(lines));
  }

  #read(index: number, moved: string): Block {
    const statement = this.#database.$client.prepare<[BlockRange], { lines: Buffer | null; recordBytes: number }>(
      blockSql,
    );
    const from = index * blockIds;
    const row = statement.get({ generationId: this.#generationId, from, to: from + blockIds, moved })!;
    return { lines: row.lines ?? Buffer.alloc(0), recordBytes: row.recordBytes };
  }
}

const parts = { exportHead: "i.export_head", quotes: "q.quotes" };

/**
 * Rows are glued as they come, and a range of the primary key comes in its order. Not built by Drizzle: nearly all of it is SQLite's own
 * functions.
 */
const blockSql = `
  SELECT CAST(group_concat(${identityLineSql(parts)}, '') AS BLOB) AS lines,
    coalesce(sum(${itemRecordBytesSql(parts)}), 0) AS recordBytes
  FROM items i LEFT JOIN generation_quotes q ON q.quote_key = (@generationId << 31) + i.item_id
  WHERE i.item_id >= @from AND i.item_id < @to
    AND i.in_catalog <> (i.item_id IN (SELECT value FROM json_each(@moved)))`;

/** Returns the items whose line is not the same, or that have one only before or only now, in ascending id. */
function differences(before: Buffer, now: Buffer): ChangedItem[] {
  const old = linesOf(before);
  const current = linesOf(now);
  const changed = [...current].filter(([itemId, line]) => old.get(itemId) !== line).map(([itemId]) => itemId);
  const gone = [...old.keys()].filter((itemId) => !current.has(itemId));
  return [...changed, ...gone].sort((a, b) => a - b).map((itemId) => ({ itemId, isNew: !old.has(itemId) }));
}

function linesOf(block: Buffer): Map<number, string> {
  const lines = block
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  return new Map(lines.map((line) => [(JSON.parse(line) as { item_id: number }).item_id, line]));
}
