import type { Database } from "../../store/database.ts";
import { ExchangeRatesStore } from "../../store/read/exchange-rates.ts";
import { FeedWriter, type ProviderFacts } from "../../store/write/feeds.ts";
import { dayMs } from "../../values/time/calendar.ts";
import { besideEachOther, booksOf, type PricedBook, type Side, sides } from "../quotes/compared-books.ts";
import {
  boundText,
  comparedMin,
  found,
  type GuardFinding,
  isOutside,
  notJudged,
  percentText,
  ratioText,
  tooFew,
} from "./findings.ts";
import { isWithin, type ProviderKind, type Range, unitHint, usualRatios } from "./kinds.ts";
import { medianOf, PriceRatios } from "./price-ratios.ts";

/** New providers and the items of their body in ascending id. */
type FirstBody = {
  feed: string;
  providers: readonly Pick<ProviderFacts, "provider" | "kind">[];
  items: Iterable<readonly [itemId: number, book: PricedBook]>;
  /** Time of the body, UTC ms. */
  at: number;
};

/** Quotes that a price is compared with: all other providers, a kind of them, or their asks if the price is a bid. */
type Group = "all" | ProviderKind | "asks";
type Other = { provider: string; kind: ProviderKind };

/** A source without a check for this long is new again, and is not compared with others. */
export const knownForMs = 30 * dayMs;

const noOthers = "no other provider was checked within 30 days";
const farBound = 10;
const farPercent = 20;
/** True prices of a `cash` provider are 0.27 to 0.48 times those of the main platform. */
const cashToMain = { low: 0.27, high: 0.48 };
const alike = { low: 0.7, high: 1.4 };
const currenciesMax = 5;

/** After this time a first body counts as true. */
const confirmedMs = 7 * dayMs;

/** Returns until when a feed with a first body at `at` counts as unconfirmed, UTC ms; null if its findings compare it. */
export function unconfirmedUntil(findings: readonly GuardFinding[], at: number): number | null {
  const isUnjudged = findings.some(({ guard, verdict }) => guard === "first_body" && verdict === "not_judged");
  return isUnjudged ? at + confirmedMs : null;
}

/** Returns whether another provider confirms the published quotes of a feed: the later one of the two was compared with the other. */
export function isConfirmed(database: Database, feed: string, now: number): boolean {
  return new FeedWriter(database).sharedItems(feed, now - knownForMs, comparedMin) === comparedMin;
}

/** Compares the quotes of new providers with the quotes of other providers for the same items. Writes nothing. */
export function checkFirstBody(database: Database, first: FirstBody, threshold: number): GuardFinding<"first_body">[] {
  const others = othersOf(database, first);
  if (others.length === 0) return [notJudged("first_body", noOthers, threshold)];
  const ratios = ratiosToOthers(database, first, others);
  const explain = (ratio: number, range: Range) => explained(database, ratio, range);
  return first.providers.flatMap(({ provider, kind }) => {
    const judged = sides.flatMap((side) => {
      const of = (group: Group) => ratios.get(`${provider} ${side} ${group}`) ?? new PriceRatios();
      return checkSide({ provider, kind, side, of, explain }, threshold) ?? [];
    });
    const most = Math.max(...sides.map((side) => ratios.get(`${provider} ${side} all`)?.count ?? 0));
    const few = tooFew(`${most} items of ${provider} are quoted by other providers`);
    return judged.length > 0
      ? judged.filter((finding) => finding !== "fine")
      : [notJudged("first_body", few, threshold)];
  });
}

type FirstSide = Other & {
  side: Side;
  of: (group: Group) => PriceRatios;
  explain: (ratio: number, range: Range) => string;
};

/** Returns the findings of one side, or `fine`. Null if too few items are compared. */
function checkSide(first: FirstSide, threshold: number): (GuardFinding<"first_body"> | "fine")[] | null {
  const { provider, kind, side, of, explain } = first;
  const isBeside = of("all").count >= comparedMin;
  const all = isBeside ? of("all") : of("asks");
  if (all.count < comparedMin) return null;
  const range = { low: cashToMain.low, high: alike.high };
  const ratio = all.median()!;
  const far = isBeside ? all.outside(farBound) : 0;
  const beside = isBeside ? side : "asks";
  const head = `${side} of ${provider} are ${ratioText(ratio)} times the ${beside} of other providers (median of ${all.count})`;
  if (isOutside(ratio, threshold)) return [found("first_body", "broken", `${head}${explain(ratio, range)}`, threshold)];
  if (far * 100 > farPercent * all.count) {
    const share = `${percentText(far, all.count)} of the ${side} of ${provider} are outside ${boundText(farBound)} times`;
    return [found("first_body", "broken", `${share} the ${side} of other providers`, threshold)];
  }
  const named = usualRatios(kind).flatMap(({ of: group, range: usual }) => {
    const compared = of(group);
    const own = compared.count < comparedMin ? null : compared.median();
    if (own === null || isWithin(own, usual)) return [];
    const whose = `times those of ${group.replace("_", " ")} providers (median of ${compared.count})`;
    const figure = `${side} of ${provider} (${kind}) are ${ratioText(own)} ${whose}${explain(own, trueRatios(kind, group))}`;
    return [found("first_body", "named", figure, threshold)];
  });
  return named.length > 0 ? named : ["fine"];
}

/** Returns the expected ratios of one kind of provider to another. */
function trueRatios(kind: ProviderKind, of: ProviderKind): Range {
  if (kind === of) return alike;
  return kind === "cash" ? cashToMain : { low: 1 / cashToMain.high, high: 1 / cashToMain.low };
}

/** Returns the providers of other feeds that were checked within 30 days of the body. */
function othersOf(database: Database, { feed, at }: FirstBody): Other[] {
  return new FeedWriter(database)
    .activeProviders()
    .filter((other) => other.feed !== feed && other.checkedAt !== null && Math.abs(at - other.checkedAt) <= knownForMs);
}

function ratiosToOthers(database: Database, { providers, items }: FirstBody, others: readonly Other[]) {
  const ratios = new Map<string, PriceRatios>();
  const own = new Set(providers.map(({ provider }) => provider));
  const kindOf = new Map(others.map(({ provider, kind }) => [provider, kind]));
  const add = (key: string, itemId: number, amounts: readonly number[], amount: number) => {
    if (amounts.length === 0) return;
    const known = ratios.get(key) ?? new PriceRatios();
    ratios.set(key, known);
    known.add(itemId, medianOf(amounts), amount);
  };
  const stored = booksOf(database, new Set(kindOf.keys()));
  for (const { itemId, old, book } of besideEachOther<PricedBook, PricedBook>(stored, items)) {
    if (old === null || book === null) continue;
    for (const side of sides) {
      const amountsOf = (kind: ProviderKind | null) =>
        old[side].filter(({ provider }) => kind === null || kindOf.get(provider) === kind).map((q) => q.amountCents);
      for (const { provider, amountCents } of book[side]) {
        if (!own.has(provider)) continue;
        const key = `${provider} ${side}`;
        add(`${key} all`, itemId, amountsOf(null), amountCents);
        for (const kind of new Set(kindOf.values())) add(`${key} ${kind}`, itemId, amountsOf(kind), amountCents);
        if (side === "bids")
          add(
            `${key} asks`,
            itemId,
            old.asks.map((quote) => quote.amountCents),
            amountCents,
          );
      }
    }
  }
  return ratios;
}

/** Returns units and currencies that explain an unexpected ratio, as the end of a sentence. */
function explained(database: Database, ratio: number, range: Range): string {
  const unit = unitHint(ratio, range);
  if (unit !== "") return unit;
  const distance = (rate: number) => Math.abs(Math.log(ratio / rate / Math.sqrt(range.low * range.high)));
  const rates = new Map<string, number>();
  for (const { currency, ratePerUsd } of new ExchangeRatesStore(database).latest("", 1000))
    rates.set(currency, Number(ratePerUsd));
  const names = [...rates]
    .filter(([, rate]) => isOutside(rate, 1.3) && isWithin(ratio / rate, range))
    .sort(([, one], [, other]) => distance(one) - distance(other))
    .map(([currency]) => currency);
  return names.length === 0 ? "" : `: amounts in ${names.slice(0, currenciesMax).join(", ")} would explain it`;
}
