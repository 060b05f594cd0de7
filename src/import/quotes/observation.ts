import type { FeedFacts } from "../../store/write/feeds.ts";
import type { AmountRefusal } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { minuteMs } from "../../values/time/calendar.ts";
import type { FeedFile, WrittenLine } from "../feed-file.ts";

export type Side = "ask" | "bid";

/** A source's reference to an item: by `itemId`, or by `name` and `phase`. */
export type ItemReference = { itemId: number | null; name: string | null; phase: string | null };

/** A price from a source that is not joined to an item yet. */
export type Observation = ItemReference & {
  provider: string;
  side: Side;
  /** From 1 to 2^53 - 1. */
  amountCents: number;
  quantity: number | null;
  url: string | null;
  /** The source's own time, UTC ms. Null if the source gave none. */
  observedAt: number | null;
};

/** Valid prices of a body. `references` are items with a refused price or a price marked as absent. */
export type ReadPrices = { observations: readonly Observation[]; references: readonly ItemReference[] };

/** Content of one body: its valid prices, its refused prices by reason, and the number of prices marked as absent. */
export type FeedReading = ReadPrices & {
  facts: FeedFacts;
  refusals: Refusals;
  /** Number of prices marked as absent. */
  absent: number;
  /** The source's save time of the body, UTC ms. Null if the format has none. */
  savedAt: number | null;
  /** True if the source reports an unfinished sweep over the market. */
  isUnfinished: boolean;
};

/** Rows that need not be in memory all at once. */
export type Listed<Row> = Iterable<Row> & { readonly length: number };

/** Content of a body with prices that need not be in memory all at once. */
export type ListedReading = Omit<FeedReading, keyof ReadPrices> & {
  observations: Listed<Observation>;
  references: Listed<ItemReference>;
};

/** Receives prices during reading, which the result then lacks. Ignore them if the body proves to be invalid. */
export type PriceSink = (prices: ReadPrices) => void;

/**
 * Reads one body format. `at` (UTC ms) limits the times in it. `read` throws `OperatorError` for an invalid body. If `give` is absent or
 * unused by the format, the result holds all prices.
 */
export type Adapter = {
  readonly name: string;
  read(body: FeedFile, at: number, give?: PriceSink): FeedReading;
  /** Reads a body line by line while it arrives. Absent if the format must be read as a whole. */
  lines?: (body: { name: string }, at: number) => LineReader;
};

/** Reads a body line by line. `takeOut` returns the prices since the last call, `end` returns the rest. */
export type LineReader = { take(line: WrittenLine): void; takeOut(): ReadPrices; end(): FeedReading };

/** Returns the lowest ask or the highest bid of several rows. The result does not depend on their order. Its quantity is null. */
export function bestRow<Row extends Pick<Observation, "amountCents" | "quantity" | "url" | "observedAt">>(
  rows: readonly Row[],
  side: Side,
): Row {
  const amounts = rows.map(({ amountCents }) => amountCents);
  const amountCents = side === "ask" ? Math.min(...amounts) : Math.max(...amounts);
  const best = rows.filter((row) => row.amountCents === amountCents);
  const times = best.flatMap(({ observedAt }) => observedAt ?? []);
  const urls = best.flatMap(({ url }) => url ?? []);
  const observedAt = times.length === 0 ? null : Math.max(...times);
  return { ...best[0]!, quantity: null, url: urls.sort()[0] ?? null, observedAt };
}

const clockSkewMs = 5 * minuteMs;

/** Returns whether a source's time can be in the past at `at`, allowing for clock skew. Both are UTC ms. */
export function isPastTime(time: number, at: number): boolean {
  return time >= 0 && time <= at + clockSkewMs;
}

/** Returns whether an address is safe as a link: https without credentials. Null, for no address, is safe. */
export function isSafeUrl(url: string | null): boolean {
  if (url === null) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === "https:" && username === "" && password === "";
}

export type RefusalReason =
  | AmountRefusal
  | "malformed"
  | "bad_quantity"
  | "bad_url"
  | "bad_time"
  | "undeclared_provider"
  | "unknown_item"
  | "unknown_name"
  | "ambiguous_name"
  | "duplicate"
  | "conflicting_rows"
  | "record_too_large";

export type RefusalCount<Reason extends string = RefusalReason> = {
  reason: Reason;
  count: number;
  examples: readonly string[];
};

/** Counts refused prices by reason, with the first few distinct examples of each. */
export class Refusals<Reason extends string = RefusalReason> {
  readonly #counts = new Map<Reason, { count: number; examples: Set<string> }>();
  readonly #examplesMax: number;

  constructor(examplesMax = 5) {
    this.#examplesMax = examplesMax;
  }

  /** Creates counts from a list, such as one from another process. */
  static of<Reason extends string>(counts: readonly RefusalCount<Reason>[]): Refusals<Reason> {
    const refusals = new Refusals<Reason>();
    for (const { reason, count, examples } of counts) refusals.#add(reason, count, examples);
    return refusals;
  }

  add(reason: Reason, example: string, count = 1): void {
    this.#add(reason, count, [displayText(example)]);
  }

  /** Adds the refusals of another body. */
  addAll(others: Refusals<Reason>): void {
    for (const { reason, count, examples } of others.list()) this.#add(reason, count, examples);
  }

  get total(): number {
    return this.list().reduce((sum, { count }) => sum + count, 0);
  }

  /** Returns the counts, the most common reason first. */
  list(): readonly RefusalCount<Reason>[] {
    return Array.from(this.#counts, ([reason, { count, examples }]) => ({
      reason,
      count,
      examples: [...examples],
    })).sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }

  #add(reason: Reason, count: number, examples: readonly string[]): void {
    let entry = this.#counts.get(reason);
    if (entry === undefined) {
      entry = { count: 0, examples: new Set() };
      this.#counts.set(reason, entry);
    }
    entry.count += count;
    for (const example of examples) if (entry.examples.size < this.#examplesMax) entry.examples.add(example);
  }
}
