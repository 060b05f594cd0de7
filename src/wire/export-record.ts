import type { Schema } from "../contract/types.ts";
import { noQuotes, recordStart } from "./quotes.ts";

/** Columns of an item that exports contain. */
export type ExportedItem = { itemId: number; marketHashName: string; phase: string | null };

const beforeQuotes = 'available",';
const tail = "}}\n";
const missing = `missing",${noQuotes}${tail}`;
/** Bytes of an `item` record without its head and its quotes, including the line end. */
const restBytes = beforeQuotes.length + tail.length;

/** Encodes the head of an `item` record, up to its availability. */
export function encodeExportHead({ itemId, marketHashName, phase }: ExportedItem): string {
  return `${recordStart}{"item_id":${itemId},"market_hash_name":${JSON.stringify(marketHashName)},"phase":${JSON.stringify(phase)},"availability":"`;
}

/** Encodes an `item` record with its line end. `quotes` is a result of `encodeUntimedBook`, null if the item has no quotes. */
export function encodeItemRecord(exportHead: string, quotes: string | null): string {
  return quotes === null ? `${exportHead}${missing}` : `${exportHead}${beforeQuotes}${quotes}${tail}`;
}

/** Returns the bytes of the record that `encodeItemRecord` makes. `quoteBytes` is null if the item has no quotes. */
export function itemRecordBytes(exportHead: string, quoteBytes: number | null): number {
  return Buffer.byteLength(exportHead) + (quoteBytes === null ? missing.length : quoteBytes + restBytes);
}

/** Encodes the line of an item in the canonical identity part, with its line end: the record's data without the quotes. */
export function encodeIdentityLine(exportHead: string, isQuoted: boolean): string {
  return `${exportHead.slice(recordStart.length)}${isQuoted ? "available" : "missing"}"}\n`;
}

const removedHead = '{"type":"removed","item_id":';

/** Encodes a `removed` record of a stream of changes with its line end. */
export function encodeRemovedRecord(itemId: number): string {
  return `${removedHead}${itemId}}\n`;
}

/** Encodes a record of an export other than an item, with its line end. */
export function encodeRecord(
  record:
    | Schema<"SnapshotStart">
    | Schema<"SnapshotEnd">
    | Schema<"SnapshotError">
    | Schema<"ChangesStart">
    | Schema<"ChangesEnd">,
): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** Encodes the line of an item in a generation's canonical price part. The generation's digest covers these lines. */
export function encodePriceLine(itemId: number, quotes: string): string {
  return `{"item_id":${itemId},${quotes}}\n`;
}

/** Returns the bytes of the line that `encodePriceLine` makes. */
export function priceLineBytes(itemId: number, quoteBytes: number): number {
  return encodePriceLine(itemId, "").length + quoteBytes;
}
