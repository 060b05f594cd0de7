import type { Schema } from "../contract/types.ts";
import { noQuotes, recordStart } from "./quotes.ts";

/*
 * An `item` record is glued together by the database: head of the item, its availability, its stored quotes, tail. The head is a
 * generated column, so that it cannot differ from the columns of its item.
 */
const head = (itemId: string | number, name: string, phase: string) =>
  `${recordStart}{"item_id":${itemId},"market_hash_name":${name},"phase":${phase},"availability":"`;
const beforeQuotes = 'available",';
const tail = "}}";
const newline = "char(10)";

/** SQL expression of the head over the columns of `items`. A stored column holds it: the text never changes. */
export const exportHeadSql = `'${head("' || item_id || '", "' || json_quote(market_hash_name) || '", "' || json_quote(phase) || '")}'`;

/** Bytes of an `item` record with quotes beside its head and its quotes, the end of the line included. */
export const itemRecordRestBytes = `${beforeQuotes}${tail}\n`.length;

/** Returns the SQL expression of an `item` record and its end of line; `quotes` is null where the item has none. */
export function itemRecordSql({ exportHead, quotes }: { exportHead: string; quotes: string }): string {
  const missing = `concat(${exportHead}, 'missing",${noQuotes}${tail}', ${newline})`;
  const available = `concat(${exportHead}, '${beforeQuotes}', ${quotes}, '${tail}', ${newline})`;
  return `CASE WHEN ${quotes} IS NULL THEN ${missing} ELSE ${available} END`;
}

/**
 * Returns the SQL expression of an item's line of the canonical identity part and its end of line: the record's data but for the
 * quotes. `quotes` is null where the item has none.
 */
export function identityLineSql({ exportHead, quotes }: { exportHead: string; quotes: string }): string {
  const identity = `substr(${exportHead}, ${recordStart.length + 1})`;
  return `concat(${identity}, CASE WHEN ${quotes} IS NULL THEN 'missing' ELSE 'available' END, '"}', ${newline})`;
}

/** Returns the SQL expression of the bytes of an `item` record and its end of line. */
export function itemRecordBytesSql({ exportHead, quotes }: { exportHead: string; quotes: string }): string {
  const missing = `missing",${noQuotes}${tail}\n`.length;
  return `octet_length(${exportHead}) + coalesce(octet_length(${quotes}) + ${itemRecordRestBytes}, ${missing})`;
}

const removedHead = '{"type":"removed","item_id":';

/** Returns the SQL expression of a `removed` record of a stream of changes and its end of line. */
export function removedRecordSql(itemId: string): string {
  return `concat('${removedHead}', ${itemId}, '}', ${newline})`;
}

/** Returns the bytes of a `removed` record and its end of line. */
export function removedRecordBytes(itemId: number): number {
  return `${removedHead}${itemId}}\n`.length;
}

/** Encodes the head of an `item` record: what the generated column of the item must hold. */
export function encodeExportHead(item: { itemId: number; marketHashName: string; phase: string | null }): string {
  return head(item.itemId, JSON.stringify(item.marketHashName), JSON.stringify(item.phase));
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
export function encodePriceLine(itemId: number, quotes: string): Buffer {
  return Buffer.from(`{"item_id":${itemId},${quotes}}\n`);
}
