import { and, asc, between, desc, eq, getTableColumns, gt, isNotNull, lte, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { dailyPrices } from "../../../db/schema/history.ts";
import { indexes, indexLevels, indexLevelsPast, indexMembers, indexMemberships } from "../../../db/schema/indexes.ts";
import type { Database } from "../database.ts";
import { bound, boundLimit } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

type Level = typeof indexLevels.$inferSelect;
type IndexKey = { indexId: string };
type MethodologyKey = IndexKey & { methodologyVersion: string };
type VersionKey = IndexKey & { membershipVersion: number };

/** A level without the key of its index. Days since 1970. */
export type IndexLevelRow = Omit<Level, "indexId" | "methodologyVersion" | "exact" | "pricesDigest">;

type LatestLevel = Omit<IndexLevelRow, "recordedAt" | "revision">;

/** An index with its latest level under its current methodology. `latest` is null before the first level. */
export type IndexRow = Omit<typeof indexes.$inferSelect, "definedAt"> & {
  latest: LatestLevel | null;
  /** The members of the latest level. Before the first level, the members in force on the requested day. */
  membershipVersion: number;
  constituentCount: number;
};

/** `amount` is the daily ask on the requested day, or null without one. `removedDay` is when a later version dropped the item, or null. */
export type IndexMemberRow = {
  itemId: number;
  marketHashName: string;
  phase: string | null;
  units: number;
  addedDay: number;
  removedDay: number | null;
  amount: number | null;
};

/** Instant of the present data, later than every other. */
const forever = Number.MAX_SAFE_INTEGER;

/** Reads indexes, their levels and their members. */
export class IndexesStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns at most `limit` indexes with an id after `after`, in ascending order. */
  page(after: string, limit: number, today: number): IndexRow[] {
    this.#shared?.join();
    return this.#statements.page.all({ after, limit, today }).map(rowOf);
  }

  find(indexId: string, today: number): IndexRow | null {
    this.#shared?.join();
    const row = this.#statements.find.get({ indexId, today });
    return row === undefined ? null : rowOf(row);
  }

  /** Returns the methodology of an index, or null for an index that is unknown or was defined after `at` (UTC ms). */
  methodologyOf(indexId: string, at = forever): string | null {
    return this.#statements.methodologyOf.get({ indexId, at })?.methodologyVersion ?? null;
  }

  /** Returns the methodologies with a level that was recorded by `at` (UTC ms), the last one first. */
  methodologiesOf(indexId: string, at = forever): string[] {
    this.#shared?.join();
    const found = this.#statements.methodologies.all({ indexId, at }).sort((one, other) => other.last - one.last);
    return found.map(({ version }) => version);
  }

  hasVersion(key: VersionKey): boolean {
    return this.#statements.hasVersion.get(key) !== undefined;
  }

  /** Returns the levels of the days `from` to `to`, in ascending day, as known at `at` (UTC ms). */
  levels(key: MethodologyKey & { from: number; to: number }, at = forever): IndexLevelRow[] {
    this.#shared?.join();
    const found = this.#statements.levels.all({ ...key, at });
    if (at === forever) return found;
    return [...found, ...this.#statements.pastLevels.all({ ...key, at })].sort((one, other) => one.day - other.day);
  }

  /** Returns the last level with a value up to the day `upTo` under this version of the members, or null. */
  lastValued(key: MethodologyKey & VersionKey & { upTo: number }): IndexLevelRow | null {
    this.#shared?.join();
    return this.#statements.lastValued.get(key) ?? null;
  }

  /** Returns members of one version with an id after `after`, in ascending order, with their asks of `day`. */
  members(key: VersionKey & { provider: string; day: number; after: number; limit: number }): IndexMemberRow[] {
    this.#shared?.join();
    return this.#statements.members.all(key);
  }
}

type Joined = Omit<typeof indexes.$inferSelect, "definedAt"> & {
  inForce: number;
  members: number;
  level: LatestLevel | null;
};

function rowOf({ inForce, members, level, ...index }: Joined): IndexRow {
  return {
    ...index,
    latest: level,
    membershipVersion: level?.membershipVersion ?? inForce,
    constituentCount: level?.constituentCount ?? members,
  };
}

function prepare(database: Database) {
  return {
    ...prepareIndexes(database),
    ...prepareLevels(database),
    hasVersion: database
      .select({ version: indexMemberships.membershipVersion })
      .from(indexMemberships)
      .where(
        and(
          eq(indexMemberships.indexId, bound("indexId")),
          eq(indexMemberships.membershipVersion, bound("membershipVersion")),
        ),
      )
      .prepare(),
    members: prepareMembers(database),
  };
}

function prepareIndexes(database: Database) {
  const { definedAt: _definedAt, ...columns } = getTableColumns(indexes);
  const { day, value, capitalizationCents, constituentCount, pricedConstituentCount, coveragePct } = indexLevels;
  const { membershipVersion, asOf } = indexLevels;
  const inForce = sql<number>`coalesce((SELECT max(v.membership_version) FROM index_memberships AS v
    WHERE v.index_id = ${indexes.indexId} AND v.effective_day <= ${bound("today")}), 1)`;
  const latestDay = sql`(SELECT max(l.day) FROM index_levels AS l
    WHERE l.index_id = ${indexes.indexId} AND l.methodology_version = ${indexes.methodologyVersion})`;
  const joined = () =>
    database
      .select({
        ...columns,
        inForce,
        members: sql<number>`CASE WHEN ${constituentCount} IS NULL THEN (SELECT count(*) FROM index_members AS m
          WHERE m.index_id = ${indexes.indexId} AND m.membership_version = ${inForce}) ELSE ${constituentCount} END`,
        level: {
          day,
          value,
          capitalizationCents,
          constituentCount,
          pricedConstituentCount,
          coveragePct,
          membershipVersion,
          asOf,
        },
      })
      .from(indexes)
      .leftJoin(
        indexLevels,
        and(
          eq(indexLevels.indexId, indexes.indexId),
          eq(indexLevels.methodologyVersion, indexes.methodologyVersion),
          eq(day, latestDay),
        ),
      );
  return {
    page: joined()
      .where(gt(indexes.indexId, bound("after")))
      .orderBy(asc(indexes.indexId))
      .limit(boundLimit("limit"))
      .prepare(),
    find: joined()
      .where(eq(indexes.indexId, bound("indexId")))
      .prepare(),
    methodologyOf: database
      .select({ methodologyVersion: indexes.methodologyVersion })
      .from(indexes)
      .where(and(eq(indexes.indexId, bound("indexId")), lte(indexes.definedAt, bound("at"))))
      .prepare(),
  };
}

const lastOfMethodologies = (
  table: string,
) => `SELECT methodology_version AS version, max(recorded_at) AS last FROM ${table}
  WHERE index_id = @indexId AND recorded_at <= @at GROUP BY methodology_version`;

/** Returns the columns of an `IndexLevelRow`. */
function shownColumns(table: typeof indexLevels | typeof indexLevelsPast) {
  const { day, value, capitalizationCents, constituentCount, pricedConstituentCount } = table;
  const { coveragePct, membershipVersion, asOf, recordedAt, revision } = table;
  const counts = { constituentCount, pricedConstituentCount, coveragePct, membershipVersion };
  return { day, value, capitalizationCents, ...counts, asOf, recordedAt, revision };
}

function prepareLevels(database: Database) {
  const { day, membershipVersion, value } = indexLevels;
  const columns = shownColumns(indexLevels);
  const ofMethodology = and(
    eq(indexLevels.indexId, bound("indexId")),
    eq(indexLevels.methodologyVersion, bound("methodologyVersion")),
  );
  const levels = () => database.select(columns).from(indexLevels).$dynamic();
  const known = { from: bound("from"), to: bound("to"), at: bound("at") };
  const past = indexLevelsPast;
  return {
    // Not built by Drizzle, because a methodology may have only replaced levels.
    methodologies: database.$client.prepare<[{ indexId: string; at: number }], { version: string; last: number }>(
      `${lastOfMethodologies("index_levels")} UNION ALL ${lastOfMethodologies("index_levels_past")}`,
    ),
    levels: levels()
      .where(and(ofMethodology, between(day, known.from, known.to), lte(indexLevels.recordedAt, known.at)))
      .orderBy(asc(day))
      .prepare(),
    pastLevels: database
      .select(shownColumns(past))
      .from(past)
      .where(
        and(
          eq(past.indexId, bound("indexId")),
          eq(past.methodologyVersion, bound("methodologyVersion")),
          between(past.day, known.from, known.to),
          lte(past.recordedAt, known.at),
          gt(past.supersededAt, known.at),
        ),
      )
      .prepare(),
    lastValued: levels()
      .where(
        and(
          ofMethodology,
          eq(membershipVersion, bound("membershipVersion")),
          lte(day, bound("upTo")),
          isNotNull(value),
        ),
      )
      .orderBy(desc(day))
      .limit(1)
      .prepare(),
  };
}

function prepareMembers(database: Database) {
  const { indexId, itemId, membershipVersion, units, addedDay } = indexMembers;
  const removedDay = sql<number | null>`(SELECT min(v.effective_day) FROM index_memberships AS v
    WHERE v.index_id = ${indexId} AND v.membership_version > ${membershipVersion} AND NOT EXISTS (
      SELECT 1 FROM index_members AS m
      WHERE m.index_id = v.index_id AND m.membership_version = v.membership_version AND m.item_id = ${itemId}))`;
  const { marketHashName, phase } = items;
  // A subquery, because SQLite would read all rows of the day to join the view.
  const amount = database
    .select({ amount: dailyPrices.amount })
    .from(dailyPrices)
    .where(
      and(
        eq(dailyPrices.itemId, itemId),
        eq(dailyPrices.side, "ask"),
        eq(dailyPrices.day, bound("day")),
        eq(dailyPrices.provider, bound("provider")),
      ),
    );
  return database
    .select({ itemId, marketHashName, phase, units, addedDay, removedDay, amount: sql<number | null>`${amount}` })
    .from(indexMembers)
    .innerJoin(items, eq(items.itemId, itemId))
    .where(
      and(eq(indexId, bound("indexId")), eq(membershipVersion, bound("membershipVersion")), gt(itemId, bound("after"))),
    )
    .orderBy(asc(itemId))
    .limit(boundLimit("limit"))
    .prepare();
}
