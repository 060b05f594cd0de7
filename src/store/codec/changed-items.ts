import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MalformedBytes, VarintReader, VarintWriter } from "./varint.ts";

/**
 * An item with a changed record in an export. `isNew` means that the previous export did not contain it. `bytes` is the size of its record,
 * or 0 without one.
 */
export type ChangedItem = { readonly itemId: number; readonly isNew: boolean; readonly bytes: number };

const plain = 0;
const deflated = 1;
/** More than the ids of all possible items need. */
const inflatedBytesMax = 256 * 1024 * 1024;

/**
 * Encodes changed items, given in ascending id. Each entry has the id difference with a flag, and the size, as varints. The bytes are
 * deflated if that is shorter.
 */
export function encodeChangedItems(items: Iterable<ChangedItem>): Buffer {
  const writer = new VarintWriter();
  let before = 0;
  for (const { itemId, isNew, bytes } of items) {
    if (itemId <= before) throw new Error(`changed items must be in ascending order of id: ${itemId} after ${before}`);
    writer.unsigned((itemId - before) * 2 + Number(isNew));
    writer.unsigned(bytes);
    before = itemId;
  }
  const content = writer.content();
  const shorter = deflateRawSync(content, { level: 1 });
  return shorter.length < content.length
    ? Buffer.concat([Buffer.of(deflated), shorter])
    : Buffer.concat([Buffer.of(plain), content]);
}

/**
 * Decodes the bytes of `encodeChangedItems` and passes each item to `take`.
 * @throws {MalformedBytes} when the encoding is invalid.
 */
export function decodeChangedItems(
  encoded: Buffer,
  take: (itemId: number, isNew: boolean, bytes: number) => void,
): void {
  const reader = new VarintReader(inflated(encoded), 0);
  let itemId = 0;
  while (!reader.isAtEnd) {
    const value = reader.unsigned();
    itemId += Math.floor(value / 2);
    take(itemId, value % 2 === 1, reader.unsigned());
  }
}

function inflated(encoded: Buffer): Buffer {
  const [form] = encoded;
  if (form === plain) return encoded.subarray(1);
  if (form !== deflated) throw new MalformedBytes(`changed items have the unknown form ${form}`);
  try {
    return inflateRawSync(encoded.subarray(1), { maxOutputLength: inflatedBytesMax });
  } catch (error) {
    throw new MalformedBytes(`changed items cannot be inflated: ${(error as Error).message}`);
  }
}
