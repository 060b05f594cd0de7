import { TimesChecksum } from "../codec/times-checksum.ts";
import type { Database } from "../database.ts";
import type { QuoteRow } from "../read/books.ts";

/** What one provider offered and asked for of an item, and does now; null: neither. `askSince` is of the offer now; undefined: it is new. */
export type QuoteChange = {
  provider: string;
  itemId: number;
  before: QuoteRow | null;
  after: QuoteRow | null;
  askSince: number | null | undefined;
};

/**
 * What the best ask and the quotes of an item are now. `best` null: the item has no ask; `quoteBytes` null: no quote. `changedAt`: when the
 * ask before changed, UTC ms; null: there was none. `isSame`: it is the same one now.
 */
export type BestAskChange = {
  itemId: number;
  best: { cents: number; provider: string } | null;
  isSame: boolean;
  changedAt: number | null;
  quoteBytes: number | null;
};

/** A publication's quotes. Times in UTC ms; `sharedTimes` and `since` by provider: see `providers.quotes_as_of`, and when new offers were first seen. */
type QuoteChanges = {
  quotes: readonly QuoteChange[];
  bestAsks: readonly BestAskChange[];
  sharedTimes: ReadonlyMap<string, number | null>;
  since: ReadonlyMap<string, number>;
  at: number;
};

/** Writes the quotes of the market. Callers hold the transactions. Not built by Drizzle: its statements run for each of tens of thousands of rows. */
export class QuoteWriter {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Writes what changed. Returns the checksum of times, which was `checksum` before. The providers are known. */
  write({ quotes, bestAsks, sharedTimes, since, at }: QuoteChanges, checksum: number): number {
    const { numbers, shared, setShared } = this.#statements;
    const numberOf = new Map(numbers.all());
    const sum = new TimesChecksum(checksum);
    for (const change of quotes) {
      const number = numberOf.get(change.provider);
      if (number === undefined) throw new Error(`the provider ${change.provider} has no number`);
      this.#writeQuote(change, number, Math.min(since.get(change.provider) ?? at, at), sum);
    }
    for (const change of bestAsks) this.#writeBestAsk(change, numberOf, at, sum);
    for (const [provider, quotesAsOf] of sharedTimes) {
      sum.removeShared(provider, shared.get(provider) ?? null);
      sum.addShared(provider, quotesAsOf);
      setShared.run({ provider, quotesAsOf });
    }
    return sum.value;
  }

  #writeQuote(
    { provider, itemId, before, after, askSince }: QuoteChange,
    number: number,
    since: number,
    sum: TimesChecksum,
  ): void {
    const { put, remove } = this.#statements;
    if (before !== null) sum.removeQuote(provider, itemId, before);
    this.#writeUrl(number, itemId, "ask", before?.askUrl ?? null, after?.askUrl ?? null);
    this.#writeUrl(number, itemId, "bid", before?.bidUrl ?? null, after?.bidUrl ?? null);
    if (after === null) {
      remove.run(number, itemId);
      return;
    }
    const { askCents, askQuantity, askAsOf, bidCents, bidQuantity, bidAsOf } = after;
    const firstSeen = askCents === null ? null : askSince === undefined ? since : askSince;
    sum.addQuote(provider, itemId, { askAsOf, bidAsOf, askSince: firstSeen });
    put.run(number, itemId, askCents, askQuantity, askAsOf, firstSeen, bidCents, bidQuantity, bidAsOf);
  }

  #writeUrl(number: number, itemId: number, side: "ask" | "bid", before: string | null, after: string | null): void {
    if (before === after) return;
    if (after === null) this.#statements.removeUrl.run(number, itemId, side);
    else this.#statements.putUrl.run(number, itemId, side, after);
  }

  #writeBestAsk(change: BestAskChange, numberOf: ReadonlyMap<string, number>, at: number, sum: TimesChecksum): void {
    const { putBest, keepBest, removeBest } = this.#statements;
    const { itemId, best, isSame, changedAt, quoteBytes } = change;
    if (quoteBytes !== null && isSame) {
      keepBest.run(quoteBytes, itemId);
      return;
    }
    sum.removeBestAsk(itemId, changedAt);
    if (quoteBytes === null) {
      removeBest.run(itemId);
      return;
    }
    const now = best === null ? null : at;
    sum.addBestAsk(itemId, now);
    putBest.run(itemId, best?.cents ?? null, best === null ? null : numberOf.get(best.provider)!, now, quoteBytes);
  }
}

function prepare({ $client: client }: Database) {
  return {
    numbers: client.prepare<[], [string, number]>("SELECT provider, number FROM frame_providers").raw(),
    put: client.prepare(
      `INSERT OR REPLACE INTO quotes (provider_id, item_id, ask_cents, ask_quantity, ask_as_of, ask_since, bid_cents, bid_quantity, bid_as_of)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    remove: client.prepare("DELETE FROM quotes WHERE provider_id = ? AND item_id = ?"),
    putUrl: client.prepare("INSERT OR REPLACE INTO quote_urls (provider_id, item_id, side, url) VALUES (?, ?, ?, ?)"),
    removeUrl: client.prepare("DELETE FROM quote_urls WHERE provider_id = ? AND item_id = ? AND side = ?"),
    putBest: client.prepare(
      "INSERT OR REPLACE INTO best_asks (item_id, ask_cents, provider_id, changed_at, quote_bytes) VALUES (?, ?, ?, ?, ?)",
    ),
    keepBest: client.prepare("UPDATE best_asks SET quote_bytes = ? WHERE item_id = ?"),
    removeBest: client.prepare("DELETE FROM best_asks WHERE item_id = ?"),
    shared: client.prepare<[string], number | null>("SELECT quotes_as_of FROM providers WHERE provider = ?").pluck(),
    setShared: client.prepare("UPDATE providers SET quotes_as_of = @quotesAsOf WHERE provider = @provider"),
  };
}
