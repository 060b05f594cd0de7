import type { GuardName } from "../../../src/import/guards/findings.ts";

export const itemCount = 300;
type Book = { ask?: number | string; bid?: number | string };
type Market = Readonly<Record<string, readonly Book[]>>;

/** Two providers that quote both sides of every item. Three books of the first are crossed. */
export const honest: Market = {
  hall: Array.from({ length: itemCount }, (_, index) => ({ ask: 1000 + index, bid: index < 3 ? 2000 : 900 })),
  booth: Array.from({ length: itemCount }, (_, index) => ({ ask: 1100 + index, bid: 800 })),
};

/** One provider with offers of all items and buy orders of somewhat more than half of them. */
const mostlyOffers: Market = {
  hall: honest.hall!.map(({ ask }, index) => (index < 170 ? { ask: ask!, bid: 900 } : { ask: ask! })),
};

/** Two providers with buy orders of all items and offers of two thirds of them. */
const mostlyOrders: Market = Object.fromEntries(
  Object.entries(honest).map(([provider, books]) => [
    provider,
    books.map(({ ask }, index) => (index < 200 ? { ask: ask!, bid: 900 } : { bid: 900 })),
  ]),
);

/** A body of the adapter `buff` with as large a share of buy orders as its real ones have, and with offers or without. */
function buff(hasOffers: boolean): string {
  const books = Array.from({ length: itemCount }, (_, index) => [
    `Item ${index}`,
    { starting_at: { price: hasOffers ? 10 + index : "null" }, highest_order: { price: index < 168 ? 9 : "null" } },
  ]);
  return JSON.stringify(Object.fromEntries(books));
}

type Lie = {
  lie: string;
  guard: GuardName;
  says: string;
  body: () => string;
  /** The body before. Default: `honest`. */
  before?: () => string;
  /** Default: the feed `square` of the adapter `canonical`. */
  feed?: { feed: string; adapter: "canonical" | "buff" };
};

/** Well-formed bodies that cannot be true after the body before. Each has the guard that refuses it and the figure in the message. */
export const lies: readonly Lie[] = [
  {
    lie: "offers and buy orders are swapped",
    guard: "crossed_books",
    says: "297 of 300 two-sided books of hall (99.0 %) cross, such as Item 3: bid 1003, ask 900 cents; Item 4: ",
    body: () => canonical({ ...honest, hall: honest.hall!.map(({ ask, bid }) => ({ ask: bid!, bid: ask! })) }),
  },
  {
    lie: "all buy orders are gone",
    guard: "lost_quotes",
    says: "hall goes from 300 bids to 0 and its asks stay, such as Item 0; Item 1; Item 2",
    body: () => canonical({ ...honest, hall: honest.hall!.map(({ ask }) => ({ ask: ask! })) }),
  },
  {
    lie: "all offers are gone, with fewer buy orders",
    guard: "lost_quotes",
    says: "hall goes from 300 asks to 0 and its bids stay, such as Item 0; Item 1; Item 2",
    before: () => canonical(mostlyOffers),
    body: () => canonical({ hall: mostlyOffers.hall!.flatMap(({ bid }) => (bid === undefined ? [] : [{ bid }])) }),
  },
  {
    lie: "all offers of a Buff file are gone",
    guard: "lost_quotes",
    says: "buff163 goes from 300 asks to 0 and its bids stay, such as Item 0; Item 1; Item 2",
    feed: { feed: "buff163", adapter: "buff" },
    before: () => buff(true),
    body: () => buff(false),
  },
  {
    lie: "both providers lose all buy orders",
    guard: "lost_quotes",
    says: "hall goes from 300 bids to 0 and its asks stay, such as Item 0; Item 1; Item 2",
    before: () => canonical(mostlyOrders),
    body: () =>
      canonical(
        Object.fromEntries(
          Object.entries(mostlyOrders).map(([provider, books]) => [
            provider,
            books.flatMap(({ ask }) => (ask === undefined ? [] : [{ ask }])),
          ]),
        ),
      ),
  },
  {
    lie: "most quotes of one provider are gone",
    guard: "lost_quotes",
    says: "booth goes from 600 quotes to 280 and other providers stay",
    body: () => canonical({ ...honest, booth: honest.booth!.slice(0, 140) }),
  },
  {
    lie: "a provider is no longer covered",
    guard: "lost_quotes",
    says: "booth goes from 600 quotes to 0 and other providers stay",
    body: () => canonical({ hall: honest.hall! }),
  },
  {
    lie: "all prices are a hundredth",
    guard: "price_level",
    says: "0.010 times the published ones (median of 1200): dollars instead of cents",
    body: () => canonical(scaled(1 / 100, "hall", "booth")),
  },
  {
    lie: "all prices of one provider are a hundredfold",
    guard: "price_level",
    says: "prices of hall are 100 times the published ones (median of 600): cents instead of dollars",
    body: () => canonical(scaled(100, "hall")),
  },
  {
    lie: "every ninth price is zero or a fraction of a cent",
    guard: "unreadable_prices",
    says: "140 of its 1200 prices (11.7 %) are unreadable: 100 zero, 40 fractional_cents, such as line",
    body: () =>
      canonical({
        ...honest,
        hall: honest.hall!.map((book, i) => (i < 140 ? { ...book, bid: i < 100 ? 0 : "9.5" } : book)),
      }),
  },
  {
    lie: "a fifth of the names is of another language",
    guard: "joined_share",
    says: "80.0 % of its prices join an item, 100.0 % of the previous body did (240 unknown_name)",
    body: () => canonical(honest, (index) => (index < 60 ? `Предмет ${index}` : `Item ${index}`)),
  },
  {
    lie: "most items are gone",
    guard: "shrink",
    says: "shrinks from 300 items to 100",
    body: () => canonical({ hall: honest.hall!.slice(0, 100), booth: honest.booth!.slice(0, 100) }),
  },
];

/** The body before a false one, and the feed of both. */
export function settingOf({ before, feed }: Lie): { before: string; feed: string; adapter: "canonical" | "buff" } {
  return { before: before?.() ?? canonical(honest), ...(feed ?? { feed: "square", adapter: "canonical" }) };
}

/** The first false body that each guard refuses. */
export const oneLiePerGuard = lies.filter(
  ({ guard }, index) => lies.findIndex((other) => other.guard === guard) === index,
);

export function scaled(factor: number, ...providers: string[]): Market {
  const scale = (book: Book) => ({ ask: Number(book.ask) * factor * 100, bid: Number(book.bid) * factor * 100 });
  const entries = Object.entries(honest).map(([provider, books]) => [
    provider,
    providers.includes(provider) ? books.map(scale).map(hundredth) : books,
  ]);
  return whole(Object.fromEntries(entries));
}

const hundredth = ({ ask, bid }: { ask: number; bid: number }) => ({ ask: ask / 100, bid: bid / 100 });

export function whole(market: Record<string, Book[]>): Market {
  const cents = (value: number | string | undefined) => Math.max(1, Math.round(Number(value)));
  return Object.fromEntries(
    Object.entries(market).map(([provider, books]) => [
      provider,
      books.map(({ ask, bid }) => ({ ask: cents(ask), bid: cents(bid) })),
    ]),
  );
}

/** A canonical feed of these books, by position. An amount given as text is written unchanged. */
export function canonical(market: Market, nameOf = (index: number) => `Item ${index}`): string {
  const providers = Object.keys(market).map((provider) => ({ provider, name: provider, kind: "cash" }));
  const header = JSON.stringify({ format: "itemtape-feed", version: 1, feed: "square", providers });
  const lines = Object.entries(market).flatMap(([provider, books]) =>
    books.flatMap((book, index) =>
      (["ask", "bid"] as const)
        .filter((side) => book[side] !== undefined)
        .map((side) => {
          const head = JSON.stringify({ market_hash_name: nameOf(index), provider, side });
          return `${head.slice(0, -1)},"amount":${book[side]}}`;
        }),
    ),
  );
  return [header, ...lines, JSON.stringify({ end: true, quotes: lines.length })].map((line) => `${line}\n`).join("");
}

export function steam(savedAt: number, metadata: object = {}, count = itemCount, factor = 1): object {
  const prices = Array.from({ length: count }, (_, index) => [`Item ${index}`, Math.round((1000 + index) * factor)]);
  const updated_at = new Date(savedAt).toISOString();
  return {
    metadata: { updated_at, currency: "USD", item_count: count, ...metadata },
    prices: Object.fromEntries(prices),
  };
}
