import { crc32 } from "node:zlib";
import { MalformedBytes, VarintReader, VarintWriter } from "./varint.ts";

/** Refused names of one frame: its hour of the day (0 to 23), and ids of `refused_names` in ascending order. */
export type HourNames = { hour: number; nameIds: readonly number[] };

type DayKey = { day: number; feed: string };

const checksumBytes = 4;

/**
 * Encodes the refused names in the frames of one feed and day, in ascending hours:
 *
 *     names = CRC-32 (4, big endian, over key and content), content
 *     content = an entry for each frame with recorded names
 *     entry = hour (one byte), removed ids, added ids, both relative to the entry before
 *     ids = count, first id, then differences, as varints
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
 * Decodes the refused names of each frame, in ascending hours. `hasValidNamesChecksum` checks the checksum; this function does not.
 * @throws {MalformedBytes} when the encoding is invalid.
 */
export function decodeFrameNames(names: Buffer): HourNames[] {
  const hours: HourNames[] = [];
  let nameIds: readonly number[] = [];
  for (const { hour, gone, come } of entriesOf(names)) {
    const kept = without(nameIds, gone);
    if (kept.length !== nameIds.length - gone.length) throw new MalformedBytes("removed names were missing");
    nameIds = Array.from(new Set([...kept, ...come])).sort((a, b) => a - b);
    if (nameIds.length !== kept.length + come.length) throw new MalformedBytes("added names existed already");
    hours.push({ hour, nameIds });
  }
  return hours;
}

/**
 * Returns the hours of the day with a frame that has the name, one bit per hour.
 * @throws {MalformedBytes} when the encoding is invalid.
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

/** Returns whether the checksum matches the bytes and the key. */
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

/** Returns the `ids` that are not in `others`. Both are ascending. */
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
