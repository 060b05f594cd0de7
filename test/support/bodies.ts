/** An hour before the clock of a `QuoteWorld`. */
const savedAtOfBodies = Date.UTC(2026, 8, 1, 11);

/** Builds a canonical feed. A provider that is given by its slug is called by it and trades for cash. */
export function feedText(feed: string, providers: readonly (string | object)[], quotes: readonly object[]): string {
  const named = providers.map((one) => (typeof one === "string" ? { provider: one, name: one, kind: "cash" } : one));
  const header = { format: "itemtape-feed", version: 1, feed, providers: named };
  return [header, ...quotes, { end: true, quotes: quotes.length }].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Builds a canonical feed of one provider with an ask of so many cents for each item name. */
export function canonicalBody(feed: string, provider: string, prices: Readonly<Record<string, number>>): string {
  const ask = { provider, side: "ask" };
  const quotes = Object.entries(prices).map(([market_hash_name, amount]) => ({ market_hash_name, ...ask, amount }));
  return feedText(feed, [provider], quotes);
}

/** Builds a body of the Steam shape from cents by item name. `savedAt`: in UTC ms. */
export function steamBody(prices: Readonly<Record<string, number>>, savedAt = savedAtOfBodies): string {
  const item_count = Object.keys(prices).length;
  return JSON.stringify({
    metadata: { updated_at: new Date(savedAt).toISOString(), currency: "USD", item_count },
    prices,
  });
}
