import type { Database } from "../../store/database.ts";
import { CatalogStore } from "../../store/read/catalog.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { hourOf } from "../../values/time/calendar.ts";
import {
  believableSaveTime,
  checkBody,
  type GuardedBody,
  isFirst,
  joinedPpmOf,
  nothingBefore,
} from "../guards/body.ts";
import {
  findingText,
  type GuardFinding,
  type GuardName,
  type GuardThresholds,
  guardDefaults,
  movesMax,
} from "../guards/findings.ts";
import { checkFirstBody, currencyHint, knownForMs, unconfirmedUntil } from "../guards/first-body.ts";
import { checkPrices } from "../guards/last-body.ts";
import { digestOf, type GuardedFile, GuardRefusal, type JudgedBody } from "../guards/log.ts";
import { twinsOf } from "../guards/twins.ts";
import { checkWeek, emptyWeek, type SideLevel, Week } from "../guards/week.ts";
import { type BookMoves, ComparedBooks, type FeedBefore, publishedBefore, type Side, sides } from "./compared-books.ts";
import { type Joined, refusedNamesMax } from "./join.ts";
import type { ItemNames } from "./name-index.ts";
import type { ListedReading } from "./observation.ts";

/** Guard options of an import. */
export type GuardOptions = {
  /** Guards that the operator allows this body to break. */
  accepted?: readonly GuardName[];
  /** Thresholds of the feed. Absent for the defaults. */
  thresholds?: GuardThresholds;
  /** True for a saved body: its save time, if any, is the time of its prices. */
  isDated?: boolean;
  /** Prices to compare the body with. Absent for the published prices of the feed. */
  before?: FeedBefore | undefined;
  /** Returns the command that accepts a body despite these guards. */
  acceptCommand?: (guards: readonly GuardName[]) => string;
};

type Restarted = { provider: string; side: Side };

export type GuardedFeed = {
  /** All findings. Broken ones were accepted. */
  findings: readonly GuardFinding[];
  /** Changes in the body. Null if the earlier prices are unknown. */
  moves: BookMoves | null;
  /** Levels for the guards of the next seven days. Null if none are recorded. */
  levels: { hour: number; sides: readonly SideLevel[]; restarted: readonly Restarted[] } | null;
  /** End of the unconfirmed time of a first body, UTC ms. Null if other sources confirm it; undefined if it is not a first body. */
  unconfirmedUntil: number | null | undefined;
  /** Share of joined prices in millionths. Null if there are too few. */
  joinedPpm: number | null;
  /** Number of crossed books. */
  crossed: number;
};

/**
 * Checks a joined body with all guards. Writes nothing.
 * @throws {OperatorError} when a guard is broken and not accepted. The message names guard, figure, threshold and examples.
 */
export function guardFeed(
  database: Database,
  body: GuardedFile,
  { reading, joined, names }: { reading: ListedReading; joined: Joined; names: ItemNames },
  now: number,
  options: GuardOptions,
): GuardedFeed {
  const { facts } = reading;
  const thresholds = options.thresholds ?? guardDefaults;
  const feeds = new FeedWriter(database);
  const catalog = new CatalogStore(database);
  const before = options.before ?? publishedBefore(database, feeds, facts.feed);
  const guarded: GuardedBody = {
    items: joined.items,
    derived: joined.derivedQuotes,
    providers: facts.providers.map(({ provider }) => provider),
    prices: reading.observations.length,
    joined: joined.asks + joined.bids,
    refused: reading.refusals.list(),
    unjoinedNames: joined.refusedNames?.length ?? refusedNamesMax,
    savedAt: reading.savedAt,
    now,
    isUnfinished: reading.isUnfinished,
    before: { ...before, joinedPpm: feeds.joinedPpm(facts.feed), checkedAt: feeds.times(facts.feed).checkedAt },
    nameOf: (itemId) => itemName(catalog, itemId),
  };
  const books = new ComparedBooks({
    items: joined.items,
    derived: joined.derivedQuotes.values(),
    before: before.items,
  });
  const { at, hour } = timesOf(guarded, options, thresholds);
  const week = new Week(database, guarded.providers, hour);
  const findings = checkBody(guarded, books, thresholds);
  const twins = twinsOf(names.of(database).byName);
  const explain = (ratio: number) => currencyHint(database, ratio);
  findings.push(...checkPrices({ changes: books.changes, twins, week, nameOf: guarded.nameOf, explain }, thresholds));
  const first = firstProviders(guarded, books, at);
  if (first.length > 0) {
    const providers = facts.providers.filter(({ provider }) => first.includes(provider));
    const { feed } = facts;
    findings.push(
      ...checkFirstBody(database, { feed, providers, items: joined.items, at, twins }, thresholds.first_body),
    );
  }
  const isBroken = (guards: readonly GuardName[]) =>
    findings.some(({ guard, verdict }) => verdict === "broken" && guards.includes(guard));
  // Losses since the last body are already reported.
  if (!isBroken(["shrink", "lost_quotes"])) {
    const why = isFirst(guarded.before) ? nothingBefore : emptyWeek;
    const { providers } = guarded;
    findings.push(...checkWeek({ week, books, providers, isPart: reading.isUnfinished, why }, thresholds));
  }
  refuseBroken(findings, { ...body, feed: facts.feed, digest: digestOf(body), at: now }, facts.adapter, options);
  const isKnown = before.items !== null || isFirst(guarded.before);
  return {
    findings,
    joinedPpm: joinedPpmOf(guarded),
    crossed: books.crossed,
    moves: isKnown ? books.moves(movesMax) : null,
    levels: isKnown ? { hour, sides: week.levelsOf(books), restarted: restartedOf(guarded, findings) } : null,
    unconfirmedUntil: first.length === 0 ? undefined : unconfirmedUntil(findings, at),
  };
}

/**
 * Returns the providers and sides with a new start of the week. Sides without a quote are included, or the next body would break
 * `week_count`.
 */
function restartedOf({ before, providers }: GuardedBody, findings: readonly GuardFinding[]): Restarted[] {
  const broken = findings.filter(
    ({ guard, verdict }) => verdict === "broken" && restarting.some((one) => one === guard),
  );
  const whole = { provider: null, side: null };
  const of = isFirst(before) ? [whole] : broken.flatMap((finding) => finding.of ?? [whole]);
  const all = providers.flatMap((provider) => sides.map((side) => ({ provider, side })));
  return all.filter(({ provider, side }) =>
    of.some((one) => (one.provider ?? provider) === provider && (one.side ?? side) === side),
  );
}

/** Guards that start a new level after an accepted breach. */
const restarting = [
  "shrink",
  "lost_quotes",
  "price_level",
  "price_jumps",
  "first_body",
  "week_count",
  "week_price",
] as const;

/** Throws if a finding is broken and not accepted. */
function refuseBroken(findings: readonly GuardFinding[], body: JudgedBody, adapter: string, options: GuardOptions) {
  const accepted = new Set(options.accepted);
  const refused = findings.filter(({ guard, verdict }) => verdict === "broken" && !accepted.has(guard));
  if (refused.length === 0) return;
  const guards = [...new Set(refused.map(({ guard }) => guard))];
  const command = options.acceptCommand?.(guards) ?? acceptedByImport(adapter, guards);
  const texts = refused.map(findingText).join("; ");
  throw new GuardRefusal(body, refused, `${texts}; if that is correct, accept it with \`${command}\``);
}

/** Returns the time for which the body is valid, UTC ms, and its hour. */
function timesOf({ savedAt, now }: GuardedBody, { isDated }: GuardOptions, thresholds: GuardThresholds) {
  const saved = believableSaveTime(savedAt, now, thresholds);
  const at = isDated === true && saved !== null ? Math.min(saved, now) : now;
  return { at, hour: hourOf(at) };
}

/** Returns the providers with quotes that had no published quotes before, or none for 30 days. */
function firstProviders({ before }: GuardedBody, books: ComparedBooks, at: number): string[] {
  if (before.items === null && !isFirst(before)) return [];
  const isForgotten = before.checkedAt !== null && at - before.checkedAt > knownForMs;
  return [...books.now.providers.keys()].filter((provider) => isForgotten || !books.before.providers.has(provider));
}

function acceptedByImport(adapter: string, guards: readonly GuardName[]): string {
  return `npx itemtape import quotes FILE --adapter ${adapter} --accept ${guards.join(",")}`;
}

/** Returns the name of an item, with its phase if it has one. */
export function itemName(catalog: CatalogStore, itemId: number): string {
  const { marketHashName, phase } = catalog.naming(itemId) ?? { marketHashName: `item ${itemId}`, phase: null };
  return phase === null ? marketHashName : `${marketHashName} ${phase}`;
}
