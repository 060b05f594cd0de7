import { and, asc, between, eq, gt, gte, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { items } from "../../../db/schema/catalog.ts";
import {
  openableChanges,
  openables,
  poolOutcomes,
  poolRevisions,
  roiCalculations,
  roiHistory,
} from "../../../db/schema/openables.ts";
import {
  type CalculationNumbers,
  type LedgerEntry,
  type ValuationMode,
  valuationModes,
} from "../../roi/calculation.ts";
import type { Database } from "../database.ts";
import { arrayRows, bound, boundLimit, singleValues } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** The requested calculation. Calculations of other modes or methodologies are never substituted. */
type CalculationChoice = { valuationMode: ValuationMode; methodologyVersion: string };
type SlugKey = CalculationChoice & { slug: string };

/** A calculation in force, with the revision that it used. Times are UTC ms. */
export type CalculationRow = {
  revisionId: string;
  revisionNumber: number;
  calculatedAt: number;
  priceAsOf: number | null;
  numbers: CalculationNumbers;
};

/** A published container. Days since 1970. `outcomeCount` belongs to the revision in force. */
export type OpenableRow = {
  slug: string;
  itemId: number;
  name: string;
  imageUrl: string | null;
  state: "active" | "retired";
  type: (typeof openables.$inferSelect)["type"];
  releasedDay: number | null;
  retiredDay: number | null;
  requiresKey: boolean;
  outcomeCount: number;
  calculation: CalculationRow | null;
};

/**
 * The revision in force, with tiers in the order of the definition. `addedCount` counts items that the source does not list; it is absent
 * without such items.
 */
export type PoolRow = Pick<
  typeof poolRevisions.$inferSelect,
  "revisionId" | "revisionNumber" | "oddsSource" | "wearModel"
> & { tiers: readonly { tier: string; weight: number; itemCount: number; addedCount?: number }[] };

/**
 * A revision with the outcome values of the calculation in force. `calculation` is null if none is published, or if it used another
 * revision.
 */
export type LedgerRow = {
  revisionId: string;
  denominator: string;
  calculation: { calculatedAt: number; priceAsOf: number | null; entries: readonly (LedgerEntry | 0)[] } | null;
};

export type OutcomeRow = Pick<typeof poolOutcomes.$inferSelect, "position" | "itemId" | "tier" | "numerator"> & {
  marketHashName: string;
  phase: string | null;
};

export type RoiSeries = SlugKey & { granularity: "hour" | "day" };

/** A bucket of a series; `ts` is its start. Times are UTC ms. */
export type RoiHistoryBucket = Omit<typeof roiHistory.$inferSelect, keyof RoiSeries | "checksum"> & {
  revisionNumber: number;
};

/** Reads containers with their published pools, calculations and history. Drafts are never returned. */
export class OpenablesStore {
  /** Returns the change counter of the lists. Lists are unchanged while it is. */
  readonly changes: () => number;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
    const read = () => this.#statements.changes.get()!;
    this.changes = shared?.once(read) ?? read;
  }

  /** Returns at most `limit` containers with a slug after `after`, in ascending order, as stored columns. See `openableOfColumns`. */
  page({ valuationMode, methodologyVersion, after, limit }: CalculationChoice & { after: string; limit: number }) {
    this.#shared?.join();
    return this.#statements.page.all(valuationMode, methodologyVersion, after, limit);
  }

  find(key: SlugKey): (OpenableRow & { pool: PoolRow }) | null {
    this.#shared?.join();
    const row = this.#statements.find.get(key);
    return row === undefined ? null : { ...openableOf(row), pool: { ...row.pool, tiers: JSON.parse(row.pool.tiers) } };
  }

  /** Returns whether the container is published. */
  isVisible(slug: string): boolean {
    this.#shared?.join();
    return this.#statements.isVisible.get({ slug }) !== undefined;
  }

  /** Returns whether a container has history of a methodology in any valuation mode. */
  hasHistoryOf(key: { slug: string; methodologyVersion: string }): boolean {
    this.#shared?.join();
    return this.#statements.hasHistoryOf.get(key) !== undefined;
  }

  /**
   * Returns the revision for lists of outcomes. The calculation's revision precedes the revision in force. Returns null for an
   * unknown container.
   */
  currentRevision(key: SlugKey): string | null {
    this.#shared?.join();
    return this.#statements.currentRevision.get(key)?.revisionId ?? null;
  }

  /** Returns the ledger of the revision `revisionId`, or of `currentRevision` if that is null. Returns null for an unknown container. */
  ledger(key: SlugKey & { revisionId: string | null }): LedgerRow | null {
    this.#shared?.join();
    const row = this.#statements.ledger.get(key);
    if (row === undefined) return null;
    const { revisionId, denominator, calculation } = row;
    if (calculation?.revisionId !== revisionId) return { revisionId, denominator, calculation: null };
    const { calculatedAt, priceAsOf, ledger } = calculation;
    return { revisionId, denominator, calculation: { calculatedAt, priceAsOf, entries: JSON.parse(ledger) } };
  }

  /** Returns at most `limit` outcomes of a revision from position `from` on, in pool order. */
  outcomes(key: { revisionId: string; from: number; limit: number }): OutcomeRow[] {
    this.#shared?.join();
    return this.#statements.outcomes.all(key);
  }

  /** Returns at most `limit` buckets of a series with a start from `from` to `to`, ascending. */
  history(key: RoiSeries & { from: number; to: number; limit: number }): RoiHistoryBucket[] {
    this.#shared?.join();
    return this.#statements.history.all(key);
  }

  /** Returns the starts of the buckets of `history`, ascending. */
  historyStarts(key: RoiSeries & { from: number; to: number }): number[] {
    this.#shared?.join();
    return this.#statements.historyStarts.all(key).map(({ ts }) => ts);
  }
}

/** The columns of a container in a list, in the order of the query. */
type OpenableColumns = readonly [
  slug: string,
  itemId: number,
  name: string,
  imageUrl: string | null,
  state: "active" | "retired",
  type: OpenableRow["type"],
  releasedDay: number | null,
  retiredDay: number | null,
  requiresKey: number,
  outcomeCount: number,
  revisionId: string | null,
  calculatedAt: number | null,
  priceAsOf: number | null,
  numbers: string | null,
  calculationNumber: number | null,
  calculationTiers: string | null,
];

/** Returns the container of a list's columns. `lowestTier` is its least priced tier, or null without a calculation. */
export function openableOfColumns(columns: OpenableColumns): OpenableRow & { lowestTier: string | null } {
  const [slug, itemId, name, imageUrl, state, type, releasedDay, retiredDay, requiresKey, outcomeCount] = columns;
  const [, , , , , , , , , , revisionId, calculatedAt, priceAsOf, numbers, calculationNumber, tiers] = columns;
  const calculation =
    revisionId === null ? null : { revisionId, calculatedAt: calculatedAt!, priceAsOf, numbers: numbers! };
  const row = { slug, itemId, name, imageUrl, state, type, releasedDay, retiredDay, outcomeCount };
  const openable = openableOf({ ...row, requiresKey: requiresKey === 1, calculation, calculationNumber });
  return { ...openable, lowestTier: lowestTierOf(openable.calculation, tiers) };
}

/** @param tiers Tiers of the calculation's revision, as JSON. */
function lowestTierOf(calculation: CalculationRow | null, tiers: string | null): string | null {
  if (calculation === null || tiers === null) return null;
  const shares = calculation.numbers.tier_coverage_pct.map(Number);
  const names: PoolRow["tiers"] = JSON.parse(tiers);
  return names[shares.indexOf(Math.min(...shares))]?.tier ?? null;
}

type Joined = Omit<OpenableRow, "calculation"> & {
  calculation: (Omit<CalculationRow, "revisionNumber" | "numbers"> & { numbers: string }) | null;
  calculationNumber: number | null;
};

function openableOf({ calculation, calculationNumber, ...row }: Joined): OpenableRow {
  const { slug, itemId, name, imageUrl, state, type, releasedDay, retiredDay, requiresKey, outcomeCount } = row;
  return {
    slug,
    itemId,
    name,
    imageUrl,
    state,
    type,
    releasedDay,
    retiredDay,
    requiresKey,
    outcomeCount,
    calculation: calculation && {
      ...calculation,
      revisionNumber: calculationNumber!,
      numbers: JSON.parse(calculation.numbers),
    },
  };
}

function prepare(database: Database) {
  return { ...prepareOpenables(database), ...prepareOutcomes(database), ...prepareHistory(database) };
}

const ofSlug = eq(openables.slug, bound("slug"));
const ofCalculation = and(
  eq(roiCalculations.slug, openables.slug),
  eq(roiCalculations.valuationMode, bound("valuationMode")),
  eq(roiCalculations.methodologyVersion, bound("methodologyVersion")),
);

function prepareOpenables(database: Database) {
  const { slug, itemId, state, type, releasedDay, retiredDay, requiresKey } = openables;
  const { revisionId, calculatedAt, priceAsOf, numbers } = roiCalculations;
  const calculated = alias(poolRevisions, "calculated");
  const { revisionNumber, oddsSource, wearModel, tiers, outcomeCount } = poolRevisions;
  const own = { slug, itemId, name: items.marketHashName, imageUrl: items.imageUrl, state, type };
  const listed = { ...own, releasedDay, retiredDay, requiresKey, outcomeCount };
  const stored = { revisionId, calculatedAt, priceAsOf, numbers };
  const page = database
    .select({
      ...listed,
      ...stored,
      calculationNumber: calculated.revisionNumber,
      calculationTiers: sql`${calculated.tiers}`.as("calculation_tiers"),
    })
    .from(openables)
    .innerJoin(items, eq(items.itemId, itemId))
    .innerJoin(poolRevisions, eq(poolRevisions.revisionId, openables.revisionId))
    .leftJoin(roiCalculations, ofCalculation)
    .leftJoin(calculated, eq(calculated.revisionId, revisionId))
    .where(gt(slug, sql.placeholder("after")))
    .orderBy(asc(slug))
    .limit(sql.placeholder("limit"));
  const joined = () =>
    database
      .select({
        ...listed,
        pool: { revisionId: poolRevisions.revisionId, revisionNumber, oddsSource, wearModel, tiers },
        calculation: stored,
        calculationNumber: calculated.revisionNumber,
      })
      .from(openables)
      .innerJoin(items, eq(items.itemId, itemId))
      .innerJoin(poolRevisions, eq(poolRevisions.revisionId, openables.revisionId))
      .leftJoin(roiCalculations, ofCalculation)
      .leftJoin(calculated, eq(calculated.revisionId, revisionId));
  return {
    page: arrayRows<OpenableColumns, [ValuationMode, string, string, number]>(database, page),
    find: joined().where(ofSlug).prepare(),
    isVisible: database.select({ slug }).from(openables).where(ofSlug).prepare(),
    changes: singleValues<number, []>(
      database,
      database
        .select({ changes: openableChanges.changes })
        .from(openableChanges)
        .where(eq(openableChanges.one, sql`1`)),
    ),
  };
}

function prepareOutcomes(database: Database) {
  const { position, itemId, tier, numerator, revisionId } = poolOutcomes;
  const { marketHashName, phase } = items;
  const { calculatedAt, priceAsOf, ledger } = roiCalculations;
  const current = sql<string>`coalesce(${roiCalculations.revisionId}, ${openables.revisionId})`;
  const asked = sql`coalesce(${bound("revisionId")}, ${current})`;
  return {
    currentRevision: database
      .select({ revisionId: current })
      .from(openables)
      .leftJoin(roiCalculations, ofCalculation)
      .where(ofSlug)
      .prepare(),
    ledger: database
      .select({
        revisionId: poolRevisions.revisionId,
        denominator: poolRevisions.denominator,
        calculation: { revisionId: roiCalculations.revisionId, calculatedAt, priceAsOf, ledger },
      })
      .from(openables)
      .leftJoin(roiCalculations, ofCalculation)
      .innerJoin(poolRevisions, eq(poolRevisions.revisionId, asked))
      .where(ofSlug)
      .prepare(),
    outcomes: database
      .select({ position, itemId, tier, numerator, marketHashName, phase })
      .from(poolOutcomes)
      .innerJoin(items, eq(items.itemId, itemId))
      .where(and(eq(revisionId, bound("revisionId")), gte(position, bound("from"))))
      .orderBy(asc(position))
      .limit(boundLimit("limit"))
      .prepare(),
  };
}

function prepareHistory(database: Database) {
  const { ts, recordedAt, revisionId, costCents, expectedValueCents, expectedProfitCents } = roiHistory;
  const { returnPct, profitChancePct, pricedProbabilityMassPct, priceAsOf } = roiHistory;
  const ofMethodology = and(
    eq(roiHistory.slug, bound("slug")),
    eq(roiHistory.methodologyVersion, bound("methodologyVersion")),
  );
  const window = and(
    ofMethodology,
    eq(roiHistory.valuationMode, bound("valuationMode")),
    eq(roiHistory.granularity, bound("granularity")),
    between(ts, bound("from"), bound("to")),
  );
  return {
    hasHistoryOf: database
      .select({ ts })
      .from(roiHistory)
      .where(and(ofMethodology, inArray(roiHistory.valuationMode, [...valuationModes])))
      .limit(1)
      .prepare(),
    history: database
      .select({
        ts,
        recordedAt,
        revisionId,
        costCents,
        expectedValueCents,
        expectedProfitCents,
        returnPct,
        profitChancePct,
        pricedProbabilityMassPct,
        priceAsOf,
        revisionNumber: poolRevisions.revisionNumber,
      })
      .from(roiHistory)
      .innerJoin(poolRevisions, eq(poolRevisions.revisionId, revisionId))
      .where(window)
      .orderBy(asc(ts))
      .limit(boundLimit("limit"))
      .prepare(),
    historyStarts: database.select({ ts }).from(roiHistory).where(window).orderBy(asc(ts)).prepare(),
  };
}
