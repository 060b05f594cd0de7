import {
  and,
  asc,
  between,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  type Placeholder,
  sql,
} from "drizzle-orm";
import { feedDays, unsealedDays } from "../../../db/schema/history.ts";
import {
  indexDaysChanged,
  indexes,
  indexLevels,
  indexLevelsPast,
  indexMembers,
  indexMemberships,
} from "../../../db/schema/indexes.ts";
import { providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";

export type IndexRecord = typeof indexes.$inferSelect;
export type MemberRecord = Omit<typeof indexMembers.$inferSelect, "indexId" | "membershipVersion">;
export type LevelRecord = typeof indexLevels.$inferInsert;
export type Membership = { membershipVersion: number; effectiveDay: number };

/** An item of an index and its number of units. */
export type Constituent = { readonly itemId: number; readonly units: number };

/** A level with a value. */
export type ChainLink = { day: number; exact: string; membershipVersion: number };

/** The end of a chain of levels: the last stored day, and the last day that an earlier release calculated. Null without such a day. */
type ChainEnd = { lastDay: number | null; lastUnmarked: number | null };

/** A stored level without its key and recording time. */
export type StoredLevel = Omit<typeof indexLevels.$inferSelect, "indexId" | "methodologyVersion" | "recordedAt">;

/** `[day, item id, ask in cents, source's observation time]` */
type AskRecord = [day: number, itemId: number, amount: number, observedAt: number | null];

type IndexKey = { indexId: string };
type MethodologyKey = IndexKey & { methodologyVersion: string };
type LevelKey = MethodologyKey & { day: number };
type VersionKey = IndexKey & { membershipVersion: number };

/** Reads and writes the rows of indexes for definitions and for the calculation. Callers hold the transactions. */
export class IndexWriter {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** Returns every index in ascending id. */
  indexes(): IndexRecord[] {
    return this.#database.select().from(indexes).orderBy(asc(indexes.indexId)).all();
  }

  index(indexId: string): IndexRecord | null {
    return this.#statements.index.get({ indexId }) ?? null;
  }

  /** Returns the versions of an index's members, oldest first. */
  memberships(indexId: string): Membership[] {
    return this.#statements.memberships.all({ indexId });
  }

  /** Returns the last version of an index's members, or 0 without one. */
  lastVersion(indexId: string): number {
    return this.#statements.lastVersion.get({ indexId })?.version ?? 0;
  }

  /** Returns the members of one version in ascending id, staged or in force. */
  members(key: VersionKey): MemberRecord[] {
    return this.#statements.members.all(key);
  }

  /** Returns `[item id, units]` of the members of one version in ascending id. It is cheap enough to run under the writer's lock. */
  stagedMembers({ indexId, membershipVersion }: VersionKey): [itemId: number, units: number][] {
    return this.#statements.staged.all(indexId, membershipVersion);
  }

  /** Returns members of versions after `membershipVersion`, which an interrupted definition has left. */
  orphanMembers(key: VersionKey): (VersionKey & { itemId: number })[] {
    return this.#statements.orphans.all(key);
  }

  removeMember(key: VersionKey & { itemId: number }): void {
    this.#statements.removeMember.run(key);
  }

  stageMember(member: VersionKey & MemberRecord): void {
    this.#statements.stageMember.run(member);
  }

  putIndex(record: IndexRecord): void {
    const { name, description, methodologyVersion, active } = record;
    this.#database
      .insert(indexes)
      .values(record)
      .onConflictDoUpdate({ target: indexes.indexId, set: { name, description, methodologyVersion, active } })
      .run();
  }

  retire(indexId: string): void {
    this.#database.update(indexes).set({ active: false }).where(eq(indexes.indexId, indexId)).run();
  }

  putMembership(membership: VersionKey & { effectiveDay: number; recordedAt: number }): void {
    this.#database.insert(indexMemberships).values(membership).run();
  }

  /** Returns the last day with a stored level of any methodology, or null. */
  lastLevelDay(indexId: string): number | null {
    return this.#statements.lastLevelDay.get({ indexId })?.day ?? null;
  }

  chainEnd(key: MethodologyKey): ChainEnd {
    return this.#statements.chainEnd.get(key)!;
  }

  /** Returns the last level with a value before the day `before`, or null. */
  linkBefore(key: MethodologyKey & { before: number }): ChainLink | null {
    return this.#statements.link.get(key) ?? null;
  }

  /** Returns the first day after `linkDay` with enough asks (percent of the members) but without a value, or null. */
  firstUnlinked(key: MethodologyKey & { linkDay: number; coverageFloorPct: number }): number | null {
    return this.#statements.firstUnlinked.get(key)?.day ?? null;
  }

  /** Returns the stored levels of the days `from` to `to`, by day. */
  levels(key: MethodologyKey & { from: number; to: number }): Map<number, StoredLevel> {
    return new Map(this.#statements.levels.all(key).map((level) => [level.day, level]));
  }

  /** Adds the level of a day as its next revision. An existing level remains unchanged. */
  addLevel(level: Omit<LevelRecord, "revision">): void {
    const revision = 1 + (this.#statements.lastPast.get(level)?.revision ?? 0);
    this.#database
      .insert(indexLevels)
      .values({ ...level, revision })
      .onConflictDoNothing()
      .run();
  }

  /** Moves the level of a day to the superseded levels, with the time `at` (UTC ms). */
  supersedeLevel(key: LevelKey, at: number): void {
    this.#statements.keep.run({ ...key, at });
    this.#statements.removeLevel.run(key);
  }

  /** Updates the exact level of a stored day and the digest of its prices and previous level. The next level chains on it. */
  relink({ exact, pricesDigest, ...key }: LevelKey & Pick<LevelRecord, "exact" | "pricesDigest">): void {
    this.#database.update(indexLevels).set({ exact, pricesDigest }).where(levelOf(key)).run();
  }

  /** Returns the days up to `to`, ascending, with possibly changed prices since the index last processed them. */
  changedDays({ indexId, to }: IndexKey & { to: number }): number[] {
    return this.#statements.changedDays.all({ indexId, to }).map(({ day }) => day);
  }

  /** Marks prices up to `to` as processed. Unsealed days remain marked as changed, because no trigger reports their next change. */
  settleChanged({ indexId, baseDay }: IndexRecord, to: number): void {
    const days = and(eq(indexDaysChanged.indexId, indexId), lte(indexDaysChanged.day, to));
    this.#database.delete(indexDaysChanged).where(days).run();
    const unsealed = this.#database
      .select({ indexId: sql<string>`${indexId}`.as("index_id"), day: unsealedDays.day })
      .from(unsealedDays)
      .where(between(unsealedDays.day, baseDay, to));
    this.#database.insert(indexDaysChanged).select(unsealed).run();
  }

  setCalculated(indexId: string, at: number): void {
    this.#database.update(indexes).set({ calculatedAt: at }).where(eq(indexes.indexId, indexId)).run();
  }

  /** Returns the first day without final daily prices, of `linkDay` and the days from `from` until `before`, or null. */
  firstUnfinalized(provider: string, days: { linkDay: number; from: number; before: number }): number | null {
    return this.#statements.firstUnfinalized.get({ provider, ...days })?.day ?? null;
  }

  /** Returns the daily asks of the members of one version on the days `from` to `to`. */
  asks(key: VersionKey & { provider: string; from: number; to: number }): AskRecord[] {
    return this.#statements.asks.all(key);
  }
}

type PlacedKey = Record<keyof LevelKey, Placeholder>;

function levelOf(key: LevelKey | PlacedKey, table: typeof indexLevels | typeof indexLevelsPast = indexLevels) {
  return and(
    eq(table.indexId, key.indexId),
    eq(table.methodologyVersion, key.methodologyVersion),
    eq(table.day, key.day),
  );
}

/** Returns the constituents of a calculation. */
export function constituentsOf(members: readonly MemberRecord[]): Constituent[] {
  return members.map(({ itemId, units }) => ({ itemId, units }));
}

function prepare(database: Database) {
  const { placeholder } = sql;
  const { membershipVersion, effectiveDay } = indexMemberships;
  const ofIndex = eq(indexMemberships.indexId, placeholder("indexId"));
  return {
    index: database
      .select()
      .from(indexes)
      .where(eq(indexes.indexId, placeholder("indexId")))
      .prepare(),
    memberships: database
      .select({ membershipVersion, effectiveDay })
      .from(indexMemberships)
      .where(ofIndex)
      .orderBy(asc(membershipVersion))
      .prepare(),
    lastVersion: database
      .select({ version: sql<number | null>`max(${membershipVersion})` })
      .from(indexMemberships)
      .where(ofIndex)
      .prepare(),
    ...prepareMembers(database),
    ...prepareLevels(database),
    ...prepareRevisions(database),
    ...preparePrices(database),
  };
}

function prepareMembers(database: Database) {
  const { placeholder } = sql;
  const { itemId, units, addedDay } = indexMembers;
  const membersOf = eq(indexMembers.indexId, placeholder("indexId"));
  const ofVersion = and(membersOf, eq(indexMembers.membershipVersion, placeholder("membershipVersion")));
  return {
    members: database
      .select({ itemId, units, addedDay })
      .from(indexMembers)
      .where(ofVersion)
      .orderBy(asc(itemId))
      .prepare(),
    staged: database.$client
      .prepare<[string, number], [number, number]>(
        "SELECT item_id, units FROM index_members WHERE index_id = ? AND membership_version = ? ORDER BY item_id",
      )
      .raw(true),
    orphans: database
      .select({ indexId: indexMembers.indexId, membershipVersion: indexMembers.membershipVersion, itemId })
      .from(indexMembers)
      .where(and(membersOf, gt(indexMembers.membershipVersion, placeholder("membershipVersion"))))
      .prepare(),
    removeMember: database
      .delete(indexMembers)
      .where(and(ofVersion, eq(itemId, placeholder("itemId"))))
      .prepare(),
    stageMember: database
      .insert(indexMembers)
      .values({
        indexId: placeholder("indexId"),
        membershipVersion: placeholder("membershipVersion"),
        itemId: placeholder("itemId"),
        units: placeholder("units"),
        addedDay: placeholder("addedDay"),
      })
      .prepare(),
  };
}

function prepareLevels(database: Database) {
  const { placeholder } = sql;
  const lastDay = sql<number | null>`max(${indexLevels.day})`;
  const { pricedConstituentCount, constituentCount } = indexLevels;
  return {
    lastLevelDay: database
      .select({ day: lastDay })
      .from(indexLevels)
      .where(eq(indexLevels.indexId, placeholder("indexId")))
      .prepare(),
    chainEnd: database
      .select({
        lastDay,
        lastUnmarked: sql<
          number | null
        >`max(CASE WHEN ${indexLevels.pricesDigest} IS NULL THEN ${indexLevels.day} END)`,
      })
      .from(indexLevels)
      .where(ofMethodology())
      .prepare(),
    link: database
      .select({
        day: indexLevels.day,
        exact: sql<string>`${indexLevels.exact}`,
        membershipVersion: indexLevels.membershipVersion,
      })
      .from(indexLevels)
      .where(and(ofMethodology(), isNotNull(indexLevels.exact), lt(indexLevels.day, placeholder("before"))))
      .orderBy(desc(indexLevels.day))
      .limit(1)
      .prepare(),
    firstUnlinked: database
      .select({ day: sql<number | null>`min(${indexLevels.day})` })
      .from(indexLevels)
      .where(
        and(
          ofMethodology(),
          gt(indexLevels.day, placeholder("linkDay")),
          isNull(indexLevels.exact),
          sql`${pricedConstituentCount} * 100 >= ${placeholder("coverageFloorPct")} * ${constituentCount}`,
        ),
      )
      .prepare(),
  };
}

function ofMethodology() {
  return and(
    eq(indexLevels.indexId, sql.placeholder("indexId")),
    eq(indexLevels.methodologyVersion, sql.placeholder("methodologyVersion")),
  );
}

function prepareRevisions(database: Database) {
  const { placeholder } = sql;
  const key = {
    indexId: placeholder("indexId"),
    methodologyVersion: placeholder("methodologyVersion"),
    day: placeholder("day"),
  };
  const ofDay = levelOf(key);
  return {
    levels: database
      .select()
      .from(indexLevels)
      .where(and(ofMethodology(), between(indexLevels.day, placeholder("from"), placeholder("to"))))
      .prepare(),
    lastPast: database
      .select({ revision: sql<number | null>`max(${indexLevelsPast.revision})` })
      .from(indexLevelsPast)
      .where(levelOf(key, indexLevelsPast))
      .prepare(),
    keep: database
      .insert(indexLevelsPast)
      .select(
        database
          .select({
            ...getTableColumns(indexLevels),
            supersededAt: sql<number>`${placeholder("at")}`.as("superseded_at"),
          })
          .from(indexLevels)
          .where(ofDay),
      )
      .prepare(),
    removeLevel: database.delete(indexLevels).where(ofDay).prepare(),
    changedDays: database
      .select({ day: indexDaysChanged.day })
      .from(indexDaysChanged)
      .where(and(eq(indexDaysChanged.indexId, placeholder("indexId")), lte(indexDaysChanged.day, placeholder("to"))))
      .orderBy(asc(indexDaysChanged.day))
      .prepare(),
  };
}

function preparePrices(database: Database) {
  const { placeholder } = sql;
  return {
    firstUnfinalized: database
      .select({ day: sql<number | null>`min(${feedDays.day})` })
      .from(feedDays)
      .innerJoin(providers, eq(providers.feed, feedDays.feed))
      .where(
        and(
          eq(providers.provider, placeholder("provider")),
          isNull(feedDays.finalizedAt),
          sql`(${feedDays.day} >= ${placeholder("from")} OR ${feedDays.day} = ${placeholder("linkDay")})`,
          lt(feedDays.day, placeholder("before")),
        ),
      )
      .prepare(),
    // Read in bulk and executed directly, because a first calculation reads years of days.
    asks: database.$client
      .prepare<[object], AskRecord>(
        `SELECT p.day, p.item_id, p.amount, p.source_observed_at FROM index_members AS m
         JOIN daily_prices AS p ON p.item_id = m.item_id AND p.side = 'ask' AND p.day BETWEEN @from AND @to AND p.provider = @provider
         WHERE m.index_id = @indexId AND m.membership_version = @membershipVersion`,
      )
      .raw(true),
  };
}
