import { createHash, type Hash } from "node:crypto";
import { identityLineSql, itemRecordBytesSql } from "../../wire/export-record.ts";
import type { ChangedItem } from "../codec/changed-items.ts";
import type { Database } from "../database.ts";
import { maxItemIdSql } from "../read/market-snapshot.ts";

/** Ids of a block: what a change lies behind in its block and after it is hashed again. */
const blockIds = 256;

type BlockRange = { generationId: number; from: number; to: number; moved: string };
type BlockRow = { lines: Buffer | null; recordBytes: number };
const nothing = Buffer.alloc(0);

/** What a state says of the identity part of exports. `exportBytes`: bytes of all `item` records of an export. */
export type IdentityTotals = Pick<ExportIdentity, "generationId" | "exportBytes" | "digest">;

/** An item as it is now. `restBytes`: those of its record that its line does not have. */
type ItemLine = { itemId: number; isExported: number; line: Buffer; restBytes: number };

/**
 * The identity part of exports: a line for each item of the catalog in ascending id, with its availability in one generation. It is kept
 * in blocks of ids and with the state of the hash before each of them, so that a change costs what lies behind it and no more. The
 * caller holds the import lock.
 */
export class ExportIdentity {
  readonly generationId: number;
  /** The lines of each block. */
  readonly #blocks: Buffer[] = [];
  /** The hash of everything before each block. */
  readonly #hashes: Hash[] = [createHash("sha256")];
  readonly #items;
  #exportBytes = 0;

  /** Reads the whole catalog. `moved`: the items that are about to enter or leave it, taken as if they had. */
  constructor(database: Database, generationId: number, moved: readonly number[] = []) {
    this.generationId = generationId;
    this.#items = database.$client.prepare<[{ generationId: number; items: string }], ItemLine>(itemsSql);
    const blocks = identityBlocks(database, generationId, moved);
    for (let index = 0; index < blocks.count; index += 1) {
      const { lines, recordBytes } = blocks.read(index);
      this.#blocks.push(lines);
      this.#exportBytes += recordBytes;
    }
    this.#hashFrom(0);
  }

  /** Bytes of all `item` records of an export. */
  get exportBytes(): number {
    return this.#exportBytes;
  }

  /** SHA-256 over all lines. */
  digest(): Buffer {
    return this.#hashes.at(-1)!.copy().digest();
  }

  /**
   * Reads again what was written of these items, of which quotes never change without a publication. Returns those whose lines
   * changed, came or went, in ascending id.
   */
  refresh(itemIds: Iterable<number>): ChangedItem[] {
    const items = JSON.stringify([...new Set(itemIds)].sort((a, b) => a - b));
    const rows = this.#items.all({ generationId: this.generationId, items });
    const changed: ChangedItem[] = [];
    let first = this.#blocks.length;
    for (const [index, ofBlock] of byBlock(rows)) {
      while (this.#blocks.length <= index) this.#blocks.push(nothing);
      const differences = this.#change(index, ofBlock);
      if (differences.length > 0) first = Math.min(first, index);
      changed.push(...differences);
    }
    this.#hashFrom(first);
    return changed;
  }

  #change(index: number, rows: readonly ItemLine[]): ChangedItem[] {
    let block = this.#blocks[index]!;
    const changed: ChangedItem[] = [];
    for (const { itemId, isExported, line, restBytes } of rows) {
      const { from, to } = placeOf(block, itemId);
      const now = isExported === 1 ? line : nothing;
      if (now.equals(block.subarray(from, to))) continue;
      const bytes = recordBytes(now.length, restBytes);
      this.#exportBytes += bytes - recordBytes(to - from, restBytes);
      block = Buffer.concat([block.subarray(0, from), now, block.subarray(to)]);
      changed.push({ itemId, isNew: from === to, bytes });
    }
    this.#blocks[index] = block;
    return changed;
  }

  #hashFrom(first: number): void {
    this.#hashes.length = Math.min(first + 1, this.#hashes.length);
    for (const lines of this.#blocks.slice(this.#hashes.length - 1)) {
      this.#hashes.push(this.#hashes.at(-1)!.copy().update(lines));
    }
  }
}

/** Returns the totals of the identity part of exports, of which no line is kept. `moved`: see `ExportIdentity`. */
export function identityTotals(
  database: Database,
  generationId: number,
  moved: readonly number[] = [],
): IdentityTotals {
  const hash = createHash("sha256");
  const blocks = identityBlocks(database, generationId, moved);
  let exportBytes = 0;
  for (let index = 0; index < blocks.count; index += 1) {
    const { lines, recordBytes } = blocks.read(index);
    hash.update(lines);
    exportBytes += recordBytes;
  }
  return { generationId, exportBytes, digest: () => hash.copy().digest() };
}

/** Prepares to read the identity part of exports block by block: `count` blocks hold the catalog as it is now. `moved`: see `ExportIdentity`. */
export function identityBlocks({ $client: client }: Database, generationId: number, moved: readonly number[] = []) {
  const block = client.prepare<[BlockRange], BlockRow>(blockSql);
  const max = client.prepare<[], number>(maxItemIdSql).pluck().get() ?? 0;
  const range = { generationId, moved: JSON.stringify(moved) };
  return {
    count: Math.floor(max / blockIds) + 1,
    read(index: number): { lines: Buffer; recordBytes: number } {
      const from = index * blockIds;
      const { lines, recordBytes } = block.get({ ...range, from, to: from + blockIds })!;
      return { lines: lines ?? nothing, recordBytes };
    },
  };
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

const itemsSql = `
  SELECT i.item_id AS itemId, i.in_catalog AS isExported, CAST(${identityLineSql(parts)} AS BLOB) AS line,
    ${itemRecordBytesSql(parts)} - octet_length(${identityLineSql(parts)}) AS restBytes
  FROM json_each(@items) AS asked CROSS JOIN items i ON i.item_id = asked.value
    LEFT JOIN generation_quotes q ON q.quote_key = (@generationId << 31) + i.item_id`;

function byBlock(rows: readonly ItemLine[]): Map<number, ItemLine[]> {
  const blocks = new Map<number, ItemLine[]>();
  for (const row of rows) {
    const index = Math.floor(row.itemId / blockIds);
    const block = blocks.get(index);
    if (block === undefined) blocks.set(index, [row]);
    else block.push(row);
  }
  return blocks;
}

function recordBytes(lineBytes: number, restBytes: number): number {
  return lineBytes === 0 ? 0 : lineBytes + restBytes;
}

const lineFeed = 0x0a;
const lineStart = '{"item_id":';

/** Returns where the line of an item is in its block; where it belongs, as an empty range, when it has none. */
function placeOf(block: Buffer, itemId: number): { from: number; to: number } {
  // No name holds this text: its quotes are escaped.
  const found = block.indexOf(`${lineStart}${itemId},`);
  if (found !== -1) return { from: found, to: block.indexOf(lineFeed, found) + 1 };
  let from = 0;
  while (from < block.length && idAt(block, from) < itemId) from = block.indexOf(lineFeed, from) + 1;
  return { from, to: from };
}

function idAt(block: Buffer, from: number): number {
  return Number(block.toString("latin1", from + lineStart.length, block.indexOf(0x2c, from)));
}
