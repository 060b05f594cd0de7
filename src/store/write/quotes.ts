import { TimesChecksum } from "../codec/times-checksum.ts";
import type { Database } from "../database.ts";
import type { QuoteRow } from "../read/books.ts";

/**
 * An added, changed or removed row of quotes, and whether its URLs changed. `askSince` belongs to the current ask, UTC ms. It is null if
 * unknown and undefined for a new ask.
 */
export type QuoteChange = {
  readonly provider: string;
  readonly itemId: number;
  readonly isGone: boolean;
  readonly askSince: number | null | undefined;
  readonly isAskUrlNew: boolean;
  readonly isBidUrlNew: boolean;
};

/** Changed rows. `rowOf` returns the new row, or null if it was removed. `timesBefore` sums the times of the previous rows. */
type ChangedRows = {
  readonly rows: readonly QuoteChange[];
  rowOf(change: QuoteChange): QuoteRow | null;
  readonly timesBefore: TimesChecksum;
  /** See `providers.quotes_as_of`. */
  readonly sharedTimes: ReadonlyMap<string, number | null>;
};

/**
 * The new best ask and quotes of an item. `best` is null without an ask, `quoteBytes` is null without quotes. `changedAt` is when the
 * previous ask changed, UTC ms, or null without one. `isSame` means that the ask is unchanged.
 */
export type BestAskChange = {
  itemId: number;
  best: { cents: number; provider: string } | null;
  isSame: boolean;
  changedAt: number | null;
  quoteBytes: number | null;
};

/** Quotes of a publication. Times are UTC ms. `since` has by provider the time when new asks were first seen. */
type Publication = {
  changes: ChangedRows;
  bestAsks: readonly BestAskChange[];
  since: ReadonlyMap<string, number>;
  at: number;
};

/**
 * Writes the quotes of the market. Callers hold the transactions. Not built by Drizzle: its statements run for each of tens of thousands of
 * rows.
 */
export class QuoteWriter {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Writes the changes. `checksum` is the previous checksum of times; returns the new one. All providers must exist. */
  write({ changes, bestAsks, since, at }: Publication, checksum: number): number {
    const { numbers, shared, setShared } = this.#statements;
    const numberOf = new Map(numbers.all());
    const sum = new TimesChecksum(checksum);
    sum.remove(changes.timesBefore);
    for (const change of changes.rows) {
      const number = numberOf.get(change.provider);
      if (number === undefined) throw new Error(`the provider ${change.provider} has no number`);
      const firstSeen =
        change.askSince === undefined ? Math.min(since.get(change.provider) ?? at, at) : change.askSince;
      this.#writeQuote(change, changes.rowOf(change), number, firstSeen, sum);
    }
    for (const change of bestAsks) this.#writeBestAsk(change, numberOf, at, sum);
    for (const [provider, quotesAsOf] of changes.sharedTimes) {
      sum.removeShared(provider, shared.get(provider) ?? null);
      sum.addShared(provider, quotesAsOf);
      setShared.run({ provider, quotesAsOf });
    }
    return sum.value;
  }

  #writeQuote(
    { provider, itemId, isAskUrlNew, isBidUrlNew }: QuoteChange,
    row: QuoteRow | null,
    number: number,
    firstSeen: number | null,
    sum: TimesChecksum,
  ): void {
    const { put, remove } = this.#statements;
    if (isAskUrlNew) this.#writeUrl(number, itemId, "ask", row?.askUrl ?? null);
    if (isBidUrlNew) this.#writeUrl(number, itemId, "bid", row?.bidUrl ?? null);
    if (row === null) {
      remove.run(number, itemId);
      return;
    }
    const { askCents, askQuantity, askAsOf, bidCents, bidQuantity, bidAsOf } = row;
    const askSince = askCents === null ? null : firstSeen;
    sum.addQuote(provider, itemId, { askAsOf, bidAsOf, askSince });
    put.run(number, itemId, askCents, askQuantity, askAsOf, askSince, bidCents, bidQuantity, bidAsOf);
  }

  #writeUrl(number: number, itemId: number, side: "ask" | "bid", url: string | null): void {
    if (url === null) this.#statements.removeUrl.run(number, itemId, side);
    else this.#statements.putUrl.run(number, itemId, side, url);
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
