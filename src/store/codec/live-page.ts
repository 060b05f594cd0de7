/** Kinds of pages with rows in SQLite's file format, by the first byte of the page header. */
const pageKinds = { interiorIndex: 2, interiorTable: 5, leafIndex: 10, leafTable: 13 } as const;
/** Size of the file header, which precedes the header of the first page. */
export const fileHeaderBytes = 100;
/** Minimum size of a cell in SQLite. */
const cellBytesMin = 4;
const freeblockHeaderBytes = 4;

/**
 * Zeroes the bytes of a table or index page that deleted rows have left, in place. Headers and live cells remain. `start` is 100 on the
 * first page of a file, otherwise 0.
 * @throws {RangeError} when the page is not a valid SQLite page.
 */
export function zeroDeadBytes(page: Buffer, start: number): void {
  const kind = page[start];
  const isInterior = kind === pageKinds.interiorIndex || kind === pageKinds.interiorTable;
  if (!isInterior && kind !== pageKinds.leafIndex && kind !== pageKinds.leafTable) throw oddPage("unknown kind");
  const cells = page.readUInt16BE(start + 3);
  const pointersAt = start + (isInterior ? 12 : 8);
  const pointersEnd = pointersAt + 2 * cells;
  const spans: [number, number][] = freeblocksOf(page, start, pointersEnd);
  for (let index = 0; index < cells; index += 1) {
    const at = page.readUInt16BE(pointersAt + 2 * index);
    spans.push([at, at + Math.max(cellBytesMin, cellBytes(page, at, kind))]);
  }
  spans.sort(([one], [other]) => one - other);
  let end = pointersEnd;
  for (const [from, to] of spans) {
    if (from < end || to > page.length) throw oddPage("cells overlap");
    page.fill(0, end, from);
    end = to;
  }
  page.fill(0, end);
}

/**
 * Zeroes the bytes after the content of an overflow page, in place. `payloadBytes` is the size of the content on this page.
 * @throws {RangeError} when the content is larger than a page.
 */
export function zeroAfterOverflow(page: Buffer, payloadBytes: number): void {
  if (payloadBytes < 0 || payloadBytes > page.length - 4) throw oddPage("more content than a page");
  page.fill(0, 4 + payloadBytes);
}

/** Returns an empty root page for the table or index with the root `page`. */
export function emptyRoot(page: Buffer): Buffer {
  const isTable = page[0] === pageKinds.leafTable || page[0] === pageKinds.interiorTable;
  const empty = Buffer.alloc(page.length);
  empty[0] = isTable ? pageKinds.leafTable : pageKinds.leafIndex;
  // A page size of 65,536 is stored as 0.
  empty.writeUInt16BE(page.length & 0xffff, 5);
  return empty;
}

/** Returns the maximum number of free pages that one trunk page lists. SQLite itself leaves six entries unused. */
export function trunkLeavesMax(pageBytes: number): number {
  return Math.floor(pageBytes / 4) - 8;
}

/** Returns a trunk page of the list of free pages. `next` is the number of the following trunk page, or 0 without one. */
export function trunkPage(pageBytes: number, next: number, leaves: readonly number[]): Buffer {
  const page = Buffer.alloc(pageBytes);
  page.writeUInt32BE(next, 0);
  page.writeUInt32BE(leaves.length, 4);
  leaves.forEach((leaf, index) => {
    page.writeUInt32BE(leaf, 8 + 4 * index);
  });
  return page;
}

/** Returns the ranges of the headers of free blocks, which SQLite reads. The content of free blocks is unused. */
function freeblocksOf(page: Buffer, start: number, from: number): [number, number][] {
  const spans: [number, number][] = [];
  let last = from;
  for (let at = page.readUInt16BE(start + 1); at !== 0; at = page.readUInt16BE(at)) {
    if (at < last || at + freeblockHeaderBytes > page.length) throw oddPage("free blocks are out of order");
    spans.push([at, at + freeblockHeaderBytes]);
    last = at + freeblockHeaderBytes;
  }
  return spans;
}

/** Returns the size of the cell at offset `at` on its page. It includes the number of an overflow page, but not the overflow content. */
function cellBytes(page: Buffer, at: number, kind: number): number {
  if (kind === pageKinds.interiorTable) return 4 + varintBytes(page, at + 4);
  const payloadAt = at + (kind === pageKinds.interiorIndex ? 4 : 0);
  const [payload, sizeBytes] = readVarint(page, payloadAt);
  const rowIdBytes = kind === pageKinds.leafTable ? varintBytes(page, payloadAt + sizeBytes) : 0;
  return payloadAt - at + sizeBytes + rowIdBytes + localBytes(page.length, payload, kind === pageKinds.leafTable);
}

/** Returns the size of the part of a payload on the page itself. It includes the number of the first overflow page, if any. */
function localBytes(usable: number, payload: number, isTable: boolean): number {
  const max = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload <= max) return payload;
  const min = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = min + ((payload - min) % (usable - 4));
  return (fitting <= max ? fitting : min) + 4;
}

/** Returns the value of a varint and its size in bytes. Lengths and row ids never exceed 2^53. */
function readVarint(page: Buffer, at: number): [value: number, bytes: number] {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = page.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, index + 1];
  }
  return [value * 256 + page.readUInt8(at + 8), 9];
}

function varintBytes(page: Buffer, at: number): number {
  return readVarint(page, at)[1];
}

function oddPage(why: string): RangeError {
  return new RangeError(`a page differs from SQLite's form: ${why}`);
}
