import type { GuardName } from "../../../src/import/guards/findings.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { worldAt } from "./quote-world.ts";
import { every, exchanged, platform, type Quote, shop, times, trueQuotes } from "./unlikely-bodies.ts";

type Verdict = "refused" | "named" | "not judged";
/** Bodies at intervals of an hour. The last one is judged. */
export type Case = {
  lie: string;
  bodies: (string | object)[];
  guard: GuardName;
  verdict: Verdict;
  says: string;
  adapter?: "canonical" | "steam";
  /** True if nothing is published before. By default the shop `hall` and the main platform are published. */
  isAlone?: boolean;
  accepted?: GuardName[];
  /** Hours before each body, default 1. */
  hours?: number[];
};

const dearest = 100_000;
const cutAtComma = (cents: number | string) =>
  Number(cents) < dearest ? cents : Math.floor(Number(cents) / dearest) * 100;
const wholeDollars = (cents: number | string) => Math.ceil(Number(cents) / 100) * 100;
const priced = (price: (cents: number | string) => number | string): Quote[] =>
  trueQuotes.map(({ ask, bid, ...item }) => ({ ...item, ask: price(ask), bid: price(bid) }));
export const newShop = { feed: "corner", provider: "corner" };
const few = (share: number) => trueQuotes.filter((_, index) => index % 100 < share * 100);
const otherEdition = ({ name }: Quote) => ({
  name: name.startsWith("StatTrak™ ") ? name.slice("StatTrak™ ".length) : `StatTrak™ ${name}`,
});
const swap = (one: string, other: string) => (text: string) => (text === one ? other : text === other ? one : text);
const otherGem = swap("Ruby", "Sapphire");
const nextWear = ({ name }: Quote) => ({
  name: name.endsWith("(Factory New)")
    ? name.replace("Factory New", "Minimal Wear")
    : name.replace("Minimal Wear", "Factory New"),
});

export const cases: readonly Case[] = [
  {
    lie: "buy orders are a hundredth and offers are right",
    bodies: [shop(trueQuotes.map((quote) => ({ ...quote, bid: Math.ceil(Number(quote.bid) / 100) })))],
    guard: "price_level",
    verdict: "refused",
    says: "the bids of hall are 0.010 times the published ones",
  },
  {
    lie: "two fifths of the rows are in another unit",
    bodies: [shop(trueQuotes.map((quote, index) => (index % 5 < 2 ? times(100, [quote])[0]! : quote)))],
    guard: "price_jumps",
    verdict: "refused",
    says: "151 of 376 asks of hall (40.2 %) are outside 1/3 to 3 times the previous ones",
  },
  {
    lie: "an eighth of the buy orders is a fortieth",
    bodies: [shop(every(8, (cents) => cents / 40, ["bid"]))],
    guard: "price_jumps",
    verdict: "refused",
    says: "47 of 376 bids of hall (12.5 %)",
  },
  {
    lie: "three of a hundred rows are a thousandfold",
    bodies: [shop(every(33, (cents) => cents * 1000, ["ask", "bid"]))],
    guard: "price_jumps",
    verdict: "named",
    says: "12 of 376 asks of hall (3.2 %) are outside 1/3 to 3 times the previous ones, 12 of them outside 1/100 to 100",
  },
  {
    lie: "one of sixty rows is fivefold",
    bodies: [shop(every(60, (cents) => cents * 5, ["ask"]))],
    guard: "price_jumps",
    verdict: "named",
    says: "7 of 376 asks of hall (1.9 %)",
  },
  {
    lie: "prices from a thousand dollars on are cut at the comma",
    bodies: [shop(priced(cutAtComma))],
    guard: "twins",
    verdict: "refused",
    says: "pairs of phases",
  },
  {
    lie: "all prices are whole dollars",
    bodies: [shop(priced(wholeDollars))],
    guard: "round_prices",
    verdict: "named",
    says: "100.0 % of the asks of hall above 1000 cents are whole dollars",
  },
  {
    lie: "a third of the rows go once",
    bodies: [shop(few(0.66))],
    guard: "shrink",
    verdict: "named",
    says: "it shrinks from 376 items to ",
  },
  {
    lie: "a third of the buy orders go once",
    bodies: [shop(trueQuotes.map(({ bid, ...quote }, index) => (index % 3 === 0 ? quote : { ...quote, bid })))],
    guard: "lost_quotes",
    verdict: "named",
    says: "hall goes from 376 bids to 250 and its asks stay",
  },
  {
    lie: "three of a hundred offers are zero",
    bodies: [shop(every(33, () => 0, ["ask"]))],
    guard: "unreadable_prices",
    verdict: "named",
    says: "12 of its 752 prices (1.6 %) are unreadable: 12 zero",
  },
  {
    lie: "all prices are in another currency",
    bodies: [shop(times(0.86))],
    guard: "price_level",
    verdict: "named",
    says: "changed asks of hall from 100 cents on (100.0 %) are 0.860 times the previous ones: amounts in EUR would explain it",
  },
  {
    lie: "wears are shifted by one",
    bodies: [shop(exchanged(nextWear))],
    guard: "twins",
    verdict: "refused",
    says: "in 140 of 140 pairs of neighbouring wears (100.0 %) of the asks of hall",
  },
  {
    lie: "two gems are exchanged",
    bodies: [shop(exchanged(({ phase }) => (phase === null ? null : { phase: otherGem(phase) })))],
    guard: "twins",
    verdict: "named",
    says: "in 10 of 336 pairs of phases (3.0 %) of the asks of hall",
  },
  {
    lie: "StatTrak is exchanged with plain",
    bodies: [shop(exchanged(otherEdition))],
    guard: "twins",
    verdict: "refused",
    says: "in 140 of 140 pairs of StatTrak and plain items (100.0 %)",
  },
  {
    lie: "prices rise to 2.9 times twice",
    bodies: [shop(times(2.9)), shop(times(2.9 ** 2))],
    guard: "week_price",
    verdict: "refused",
    says: "the asks of hall are 4.9 times the middle of the last seven days",
  },
  {
    lie: "prices fall to 0.36 twice within an hour",
    bodies: [shop(times(0.36)), shop(times(0.36 ** 2))],
    hours: [1, 0],
    guard: "week_price",
    verdict: "refused",
    says: "the asks of hall are 0.22 times the middle",
  },
  {
    lie: "prices rise by a quarter day after day",
    bodies: [1, 2, 3, 4].map((days) => shop(times(1.25 ** days))),
    hours: [24, 24, 24, 24],
    guard: "week_price",
    verdict: "named",
    says: "the asks of hall are 2.4 times the first of the last seven days",
  },
  {
    lie: "prices rise by an eighth hour after hour",
    bodies: [1, 2, 3, 4].map((hours) => shop(times(1.125 ** hours))),
    hours: [8, 8, 8, 8],
    guard: "price_level",
    verdict: "named",
    says: "the asks of hall are 1.4 times the prices of a day before",
  },
  {
    lie: "two fifths of the rows go twice",
    bodies: [shop(few(0.6)), shop(few(0.36))],
    guard: "week_count",
    verdict: "refused",
    says: "of hall are 38 % of the most in the last seven days (376)",
  },
  {
    lie: "an unfinished list has a tenth of its rows",
    adapter: "steam",
    bodies: [platform(worldAt + hourMs, 2.5, { resume_from: 20 }, 28)],
    guard: "week_count",
    verdict: "refused",
    says: "28 asks of steam are 10 % of the most in the last seven days (280), and it is marked as partial",
  },
  {
    lie: "an unfinished list has two fifths of its rows",
    adapter: "steam",
    bodies: [platform(worldAt + hourMs, 2.5, { resume_from: 20 }, 112)],
    guard: "week_count",
    verdict: "named",
    says: "112 asks of steam are 40 % of the most",
  },
  {
    lie: "an unfinished list is in another unit",
    adapter: "steam",
    bodies: [platform(worldAt + hourMs, 0.025, { resume_from: 20 })],
    guard: "price_level",
    verdict: "refused",
    says: "its prices are 0.010 times the published ones",
  },
  {
    lie: "a new shop gives dollars for cents",
    bodies: [shop(times(0.01), newShop)],
    guard: "first_body",
    verdict: "refused",
    says: "the asks of other providers (median of 376): dollars instead of cents",
  },
  {
    lie: "a new shop gives a third of its prices as dollars",
    bodies: [
      shop(
        trueQuotes.map((quote, index) => (index % 3 === 0 ? times(0.01, [quote])[0]! : quote)),
        newShop,
      ),
    ],
    guard: "first_body",
    verdict: "refused",
    says: "of the asks of corner are outside 1/10 to 10 times the asks of other providers",
  },
  {
    lie: "a new shop gives yuan",
    bodies: [shop(times(7.1), newShop)],
    guard: "first_body",
    verdict: "named",
    says: "asks of corner (cash) are 7.1 times the prices of cash providers (median of 376): amounts in CNY would explain it",
  },
  {
    lie: "a new shop exchanges StatTrak with plain",
    bodies: [shop(exchanged(otherEdition), newShop)],
    guard: "first_body",
    verdict: "refused",
    says: "the order of 140 of 140 pairs of StatTrak and plain items (100.0 %) of the asks of corner differs from other providers",
  },
  {
    lie: "a new shop exchanges wears for a quarter of its items",
    bodies: [
      shop(
        exchanged((quote) => (Number(/\d+/.exec(quote.name)?.[0]) % 4 === 0 ? nextWear(quote) : null)),
        newShop,
      ),
    ],
    guard: "first_body",
    verdict: "named",
    says: "pairs of neighbouring wears",
  },
  {
    lie: "a new shop has three of a hundred rows a thousandfold",
    bodies: [
      shop(
        every(33, (cents) => cents * 1000, ["ask", "bid"]),
        newShop,
      ),
    ],
    guard: "first_body",
    verdict: "named",
    says: "12 of 376 asks of corner are outside 1/100 to 100 times other providers' prices",
  },
  {
    lie: "a new shop gives whole dollars",
    bodies: [shop(priced(wholeDollars), newShop)],
    guard: "first_body",
    verdict: "named",
    says: "100.0 % of the asks of corner are whole dollars, beside",
  },
  {
    lie: "a new shop is dearer than the main platform",
    bodies: [shop(times(3.5), newShop)],
    guard: "first_body",
    verdict: "named",
    says: "asks of corner (cash) are 1.4 times the prices of main platform providers (median of 280)",
  },
  {
    lie: "the main platform is cheaper than shops",
    bodies: [shop(trueQuotes), platform(worldAt + hourMs, 0.6)],
    guard: "first_body",
    verdict: "named",
    isAlone: true,
    says: "asks of steam (main_platform) are 0.60 times the prices of cash providers",
  },
  {
    lie: "a new shop has only buy orders, at a hundredth of offers",
    adapter: "canonical",
    isAlone: true,
    bodies: [
      shop(trueQuotes.map(({ bid: _bid, ...item }) => item)),
      shop(
        times(0.01).map(({ ask: _ask, ...item }) => item),
        newShop,
      ),
    ],
    guard: "first_body",
    verdict: "refused",
    says: "bids of corner are 0.0090 times the asks of other providers",
  },
  {
    lie: "a new shop enters an empty file",
    isAlone: true,
    bodies: [shop(times(0.01), newShop)],
    guard: "first_body",
    verdict: "not judged",
    says: "no other provider was checked within 30 days",
  },
  {
    lie: "a shop returns after 31 days in another unit",
    bodies: [platform(worldAt + 31 * 24 * hourMs), shop(times(0.01))],
    hours: [31 * 24, 1],
    accepted: ["price_level"],
    guard: "first_body",
    verdict: "refused",
    says: "asks of hall are 0.0040 times the asks of other providers",
  },
];
