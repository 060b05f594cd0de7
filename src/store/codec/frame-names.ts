import { crc32 } from "node:zlib";
import { MalformedBytes, VarintReader, VarintWriter } from "./varint.ts";

/** Refused names of one frame: hour of its day (0 to 23), and ids of `refused_names`, ascending. */
export type HourNames = { hour: number; nameIds: readonly number[] };

type DayKey = { day: number; feed: string };

const checksumBytes = 4;

/**
 * Returns the refused names in the frames of one feed and day, in ascending hours, as bytes:
 *
 *     names = CRC-32 (4, big endian, over key and content), content
 *     content = an entry per frame that remembers its names
 *     entry = hour (one byte), ids that went, ids that came, both against the entry before it
 *     ids = their number, the first one, then the differences; varints
 *
 * @throws {RangeError} when hours or ids are not ascending.
 */
export function encodeFrameNames(key: DayKey, hours: readonly HourNames[]): Buffer {
  const writer = new VarintWriter();
  let hourBefore = -1;
  let before: readonly number[] = [];
  for (const { hour, nameIds } of hours) {
    if (!Number.isInteger(hour) || hour > 23 || hour <= hourBefore)
      throw new RangeError(`hour ${hour} is not in order`);
    writer.byte(hour);
    writeIds(writer, without(before, nameIds));
    writeIds(writer, without(nameIds, before));
    hourBefore = hour;
    before = nameIds;
  }
  const content = writer.content();
  const names = Buffer.allocUnsafe(checksumBytes + content.length);
  names.writeUInt32BE(checksumOf(key, content), 0);
  names.set(content, checksumBytes);
  return names;
}

/**
 * Returns the refused names of each frame in ascending hours. Does not compare the checksum: that is `hasValidNamesChecksum`.
 * @throws {MalformedBytes} when the bytes are not those of names.
 */
export function decodeFrameNames(names: Buffer): HourNames[] {
  const hours: HourNames[] = [];
  let nameIds: readonly number[] = [];
  for (const { hour, gone, come } of entriesOf(names)) {
    const kept = without(nameIds, gone);
    if (kept.length !== nameIds.length - gone.length) throw new MalformedBytes("names went that were not there");
    nameIds = Array.from(new Set([...kept, ...come])).sort((a, b) => a - b);
    if (nameIds.length !== kept.length + come.length) throw new MalformedBytes("names came that were there");
    hours.push({ hour, nameIds });
  }
  return hours;
}

/**
 * Returns a bit for each hour of the day whose frame has the name.
 * @throws {MalformedBytes} when the bytes are not those of names.
 */
export function hoursOfName(names: Buffer, nameId: number): number {
  let bits = 0;
  let isThere = false;
  for (const { hour, gone, come } of entriesOf(names)) {
    if (isThere ? gone.includes(nameId) : come.includes(nameId)) isThere = !isThere;
    if (isThere) bits |= 1 << hour;
  }
  return bits;
}

/** Returns whether the bytes are those that were written for this key. */
export function hasValidNamesChecksum(key: DayKey, names: Buffer): boolean {
  return names.length >= checksumBytes && names.readUInt32BE(0) === checksumOf(key, names.subarray(checksumBytes));
}

type Entry = { hour: number; gone: number[]; come: number[] };

function* entriesOf(names: Buffer): Generator<Entry> {
  const reader = new VarintReader(names, checksumBytes);
  for (let hourBefore = -1; !reader.isAtEnd; ) {
    const hour = reader.byte();
    if (hour > 23 || hour <= hourBefore) throw new MalformedBytes("the hours of names are not in order");
    hourBefore = hour;
    yield { hour, gone: readIds(reader, names.length), come: readIds(reader, names.length) };
  }
}

function checksumOf({ day, feed }: DayKey, content: Uint8Array): number {
  return crc32(content, crc32(`${day} ${feed}`));
}

/** Returns the ids of `ids` that `others` has not; both ascending. */
function without(ids: readonly number[], others: readonly number[]): number[] {
  const left: number[] = [];
  let next = 0;
  for (const id of ids) {
    while (next < others.length && others[next]! < id) next += 1;
    if (others[next] !== id) left.push(id);
  }
  return left;
}

function writeIds(writer: VarintWriter, ids: readonly number[]): void {
  writer.unsigned(ids.length);
  let before = 0;
  for (const id of ids) {
    if (!Number.isSafeInteger(id) || id <= before) throw new RangeError(`name ${id} is not in order`);
    writer.unsigned(id - before);
    before = id;
  }
}

function readIds(reader: VarintReader, bytes: number): number[] {
  const count = reader.unsigned();
  if (count > bytes) throw new MalformedBytes("an entry names more ids than it has bytes");
  const ids: number[] = [];
  for (let id = 0; ids.length < count; ) {
    const difference = reader.unsigned();
    if (difference === 0) throw new MalformedBytes("the ids of names are not in order");
    id += difference;
    ids.push(id);
  }
  return ids;
}
