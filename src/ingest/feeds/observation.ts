import type { AmountRefusal } from "../../values/money.ts";
import type { Body } from "./read-body.ts";

export type Side = "ask" | "bid";

/** A price that a source states, not yet joined to an item. It names the item by `itemId` or by `name` and `phase`. */
export type Observation = {
  itemId: number | null;
  name: string | null;
  phase: string | null;
  provider: string;
  side: Side;
  /** 1 to 2^53 - 1. */
  amountCents: number;
  quantity: number | null;
  url: string | null;
  /** The source's own time, UTC milliseconds; null when it told none. */
  observedAt: number | null;
};

export type ProviderKind = "main_platform" | "cash" | "trade";
export type ProviderFacts = { provider: string; name: string; kind: ProviderKind };

/** One source and the providers that are its own: a provider belongs to one feed. */
export type FeedFacts = { feed: string; adapter: string; providers: readonly ProviderFacts[] };

/** What one body says: its valid prices, the refused ones by reason, and how many it stated to be absent. */
export type FeedReading = {
  facts: FeedFacts;
  observations: readonly Observation[];
  refusals: Refusals;
  /** Prices that the body states not to exist. */
  absent: number;
};

/** Reads one shape of body. A body that is broken as a whole throws `OperatorError`; `at` bounds the times it may tell. */
export type Adapter = { readonly name: string; read(body: Body, at: number): FeedReading };

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
  | "record_too_large";

export type RefusalCount = { reason: RefusalReason; count: number; examples: readonly string[] };

const examplesMax = 5;
const shownCharsMax = 120;

/** Counts what was refused, with the first few names of each reason. */
export class Refusals {
  readonly #counts = new Map<RefusalReason, { count: number; examples: string[] }>();

  add(reason: RefusalReason, example: string): void {
    const entry = this.#counts.get(reason) ?? { count: 0, examples: [] };
    this.#counts.set(reason, entry);
    entry.count += 1;
    if (entry.examples.length < examplesMax) entry.examples.push(shown(example));
  }

  get total(): number {
    return this.list().reduce((sum, { count }) => sum + count, 0);
  }

  /** The commonest first. */
  list(): readonly RefusalCount[] {
    return Array.from(this.#counts, ([reason, entry]) => ({ reason, ...entry })).sort(
      (a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1),
    );
  }
}

/** Text of a source made safe for a terminal and a log: no control or direction characters, bounded. */
export function shown(text: string): string {
  const safe = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "?");
  return safe.length > shownCharsMax ? `${safe.slice(0, shownCharsMax)}…` : safe;
}
