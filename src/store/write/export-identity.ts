import { createHash, type Hash } from "node:crypto";
import { encodeExportHead, encodeIdentityLine, itemRecordBytes } from "../../wire/export-record.ts";
import type { ChangedItem } from "../codec/changed-items.ts";
import type { Database } from "../database.ts";
import { type MarketItem, MarketItems } from "../read/market-items.ts";

/** Ids per block. A change rehashes its block and all later ones. */
const blockIds = 256;

const nothing = Buffer.alloc(0);

/** Identity part of a state. `exportBytes` is the size of all `item` records of an export. */
export type IdentityState = Pick<ExportIdentity, "generationId" | "exportBytes" | "digest">;

/**
 * The identity part of exports: a line for each catalog item in ascending id, with its availability in one generation. Lines are cached in
 * blocks of ids, with the hash state before each block. A change therefore costs only the blocks from it on. The caller holds the import
 * lock.
 */
export class ExportIdentity {
  readonly generationId: number;
  readonly #blocks: Buffer[] = [];
  /** The hash state before each block. */
  readonly #hashes: Hash[] = [createHash("sha256")];
  readonly #items;
  #exportBytes = 0;

  /** Reads the whole catalog. */
  constructor(database: Database, generationId: number) {
    this.generationId = generationId;
    this.#items = new MarketItems(database);
    const upTo = this.#items.maxItemId();
    for (let from = 0; from <= upTo; from += blockIds) {
      const lines = this.#items
        .within(from - 1, from + blockIds - 1)
        .filter(({ inCatalog }) => inCatalog)
        .map(lineOf);
      this.#blocks.push(Buffer.from(lines.map(({ line }) => line).join("")));
      this.#exportBytes += lines.reduce((sum, { bytes }) => sum + bytes, 0);
    }
    this.#hashFrom(0);
  }

  /** Bytes of all `item` records of an export. */
  get exportBytes(): number {
    return this.#exportBytes;
  }

  /** Returns the SHA-256 over all lines. */
  digest(): Buffer {
    return this.#hashes.at(-1)!.copy().digest();
  }

  /**
   * Reloads these items after a change of the catalog. Their quotes change only with a publication. Returns the items with added, changed
   * or removed lines, in ascending id.
   */
  refresh(itemIds: Iterable<number>): ChangedItem[] {
    const rows = this.#items.among([...new Set(itemIds)].sort((a, b) => a - b));
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

  #change(index: number, rows: readonly MarketItem[]): ChangedItem[] {
    let block = this.#blocks[index]!;
    const changed: ChangedItem[] = [];
    for (const item of rows) {
      const { itemId } = item;
      const { from, to } = placeOf(block, itemId);
      const line = lineOf(item);
      const now = item.inCatalog ? Buffer.from(line.line) : nothing;
      if (now.equals(block.subarray(from, to))) continue;
      // Only a publication changes quotes, so the rest of the record has the same length as before.
      const restBytes = line.bytes - Buffer.byteLength(line.line);
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

/** Returns the item's line of the identity part, and the bytes of its record. */
function lineOf(item: MarketItem): { line: string; bytes: number } {
  const head = encodeExportHead(item);
  return {
    line: encodeIdentityLine(head, item.quoteBytes !== null),
    bytes: itemRecordBytes(head, item.quoteBytes),
  };
}

function byBlock(rows: readonly MarketItem[]): Map<number, MarketItem[]> {
  const blocks = new Map<number, MarketItem[]>();
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

/** Returns the range of an item's line in its block. Returns an empty range at the insertion point if it has none. */
function placeOf(block: Buffer, itemId: number): { from: number; to: number } {
  // No name contains this text, because quotes in names are escaped.
  const found = block.indexOf(`${lineStart}${itemId},`);
  if (found !== -1) return { from: found, to: block.indexOf(lineFeed, found) + 1 };
  let from = 0;
  while (from < block.length && idAt(block, from) < itemId) from = block.indexOf(lineFeed, from) + 1;
  return { from, to: from };
}

function idAt(block: Buffer, from: number): number {
  return Number(block.toString("latin1", from + lineStart.length, block.indexOf(0x2c, from)));
}
