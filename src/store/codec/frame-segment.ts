import { crc32 } from "node:zlib";
import { MalformedBytes, VarintReader, VarintWriter } from "./varint.ts";

/**
 * One quote of a frame. `provider` is a number from `frame_providers`, `amount` is in USD cents, and `observedAt` is the source's own time.
 */
export type FrameQuote = {
  provider: number;
  side: "ask" | "bid";
  amount: number;
  quantity: number | null;
  observedAt: number | null;
};

/** The state of an item in a frame. Null if the item is absent, `[]` if it has a name without a usable price. */
export type ItemState = readonly FrameQuote[] | null;

/** A new state of the item from `hour` of the day (0 to 23) on. */
export type Change = { hour: number; state: ItemState };

export type SegmentKey = { day: number; itemId: number; feed: string };

const checksumBytes = 4;
const providerMax = 65_535;
const hourBits = 31;
const kinds = { absent: 0, unpriced: 1, quoted: 2 } as const;
/** Bits of the first byte of an amount, a quantity and a time. */
const quantityFollows = 1;
const timeFollows = 2;
const isNull = 1;
const inSeconds = 2;

/**
 * Encodes the states of one item in the frames of one feed and day, in ascending hours:
 *
 *     segment  = CRC-32 (4, big endian, over key and content), content
 *     content  = number of slots, slots, changes until the end
 *     slot     = provider * 2 + side, ascending; each provider and side in the day's changes
 *     change   = one byte (kind << 5 | hour), then for `quoted` a bit per slot and an entry for each set bit
 *     entry    = signed amount - the slot's last amount, [quantity], [time]; if all are zero, the slot appears unchanged or disappears
 *     quantity = null, or signed difference to the slot's last quantity
 *     time     = null, or signed difference to the last time before it, in whole seconds if exact
 *
 * Numbers are varints. The first byte of a signed one holds two flags and its sign. A slot's first amount is relative to the amount before
 * it. Decoding returns quotes in the order of their slots.
 * @throws {RangeError} when a state is invalid, or the hours are not ascending from 0 to 23.
 */
export function encodeSegment(key: SegmentKey, changes: readonly Change[]): Buffer {
  const slots = slotsOf(changes);
  const indexes = new Map(slots.map((slot, index) => [slot, index]));
  const memory = new SlotMemory(slots);
  const writer = new VarintWriter();
  writer.unsigned(slots.length);
  for (const slot of slots) writer.unsigned(slot);
  let hourBefore = -1;
  for (const { hour, state } of changes) {
    if (!Number.isInteger(hour) || hour > 23 || hour <= hourBefore)
      throw new RangeError(`hour ${hour} is not in order`);
    hourBefore = hour;
    const kind = state === null ? kinds.absent : state.length === 0 ? kinds.unpriced : kinds.quoted;
    writer.byte((kind << 5) | hour);
    if (kind === kinds.quoted) writeQuotes(writer, memory, indexes, state!);
    else memory.quotes.fill(undefined);
  }
  const content = writer.content();
  const segment = Buffer.allocUnsafe(checksumBytes + content.length);
  segment.writeUInt32BE(checksumOf(key, content), 0);
  segment.set(content, checksumBytes);
  return segment;
}

/**
 * Decodes the changes in ascending hours. `hasValidChecksum` checks the checksum; this function does not.
 * @throws {MalformedBytes} when the encoding is invalid.
 */
export function decodeSegment(segment: Buffer): Change[] {
  const reader = new VarintReader(segment, checksumBytes);
  const count = reader.unsigned();
  if (count > segment.length) throw new MalformedBytes("a segment names more slots than it has bytes");
  const slots: number[] = [];
  for (let before = -1; slots.length < count; ) {
    const slot = reader.unsigned();
    if (slot <= before || slot > providerMax * 2 + 1)
      throw new MalformedBytes("the slots of a segment are not in order");
    slots.push(slot);
    before = slot;
  }
  const memory = new SlotMemory(slots);
  const changes: Change[] = [];
  for (let hourBefore = -1; !reader.isAtEnd; ) {
    const first = reader.byte();
    const hour = first & hourBits;
    if (hour > 23 || hour <= hourBefore) throw new MalformedBytes("the hours of a segment are not in order");
    hourBefore = hour;
    changes.push({ hour, state: readState(reader, memory, first >> 5) });
  }
  return changes;
}

/** Returns whether the checksum matches the bytes and the key. */
export function hasValidChecksum(key: SegmentKey, segment: Buffer): boolean {
  if (segment.length < checksumBytes) return false;
  return segment.readUInt32BE(0) === checksumOf(key, segment.subarray(checksumBytes));
}

/** Returns whether two states are equal. The order of their quotes does not matter. */
export function isSameState(a: ItemState, b: ItemState): boolean {
  if (a === null || b === null) return a === b;
  if (a.length !== b.length) return false;
  return a.every((quote, index) => {
    const isPlaced = b[index]!.provider === quote.provider && b[index]!.side === quote.side;
    const other = isPlaced
      ? b[index]!
      : b.find(({ provider, side }) => provider === quote.provider && side === quote.side);
    return other !== undefined && isSameQuote(quote, other);
  });
}

function isSameQuote(a: FrameQuote, b: FrameQuote): boolean {
  return a.amount === b.amount && a.quantity === b.quantity && a.observedAt === b.observedAt;
}

function checksumOf({ day, itemId, feed }: SegmentKey, content: Uint8Array): number {
  return crc32(content, crc32(`${day} ${itemId} ${feed}`));
}

function slotOf({ provider, side }: FrameQuote): number {
  return provider * 2 + (side === "bid" ? 1 : 0);
}

function slotsOf(changes: readonly Change[]): number[] {
  const slots = new Set<number>();
  let before: readonly FrameQuote[] = [];
  for (const { state } of changes) {
    for (const [index, quote] of (state ?? []).entries()) {
      // Decoding reuses the object of an unchanged quote.
      if (quote === before[index]) continue;
      refuseImpossible(quote);
      slots.add(slotOf(quote));
    }
    before = state ?? [];
  }
  return Array.from(slots).sort((a, b) => a - b);
}

function refuseImpossible({ provider, amount, quantity, observedAt }: FrameQuote): void {
  const isPossible =
    Number.isInteger(provider) &&
    provider >= 0 &&
    provider <= providerMax &&
    Number.isSafeInteger(amount) &&
    amount >= 1 &&
    (quantity === null || (Number.isSafeInteger(quantity) && quantity >= 0)) &&
    (observedAt === null || (Number.isSafeInteger(observedAt) && observedAt >= 0));
  if (!isPossible)
    throw new RangeError(`a frame cannot hold ${amount} x ${quantity} of provider ${provider} at ${observedAt}`);
}

/** Holds the base for encoding the next change: the current and the last quote of each slot. Undefined without one. */
class SlotMemory {
  readonly slots: readonly number[];
  readonly quotes: (FrameQuote | undefined)[];
  readonly last: (FrameQuote | undefined)[];
  lastAmount = 0;
  lastTime = 0;

  constructor(slots: readonly number[]) {
    this.slots = slots;
    this.quotes = new Array(slots.length).fill(undefined);
    this.last = new Array(slots.length).fill(undefined);
  }

  put(index: number, quote: FrameQuote): void {
    this.quotes[index] = quote;
    this.last[index] = quote;
  }
}

function writeQuotes(
  writer: VarintWriter,
  memory: SlotMemory,
  indexes: ReadonlyMap<number, number>,
  state: readonly FrameQuote[],
): void {
  const next: (FrameQuote | undefined)[] = new Array(memory.slots.length).fill(undefined);
  for (const quote of state) {
    const index = indexes.get(slotOf(quote))!;
    if (next[index] !== undefined) throw new RangeError(`provider ${quote.provider} has two quotes of one side`);
    next[index] = quote;
  }
  for (let from = 0; from < next.length; from += 8) {
    let mask = 0;
    for (let index = from; index < from + 8 && index < next.length; index += 1) {
      if (differs(next[index], memory.quotes[index])) mask |= 1 << (index - from);
    }
    writer.byte(mask);
  }
  for (let index = 0; index < next.length; index += 1) {
    const quote = next[index];
    if (!differs(quote, memory.quotes[index])) continue;
    if (quote !== undefined) writeQuote(writer, memory, index, quote);
    else {
      writer.signed(0, 0);
      memory.quotes[index] = undefined;
    }
  }
}

function differs(a: FrameQuote | undefined, b: FrameQuote | undefined): boolean {
  if (a === b) return false;
  return a === undefined || b === undefined || !isSameQuote(a, b);
}

function writeQuote(writer: VarintWriter, memory: SlotMemory, index: number, quote: FrameQuote): void {
  const last = memory.last[index];
  const { amount, quantity, observedAt } = quote;
  const isNewQuantity = quantity !== (last?.quantity ?? null);
  const isNewTime = observedAt !== (last?.observedAt ?? null);
  const flags = (isNewQuantity ? quantityFollows : 0) | (isNewTime ? timeFollows : 0);
  writer.signed(amount - (last?.amount ?? memory.lastAmount), flags);
  memory.lastAmount = amount;
  if (isNewQuantity) {
    if (quantity === null) writer.signed(0, isNull);
    else writer.signed(quantity - (last?.quantity ?? 0), 0);
  }
  if (isNewTime) {
    if (observedAt === null) writer.signed(0, isNull);
    else {
      const difference = observedAt - memory.lastTime;
      if (difference % 1000 === 0) writer.signed(difference / 1000, inSeconds);
      else writer.signed(difference, 0);
      memory.lastTime = observedAt;
    }
  }
  memory.put(index, quote);
}

function readState(reader: VarintReader, memory: SlotMemory, kind: number): ItemState {
  if (kind === kinds.absent || kind === kinds.unpriced) {
    memory.quotes.fill(undefined);
    return kind === kinds.absent ? null : [];
  }
  if (kind !== kinds.quoted) throw new MalformedBytes("a segment has a change of an unknown kind");
  const count = memory.slots.length;
  const mask = reader.take((count + 7) >> 3);
  const state: FrameQuote[] = [];
  for (let index = 0; index < count; index += 1) {
    if ((mask[index >> 3]! >> (index & 7)) & 1) readQuote(reader, memory, index);
    const quote = memory.quotes[index];
    if (quote !== undefined) state.push(quote);
  }
  if (state.length === 0) throw new MalformedBytes("a segment has a quoted state without quotes");
  return state;
}

function readQuote(reader: VarintReader, memory: SlotMemory, index: number): void {
  const last = memory.last[index];
  const difference = reader.signed();
  const { flags } = reader;
  if (difference === 0 && flags === 0 && last !== undefined) {
    const isGone = memory.quotes[index] !== undefined;
    memory.quotes[index] = isGone ? undefined : last;
    if (!isGone) memory.lastAmount = last.amount;
    return;
  }
  const slot = memory.slots[index]!;
  const quote: FrameQuote = {
    provider: slot >> 1,
    side: slot & 1 ? "bid" : "ask",
    amount: whole((last?.amount ?? memory.lastAmount) + difference, 1),
    quantity: flags & quantityFollows ? readQuantity(reader, last?.quantity ?? 0) : (last?.quantity ?? null),
    observedAt: flags & timeFollows ? readTime(reader, memory) : (last?.observedAt ?? null),
  };
  memory.lastAmount = quote.amount;
  memory.put(index, quote);
}

function readQuantity(reader: VarintReader, last: number): number | null {
  const difference = reader.signed();
  return reader.flags === isNull ? null : whole(last + difference, 0);
}

function readTime(reader: VarintReader, memory: SlotMemory): number | null {
  const difference = reader.signed();
  if (reader.flags === isNull) return null;
  memory.lastTime = whole(memory.lastTime + (reader.flags === inSeconds ? difference * 1000 : difference), 0);
  return memory.lastTime;
}

function whole(value: number, min: number): number {
  if (value >= min && value <= Number.MAX_SAFE_INTEGER) return value;
  throw new MalformedBytes("a segment has a number out of range");
}
