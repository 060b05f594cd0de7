import { BrokenLine } from "./lines.ts";
import type {
  DayLine,
  Schema,
  SnapshotEnd,
  SnapshotItem,
  SnapshotItemRecord,
  SnapshotQuote,
  SnapshotStart,
} from "./types.ts";

/** A record in one line of an export or a stream of changes. */
export type AnyRecord =
  | SnapshotStart
  | Schema<"ChangesStart">
  | SnapshotItemRecord
  | Schema<"ChangesRemoved">
  | SnapshotEnd
  | Schema<"ChangesEnd">
  | Schema<"SnapshotError">;

/** A record in one line of the export of a day. */
type DayRecord = Schema<"DayExportStart"> | DayLine | Schema<"DayExportEnd"> | Schema<"SnapshotError">;

type RecordOf = { export: AnyRecord; changes: AnyRecord; day: DayRecord };
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

const listOf =
  (check: Check, max: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(check);

const requestId = text(/^req_[0-9a-z]{26}$/);
const generation = text(/^g[0-9]{1,15}$/);
const provider = text(/^[a-z0-9][a-z0-9-]{0,59}$/);
const positive = integer(1, Number.MAX_SAFE_INTEGER);
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
  provider,
  amount: positive,
  currency: is("USD"),
  minor_units: is(2),
  quantity: orNull(positive),
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
const nested =
  (what: string, shape: AnyShape): Check =>
  (value) =>
    shaped(what, value, shape) === value;
const isState = nested("state", stateShape);
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

const hoursOfDay = 24;
const hour = integer(0, hoursOfDay - 1);
const byHour = (check: Check): Check => listOf(check, hoursOfDay);
const feed = characters(60);
const feedsMax = 200;
const date: Check = (value) => time(`${value}T00:00:00.000Z`);
/** Ascending, disjoint ranges. */
const hourRanges: Check = (value) => {
  let next = 0;
  return byHour((range) => {
    const [first, last] = Array.isArray(range) && range.length === 2 ? range : [];
    const isRange = hour(first) && hour(last) && first >= next && last >= first;
    next = last + 1;
    return isRange;
  })(value);
};
const selectionShape: Shape<Schema<"DaySelection">> = { provider, side: is("ask", "bid") };
const framesShape: Shape<Schema<"DayFrames">> = {
  feed,
  hours: byHour(hour),
  ingested_at: byHour(time),
  checked_at: byHour(time),
  recorded_at: byHour(time),
};
const dayStartShape: Shape<Schema<"DayExportStart">> = {
  type: is("start"),
  request_id: requestId,
  date,
  revision: itemId,
  resolution: is("daily", "hourly"),
  generated_at: time,
  sealed_at: time,
  currency: is("USD"),
  minor_units: is(2),
  selection: orNull(nested("selection", selectionShape)),
  frames: listOf(nested("entry of frames", framesShape), feedsMax),
};
const dailyShape: Shape<Schema<"DayDaily">["data"]> = {
  item_id: itemId,
  ...selectionShape,
  amount: positive,
  low_amount: positive,
  high_amount: positive,
  observations: itemId,
  quantity: orNull(positive),
  source_observed_at: orNull(time),
  recorded_at: time,
};
const dayQuotesShape: Shape<Schema<"DayQuotes">["data"]> = {
  item_id: itemId,
  ...selectionShape,
  feed,
  hours: hourRanges,
  amounts: byHour(positive),
  quantities: byHour(orNull(positive)),
  source_observed_at: byHour(orNull(time)),
};
const dayMarkersShape: Shape<Schema<"DayMarkers">["data"]> = {
  item_id: itemId,
  side: selectionShape.side,
  hours: hourRanges,
  availability: byHour(is("quoted", "item_missing", "no_quote")),
  feeds: byHour(orNull(listOf(feed, feedsMax))),
};
const dayEndShape: Shape<Schema<"DayExportEnd">> = {
  type: is("end"),
  request_id: requestId,
  date,
  revision: itemId,
  rows: integer(0, Number.MAX_SAFE_INTEGER),
  digest: sha256,
};

/** Records by type, of an export, a stream of changes and the export of a day. */
const exportShapes = { start: startShape, item: wrapperShape, end: endShape, error: errorShape };
const shapesOf = {
  export: exportShapes,
  changes: { ...exportShapes, start: changesStartShape, removed: removedShape, end: changesEndShape },
  day: {
    start: dayStartShape,
    daily: { type: is("daily"), data: nested("daily row", dailyShape) },
    quotes: { type: is("quotes"), data: nested("row of quotes", dayQuotesShape) },
    markers: { type: is("markers"), data: nested("row of markers", dayMarkersShape) },
    end: dayEndShape,
    error: errorShape,
  },
};

/**
 * Parses one line of a stream strictly: known types, exactly the required keys, all values within their bounds.
 * @throws {BrokenLine}
 */
export function readRecord<Stream extends keyof RecordOf>(line: string, stream: Stream): RecordOf[Stream] {
  const value = parsed(line);
  const { type } = value;
  const shapes: Readonly<Record<string, AnyShape>> = shapesOf[stream];
  const shape = typeof type === "string" && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (shape === undefined) throw new BrokenLine("a record of an unknown type");
  const record = shaped<AnyRecord | DayRecord>(String(type), value, shape);
  if (record.type === "item") checkItem(record.data);
  return record as RecordOf[Stream];
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
