import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import { Quotes, quotesFreshMs } from "../../src/domain/quotes.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import { QuotesStore } from "../../src/store/read/quotes.ts";
import { type ItemFacts, MarketFile, type QuoteFacts } from "../support/market-file.ts";
import { edit } from "../support/unguarded.ts";

const minuteMs = 60_000;
const at = Date.UTC(2026, 0, 15, 12);
const itemCount = 8;
const feeds = { one: ["ant", "bee"], two: ["cat"], never: ["dog"], gone: ["eel"] };
const providers = [null, ...Object.values(feeds).flat()];
const sides = [null, "ask", "bid"] as const;

/** Minutes before `at`. Null if the source gave no time. */
const minutes = fc.constantFrom(null, 0, 1, 29, 30, 31, 300);
const quote = fc.record({
  provider: fc.constantFrom(...Object.values(feeds).flat()),
  amount: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 9_999 })),
  quantity: fc.constantFrom(null, 1, 12),
  as_of: minutes.map((ago) => (ago === null ? null : new Date(at - ago * minuteMs).toISOString())),
});
const sideOf = (maxLength: number) => fc.uniqueArray(quote, { maxLength, selector: ({ provider }) => provider });
const quotedItem: fc.Arbitrary<ItemFacts> = fc
  .record({ asks: sideOf(3), bids: sideOf(2) })
  .filter(({ asks, bids }) => asks.length + bids.length > 0);
const generation = fc.array(fc.option(quotedItem, { nil: null }), { minLength: itemCount, maxLength: itemCount });

type Check = { provider: string; active: boolean; checkedAt: number | null };
type Market = { name: string; quoted: Map<number, ItemFacts>; nameOf(itemId: number): string; checks: Check[] };

describe("quotes beside a plain implementation", () => {
  const file = new MarketFile();
  const quotes = new Quotes({ store: new QuotesStore(file.reader), providers: new ProvidersStore(file.reader) });
  let generationId = 0;
  let renames = 0;

  before(() => {
    file.feed("one", feeds.one, at - 15 * minuteMs);
    file.feed("two", feeds.two, at - 16 * minuteMs);
    file.feed("never", feeds.never, null);
    file.feed("gone", feeds.gone, at - 300 * minuteMs, false);
    for (let itemId = 1; itemId <= itemCount; itemId += 1) file.item(itemId, { name: `★ "${itemId}" я` });
  });

  after(() => file.remove());

  it("are equal, single or batched, after any publication or rename", async () => {
    const change = fc.record({
      market: generation,
      renamed: fc.integer({ min: 0, max: itemCount }),
      checkedAgo: minutes,
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ market, renamed, checkedAgo }) => {
        const quoted = new Map(market.flatMap((facts, index) => (facts === null ? [] : [[index + 1, facts] as const])));
        generationId += 1;
        file.publish(generationId, at - generationId, Object.fromEntries(quoted));
        await compare(quoted);
        const { $client } = file.writer;
        if (renamed > 0) {
          renames += 1;
          $client.transaction(() => {
            edit($client, "UPDATE items SET market_hash_name = ? WHERE item_id = ?", `Ж ${renames}`, renamed);
            $client.prepare("UPDATE market_state SET catalog_version = catalog_version + 1").run();
          })();
        }
        const checkedAt = checkedAgo === null ? null : at - checkedAgo * minuteMs;
        $client.prepare("UPDATE feeds SET checked_at = ? WHERE feed = 'two'").run(checkedAt);
        await compare(quoted);
      }),
      { numRuns: 20 },
    );
  });

  /** Compares all items, filters and some instants, each twice, so that cached answers are compared too. */
  async function compare(quoted: Map<number, ItemFacts>): Promise<void> {
    await nextTurn();
    const market = marketOf(quoted);
    for (const instant of [at, at, at + minuteMs]) {
      for (const provider of providers) {
        for (let itemId = 1; itemId <= itemCount; itemId += 1) {
          const { data, meta } = quotes.item({ itemId, provider }, instant);
          expect([data.json, meta]).to.deep.equal(plainItem(market, itemId, provider, instant));
        }
        for (const side of sides) {
          const itemIds = [3, 99, 1, 8];
          const { data, meta } = quotes.batch({ itemIds, provider, side }, instant);
          expect([data.json, meta]).to.deep.equal(plainBatch(market, { itemIds, provider, side }, instant));
        }
      }
    }
  }

  function marketOf(quoted: Map<number, ItemFacts>): Market {
    const rows = file.writer.$client.prepare("SELECT item_id, market_hash_name FROM items").raw().all();
    const names = new Map(rows as [number, string][]);
    const checks = file.writer.$client
      .prepare("SELECT provider, active, checked_at AS checkedAt FROM providers JOIN feeds USING (feed)")
      .all() as Check[];
    return { name: `g${generationId}`, quoted, nameOf: (itemId) => names.get(itemId)!, checks };
  }
});

/** A plain implementation of the same answers: objects, and every quote read each time. */
function plainItem(market: Market, itemId: number, provider: string | null, instant: number): [string, object] {
  const { entry, returned } = plainEntry(market, itemId, { provider, side: null });
  return [JSON.stringify({ item_id: itemId, ...entry }), plainMeta(market, returned, provider, instant)];
}

type Filters = { provider: string | null; side: "ask" | "bid" | null };

function plainBatch(
  market: Market,
  { itemIds, ...filters }: Filters & { itemIds: number[] },
  instant: number,
): [string, object] {
  const all: QuoteFacts[] = [];
  const entries = itemIds.map((item_id) => {
    if (item_id > itemCount) {
      const none = { market_hash_name: null, phase: null, availability: null, generation: null, ingested_at: null };
      return { item_id, status: "not_found", ...none, asks: [], bids: [] };
    }
    const { entry, returned } = plainEntry(market, item_id, filters);
    all.push(...returned);
    return { item_id, status: "found", ...entry };
  });
  return [JSON.stringify(entries), plainMeta(market, all, filters.provider, instant)];
}

function plainEntry({ name, quoted, nameOf }: Market, itemId: number, { provider, side }: Filters) {
  const facts = quoted.get(itemId);
  const shown = (quotes: readonly QuoteFacts[] = []) =>
    quotes
      .filter((one) => provider === null || one.provider === provider)
      .map(({ provider, amount, quantity = null, as_of = null }) => ({
        provider,
        amount,
        currency: "USD",
        minor_units: 2,
        quantity,
        url: null,
        as_of,
      }));
  const byProvider = (one: QuoteFacts, other: QuoteFacts) => one.provider.localeCompare(other.provider);
  const asks = side === "bid" ? [] : shown(facts?.asks).sort((a, b) => a.amount - b.amount || byProvider(a, b));
  const bids = side === "ask" ? [] : shown(facts?.bids).sort((a, b) => b.amount - a.amount || byProvider(a, b));
  const entry = {
    market_hash_name: nameOf(itemId),
    phase: null,
    availability: facts === undefined ? "missing" : "available",
    generation: name,
    ingested_at: new Date(at - Number(name.slice(1))).toISOString(),
    asks,
    bids,
  };
  return { entry, returned: [...asks, ...bids] };
}

function plainMeta({ checks }: Market, returned: readonly QuoteFacts[], provider: string | null, instant: number) {
  const times = returned.map(({ as_of = null }) => as_of);
  const known = times.filter((time) => time !== null).sort();
  const isTimed = times.length > 0 && known.length === times.length;
  const quality = known.length === 0 ? "ingest_only" : isTimed ? "source_observed" : "partial";
  const slugs = returned.map((one) => one.provider);
  const concerned = checks.filter((check) => {
    if (slugs.length > 0) return slugs.includes(check.provider);
    return provider === null ? Boolean(check.active) : check.provider === provider;
  });
  const isRecent = ({ checkedAt }: Check) => checkedAt !== null && instant - checkedAt <= 15 * minuteMs;
  return {
    as_of: isTimed ? known[0]! : null,
    freshness: !isTimed ? "unknown" : instant - Date.parse(known[0]!) <= quotesFreshMs ? "fresh" : "stale",
    timestamp_quality: times.length === 0 ? "unknown" : quality,
    cache_recently_checked: concerned.length > 0 && concerned.every(isRecent),
  };
}
