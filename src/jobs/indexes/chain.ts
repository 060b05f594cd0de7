import { createHash } from "node:crypto";
import type { Constituent } from "../../store/write/indexes.ts";
import {
  type ChainLink,
  constituentsOf,
  type IndexRecord,
  type IndexWriter,
  type LevelRecord,
  type Membership,
} from "../../store/write/indexes.ts";
import { divideHalfEven, fixedText, parseDecimal } from "../../values/money/decimal.ts";
import { type Asks, type Last, type Level, levelOf } from "./level.ts";
import { type Methodology, scaled } from "./methodologies.ts";

/** A range of days with one membership version, both ends inclusive. */
type Stretch = { membershipVersion: number; from: number; to: number };

export type NewLevel = Omit<LevelRecord, "recordedAt" | "revision">;
type DayAsks = { asks: Asks; oldest: number; isObserved: boolean };
type Members = { membershipVersion: number; constituents: readonly Constituent[]; days: ReadonlyMap<number, DayAsks> };

/** The last day with a value, and the asks of its members on that day. */
type Anchor = { day: number; exact: bigint; membershipVersion: number; asks: Asks };

/** Links new members to the last day with a value. The link uses that day's members, or else the new members' asks on that day. */
type Splice = { old: Members; before: Asks };

const stretchDaysMax = 31;
const unpriced: DayAsks = { asks: new Map(), oldest: Number.POSITIVE_INFINITY, isObserved: true };

/** Calculates the levels of an index day by day. Each level is linked to the last level with a value. */
export class Chain {
  readonly #rows: IndexWriter;
  readonly #record: IndexRecord;
  readonly #methodology: Methodology;
  #anchor: Anchor | null = null;

  constructor(rows: IndexWriter, record: IndexRecord, methodology: Methodology) {
    this.#rows = rows;
    this.#record = record;
    this.#methodology = methodology;
  }

  /** Continues from a stored level with a value. */
  resume({ day, exact, membershipVersion }: ChainLink): void {
    const { asks } = this.#asks({ membershipVersion, from: day, to: day }).get(day) ?? unpriced;
    this.#anchor = { day, exact: this.#exactOf(exact), membershipVersion, asks };
  }

  /** Returns the levels of a stretch, which must follow the previous one. A day without any ask of a constituent has no level. */
  levels(stretch: Stretch): NewLevel[] {
    const members = this.#members(stretch);
    const splice = this.#spliceTo(stretch);
    return Array.from(members.days.keys(), (day) => this.#level(day, members, splice)).filter(
      (level) => level !== null,
    );
  }

  #spliceTo(stretch: Stretch): Splice | null {
    const anchor = this.#anchor;
    if (anchor === null || anchor.membershipVersion === stretch.membershipVersion) return null;
    const { day, membershipVersion } = anchor;
    const { asks: before } = this.#asks({ ...stretch, from: day, to: day }).get(day) ?? unpriced;
    return { old: this.#members({ ...stretch, membershipVersion }), before };
  }

  #members(stretch: Stretch): Members {
    const { indexId } = this.#record;
    const { membershipVersion } = stretch;
    const constituents = constituentsOf(this.#rows.members({ indexId, membershipVersion }));
    return { membershipVersion, constituents, days: this.#asks(stretch) };
  }

  /** Returns the asks by day, in ascending order. */
  #asks({ membershipVersion, from, to }: Stretch): Map<number, DayAsks> {
    const { indexId, provider } = this.#record;
    const days = new Map<number, DayAsks & { asks: Map<number, number> }>();
    const records = this.#rows.asks({ indexId, membershipVersion, provider, from, to });
    for (const [day, itemId, amount, observedAt] of records) {
      const found = days.get(day) ?? { ...unpriced, asks: new Map() };
      found.asks.set(itemId, amount);
      if (observedAt === null) found.isObserved = false;
      else found.oldest = Math.min(found.oldest, observedAt);
      days.set(day, found);
    }
    return new Map([...days].toSorted(([one], [other]) => one - other));
  }

  #level(day: number, members: Members, splice: Splice | null): NewLevel | null {
    const { indexId, methodologyVersion, weighting, baseValue } = this.#record;
    const { membershipVersion, constituents, days } = members;
    const today = days.get(day)!;
    const { asks } = today;
    const input = { constituents, asks, last: this.#last(day, members, splice), baseExact: this.#exactOf(baseValue) };
    const level = levelOf(weighting, input, this.#methodology);
    if (level === null) return null;
    const linkDay = this.#anchor?.day ?? null;
    if (level.exact !== null) this.#anchor = { day, exact: level.exact, membershipVersion, asks };
    const isOverOld = splice !== null && level.linkedOver?.constituents === splice.old.constituents;
    const asOf = oldestOf(isOverOld ? [today, splice.old.days.get(day) ?? unpriced] : [today]);
    const first: Last = { exact: input.baseExact, baskets: [] };
    const pricesDigest = levelDigest([day, linkDay, membershipVersion], asks, input.last ?? first);
    return { indexId, methodologyVersion, day, membershipVersion, asOf, pricesDigest, ...this.#texts(level) };
  }

  #last(day: number, { membershipVersion, constituents, days }: Members, splice: Splice | null): Last | null {
    if (this.#anchor === null) return null;
    const { exact, asks: before } = this.#anchor;
    const { asks } = days.get(day) ?? unpriced;
    if (splice === null || this.#anchor.membershipVersion === membershipVersion)
      return { exact, baskets: [{ constituents, before, asks }] };
    const oldAsks = splice.old.days.get(day)?.asks ?? unpriced.asks;
    const old = { constituents: splice.old.constituents, before, asks: oldAsks };
    return { exact, baskets: [old, { constituents, before: splice.before, asks }] };
  }

  #texts({ exact, capitalizationCents, constituentCount, pricedConstituentCount, coveragePct }: Level) {
    const { exactScale, valueScale } = this.#methodology;
    const shown = (level: bigint) => divideHalfEven(level, 10n ** BigInt(exactScale - valueScale));
    return {
      value: exact === null ? null : fixedText(shown(exact), valueScale),
      exact: exact === null ? null : fixedText(exact, exactScale),
      // The sum over too few constituents would look like a market crash.
      capitalizationCents: exact === null ? null : capitalizationCents.toString(),
      constituentCount,
      pricedConstituentCount,
      coveragePct: fixedText(coveragePct, 2),
    };
  }

  #exactOf(text: string): bigint {
    const value = parseDecimal(text);
    if (value === null) throw new Error(`index ${this.#record.indexId}: the stored level ${text} is not a decimal`);
    return scaled(value, this.#methodology.exactScale);
  }
}

/** Returns the SHA-256 of the previous level and all asks that determine a level. */
function levelDigest(version: readonly unknown[], asks: Asks, { baskets, exact }: Last): Buffer {
  const used = [asks, ...baskets.flatMap((basket) => [basket.before, basket.asks])].map(asksDigest);
  return sha256([...version, String(exact), ...used]);
}

const digests = new WeakMap<Asks, string>();

function asksDigest(asks: Asks): string {
  const known = digests.get(asks);
  if (known !== undefined) return known;
  const digest = sha256([...asks].sort(([one], [other]) => one - other)).toString("hex");
  digests.set(asks, digest);
  return digest;
}

function sha256(list: readonly unknown[]): Buffer {
  return createHash("sha256").update(JSON.stringify(list)).digest();
}

/** Returns the oldest time. Null if a time is unknown. */
function oldestOf(days: readonly DayAsks[]): number | null {
  return days.every(({ isObserved }) => isObserved) ? Math.min(...days.map(({ oldest }) => oldest)) : null;
}

/** Splits the days `from` to `to` by membership version, into ranges that fit into memory. */
export function stretchesOf(memberships: readonly Membership[], from: number, to: number): Stretch[] {
  return memberships.flatMap(({ membershipVersion, effectiveDay }, index) => {
    const first = Math.max(from, effectiveDay);
    const last = Math.min(to, (memberships[index + 1]?.effectiveDay ?? Number.POSITIVE_INFINITY) - 1);
    const chunks = Math.max(0, Math.ceil((last - first + 1) / stretchDaysMax));
    return Array.from({ length: chunks }, (_, chunk) => ({
      membershipVersion,
      from: first + chunk * stretchDaysMax,
      to: Math.min(last, first + (chunk + 1) * stretchDaysMax - 1),
    }));
  });
}
