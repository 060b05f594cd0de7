import { hourMs, minuteMs } from "../values/calendar.ts";
import { toTimestamp } from "../values/clock.ts";

/** The attributes of an item that its demo price is made from. */
export type DemoItem = {
  marketHashName: string;
  phase: string | null;
  rarity: string | null;
  type: string | null;
  collection: string | null;
};

/** A body in the shape that a real source would send, and the instant at which the demo world receives it. */
export type DemoBody = { adapter: "steam" | "canonical"; feed: string; at: number; text: string };

type Provider = { provider: string; name: string; kind: "cash" | "trade" };
type Market = { share: number; factor: number; bids: number; hasTimes: boolean };

/** Every provider but the main platform is made up, and so is every price. */
const providers: Record<string, Provider> = {
  northgate: { provider: "northgate", name: "Northgate (demo)", kind: "cash" },
  bazaar: { provider: "bazaar", name: "Bazaar (demo)", kind: "cash" },
  swapyard: { provider: "swapyard", name: "Swapyard (demo)", kind: "trade" },
  oldhall: { provider: "oldhall", name: "Old Hall (demo, closed)", kind: "cash" },
};
const markets: Record<string, Market> = {
  steam: { share: 0.72, factor: 1.15, bids: 0, hasTimes: false },
  northgate: { share: 0.55, factor: 0.94, bids: 0.6, hasTimes: true },
  bazaar: { share: 0.45, factor: 0.97, bids: 0.4, hasTimes: false },
  swapyard: { share: 0.3, factor: 1.06, bids: 0.5, hasTimes: false },
  oldhall: { share: 0.05, factor: 1, bids: 0, hasTimes: false },
};

/** Milliseconds before the anchor at which the last bodies came in. */
const receivedAgoMs = 10 * minuteMs;

/**
 * The shares of providers for items that come out of some containers: these are offered more often, with the source's
 * times, so that opening the containers has a value.
 */
const stocks: readonly { isOf: (item: DemoItem) => boolean; shares: Readonly<Record<string, number>> }[] = [
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
];

/**
 * Returns the bodies of the demo world in the order in which they arrive: prices are a pure function of an item's name and phase,
 * times one of `anchorAt`. Some items get no quote at all, some asks change between two bodies, one provider closes.
 */
export function demoBodies(items: readonly DemoItem[], anchorAt: number): DemoBody[] {
  const before = anchorAt - 6 * hourMs;
  const lately = anchorAt - receivedAgoMs;
  return [
    { adapter: "steam", feed: "steam", at: before, text: steamBody(items, before, "early") },
    {
      adapter: "canonical",
      feed: "bazaar",
      at: before,
      text: canonicalBody("bazaar", ["bazaar", "swapyard", "oldhall"], items, anchorAt, "early"),
    },
    {
      adapter: "canonical",
      feed: "northgate",
      at: lately,
      text: canonicalBody("northgate", ["northgate"], items, anchorAt, "late"),
    },
    {
      adapter: "canonical",
      feed: "bazaar",
      at: lately,
      text: canonicalBody("bazaar", ["bazaar", "swapyard"], items, anchorAt, "late"),
    },
    { adapter: "steam", feed: "steam", at: lately, text: steamBody(items, lately, "late") },
  ];
}

/** Returns a body of the main platform, which does not distinguish phases: one price for each name. */
function steamBody(items: readonly DemoItem[], at: number, tide: string): string {
  const prices: Record<string, number> = {};
  for (const item of items) {
    if (item.phase === null && isQuoted(item, "steam")) prices[item.marketHashName] = askCents(item, "steam", tide);
  }
  return JSON.stringify({
    metadata: { updated_at: toTimestamp(at), currency: "USD", item_count: Object.keys(prices).length },
    prices,
  });
}

function canonicalBody(
  feed: string,
  slugs: readonly string[],
  items: readonly DemoItem[],
  anchorAt: number,
  tide: string,
): string {
  const lines: unknown[] = [
    { format: "itemtape-feed", version: 1, feed, providers: slugs.map((slug) => providers[slug]) },
  ];
  for (const slug of slugs) {
    for (const item of items)
      if (!isShadow(item, items) && isQuoted(item, slug)) lines.push(...quotesOf(item, slug, anchorAt, tide));
  }
  lines.push({ end: true, quotes: lines.length - 1 });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function quotesOf(item: DemoItem, slug: string, anchorAt: number, tide: string): Record<string, unknown>[] {
  const market = markets[slug]!;
  const ask = askCents(item, slug, tide);
  const observedAt =
    market.hasTimes && (stockShare(item, slug) !== undefined || chance(item, `${slug} told`) < 0.9)
      ? toTimestamp(observation(item, slug, anchorAt))
      : undefined;
  const quote = (side: string, amount: number, quantity: number | undefined) => ({
    market_hash_name: item.marketHashName,
    ...(item.phase === null ? {} : { phase: item.phase }),
    provider: slug,
    side,
    amount,
    quantity,
    observed_at: observedAt,
  });
  const quotes = [
    quote(
      "ask",
      ask,
      chance(item, `${slug} counted`) < 0.7 ? 1 + Math.floor(chance(item, `${slug} count`) * 40) : undefined,
    ),
  ];
  if (chance(item, `${slug} bid`) < market.bids && ask > 3)
    quotes.push(quote("bid", Math.max(1, Math.floor(ask * 0.9)), undefined));
  return quotes;
}

/** Returns whether an item is unphased beside its phases: sources that distinguish phases quote only those. */
function isShadow(item: DemoItem, items: readonly DemoItem[]): boolean {
  return item.phase === null && phasedNames(items).has(item.marketHashName);
}

let known: { items: readonly DemoItem[]; names: Set<string> } | undefined;
function phasedNames(items: readonly DemoItem[]): Set<string> {
  if (known?.items !== items)
    known = { items, names: new Set(items.filter((item) => item.phase !== null).map((item) => item.marketHashName)) };
  return known.names;
}

function isQuoted(item: DemoItem, slug: string): boolean {
  const share = stockShare(item, slug);
  if (share !== undefined) return chance(item, `${slug} listed`) < share;
  return chance(item, "listed") > 0.08 && chance(item, `${slug} listed`) < markets[slug]!.share;
}

function stockShare(item: DemoItem, slug: string): number | undefined {
  return stocks.find(({ isOf }) => isOf(item))?.shares[slug];
}

/**
 * Returns the source's time of a quote, UTC ms: half of them are fresh at the anchor, the rest between two and twenty
 * hours old; all are before the body came in.
 */
function observation(item: DemoItem, slug: string, anchorAt: number): number {
  const drawn = chance(item, `${slug} age`);
  const age = drawn < 0.5 ? receivedAgoMs + drawn * 38 * minuteMs : 2 * hourMs + (drawn - 0.5) * 36 * hourMs;
  return anchorAt - Math.round(age);
}

/** By type, of weapons by rarity. */
const baseCents: Record<string, number> = {
  "Consumer Grade": 3,
  "Industrial Grade": 5,
  "Mil-Spec Grade": 8,
  Restricted: 35,
  Classified: 160,
  Covert: 1_000,
  Knife: 26_000,
  Gloves: 22_000,
  Container: 120,
  Key: 240,
  Sticker: 60,
  "Sticker Slab": 70,
  Graffiti: 5,
  Patch: 90,
  Charm: 80,
  Agent: 400,
  "Music Kit": 350,
};

function askCents(item: DemoItem, slug: string, tide: string): number {
  const base = baseCents[(item.type === "Weapon" ? item.rarity : item.type) ?? ""] ?? 300;
  const spread = 10 ** (chance(item, "worth") * 2 - 1);
  const phase = item.phase === null ? 1 : 1 + chance(item, "phase") * (/^P/.test(item.phase) ? 0.4 : 6);
  const drift = tide === "late" && chance(item, `${slug} moved`) < 0.3 ? 1.03 : 1;
  const wobble = 0.95 + chance(item, `${slug} wobble`) * 0.1;
  return Math.max(3, Math.round(base * spread * phase * markets[slug]!.factor * wobble * drift));
}

function chance(item: DemoItem, question: string): number {
  return demoChance(`${item.marketHashName}|${item.phase ?? ""}|${question}`);
}

/** Returns a number in [0, 1) that depends on nothing but the question: FNV-1a, then a finishing mix. */
export function demoChance(question: string): number {
  let hash = 0x811c9dc5;
  for (const character of question) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
