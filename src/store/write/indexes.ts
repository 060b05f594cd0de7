import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { feedDays } from "../../../db/schema/history.ts";
import { indexes, indexLevels, indexMembers, indexMemberships } from "../../../db/schema/indexes.ts";
import { providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";

export type IndexRecord = typeof indexes.$inferSelect;
export type MemberRecord = Omit<typeof indexMembers.$inferSelect, "indexId" | "membershipVersion">;
export type LevelRecord = typeof indexLevels.$inferInsert;
export type Membership = { membershipVersion: number; effectiveDay: number };

/** An item of an index and how many units of it count. */
export type Constituent = { readonly itemId: number; readonly units: number };

/** A level with a value. */
export type ChainLink = { day: number; exact: string; membershipVersion: number };

/** The end of a chain of levels: the last stored day, and the last one with a value. Null: none. */
type ChainEnd = { lastDay: number | null; link: ChainLink | null };

/** `[day, item id, ask in cents, source's observation time]` */
type AskRecord = [day: number, itemId: number, amount: number, observedAt: number | null];

type IndexKey = { indexId: string };
type VersionKey = IndexKey & { membershipVersion: number };

/** The rows of indexes, as definitions and the calculation read and write them. Their callers hold the transactions. */
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

  /** Returns the last version of an index's members; 0: it has none. */
  lastVersion(indexId: string): number {
    return this.#statements.lastVersion.get({ indexId })?.version ?? 0;
  }

  /** Returns the members of one version in ascending id, staged or in force. */
  members(key: VersionKey): MemberRecord[] {
    return this.#statements.members.all(key);
  }

  /** `[item id, units]` of the members of one version in ascending id: cheap enough to be read under the writer's lock. */
  stagedMembers({ indexId, membershipVersion }: VersionKey): [itemId: number, units: number][] {
    return this.#statements.staged.all(indexId, membershipVersion);
  }

  /** Members of versions after `membershipVersion`: what a definition that did not end has left. */
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

  /** Returns the last day with a stored level of any methodology. */
  lastLevelDay(indexId: string): number | null {
    return this.#statements.lastLevelDay.get({ indexId })?.day ?? null;
  }

  chainEnd(key: IndexKey & { methodologyVersion: string }): ChainEnd {
    const lastDay = this.#statements.lastDay.get(key)?.day ?? null;
    return { lastDay, link: this.#statements.link.get(key) ?? null };
  }

  /** Returns the first day after `linkDay` that has enough asks, in percent of the members, and yet no value; null: none. */
  firstUnlinked(
    key: IndexKey & { methodologyVersion: string; linkDay: number; coverageFloorPct: number },
  ): number | null {
    return this.#statements.firstUnlinked.get(key)?.day ?? null;
  }

  /** A level that is stored already stays as it is. */
  addLevel(level: LevelRecord): void {
    this.#database.insert(indexLevels).values(level).onConflictDoNothing().run();
  }

  setCalculated(indexId: string, at: number): void {
    this.#database.update(indexes).set({ calculatedAt: at }).where(eq(indexes.indexId, indexId)).run();
  }

  /** Returns the first day, among `linkDay` and those of `from` to `before`, whose daily prices are not derived yet. */
  firstUnfinalized(provider: string, days: { linkDay: number; from: number; before: number }): number | null {
    return this.#statements.firstUnfinalized.get({ provider, ...days })?.day ?? null;
  }

  /** Returns the daily asks of the members of one version on the days `from` to `to`. */
  asks(key: VersionKey & { provider: string; from: number; to: number }): AskRecord[] {
    return this.#statements.asks.all(key);
  }
}

/** Returns the constituents as they are calculated with. */
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
  const ofMethodology = and(
    eq(indexLevels.indexId, placeholder("indexId")),
    eq(indexLevels.methodologyVersion, placeholder("methodologyVersion")),
  );
  const lastDay = sql<number | null>`max(${indexLevels.day})`;
  const { pricedConstituentCount, constituentCount } = indexLevels;
  return {
    lastLevelDay: database
      .select({ day: lastDay })
      .from(indexLevels)
      .where(eq(indexLevels.indexId, placeholder("indexId")))
      .prepare(),
    lastDay: database.select({ day: lastDay }).from(indexLevels).where(ofMethodology).prepare(),
    link: database
      .select({
        day: indexLevels.day,
        exact: sql<string>`${indexLevels.exact}`,
        membershipVersion: indexLevels.membershipVersion,
      })
      .from(indexLevels)
      .where(and(ofMethodology, isNotNull(indexLevels.exact)))
      .orderBy(desc(indexLevels.day))
      .limit(1)
      .prepare(),
    firstUnlinked: database
      .select({ day: sql<number | null>`min(${indexLevels.day})` })
      .from(indexLevels)
      .where(
        and(
          ofMethodology,
          gt(indexLevels.day, placeholder("linkDay")),
          isNull(indexLevels.exact),
          sql`${pricedConstituentCount} * 100 >= ${placeholder("coverageFloorPct")} * ${constituentCount}`,
        ),
      )
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
    // Read in bulk and bare: a first calculation goes over years of days.
    asks: database.$client
      .prepare<[object], AskRecord>(
        `SELECT p.day, p.item_id, p.amount, p.source_observed_at FROM index_members AS m
         JOIN daily_prices AS p ON p.item_id = m.item_id AND p.side = 'ask' AND p.day BETWEEN @from AND @to AND p.provider = @provider
         WHERE m.index_id = @indexId AND m.membership_version = @membershipVersion`,
      )
      .raw(true),
  };
}
