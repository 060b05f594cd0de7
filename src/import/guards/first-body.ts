import type { Database } from "../../store/database.ts";
import { BookReader } from "../../store/read/books.ts";
import { ExchangeRatesStore } from "../../store/read/exchange-rates.ts";
import { FeedWriter, type ProviderFacts } from "../../store/write/feeds.ts";
import { dayMs } from "../../values/time/calendar.ts";
import { booksOf, mergeByItem, type PricedBook, type Side, sides } from "../quotes/compared-books.ts";
import {
  boundText,
  comparedMin,
  found,
  type GuardFinding,
  guardDefaults,
  isOutside,
  notJudged,
  percentText,
  ratioText,
  tooFew,
} from "./findings.ts";
import { isWithin, type ProviderKind, type Range, unitHint, usualRatios } from "./kinds.ts";
import { oddPrices } from "./odd-prices.ts";
import { medianOf, PriceRatios } from "./price-ratios.ts";
import type { TwinPairs } from "./twins.ts";

/** New providers and the items of their body in ascending id. */
type FirstBody = {
  feed: string;
  providers: readonly Pick<ProviderFacts, "provider" | "kind">[];
  items: Iterable<readonly [itemId: number, book: PricedBook]>;
  /** Time of the body, UTC ms. */
  at: number;
  /** Twins to compare in order. Absent to skip the comparison. */
  twins?: TwinPairs;
};

/** The quotes to compare with: all other providers, one kind of them, or their asks if the price is a bid. */
type Group = "all" | ProviderKind | "asks";
type Other = { provider: string; kind: ProviderKind };

/** A source without a check for this long counts as new, and is not compared with others. */
export const knownForMs = 30 * dayMs;

const noOthers = "no other provider was checked within 30 days";
const farBound = 10;
const farPercent = 20;
/** Real prices of a `cash` provider are 0.27 to 0.48 times the price on the main platform. */
const cashToMain = { low: 0.27, high: 0.48 };
const alike = { low: 0.7, high: 1.4 };
const currenciesMax = 5;
/** Range of a ratio that only a change of currency explains. */
const exact = { low: 0.97, high: 1.03 };

/** After this time a first body counts as confirmed. */
const confirmedMs = 7 * dayMs;

/** Maximum items compared to confirm a feed. It is a sample, because the check runs beside a publication. */
const confirmingMax = 5 * comparedMin;

/** Returns the end of the unconfirmed time of a feed with a first body at `at`, UTC ms. Null if other sources confirm it. */
export function unconfirmedUntil(findings: readonly GuardFinding[], at: number): number | null {
  const isDoubtful = findings.some(({ guard, verdict }) => guard === "first_body" && verdict !== "named");
  return isDoubtful ? at + confirmedMs : null;
}

/** Returns whether the published quotes of a feed would pass as a first body beside the other feeds. */
export function isConfirmed(database: Database, feed: string, now: number): boolean {
  const feeds = new FeedWriter(database);
  const shared = feeds.sharedItems(feed, now - knownForMs, confirmingMax);
  if (shared.length < comparedMin) return false;
  const reader = new BookReader(database);
  const books = shared.sort((one, other) => one - other).map((itemId) => [itemId, reader.ofItem(itemId)!] as const);
  const providers = feeds.activeProviders().filter((provider) => provider.feed === feed);
  const first = { feed, providers, items: books, at: now };
  return unconfirmedUntil(checkFirstBody(database, first, guardDefaults.first_body, books), now) === null;
}

/**
 * Compares the quotes of new providers with other providers' quotes for the same items. `published` limits the comparison to these quotes;
 * absent for all. Writes nothing.
 */
export function checkFirstBody(
  database: Database,
  first: FirstBody,
  threshold: number,
  published?: FirstBody["items"],
): GuardFinding<"first_body">[] {
  const others = othersOf(database, first);
  if (others.length === 0) return [notJudged("first_body", noOthers, threshold)];
  const kindOf = new Map(others.map(({ provider, kind }) => [provider, kind]));
  const ratios = ratiosToOthers(published ?? booksOf(database, new Set(kindOf.keys())), first, kindOf);
  const explain = (ratio: number, range: Range) =>
    unitHint(ratio, range) || currenciesText(database, ratio, range, 1.3);
  return first.providers.flatMap(({ provider, kind }): GuardFinding<"first_body">[] => {
    const judged = sides.flatMap((side) => {
      const of = (group: Group) => ratios.get(`${provider} ${side} ${group}`) ?? new PriceRatios();
      const findings = checkSide({ provider, kind, side, of, explain }, threshold);
      if (findings === null) return [];
      const isBroken = findings.some((finding) => finding !== "fine" && finding.verdict === "broken");
      const subject = `${side} of ${provider}`;
      const odd = isBroken ? [] : oddPrices(subject, of("all"), { twins: first.twins });
      const single = odd.map((one) => found("first_body", one.isBroken ? "broken" : "named", one.text, threshold));
      return [...findings, ...single].map((one) => (one === "fine" ? one : { ...one, of: [{ provider, side }] }));
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
    const subject = `times the prices of ${group.replace("_", " ")} providers (median of ${compared.count})`;
    const figure = `${side} of ${provider} (${kind}) are ${ratioText(own)} ${subject}${explain(own, trueRatios(kind, group))}`;
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

function ratiosToOthers(
  published: FirstBody["items"],
  { providers, items }: FirstBody,
  kindOf: ReadonlyMap<string, ProviderKind>,
) {
  const ratios = new Map<string, PriceRatios>();
  const own = new Set(providers.map(({ provider }) => provider));
  const add = (key: string, itemId: number, amounts: readonly number[], amount: number) => {
    if (amounts.length === 0) return;
    const known = ratios.get(key) ?? new PriceRatios();
    ratios.set(key, known);
    known.add(itemId, medianOf(amounts), amount);
  };
  const kinds = new Set(kindOf.values());
  for (const { itemId, old, book } of mergeByItem<PricedBook, PricedBook>(published, items)) {
    if (old === null || book === null) continue;
    for (const side of sides) {
      const amountsOf = (kind: ProviderKind | null, of: Side = side) =>
        old[of]
          .filter(({ provider }) => (kind === null ? kindOf.has(provider) : kindOf.get(provider) === kind))
          .map((quote) => quote.amountCents);
      for (const { provider, amountCents } of book[side]) {
        if (!own.has(provider)) continue;
        const key = `${provider} ${side}`;
        add(`${key} all`, itemId, amountsOf(null), amountCents);
        for (const kind of kinds) add(`${key} ${kind}`, itemId, amountsOf(kind), amountCents);
        if (side === "bids") add(`${key} asks`, itemId, amountsOf(null, "asks"), amountCents);
      }
    }
  }
  return ratios;
}

/** Returns the currencies that explain a ratio to the earlier amounts, as the end of a sentence. Empty if no currency does. */
export function currencyHint(database: Database, ratio: number): string {
  return currenciesText(database, ratio, exact, 1);
}

/** Currencies with a rate within 1/`bound` to `bound` are too close to the dollar and are skipped. */
function currenciesText(database: Database, ratio: number, range: Range, bound: number): string {
  const distance = (rate: number) => Math.abs(Math.log(ratio / rate / Math.sqrt(range.low * range.high)));
  const rates = new Map<string, number>();
  for (const { currency, ratePerUsd } of new ExchangeRatesStore(database).latest("", 1000))
    rates.set(currency, Number(ratePerUsd));
  const names = [...rates]
    .filter(([, rate]) => isOutside(rate, bound) && isWithin(ratio / rate, range))
    .sort(([, one], [, other]) => distance(one) - distance(other))
    .map(([currency]) => currency);
  return names.length === 0 ? "" : `: amounts in ${names.slice(0, currenciesMax).join(", ")} would explain it`;
}
