import type { FeedFacts, ProviderFacts } from "../store/write/feeds.ts";
import { dayOf, hourMs, hourOf, minuteMs } from "../values/time/calendar.ts";
import type { Book, BookQuote } from "../wire/quotes.ts";
import { knownFinishes } from "./known-prices.ts";
import { baseCents, baseName, type DemoItem, demoChance, demoDraw, isKnown } from "./prices.ts";

type Market = { share: number; factor: number; bids: number; hasTimes: boolean };
type Provider = ProviderFacts & Market;

/** Only the main platform is real. All prices are invented. */
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
 * A feed and its providers. `intoMs` is the check time of its frames after the full hour, in ms. `seed` makes its prices move at different
 * hours.
 */
export type DemoFeed = { feed: "northgate" | "bazaar" | "steam"; slugs: readonly Slug[]; intoMs: number; seed: number };

const slugs = Object.keys(providers) as Slug[];

/** Feeds in the order in which their frames of an hour are recorded. */
export const demoFeeds: readonly DemoFeed[] = [
  { feed: "northgate", slugs: ["northgate"], intoMs: 7 * minuteMs, seed: 101 },
  { feed: "bazaar", slugs: ["bazaar", "swapyard"], intoMs: 10 * minuteMs, seed: 202 },
  { feed: "steam", slugs: ["steam"], intoMs: 13 * minuteMs, seed: 303 },
];

/** Age of the last bodies at the anchor, in ms. */
const receivedAgoMs = 10 * minuteMs;
/** Highest price on the main platform, in cents. */
const steamCentsMax = 180_000;
/** Length of the price walk in days, for known and for other items. */
const walkDays = { known: 400, other: 64 };
/** Share of hours in which an item's prices move. */
const hourlyMoves = 0.15;

/**
 * Crossed books: the buy order is above the offer of the same provider. Real sources have them, and the service keeps them unchanged. They
 * are crossed only in the last hours. In all other recorded books, each buy order is below the lowest offer of any provider.
 */
export const crossedBooks: readonly { marketHashName: string; provider: Slug }[] = [
  { marketHashName: "M4A4 | The Emperor (Field-Tested)", provider: "bazaar" },
  { marketHashName: "Snakebite Case", provider: "northgate" },
  { marketHashName: "P250 | Asiimov (Field-Tested)", provider: "swapyard" },
];
const crossedHours = 3;

/**
 * Shares of items offered per provider, for the contents of some containers. They exceed the default shares, so that these containers have
 * an expected value.
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
 * One item of the market: its current price, and the log of its past daily prices relative to now. `isShadow` is true if other items are
 * phases of the same name.
 */
type Listing = {
  item: DemoItem;
  known: boolean;
  isShadow: boolean;
  seed: number;
  cents: number;
  walk: Float64Array;
};

/** The last move of a price: hours ago, and the price since then relative to now. */
type Step = { movedAgo: number; factor: number };

/** The invented market. Each price is a pure function of the item's name and phase and of its age relative to the anchor. */
export class DemoMarket {
  /** Time of the last bodies, UTC ms. */
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

  /** Returns the current quotes of a feed by item id. Items without a quote are absent. */
  quotes({ feed, slugs }: DemoFeed): ReadonlyMap<number, Book> {
    let quotes = this.#now.get(feed);
    if (quotes === undefined) {
      quotes = this.#quotesOf(slugs, this.lastAt);
      this.#now.set(feed, quotes);
    }
    return quotes;
  }

  /** Returns the quotes of a feed at `at` (UTC ms), some hours ago. The feed then still covered a provider that is closed now. */
  earlyQuotes(feed: DemoFeed, at: number): ReadonlyMap<number, Book> {
    return this.#quotesOf(slugsOf(feed, true), at);
  }

  /** Returns the provider's price of an item in USD cents, even if it does not offer the item now. */
  centsAt(itemId: number, slug: Slug): number {
    return askCents(this.#listings.get(itemId)!, slug, false);
  }

  /** Returns a provider's price of an item at the end of a past day, relative to now. `daysAgo` counts from the last day. */
  factorOfDay(itemId: number, slug: Slug, daysAgo: number): number {
    const { walk, seed } = this.#listings.get(itemId)!;
    return Math.exp(walk[Math.min(daysAgo, walk.length - 1)]!) * ownFactor(seed, slug, daysAgo);
  }

  /** Returns the last move of an item's price at a provider, as of `hoursAgo`. */
  stepOf(itemId: number, slug: Slug, hoursAgo: number): Step {
    const feed = demoFeeds.find(({ slugs }) => slugs.includes(slug))!;
    const { movedAgo, factor } = this.step(itemId, feed, hoursAgo);
    const own = movedAgo === 0 ? 1 : ownFactor(this.#listings.get(itemId)!.seed, slug, movedAgo);
    return { movedAgo, factor: factor * own };
  }

  /** Returns the last move of an item's prices at a feed, as of `hoursAgo`. Each item moves at different hours. */
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

  /** Returns the quotes of an item since a move. The move precedes the frame of the same hour. */
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

  /** Returns the lowest offer of any provider between a move of a feed and its next move, in USD cents. */
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

/** Returns whether an item's prices moved at a feed in that hour. */
function isMoved(seed: number, feed: DemoFeed, hoursAgo: number): boolean {
  return demoDraw(seed + feed.seed, hoursAgo) <= hourlyMoves;
}

/** Returns the provider with a crossed book for the item, or undefined. */
function crossedProvider({ marketHashName }: DemoItem): Slug | undefined {
  return crossedBooks.find((book) => book.marketHashName === marketHashName)?.provider;
}

/** Returns the source's time of a quote, UTC ms. Most quotes are a few minutes older than their body, which arrived at `at`. */
function observedAt({ item }: Listing, slug: Slug, at: number): number {
  const drawn = chance(item, `${slug} age`);
  const age = drawn < 0.97 ? (1 + drawn * 14) * minuteMs : (2 + (drawn - 0.97) * 600) * hourMs;
  return at - Math.round(age);
}

/** Returns the feed facts as its source reports them. `isEarly` selects the time six hours ago. */
export function factsOf(feed: DemoFeed, isEarly: boolean): FeedFacts {
  const adapter = feed.feed === "steam" ? "steam" : "canonical";
  return { feed: feed.feed, adapter, providers: slugsOf(feed, isEarly).map(providerFacts) };
}

function slugsOf({ feed, slugs }: DemoFeed, isEarly: boolean): readonly Slug[] {
  return isEarly && feed === "bazaar" ? [...slugs, "oldhall"] : slugs;
}

/** Returns the provider facts as the demo's source reports them. */
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

/** Daily price moves by item type, as a fraction of the price. */
const volatility: Readonly<Record<string, number>> = { Container: 0.014, Knife: 0.006, Gloves: 0.007, Sticker: 0.016 };

/** Returns the log of past daily prices relative to now: a mean-reverting walk around a trend. */
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

/** Returns the same walk for a market segment. Its prices rise and fall together. */
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

/** Returns a provider's deviation from the market price at some time, as a factor of 1 ± 1.5 %. */
function ownFactor(seed: number, slug: string, ago: number): number {
  return 0.985 + demoDraw(seed + slugs.indexOf(slug as Slug) * 7919, ago) * 0.03;
}

function isOffered({ item, known, isShadow, cents }: Listing, slug: Slug): boolean {
  // The main platform has one offer for all phases. Other providers only quote single phases.
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

/** Gap between the lowest offer and the highest buy order, as a fraction of the offer. */
const bidSpread: Readonly<Record<string, number>> = { Container: 0.03, Knife: 0.05, Gloves: 0.08, Weapon: 0.06 };

function bidCents(listing: Listing, slug: Slug, { ask, isEarly }: { ask: number; isEarly: boolean }): number | null {
  const { item, known } = listing;
  if (crossedProvider(item) === slug) return Math.ceil(ask * 1.02) + 1;
  const share = known ? Math.min(1, providers[slug].bids * 1.6) : providers[slug].bids;
  if (chance(item, `${slug} bid`) >= share || ask <= 3) return null;
  const spread = (bidSpread[item.type ?? ""] ?? 0.1) * (0.7 + chance(item, `${slug} spread`) * 0.6);
  const lowest = lowestAskCents(listing, isEarly);
  // A rational buyer never bids more than the market's lowest offer, so the bid is a little below it.
  return Math.max(1, Math.min(lowest - 1, Math.floor(ask * (1 - spread)), Math.floor(lowest * (1 - spread / 3))));
}

/** Returns the lowest offer of the open providers, in USD cents. The item must have an offer. */
function lowestAskCents(listing: Listing, isEarly: boolean): number {
  const open = slugs.filter((slug) => slug !== "oldhall" && isOffered(listing, slug));
  return Math.min(...open.map((slug) => askCents(listing, slug, isEarly)));
}

/** Returns the number of offers, or null if the provider does not report it. Cheaper items have more offers. */
function quantityOf({ item, known, cents }: Listing, slug: Slug): number | null {
  if (slug === "steam") return null;
  if (!known) return chance(item, `${slug} counted`) < 0.7 ? 1 + Math.floor(chance(item, `${slug} count`) * 40) : null;
  return 1 + Math.floor((0.3 + chance(item, `${slug} count`)) * Math.max(3, 60_000 / cents ** 0.75));
}

function chance(item: DemoItem, question: string): number {
  return demoChance(`${item.marketHashName}|${item.phase ?? ""}|${question}`);
}
