import type { CatalogVariant } from "../../../src/import/catalog/variants.ts";
import { phases } from "../../../src/values/text/phases.ts";
import { steam } from "./lies.ts";

type Item = Partial<CatalogVariant> & { marketHashName: string; phase: CatalogVariant["phase"] };
export type Quote = { name: string; phase: string | null; ask: number | string; bid: number | string };

const finishes = 70;
const knives = 12;
const wears = ["Factory New", "Minimal Wear"] as const;

/** Items with twins of each kind: phases of a knife, a counting edition beside a plain one, two wears of a finish. */
export const twinItems: readonly Item[] = [
  ...Array.from({ length: finishes }, (_, index) => index).flatMap((index) =>
    wears.flatMap((wear) =>
      ["", "StatTrak™ "].map(
        (edition): Item => ({
          identityKey: `paint:7:${index}/${wear}/${edition}/`,
          marketHashName: `${edition}Rifle | Finish ${index} (${wear})`,
          phase: null,
          wear,
          statCounter: edition !== "",
        }),
      ),
    ),
  ),
  ...Array.from({ length: knives }, (_, index) => index).flatMap((index) =>
    phases.map(
      (phase): Item => ({
        identityKey: `paint:500:${index}/${phase}/`,
        marketHashName: `★ Knife ${index} | Doppler (Factory New)`,
        phase,
        wear: "Factory New",
        statCounter: false,
      }),
    ),
  ),
];

/** Price factor of each phase, relative to the first. */
const phaseFactors = [1, 1.1, 1.05, 1.15, 3, 4.5, 7, 10];

/** True prices in cents: a counting edition costs twice as much, a worn one two thirds. */
export const trueQuotes: readonly Quote[] = twinItems.map(({ marketHashName: name, phase }, index) => {
  const base = phase === null ? 411 + 97 * (index >> 2) : 21_013 + 1_117 * (index % 7);
  const edition = name.startsWith("StatTrak") ? 2 : 1;
  const wear = name.endsWith("(Minimal Wear)") ? 0.66 : 1;
  const ask = Math.round(base * edition * wear * (phaseFactors[phases.indexOf(phase as never)] ?? 1));
  return { name, phase, ask, bid: Math.round(ask * 0.9) };
});

/** A canonical body of one shop. */
export function shop(
  quotes: readonly Partial<Quote>[],
  { feed = "square", provider = "hall", kind = "cash" }: { feed?: string; provider?: string; kind?: string } = {},
): string {
  const providers = [{ provider, name: provider, kind }];
  const lines = quotes.flatMap(({ name, phase, ...sides }) =>
    (["ask", "bid"] as const)
      .filter((side) => sides[side] !== undefined)
      .map((side) => {
        const item = { market_hash_name: name, ...(phase === null ? {} : { phase }), provider, side };
        return JSON.stringify({ ...item, amount: sides[side] });
      }),
  );
  const header = JSON.stringify({ format: "itemtape-feed", version: 1, feed, providers });
  return [header, ...lines, JSON.stringify({ end: true, quotes: lines.length })].map((line) => `${line}\n`).join("");
}

/** The true quotes with all prices times a factor. */
export function times(factor: number, quotes: readonly Quote[] = trueQuotes): Quote[] {
  const scaled = (price: number | string) => Math.max(1, Math.round(Number(price) * factor));
  return quotes.map(({ ask, bid, ...item }) => ({ ...item, ask: scaled(ask), bid: scaled(bid) }));
}

/** The true quotes with the prices of every `nth` item changed. */
export function every(nth: number, change: (cents: number) => number, sides: readonly ("ask" | "bid")[]): Quote[] {
  return trueQuotes.map((quote, index) =>
    index % nth === 0
      ? { ...quote, ...Object.fromEntries(sides.map((side) => [side, Math.round(change(Number(quote[side])))])) }
      : quote,
  );
}

/** The true quotes with prices of another item. Null keeps the item's own price. */
export function exchanged(otherOf: (quote: Quote) => { name?: string; phase?: string } | null): Quote[] {
  const byItem = new Map(trueQuotes.map((quote) => [`${quote.name} ${quote.phase}`, quote]));
  return trueQuotes.map((quote) => {
    const other = otherOf(quote);
    const of = other === null ? undefined : byItem.get(`${other.name ?? quote.name} ${other.phase ?? quote.phase}`);
    return of === undefined ? quote : { ...quote, ask: of.ask, bid: of.bid };
  });
}

/**
 * A list of the main platform with only the first phase of each name, at higher prices than a shop's. `count` is the number of items,
 * `from` the first of them.
 */
export function platform(savedAt: number, factor = 2.5, metadata: object = {}, count = 280): object {
  const prices = trueQuotes.slice(0, count).map(({ name, ask }) => [name, Math.round(Number(ask) * factor)]);
  return { ...steam(savedAt, metadata), prices: Object.fromEntries(prices) };
}
