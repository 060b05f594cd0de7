import { asc, eq, sql } from "drizzle-orm";
import { poolOutcomes, poolRevisions } from "../../../db/schema/openables.ts";
import {
  type CalculationWithoutChecksum,
  calculationChecksum,
  type HistoryWithoutChecksum,
  historyChecksum,
} from "../codec/calculation-checksum.ts";
import { type OutcomeFacts, type RevisionFacts, revisionIdOf } from "../codec/pool-revision-id.ts";
import type { Database } from "../database.ts";
import { type Finding, fact, fault, faultOfMany } from "./finding.ts";

/** The pool revisions that a calculation or a bucket of the history may refer to, by id. */
type Revisions = ReadonlyMap<string, { slug: string; outcomes: number }>;
type Checked = { count: number; revisions: Revisions; faults: Finding[] };

/** Checks pools, calculations and their histories: no byte changed since the write, and values stored twice agree. */
export function checkOpenables(database: Database): Finding[] {
  const pools = checkRevisions(database);
  const calculations = checkCalculations(database, pools.revisions);
  const history = checkBuckets(database, pools.revisions);
  const faults = [...pools.faults, ...checkForce(database), ...calculations.faults, ...history.faults];
  if (faults.length > 0) return faults;
  const counted = `${pools.count} revisions of pools, ${calculations.count} calculations and ${history.count} points of their history`;
  return [fact(`${counted} are as they were written`)];
}

function checkRevisions(database: Database): Checked {
  const outcomesOf = database
    .select()
    .from(poolOutcomes)
    .where(eq(poolOutcomes.revisionId, sql.placeholder("revisionId")))
    .orderBy(asc(poolOutcomes.position))
    .prepare();
  const revisions = new Map<string, { slug: string; outcomes: number }>();
  const damaged: string[] = [];
  const partial: string[] = [];
  for (const { revisionId, ...revision } of database.select().from(poolRevisions).all()) {
    const outcomes = outcomesOf.all({ revisionId });
    revisions.set(revisionId, { slug: revision.slug, outcomes: outcomes.length });
    const name = `${revision.slug} revision ${revision.revisionNumber}`;
    if (revisionIdOf(revision, outcomes) !== revisionId) damaged.push(name);
    else if (!isWhole(revision, outcomes)) partial.push(name);
  }
  const faults = [
    ...faultOfMany(damaged, "revisions of pools that are not as they were written"),
    ...faultOfMany(partial, "revisions of pools whose probabilities do not make a whole"),
  ];
  return { count: revisions.size, revisions, faults };
}

/**
 * Returns whether the numerators sum to the denominator, `outcomeCount` of them are above 0, and no position is left
 * out.
 */
function isWhole({ denominator, outcomeCount }: RevisionFacts, outcomes: readonly OutcomeFacts[]): boolean {
  const numerators = outcomes.map(({ numerator }) => BigInt(numerator));
  return (
    numerators.reduce((sum, numerator) => sum + numerator, 0n) === BigInt(denominator) &&
    numerators.filter((numerator) => numerator > 0n).length === outcomeCount &&
    outcomes.every(({ position }, index) => position === index)
  );
}

/** Containers that are shown have a revision, and it is one of their own; changes of them are counted. */
function checkForce({ $client: client }: Database): Finding[] {
  const foreign = client
    .prepare(
      `SELECT slug FROM openables WHERE revision_id IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM pool_revisions AS r WHERE r.revision_id = openables.revision_id AND r.slug = openables.slug)`,
    )
    .pluck()
    .all() as string[];
  const hidden = client
    .prepare(
      "SELECT DISTINCT slug FROM roi_calculations WHERE slug NOT IN (SELECT slug FROM openables WHERE state <> 'draft')",
    )
    .pluck()
    .all() as string[];
  const isCounted = client.prepare("SELECT count(*) FROM openable_changes").pluck().get() === 1;
  return [
    ...(isCounted
      ? []
      : [fault("nothing counts changes of openables, so that servers go on sending lists that they keep")]),
    ...faultOfMany(foreign, "openables whose revision is not one of theirs"),
    ...faultOfMany(hidden, "openables that are drafts and have a calculation"),
  ];
}

function checkCalculations({ $client: client }: Database, revisions: Revisions): Checked {
  const rows = client
    .prepare(
      `SELECT slug, valuation_mode AS valuationMode, methodology_version AS methodologyVersion, revision_id AS revisionId,
         calculated_at AS calculatedAt, price_as_of AS priceAsOf, input_digest AS inputDigest, numbers, ledger, seal AS checksum
       FROM roi_calculations`,
    )
    .iterate() as Iterable<CalculationWithoutChecksum & { checksum: number }>;
  const damaged: string[] = [];
  const foreign: string[] = [];
  const partial: string[] = [];
  let count = 0;
  for (const { checksum, ...row } of rows) {
    count += 1;
    const name = `${row.slug} in ${row.valuationMode} by ${row.methodologyVersion}`;
    const revision = revisions.get(row.revisionId);
    if (calculationChecksum(row) !== checksum) damaged.push(name);
    else if (revision?.slug !== row.slug) foreign.push(name);
    else if ((JSON.parse(row.ledger) as unknown[]).length !== revision.outcomes) partial.push(name);
  }
  const faults = [
    ...faultOfMany(damaged, "calculations that are not as they were written"),
    ...faultOfMany(foreign, "calculations of a revision that is not of their openable"),
    ...faultOfMany(partial, "calculations whose ledger is not of the outcomes of their revision"),
  ];
  return { count, revisions, faults };
}

function checkBuckets({ $client: client }: Database, revisions: Revisions): Checked {
  const rows = client
    .prepare(
      `SELECT slug, valuation_mode AS valuationMode, methodology_version AS methodologyVersion, granularity, ts,
         recorded_at AS recordedAt, revision_id AS revisionId, cost_cents AS costCents,
         expected_value_cents AS expectedValueCents, expected_profit_cents AS expectedProfitCents, return_pct AS returnPct,
         profit_chance_pct AS profitChancePct, priced_probability_mass_pct AS pricedProbabilityMassPct,
         price_as_of AS priceAsOf, seal AS checksum
       FROM roi_history`,
    )
    .iterate() as Iterable<HistoryWithoutChecksum & { checksum: number }>;
  const damaged: string[] = [];
  const foreign: string[] = [];
  let count = 0;
  for (const { checksum, ...row } of rows) {
    count += 1;
    const name = `${row.slug} in ${row.valuationMode}, ${row.granularity} ${row.ts}`;
    if (historyChecksum(row) !== checksum) damaged.push(name);
    else if (revisions.get(row.revisionId)?.slug !== row.slug) foreign.push(name);
  }
  const faults = [
    ...faultOfMany(damaged, "points of a history that are not as they were written"),
    ...faultOfMany(foreign, "points of a history of a revision that is not of their openable"),
  ];
  return { count, revisions, faults };
}
