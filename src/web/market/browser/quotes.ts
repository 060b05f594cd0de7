import type { Provider, Quote } from "./types.ts";

/** A row of the table of providers. `spread` is the provider's ask minus its bid, negative for a crossed book, and null without both. */
export type ProviderLine = {
  provider: Provider;
  ask: Quote | null;
  bid: Quote | null;
  spread: number | null;
  url: string | null;
  /** Older time of the two quotes; null if one is unknown. */
  asOf: string | null;
};

/**
 * Returns a row per provider that quotes the item, by ascending ask, with rows without an ask last. The API guarantees no order and may
 * list a provider several times; its best quote counts.
 */
export function providerLines(
  { asks, bids }: { asks: readonly Quote[]; bids: readonly Quote[] },
  providers: readonly Provider[],
): ProviderLine[] {
  const lowest = bestOf(asks, (a, b) => a.amount - b.amount);
  const highest = bestOf(bids, (a, b) => b.amount - a.amount);
  const slugs = new Set([...lowest.keys(), ...highest.keys()]);
  const lines = [...slugs].map((slug) => {
    const [ask, bid] = [lowest.get(slug) ?? null, highest.get(slug) ?? null];
    const times = [ask, bid].flatMap((quote) => (quote === null ? [] : [quote.as_of]));
    return {
      provider: providers.find(({ provider }) => provider === slug) ?? unlisted(slug),
      ask,
      bid,
      spread: ask === null || bid === null ? null : ask.amount - bid.amount,
      url: webAddress(ask?.url) ?? webAddress(bid?.url),
      asOf: times.includes(null) ? null : (times.sort()[0] ?? null),
    };
  });
  return lines.sort((a, b) => rankOf(a) - rankOf(b) || (a.provider.provider < b.provider.provider ? -1 : 1));
}

/** Returns the lowest ask and the highest bid of all providers; null if missing. */
export function bestQuotes(lines: readonly ProviderLine[]) {
  const quoteOf = ({ provider, url }: ProviderLine, quote: Quote | null) =>
    quote === null ? [] : [{ amount: quote.amount, provider, url }];
  const asks = lines.flatMap((line) => quoteOf(line, line.ask));
  const bids = lines.flatMap((line) => quoteOf(line, line.bid));
  return {
    ask: asks.sort((a, b) => a.amount - b.amount)[0] ?? null,
    bid: bids.sort((a, b) => b.amount - a.amount)[0] ?? null,
  };
}

function bestOf(quotes: readonly Quote[], order: (a: Quote, b: Quote) => number): Map<string, Quote> {
  const best: Map<string, Quote> = new Map();
  for (const quote of quotes.toSorted(order)) if (!best.has(quote.provider)) best.set(quote.provider, quote);
  return best;
}

/** Returns a placeholder for a provider that was added after the provider list was read. */
function unlisted(slug: string): Provider {
  const terms = { terms_url: null, terms_read_on: null, redistribution: "unknown", attribution: null } as const;
  const times = { last_checked_at: null, unchanged_since: null };
  return { provider: slug, name: slug, active: true, has_bids: true, ...times, ...terms };
}

/** Returns an http or https address, else null. Addresses are from a feed, and may be anything. */
function webAddress(address: string | null | undefined) {
  return address !== null && address !== undefined && /^https?:\/\/[^\s]+$/.test(address) ? address : null;
}

function rankOf({ ask }: ProviderLine) {
  return ask === null ? Number.POSITIVE_INFINITY : ask.amount;
}
