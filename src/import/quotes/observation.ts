import type { FeedFacts } from "../../store/write/feeds.ts";
import type { AmountRefusal } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { minuteMs } from "../../values/time/calendar.ts";
import type { FeedFile, WrittenLine } from "../feed-file.ts";

export type Side = "ask" | "bid";

/** Reference of a source to an item: by `itemId`, or by `name` and `phase`. */
export type ItemReference = { itemId: number | null; name: string | null; phase: string | null };

/** Price of a source, not yet joined to an item. */
export type Observation = ItemReference & {
  provider: string;
  side: Side;
  /** 1 to 2^53 - 1. */
  amountCents: number;
  quantity: number | null;
  url: string | null;
  /** The source's own time, UTC milliseconds; null: it gave none. */
  observedAt: number | null;
};

/** Valid prices of a body. `references`: items that it names with a price that was refused or is marked as absent. */
export type ReadPrices = { observations: readonly Observation[]; references: readonly ItemReference[] };

/** Content of one body: its valid prices, the refused ones by reason, and the number of prices marked as absent. */
export type FeedReading = ReadPrices & {
  facts: FeedFacts;
  refusals: Refusals;
  /** Number of prices that the body marks as absent. */
  absent: number;
  /** The source's save time of the body, UTC milliseconds; null: the shape has none. */
  savedAt: number | null;
  /** The source says that its sweep over the market is not finished. */
  isUnfinished: boolean;
};

/** Rows that need not be in memory all at once. */
export type Listed<Row> = Iterable<Row> & { readonly length: number };

/** The content of a body whose prices need not be in memory all at once. */
export type ListedReading = Omit<FeedReading, keyof ReadPrices> & {
  observations: Listed<Observation>;
  references: Listed<ItemReference>;
};

/** Takes prices of a body as they are read, which its reading then lacks. They count for nothing where it turns out to be broken. */
export type GivePrices = (prices: ReadPrices) => void;

/**
 * Reader of one shape of body. `at`, UTC ms, bounds the times in it. `read` throws `OperatorError` for a body that is broken as a whole;
 * without `give`, and of shapes that have no use for it, all prices are in the reading.
 */
export type Adapter = {
  readonly name: string;
  read(body: FeedFile, at: number, give?: GivePrices): FeedReading;
  /** Reads a body while it comes; left out: the shape has to be there as a whole. */
  lines?: (body: { name: string }, at: number) => LineReader;
};

/** Reader of a body whose lines are read one after the other. `takeOut` returns the prices since the last call, `end` the rest. */
export type LineReader = { take(line: WrittenLine): void; takeOut(): ReadPrices; end(): FeedReading };

/** Returns the lowest ask or the highest bid of several rows, the same in any order of rows. Its quantity is null. */
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

/** Tells whether a source can have seen something at `time`, both in UTC ms, when it is `at` here. */
export function isPastTime(time: number, at: number): boolean {
  return time >= 0 && time <= at + clockSkewMs;
}

/** Tells whether an address may be shown as a link: https without credentials; null is no address. */
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

/** Counts what was refused, with the first few different examples of each reason. */
export class Refusals<Reason extends string = RefusalReason> {
  readonly #counts = new Map<Reason, { count: number; examples: Set<string> }>();
  readonly #examplesMax: number;

  constructor(examplesMax = 5) {
    this.#examplesMax = examplesMax;
  }

  /** Creates counts from a list of them, such as one of another process. */
  static of<Reason extends string>(counts: readonly RefusalCount<Reason>[]): Refusals<Reason> {
    const refusals = new Refusals<Reason>();
    for (const { reason, count, examples } of counts) refusals.#add(reason, count, examples);
    return refusals;
  }

  add(reason: Reason, example: string, count = 1): void {
    this.#add(reason, count, [displayText(example)]);
  }

  /** Counts what another body refused, too. */
  addAll(others: Refusals<Reason>): void {
    for (const { reason, count, examples } of others.list()) this.#add(reason, count, examples);
  }

  get total(): number {
    return this.list().reduce((sum, { count }) => sum + count, 0);
  }

  /** Returns the counts, the commonest first. */
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
