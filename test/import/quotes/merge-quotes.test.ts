import { expect } from "chai";
import fc from "fast-check";
import { type ItemQuotes, MergedQuotes } from "../../../src/import/quotes/merge-quotes.ts";
import type { QuoteRow } from "../../../src/store/write/generations.ts";
import { bySize } from "../../support/size.ts";

const slugs = ["alder", "birch", "cedar", "elm"];
const quote = fc.record({
  provider: fc.constantFrom(...slugs),
  amountCents: fc.integer({ min: 1, max: 30 }),
  quantity: fc.option(fc.integer({ min: 1, max: 9 })),
  url: fc.option(fc.constant("https://hall.example/a?b=%22")),
  observedAt: fc.option(fc.integer({ min: 0, max: 2_000_000_000_000 })),
});
const side = fc.uniqueArray(quote, { selector: ({ provider }) => provider, maxLength: 4 });
const book = fc.record({ asks: side, bids: side });
const body = fc.dictionary(fc.integer({ min: 1, max: 12 }).map(String), book, { maxKeys: 8 });

/** Two feeds: alder and birch, cedar and elm. */
const imports = fc.array(fc.tuple(fc.boolean(), body), { minLength: 1, maxLength: 8 });

describe("merging feeds into a generation", () => {
  it("a merge of feeds gives the quotes of all feeds' last bodies together, whatever came before", () => {
    fc.assert(
      fc.property(imports, (sequence) => {
        const last = new Map<boolean, Map<number, ItemQuotes>>();
        let rows: QuoteRow[] = [];
        for (const [isFirst, said] of sequence) {
          const providers = new Set(isFirst ? slugs.slice(0, 2) : slugs.slice(2));
          const fresh = itemsOf(said, providers);
          last.set(isFirst, fresh);
          rows = merged(rows, 1, fresh, providers).rows;
          expect(merged(rows, 1, fresh, providers).isChanged).to.equal(false);
        }
        expect(rows.map(plain)).to.deep.equal(expected([...last.values()]));
      }),
      { numRuns: bySize({ short: 60, long: 500 }) },
    );
  });

  it("a merge of feeds dates a best ask by its last change in every sequence of publications", () => {
    fc.assert(
      fc.property(imports, (sequence) => {
        let rows: QuoteRow[] = [];
        let publishedAt: number | null = null;
        const changedAt = new Map<number, { best: string; at: number }>();
        for (const [index, [isFirst, said]] of sequence.entries()) {
          const at = 1000 + index;
          const providers = new Set(isFirst ? slugs.slice(0, 2) : slugs.slice(2));
          rows = merged(rows, publishedAt, itemsOf(said, providers), providers).rows;
          publishedAt = at;
          const asking = rows.filter((row) => row.bestAskCents !== null);
          for (const { itemId, bestAskCents, bestAskProvider } of asking) {
            const best = `${bestAskCents} ${bestAskProvider}`;
            if (changedAt.get(itemId)?.best !== best) changedAt.set(itemId, { best, at });
          }
          for (const itemId of changedAt.keys()) {
            if (!asking.some((row) => row.itemId === itemId)) changedAt.delete(itemId);
          }
          for (const row of asking) expect(row.bestAskChangedAt ?? at).to.equal(changedAt.get(row.itemId)?.at);
        }
      }),
      { numRuns: bySize({ short: 60, long: 500 }) },
    );
  });
});

function merged(
  published: readonly QuoteRow[],
  publishedAt: number | null,
  fresh: Map<number, ItemQuotes>,
  providers: ReadonlySet<string>,
): { rows: QuoteRow[]; isChanged: boolean } {
  const merging = new MergedQuotes({ published: () => published, publishedAt, fresh, providers });
  return { rows: [...merging.rows()], isChanged: merging.isChanged };
}

function itemsOf(said: Record<string, ItemQuotes>, providers: ReadonlySet<string>): Map<number, ItemQuotes> {
  const own = (quotes: ItemQuotes["asks"]) => quotes.filter(({ provider }) => providers.has(provider));
  const entries = Object.entries(said).map(
    ([id, { asks, bids }]) => [Number(id), { asks: own(asks), bids: own(bids) }] as const,
  );
  return new Map(entries.filter(([, { asks, bids }]) => asks.length + bids.length > 0));
}

function expected(bodies: readonly ReadonlyMap<number, ItemQuotes>[]): unknown[] {
  const ids = [...new Set(bodies.flatMap((items) => [...items.keys()]))].sort((a, b) => a - b);
  return ids.map((itemId) => {
    const all = bodies.flatMap((items) => items.get(itemId) ?? []);
    const inOrder = (quotes: ItemQuotes["asks"], sign: 1 | -1) =>
      [...quotes]
        .sort((a, b) => sign * (a.amountCents - b.amountCents) || a.provider.localeCompare(b.provider))
        .map(({ provider, amountCents, quantity, url, observedAt }) => ({
          provider,
          amount: amountCents,
          currency: "USD",
          minor_units: 2,
          quantity,
          url,
          as_of: observedAt === null ? null : new Date(observedAt).toISOString(),
        }));
    const asks = inOrder(
      all.flatMap((item) => item.asks),
      1,
    );
    const bids = inOrder(
      all.flatMap((item) => item.bids),
      -1,
    );
    return { itemId, asks, bids };
  });
}

function plain(row: QuoteRow): unknown {
  const stored = JSON.parse(`{${row.quotes}}`) as { asks: { as_of: null }[]; bids: { as_of: null }[] };
  for (const { as_of } of [...stored.asks, ...stored.bids]) expect(as_of).to.equal(null);
  return { itemId: row.itemId, ...JSON.parse(`{${row.observed ?? row.quotes}}`) };
}
