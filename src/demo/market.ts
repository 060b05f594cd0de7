import type { FeedFacts, ProviderFacts } from "../store/write/feeds.ts";
import { dayOf, hourMs, hourOf, minuteMs } from "../values/time/calendar.ts";
import type { Book, BookQuote } from "../wire/quotes.ts";
import { knownFinishes } from "./known-prices.ts";
import { baseCents, baseName, type DemoItem, demoChance, demoDraw, isKnown } from "./prices.ts";

type Market = { share: number; factor: number; bids: number; hasTimes: boolean };
type Provider = ProviderFacts & Market;

/** Every provider but the main platform is made up, and so is every price. */
const providers = {
  steam: main({ share: 0.72, factor: 1.2, bids: 0, hasTimes: false }),
  northgate: made("northgate", "Northgate (demo)", "cash", { share: 0.55, factor: 0.98, bids: 0.6, hasTimes: true }),
  bazaar: made("bazaar", "Bazaar (demo)", "cash", { share: 0.45, factor: 1.01, bids: 0.4, hasTimes: true }),
  swapyard: made("swapyard", "Swapyard (demo)", "trade", { share: 0.3, factor: 1.07, bids: 0.5, hasTimes: true }),
  oldhall: made("oldhall", "Old Hall (demo, closed)", "cash", { share: 0.05, factor: 1, bids: 0, hasTimes: false }),
};

function main(market: Market): Provider {
  return { provider: "steam", name: "Steam Community Market", kind: "main_platform", ...market };
}

function made(provider: string, name: string, kind: "cash" | "trade", market: Market): Provider {
  return { provider, name, kind, ...market };
}

export type Slug = keyof typeof providers;
/**
 * A feed and the providers that it covers. `intoMs`: milliseconds into an hour at which its frames are checked. `seed`: its prices
 * move at hours of their own.
 */
export type DemoFeed = { feed: "northgate" | "bazaar" | "steam"; slugs: readonly Slug[]; intoMs: number; seed: number };

const slugs = Object.keys(providers) as Slug[];

/** In the order in which their frames of an hour are recorded. */
export const demoFeeds: readonly DemoFeed[] = [
  { feed: "northgate", slugs: ["northgate"], intoMs: 7 * minuteMs, seed: 101 },
  { feed: "bazaar", slugs: ["bazaar", "swapyard"], intoMs: 10 * minuteMs, seed: 202 },
  { feed: "steam", slugs: ["steam"], intoMs: 13 * minuteMs, seed: 303 },
];

/** Milliseconds before the anchor at which the last bodies came in. */
const receivedAgoMs = 10 * minuteMs;
/** The main platform has no offer above this. */
const steamCentsMax = 180_000;
/** Days of the walk that a known item and another one have behind them. */
const walkDays = { known: 400, other: 64 };
/** Share of an item's prices that move within an hour. */
const hourlyMoves = 0.15;

/**
 * The buy order of these is above the offer of the same provider, on purpose: sources have such books, and they are kept as they are.
 * Their history is not crossed before the last hours. No other buy order is above the lowest offer of any provider, at no recorded hour.
 */
export const crossedBooks: readonly { marketHashName: string; provider: Slug }[] = [
  { marketHashName: "M4A4 | The Emperor (Field-Tested)", provider: "bazaar" },
  { marketHashName: "Snakebite Case", provider: "northgate" },
  { marketHashName: "P250 | Asiimov (Field-Tested)", provider: "swapyard" },
];
const crossedHours = 3;

/**
 * The shares of providers for items that come out of some containers: these are offered more often, so that opening the
 * containers has a value.
 */
const stocks: readonly { isOf: (item: DemoItem) => boolean; shares: Partial<Readonly<Record<Slug, number>>> }[] = [
  {
    isOf: ({ marketHashName, collection }) =>
      collection === "The Kilowatt Collection" || marketHashName.includes("Kukri Knife"),
    shares: { steam: 0.98, northgate: 1, bazaar: 0, oldhall: 0 },
  },
  {
    isOf: ({ type, collection }) => collection === "The Recoil Collection" || type === "Gloves",
    shares: { steam: 0.97, northgate: 0.7, bazaar: 0.95 },
  },
  {
    isOf: ({ marketHashName, collection }) =>
      collection === "The Dreams & Nightmares Collection" ||
      /\| (Autotronic|Black Laminate|Bright Water|Freehand|Gamma Doppler|Lore)\b/.test(marketHashName),
    shares: { steam: 0.99 },
  },
  {
    isOf: ({ type, marketHashName }) => type === "Weapon" && knownFinishes[baseName(marketHashName)] !== undefined,
    shares: { steam: 0.97, northgate: 0.95, bazaar: 0.85, swapyard: 0.7 },
  },
];

/**
 * One item of the market: what it costs now, and the logarithm of its price so many days ago against now. `isShadow`: other items
 * are the phases of its name.
 */
type Listing = {
  item: DemoItem;
  known: boolean;
  isShadow: boolean;
  seed: number;
  cents: number;
  walk: Float64Array;
};

/** What moved last: hours ago, and the factor of the prices since then against now. */
type Step = { movedAgo: number; factor: number };

/**
 * The made-up market: each price is a pure function of an item's name and phase and of how long ago it was, each time one of
 * the anchor too.
 */
export class DemoMarket {
  /** When the last bodies came in, UTC ms. */
  readonly lastAt: number;
  readonly #listings: ReadonlyMap<number, Listing>;
  readonly #now = new Map<string, ReadonlyMap<number, Book>>();

  constructor(items: readonly DemoItem[], anchorAt: number) {
    this.lastAt = anchorAt - receivedAgoMs;
    const phasedNames = new Set(items.filter(({ phase }) => phase !== null).map((item) => item.marketHashName));
    this.#listings = new Map(items.map((item) => [item.itemId, listingOf(item, phasedNames)]));
  }

  get lastDay(): number {
    return dayOf(this.lastAt);
  }

  get lastHour(): number {
    return hourOf(this.lastAt);
  }

  /** Ids of all items, ascending. */
  get itemIds(): readonly number[] {
    return Array.from(this.#listings.keys()).sort((a, b) => a - b);
  }

  isKnown(itemId: number): boolean {
    return this.#listings.get(itemId)!.known;
  }

  /** Returns the quotes that a feed has now, by item id. Some items have none. */
  quotes({ feed, slugs }: DemoFeed): ReadonlyMap<number, Book> {
    let quotes = this.#now.get(feed);
    if (quotes === undefined) {
      quotes = this.#quotesOf(slugs, this.lastAt);
      this.#now.set(feed, quotes);
    }
    return quotes;
  }

  /** Returns the quotes that a feed had some hours ago, at `at` (UTC ms), when it still covered a provider that is closed now. */
  earlyQuotes(feed: DemoFeed, at: number): ReadonlyMap<number, Book> {
    return this.#quotesOf(slugsOf(feed, true), at);
  }

  /** Returns what a provider asks for an item that it does not offer now, USD cents. */
  centsAt(itemId: number, slug: Slug): number {
    return askCents(this.#listings.get(itemId)!, slug, false);
  }

  /** Returns the factor of a provider's price of an item at the end of a day, days before the last one, against now. */
  factorOfDay(itemId: number, slug: Slug, daysAgo: number): number {
    const { walk, seed } = this.#listings.get(itemId)!;
    return Math.exp(walk[Math.min(daysAgo, walk.length - 1)]!) * ownFactor(seed, slug, daysAgo);
  }

  /** Returns the last move of a provider's price of an item by that hour. */
  stepOf(itemId: number, slug: Slug, hoursAgo: number): Step {
    const feed = demoFeeds.find(({ slugs }) => slugs.includes(slug))!;
    const { movedAgo, factor } = this.step(itemId, feed, hoursAgo);
    const own = movedAgo === 0 ? 1 : ownFactor(this.#listings.get(itemId)!.seed, slug, movedAgo);
    return { movedAgo, factor: factor * own };
  }

  /** Returns the last move of an item's prices at a feed by that hour. Prices move at times, each item at hours of its own. */
  step(itemId: number, feed: DemoFeed, hoursAgo: number): Step {
    const { walk, seed } = this.#listings.get(itemId)!;
    let movedAgo = hoursAgo;
    if (movedAgo === 0) return { movedAgo, factor: 1 };
    while (!isMoved(seed, feed, movedAgo)) movedAgo += 1;
    const day = Math.min(movedAgo / 24, walk.length - 2);
    const before = Math.floor(day);
    const level = walk[before]! + (walk[before + 1]! - walk[before]!) * (day - before);
    return { movedAgo, factor: Math.exp(level) };
  }

  /** Returns the quotes of an item as they were since a move. An observation falls into the hour of the move, before a frame in it. */
  quotesSince(itemId: number, { asks, bids }: Book, { movedAgo, factor }: Step, feed: DemoFeed): Book {
    if (movedAgo === 0) return { asks, bids };
    const { item, seed } = this.#listings.get(itemId)!;
    const { intoMs } = feed;
    const movedAt =
      (this.lastHour - movedAgo) * hourMs + Math.floor((demoDraw(seed + 3, movedAgo) * intoMs) / 1000) * 1000;
    const crossed = movedAgo < crossedHours ? undefined : crossedProvider(item);
    const moved: Book = { asks: [], bids: [] };
    for (const quote of asks)
      moved.asks.push(movedQuote(quote, factor * ownFactor(seed, quote.provider, movedAgo), movedAt));
    const lowestAsk = bids.length === 0 ? 0 : this.#lowestAskSince(itemId, feed, movedAgo);
    for (const quote of bids) {
      const share = quote.provider === crossed ? 0.9 : 1;
      const bid = movedQuote(quote, factor * share * ownFactor(seed, quote.provider, movedAgo), movedAt);
      if (movedAgo >= crossedHours || crossedProvider(item) !== quote.provider)
        bid.amountCents = Math.min(bid.amountCents, lowestAsk);
      moved.bids.push(bid);
    }
    return moved;
  }

  /** Returns the lowest offer of any provider in the hours from a move of a feed until its next one, USD cents. */
  #lowestAskSince(itemId: number, feed: DemoFeed, movedAgo: number): number {
    const { seed } = this.#listings.get(itemId)!;
    let last = movedAgo;
    while (last > 1 && !isMoved(seed, feed, last - 1)) last -= 1;
    let lowest = Number.POSITIVE_INFINITY;
    for (const other of demoFeeds) {
      const asks = this.quotes(other).get(itemId)?.asks ?? [];
      if (asks.length === 0) continue;
      for (let ago = movedAgo; ago >= last; ago -= 1) {
        if (ago < movedAgo && !isMoved(seed, other, ago)) continue;
        const step = this.step(itemId, other, ago);
        for (const { provider, amountCents } of asks)
          lowest = Math.min(lowest, movedCents(amountCents, step.factor * ownFactor(seed, provider, step.movedAgo)));
      }
    }
    return lowest;
  }

  #quotesOf(slugs: readonly Slug[], at: number): Map<number, Book> {
    const quotes = new Map<number, Book>();
    for (const [itemId, listing] of this.#listings) {
      const asks: BookQuote[] = [];
      const bids: BookQuote[] = [];
      for (const slug of slugs) {
        if (!isOffered(listing, slug)) continue;
        const isEarly = at < this.lastAt;
        const ask = askCents(listing, slug, isEarly);
        const seenAt = providers[slug].hasTimes ? observedAt(listing, slug, at) : null;
        asks.push({
          provider: slug,
          amountCents: ask,
          quantity: quantityOf(listing, slug),
          url: null,
          observedAt: seenAt,
        });
        const bid = bidCents(listing, slug, { ask, isEarly });
        if (bid !== null)
          bids.push({ provider: slug, amountCents: bid, quantity: null, url: null, observedAt: seenAt });
      }
      if (asks.length > 0) quotes.set(itemId, { asks, bids });
    }
    return quotes;
  }
}

function movedQuote(
  { provider, amountCents, quantity, url, observedAt }: BookQuote,
  factor: number,
  at: number,
): BookQuote {
  return {
    provider,
    amountCents: movedCents(amountCents, factor),
    quantity,
    url,
    observedAt: observedAt === null ? null : at,
  };
}

function movedCents(amountCents: number, factor: number): number {
  return Math.max(1, Math.floor(amountCents * factor));
}

/** Returns whether an item's prices moved at a feed in the hour that was so long ago. */
function isMoved(seed: number, feed: DemoFeed, hoursAgo: number): boolean {
  return demoDraw(seed + feed.seed, hoursAgo) <= hourlyMoves;
}

/** Returns the provider with a crossed book of the item; undefined: none has one. */
function crossedProvider({ marketHashName }: DemoItem): Slug | undefined {
  return crossedBooks.find((book) => book.marketHashName === marketHashName)?.provider;
}

/** Returns the source's time of a quote, UTC ms: nearly all were seen a few minutes before their body came in at `at`. */
function observedAt({ item }: Listing, slug: Slug, at: number): number {
  const drawn = chance(item, `${slug} age`);
  const age = drawn < 0.97 ? (1 + drawn * 14) * minuteMs : (2 + (drawn - 0.97) * 600) * hourMs;
  return at - Math.round(age);
}

/** Returns the feed with its adapter and providers, as its source states them; `isEarly`: six hours ago. */
export function factsOf(feed: DemoFeed, isEarly: boolean): FeedFacts {
  const adapter = feed.feed === "steam" ? "steam" : "canonical";
  return { feed: feed.feed, adapter, providers: slugsOf(feed, isEarly).map(providerFacts) };
}

function slugsOf({ feed, slugs }: DemoFeed, isEarly: boolean): readonly Slug[] {
  return isEarly && feed === "bazaar" ? [...slugs, "oldhall"] : slugs;
}

/** Returns how the demo's source states a provider. */
export function providerFacts(slug: Slug): ProviderFacts {
  const { provider, name, kind } = providers[slug];
  return { provider, name, kind };
}

function listingOf(item: DemoItem, phasedNames: ReadonlySet<string>): Listing {
  const known = isKnown(item);
  const seed = Math.floor(chance(item, "seed") * 2 ** 31);
  return {
    item,
    known,
    isShadow: item.phase === null && phasedNames.has(item.marketHashName),
    seed,
    cents: baseCents(item),
    walk: walkOf(item, seed, known ? walkDays.known : walkDays.other),
  };
}

/** Daily moves of a type's prices, as a part of the price. */
const volatility: Readonly<Record<string, number>> = { Container: 0.014, Knife: 0.006, Gloves: 0.007, Sticker: 0.016 };

/** Returns the logarithm of the price so many days ago against now: it strays from a trend, and is drawn back to it. */
function walkOf(item: DemoItem, seed: number, days: number): Float64Array {
  const walk = new Float64Array(days);
  const move = (volatility[item.type ?? ""] ?? 0.01) * 3.4;
  const trend = (demoDraw(seed, -1) - 0.62) * 0.0016;
  const market = marketWalk(item.type === "Container" ? "containers" : item.type === "Weapon" ? "weapons" : "others");
  for (let day = 1, stray = 0; day < days; day += 1) {
    stray = stray * 0.985 + (demoDraw(seed + 4, day) - 0.5) * move;
    walk[day] = stray + trend * day + market[day]!;
  }
  return walk;
}

const marketWalks = new Map<string, Float64Array>();

/** Returns the same for a part of the market, in which prices rise and fall together. */
function marketWalk(part: string): Float64Array {
  let walk = marketWalks.get(part);
  if (walk === undefined) {
    walk = new Float64Array(walkDays.known);
    for (let day = 1; day < walk.length; day += 1)
      walk[day] = walk[day - 1]! * 0.99 + (demoChance(`${part} ${day}`) - 0.5) * 0.024;
    marketWalks.set(part, walk);
  }
  return walk;
}

/** Returns by how much a provider's price differs at some time from what the market would have it: up to one and a half percent. */
function ownFactor(seed: number, slug: string, ago: number): number {
  return 0.985 + demoDraw(seed + slugs.indexOf(slug as Slug) * 7919, ago) * 0.03;
}

function isOffered({ item, known, isShadow, cents }: Listing, slug: Slug): boolean {
  // The main platform does not distinguish phases, the others quote nothing else.
  if (slug === "steam" ? item.phase !== null : isShadow) return false;
  if (slug === "steam" && cents * providers.steam.factor > steamCentsMax) return false;
  if (known) return slug !== "oldhall";
  const share = stocks.find(({ isOf }) => isOf(item))?.shares[slug];
  if (share !== undefined) return chance(item, `${slug} listed`) < share;
  return chance(item, "listed") > 0.08 && chance(item, `${slug} listed`) < providers[slug].share;
}

function askCents({ item, cents }: Listing, slug: Slug, isEarly: boolean): number {
  const hasMoved = chance(item, `${slug} moved`) < 0.3;
  const wobble = 0.97 + chance(item, `${slug} wobble`) * 0.06;
  return Math.max(3, Math.round((cents * providers[slug].factor * wobble) / (isEarly && hasMoved ? 1.03 : 1)));
}

/** How far the highest buy order is below the lowest offer, as a part of the offer. */
const bidSpread: Readonly<Record<string, number>> = { Container: 0.03, Knife: 0.05, Gloves: 0.08, Weapon: 0.06 };

function bidCents(listing: Listing, slug: Slug, { ask, isEarly }: { ask: number; isEarly: boolean }): number | null {
  const { item, known } = listing;
  if (crossedProvider(item) === slug) return Math.ceil(ask * 1.02) + 1;
  const share = known ? Math.min(1, providers[slug].bids * 1.6) : providers[slug].bids;
  if (chance(item, `${slug} bid`) >= share || ask <= 3) return null;
  const spread = (bidSpread[item.type ?? ""] ?? 0.1) * (0.7 + chance(item, `${slug} spread`) * 0.6);
  const lowest = lowestAskCents(listing, isEarly);
  // Who would pay more than the market's lowest offer takes that instead: such an order is a little below it.
  return Math.max(1, Math.min(lowest - 1, Math.floor(ask * (1 - spread)), Math.floor(lowest * (1 - spread / 3))));
}

/** Returns the lowest offer of the providers that are open, USD cents; the item has one. */
function lowestAskCents(listing: Listing, isEarly: boolean): number {
  const open = slugs.filter((slug) => slug !== "oldhall" && isOffered(listing, slug));
  return Math.min(...open.map((slug) => askCents(listing, slug, isEarly)));
}

/** Returns how many are offered, null where the provider does not say: the cheaper an item, the more. */
function quantityOf({ item, known, cents }: Listing, slug: Slug): number | null {
  if (slug === "steam") return null;
  if (!known) return chance(item, `${slug} counted`) < 0.7 ? 1 + Math.floor(chance(item, `${slug} count`) * 40) : null;
  return 1 + Math.floor((0.3 + chance(item, `${slug} count`)) * Math.max(3, 60_000 / cents ** 0.75));
}

function chance(item: DemoItem, question: string): number {
  return demoChance(`${item.marketHashName}|${item.phase ?? ""}|${question}`);
}
