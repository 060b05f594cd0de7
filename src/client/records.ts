import { BrokenLine } from "./lines.ts";
import type { Schema, SnapshotEnd, SnapshotItem, SnapshotItemRecord, SnapshotQuote, SnapshotStart } from "./types.ts";

/** A record in one line of an export or a stream of changes. */
export type AnyRecord =
  | SnapshotStart
  | Schema<"ChangesStart">
  | SnapshotItemRecord
  | Schema<"ChangesRemoved">
  | SnapshotEnd
  | Schema<"ChangesEnd">
  | Schema<"SnapshotError">;

type Check = (value: unknown) => boolean;
/** A check for every key of a record. Other keys are refused. */
type Shape<Value> = { readonly [Key in keyof Value]-?: Check };
type AnyShape = Readonly<Record<string, Check>>;

const integerMax = 2_147_483_647;
const quotesMax = 3000;

const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
const text =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const characters =
  (max: number): Check =>
  (value) =>
    typeof value === "string" && value.length > 0 && (value.length <= max || [...value].length <= max);
const is =
  (...constants: readonly unknown[]): Check =>
  (value) =>
    constants.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const requestId = text(/^req_[0-9a-z]{26}$/);
const generation = text(/^g[0-9]{1,15}$/);
const sha256 = text(/^[0-9a-f]{64}$/);
const itemId = integer(1, integerMax);
const time: Check = (value) => {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)) return false;
  const atMs = Date.parse(value);
  // `Date.parse` accepts days beyond the end of a month, so the result is compared with the text.
  return !Number.isNaN(atMs) && new Date(atMs).toISOString() === value;
};
const httpsAddress: Check = (value) =>
  typeof value === "string" && value.length <= 2048 && /^https:\/\/[!-~]*$/.test(value);

const startShape: Shape<SnapshotStart> = {
  type: is("start"),
  request_id: requestId,
  generation,
  generated_at: time,
  ingested_at: time,
  price_as_of: is(null),
  consistency: is("single_price_generation"),
  catalog_max_item_id: integer(0, integerMax),
};
const itemShape: Shape<SnapshotItem> = {
  item_id: itemId,
  market_hash_name: characters(300),
  phase: orNull(characters(60)),
  availability: is("available", "missing"),
  asks: Array.isArray,
  bids: Array.isArray,
};
const quoteShape: Shape<SnapshotQuote> = {
  provider: text(/^[a-z0-9][a-z0-9-]{0,59}$/),
  amount: integer(1, Number.MAX_SAFE_INTEGER),
  currency: is("USD"),
  minor_units: is(2),
  quantity: orNull(integer(1, Number.MAX_SAFE_INTEGER)),
  url: orNull(httpsAddress),
  // Exports have no times of quotes.
  as_of: is(null),
};
const endShape: Shape<SnapshotEnd> = {
  type: is("end"),
  request_id: requestId,
  generation,
  items: integer(0, integerMax),
};
const errorShape: Shape<Schema<"SnapshotError">> = {
  type: is("error"),
  request_id: requestId,
  code: is("snapshot_interrupted", "snapshot_changed"),
};
const stateShape: Shape<Schema<"MarketState">> = { generation, digest: sha256, identity_digest: sha256 };
const isState: Check = (value) => shaped("state", value, stateShape) === value;
const changesStartShape: Shape<Schema<"ChangesStart">> = {
  type: is("start"),
  request_id: requestId,
  generated_at: time,
  ingested_at: time,
  from: isState,
  to: isState,
};
const removedShape: Shape<Schema<"ChangesRemoved">> = { type: is("removed"), item_id: itemId };
const changesEndShape: Shape<Schema<"ChangesEnd">> = {
  type: is("end"),
  request_id: requestId,
  to: isState,
  items: integer(0, integerMax),
  removed: integer(0, integerMax),
};
const wrapperShape: Shape<SnapshotItemRecord> = { type: is("item"), data: isRecord };

/** Records of exports and of streams of changes, by type. */
const exportShapes = { start: startShape, item: wrapperShape, end: endShape, error: errorShape };
const changesShapes = { ...exportShapes, start: changesStartShape, removed: removedShape, end: changesEndShape };

/**
 * Parses one line strictly: known types, exactly the required keys, all values within their bounds. Pass true as `isChanges` for a stream
 * of changes.
 * @throws {BrokenLine}
 */
export function readRecord(line: string, isChanges = false): AnyRecord {
  const value = parsed(line);
  const { type } = value;
  const shapes: Readonly<Record<string, AnyShape>> = isChanges ? changesShapes : exportShapes;
  const shape = typeof type === "string" && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (shape === undefined) throw new BrokenLine("a record of an unknown type");
  const record = shaped<AnyRecord>(String(type), value, shape);
  if (record.type === "item") checkItem(record.data);
  return record;
}

/** The braces must be the first and last characters: even a carriage return is refused. */
function parsed(line: string): { readonly type?: unknown } {
  if (line === "") throw new BrokenLine("an empty line");
  if (!line.startsWith("{") || !line.endsWith("}")) throw new BrokenLine("a line that is not one JSON object");
  try {
    return JSON.parse(line) as { readonly type?: unknown };
  } catch {
    throw new BrokenLine("a line that is not one JSON object");
  }
}

function checkItem(item: SnapshotItem): void {
  shaped<SnapshotItem>("item", item, itemShape);
  for (const quotes of [item.asks, item.bids]) {
    if (quotes.length > quotesMax)
      throw new BrokenLine(`item ${item.item_id}: more than ${quotesMax} quotes on a side`);
    for (const quote of quotes) shaped<SnapshotQuote>("quote", quote, quoteShape);
  }
  if ((item.availability === "missing") !== (item.asks.length + item.bids.length === 0)) {
    throw new BrokenLine(`item ${item.item_id}: its availability contradicts its quotes`);
  }
}

function shaped<Value>(what: string, value: unknown, shape: AnyShape): Value {
  if (!isRecord(value)) throw new BrokenLine(`a ${what} that is not an object`);
  let known = 0;
  for (const key in shape) {
    if (!Object.hasOwn(value, key)) throw new BrokenLine(`${what}: \`${key}\` is missing`);
    if (!shape[key]!(value[key])) throw new BrokenLine(`${what}: \`${key}\` has an invalid value`);
    known += 1;
  }
  if (Object.keys(value).length !== known) throw new BrokenLine(`${what}: has an unknown key`);
  return value as Value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
