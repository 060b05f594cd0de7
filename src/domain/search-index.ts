import type { CatalogStore, SearchedItem } from "../store/read/catalog.ts";
import type { ItemFact, NameFilter } from "../store/read/item-list.ts";
import type { MarketStateStore } from "../store/read/market-state.ts";
import { weaponOf } from "../values/text/item-names.ts";
import { wordsText } from "../values/text/search-text.ts";

/** Ids `after` (exclusive) to `upTo` (inclusive). */
export type IdRange = { after: number; upTo: number };

/** The blocks that hold each gram, as one row of block numbers after another: those of gram g are from start[g] to start[g + 1]. */
type Built = { version: number; lastIds: Uint32Array; start: Uint32Array; blocks: Uint32Array };

const blockItems = 32;
const sliceItems = 256;
const gramLengthMax = 3;
const slotsPerLength = 1 << 17;
const slots = gramLengthMax * slotsPerLength;
/** More grams would rule out few further blocks. */
const comparedListsMax = 6;
/** Neighbouring blocks are given out as one range, but a common text should not be looked up in all of them first. */
const joinedBlocksMax = 16;
/** Ends where pieces of words end. Codes up to that of the space are in no word. */
const spaceCode = 32;
const signs = /[^\p{L}\p{N}\s]/gu;

// Bench row `search`: a scan of the words of 36,515 items in memory took 6 times the processor, SQLite's scan 35 times.
/**
 * Returns the parts of the catalog that can hold what is searched for, so that SQLite looks into those only; it decides nothing itself.
 * Items are taken in blocks of neighbouring ids, and of each block the hashes of all pieces of one, two and three characters of
 * its words are kept, of the signs of its names, and of the facts of its items: words of any length are served, and two pieces with one
 * hash cost a look too many, never a match.
 * Built in slices between other work, after the first search and again after one that finds another version of the catalog.
 */
export class SearchIndex {
  readonly #stores: { catalog: () => CatalogStore; state: MarketStateStore };
  #built: Built | null = null;
  #building: Promise<void> | null = null;
  #closed = false;

  /** `catalog` is called when the index is built. */
  constructor(stores: { catalog: () => CatalogStore; state: MarketStateStore }) {
    this.#stores = stores;
  }

  /** Bytes that the index holds. */
  get bytes(): number {
    const { lastIds, start, blocks } = this.#built ?? {};
    return (lastIds?.byteLength ?? 0) + (start?.byteLength ?? 0) + (blocks?.byteLength ?? 0);
  }

  /**
   * Returns ranges of ids after `cursor`, ascending, outside of which nothing is found. Null while there is no index of this catalog
   * version: it is being built, and everything has to be searched. Null also for what has no piece: spaces alone.
   */
  ranges(filter: NameFilter, cursor: number, version: number): Iterable<IdRange> | null {
    if (this.#built?.version === version) {
      const wanted = slotsOf(filter);
      return wanted.size === 0 ? null : rangesOf(this.#built, wanted, cursor);
    }
    // A failed build shows in the reads that do without it.
    void this.refresh().catch(() => {});
    return null;
  }

  /** Builds the index unless it is being built already. Resolves when that ended; the catalog may have changed meanwhile. */
  refresh(): Promise<void> {
    this.#building ??= this.#build().finally(() => {
      this.#building = null;
    });
    return this.#building;
  }

  /** Stops reading the file. */
  close(): void {
    this.#closed = true;
  }

  async #build(): Promise<void> {
    const version = this.#stores.state.catalogVersion();
    const draft = new Draft();
    for (let after = 0; ; ) {
      const items = this.#stores.catalog().searched(after, sliceItems);
      for (const item of items) draft.add(item);
      const last = items.at(-1);
      if (last === undefined) break;
      after = last.itemId;
      await new Promise(setImmediate);
      if (this.#closed) return;
    }
    const built = await draft.finish(version);
    if (!this.#closed && this.#stores.state.catalogVersion() === version) this.#built = built;
  }
}

/** Collects slots in the order of their blocks, while the catalog is read. */
class Draft {
  readonly #seenIn = new Uint32Array(slots);
  readonly #lastIds: number[] = [];
  readonly #blockEnds: number[] = [];
  #slots = new Uint32Array(1 << 16);
  #count = 0;
  #items = 0;

  add({ itemId, words, searchText, marketHashName, ...facts }: SearchedItem): void {
    if (this.#items % blockItems === 0) {
      this.#lastIds.push(itemId);
      this.#blockEnds.push(this.#count);
    }
    this.#items += 1;
    this.#lastIds[this.#lastIds.length - 1] = itemId;
    const block = this.#lastIds.length;
    for (let offset = 0; offset < words.length; offset += 1) {
      const end = Math.min(gramLengthMax, words.length - offset);
      for (let length = 1; length <= end; length += 1) {
        if (words.charCodeAt(offset + length - 1) <= spaceCode) break;
        this.#see(slotOf(words, offset, length), block);
      }
    }
    for (const [sign] of searchText.matchAll(signs)) this.#see(slotOf(sign, 0, sign.length), block);
    const all: Record<ItemFact, string | number | boolean | null> = {
      ...facts,
      weapon: weaponOf(marketHashName, facts.type),
    };
    for (const [fact, value] of Object.entries(all)) {
      if (value !== null) this.#see(factSlot(fact, typeof value === "boolean" ? Number(value) : value), block);
    }
    this.#blockEnds[this.#blockEnds.length - 1] = this.#count;
  }

  /** Sorts the collected blocks by slot. */
  async finish(version: number): Promise<Built> {
    const start = new Uint32Array(slots + 1);
    for (let index = 0; index < this.#count; index += 1) start[this.#slots[index]! + 1]! += 1;
    await new Promise(setImmediate);
    for (let slot = 0; slot < slots; slot += 1) start[slot + 1]! += start[slot]!;
    const next = start.slice();
    const blocks = new Uint32Array(this.#count);
    let index = 0;
    for (const [block, end] of this.#blockEnds.entries()) {
      for (; index < end; index += 1) blocks[next[this.#slots[index]!]!++] = block;
      if (block % sliceItems === 0) await new Promise(setImmediate);
    }
    return { version, lastIds: Uint32Array.from(this.#lastIds), start, blocks };
  }

  #see(slot: number, block: number): void {
    if (this.#seenIn[slot] === block) return;
    this.#seenIn[slot] = block;
    this.#push(slot);
  }

  #push(slot: number): void {
    if (this.#count === this.#slots.length) {
      const larger = new Uint32Array(this.#slots.length * 2);
      larger.set(this.#slots);
      this.#slots = larger;
    }
    this.#slots[this.#count] = slot;
    this.#count += 1;
  }
}

function* rangesOf({ lastIds, start, blocks }: Built, wanted: ReadonlySet<number>, cursor: number): Generator<IdRange> {
  const lists = listsOf(wanted, start, blocks);
  const shortest = lists[0]!;
  let open: IdRange | null = null;
  let joined = 0;
  for (let index = firstFrom(shortest, firstFrom(lastIds, cursor + 1)); index < shortest.length; index += 1) {
    const block = shortest[index]!;
    if (!lists.every((list) => list[firstFrom(list, block)] === block)) continue;
    const after = Math.max(cursor, block === 0 ? 0 : lastIds[block - 1]!);
    const joins: boolean = open !== null && open.upTo === after && joined < joinedBlocksMax;
    if (open !== null && !joins) yield open;
    joined = joins ? joined + 1 : 1;
    open = { after: open !== null && joins ? open.after : after, upTo: lastIds[block]! };
  }
  if (open !== null) yield open;
}

/** Returns the shortest of the lists of blocks, ascending in length. */
function listsOf(wanted: ReadonlySet<number>, start: Uint32Array, blocks: Uint32Array): Uint32Array[] {
  return [...wanted]
    .map((slot) => blocks.subarray(start[slot], start[slot + 1]))
    .sort((a, b) => a.length - b.length)
    .slice(0, comparedListsMax);
}

/** Returns the slots that a block must have. The words of a part of a name are parts of the name's words, so literals have both. */
function slotsOf({ words, literals, equals }: NameFilter): Set<number> {
  const wanted = new Set<number>();
  const pieces = [...words, ...literals.flatMap((literal) => wordsText(literal).split(" "))];
  for (const text of pieces) {
    const length = Math.min(gramLengthMax, text.length);
    if (length === 0) continue;
    for (let offset = 0; offset + length <= text.length; offset += 1) wanted.add(slotOf(text, offset, length));
  }
  for (const literal of literals)
    for (const [sign] of literal.matchAll(signs)) wanted.add(slotOf(sign, 0, sign.length));
  for (const { fact, value } of equals) wanted.add(factSlot(fact, value));
  return wanted;
}

/** Returns the index of the first of the ascending `numbers` that is at least `least`. */
function firstFrom(numbers: Uint32Array, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function slotOf(text: string, offset: number, length: number): number {
  let hash = 0;
  for (let index = 0; index < length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(offset + index), 0x9e3779b1) ^ (hash >>> 15);
  return (Math.min(length, gramLengthMax) - 1) * slotsPerLength + ((hash ^ (hash >>> 13)) & (slotsPerLength - 1));
}

/** Returns the slot of a fact; line breaks are in no word. */
function factSlot(fact: string, value: string | number): number {
  const text = `\n${fact}=${value}`;
  return slotOf(text, 0, text.length);
}
