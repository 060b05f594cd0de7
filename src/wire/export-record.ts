import type { Schema } from "../contract/types.ts";
import { noQuotes, recordStart } from "./quotes.ts";

/** The columns of an item that exports show. */
export type ExportedItem = { itemId: number; marketHashName: string; phase: string | null };

const beforeQuotes = 'available",';
const tail = "}}\n";
const missing = `missing",${noQuotes}${tail}`;
/** Bytes of an `item` record with quotes beside its head and its quotes, the end of the line included. */
const restBytes = beforeQuotes.length + tail.length;

/** Encodes the head of an `item` record, up to the item's availability. */
export function encodeExportHead({ itemId, marketHashName, phase }: ExportedItem): string {
  return `${recordStart}{"item_id":${itemId},"market_hash_name":${JSON.stringify(marketHashName)},"phase":${JSON.stringify(phase)},"availability":"`;
}

/** Encodes an `item` record and its end of line. `quotes`: text of `encodeUntimedBook`; null: the item has none. */
export function encodeItemRecord(exportHead: string, quotes: string | null): string {
  return quotes === null ? `${exportHead}${missing}` : `${exportHead}${beforeQuotes}${quotes}${tail}`;
}

/** Returns the bytes of the same. `quoteBytes`: of its quotes; null: it has none. */
export function itemRecordBytes(exportHead: string, quoteBytes: number | null): number {
  return Buffer.byteLength(exportHead) + (quoteBytes === null ? missing.length : quoteBytes + restBytes);
}

/** Encodes an item's line of the canonical identity part and its end of line: the record's data but for the quotes. */
export function encodeIdentityLine(exportHead: string, isQuoted: boolean): string {
  return `${exportHead.slice(recordStart.length)}${isQuoted ? "available" : "missing"}"}\n`;
}

const removedHead = '{"type":"removed","item_id":';

/** Encodes a `removed` record of a stream of changes and its end of line. */
export function encodeRemovedRecord(itemId: number): string {
  return `${removedHead}${itemId}}\n`;
}

/** Encodes a record of an export that is not an item, with its end of line. */
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

/** Encodes an item's line of a generation's canonical price part: what its digest is made of. */
export function encodePriceLine(itemId: number, quotes: string): string {
  return `{"item_id":${itemId},${quotes}}\n`;
}

/** Returns the bytes of the same. */
export function priceLineBytes(itemId: number, quoteBytes: number): number {
  return encodePriceLine(itemId, "").length + quoteBytes;
}
