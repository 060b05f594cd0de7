import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { poolOutcomes, poolRevisions } from "../../../db/schema/openables.ts";
import {
  type CalculationWithoutChecksum,
  calculationChecksum,
  type HistoryWithoutChecksum,
  historyChecksum,
} from "../codec/calculation-checksum.ts";
import { type OutcomeFacts, type RevisionFacts, revisionIdOf } from "../codec/pool-revision-id.ts";
import type { Database } from "../database.ts";
import { type Chunks, type Finding, fact, fault, faultOfMany } from "./finding.ts";
import { KeyRanges, pagesOf } from "./key-ranges.ts";

type Checked = { count: number; faults: Finding[] };

/** Rows per chunk. Revisions and calculations are as long as their pools. */
const pageRows = { revisions: 10, calculations: 20, points: 2000 };

/**
 * Checks that pools, calculations and their history match their checksums and each other. A chunk is several revisions, several
 * calculations with their revisions, or several points of history. Publications and calculations between two chunks cause no fault.
 */
export function checkOpenables(database: Database, chunks: Chunks = (read) => read()): Finding[] {
  const pools = checkRevisions(database, chunks);
  const force = chunks(() => checkForce(database));
  const calculations = checkCalculations(database, chunks);
  const history = checkBuckets(database, chunks);
  const faults = [...pools.faults, ...force, ...calculations.faults, ...history.faults];
  if (faults.length > 0) return faults;
  const counted = `${pools.count} revisions of pools, ${calculations.count} calculations and ${history.count} points of their history`;
  return [fact(`${counted} are unchanged`)];
}

/**
 * Reads rows in chunks by ascending rowid, which a damaged column does not affect. Passes each row to `look` within its chunk. Returns the
 * number of rows.
 */
function eachRow<Row extends { rowid: number }>(
  database: Database,
  chunks: Chunks,
  { table, page, look }: { table: string; page(after: number): Row[]; look(row: Row): void },
): number {
  let count = 0;
  const read = (after: number) => {
    const rows = page(after);
    for (const row of rows) look(row);
    return rows;
  };
  const paging = { after: -1, read, keyOf: ({ rowid }: Row) => rowid };
  for (const rows of pagesOf(database, chunks, table, paging)) count += rows.length;
  return count;
}

/** Prepares a query for a revision's slug and its number of outcomes. */
function revisionQuery({ $client: client }: Database) {
  return client.prepare<[string], { slug: string; outcomes: number }>(
    `SELECT slug, (SELECT count(*) FROM pool_outcomes AS outcome WHERE outcome.revision_id = revision.revision_id) AS outcomes
     FROM pool_revisions AS revision WHERE revision_id = ?`,
  );
}

function checkRevisions(database: Database, chunks: Chunks): Checked {
  const outcomesOf = database
    .select()
    .from(poolOutcomes)
    .where(eq(poolOutcomes.revisionId, sql.placeholder("revisionId")))
    .orderBy(asc(poolOutcomes.position))
    .prepare();
  const page = database
    .select({ rowid: sql<number>`rowid`.as("rowid"), ...getTableColumns(poolRevisions) })
    .from(poolRevisions)
    .where(sql`rowid > ${sql.placeholder("after")}`)
    .orderBy(sql`rowid`)
    .limit(pageRows.revisions)
    .prepare();
  const damaged: string[] = [];
  const partial: string[] = [];
  const look = ({ rowid: _, revisionId, ...revision }: ReturnType<typeof page.all>[number]) => {
    const outcomes = outcomesOf.all({ revisionId });
    const name = `${revision.slug} revision ${revision.revisionNumber}`;
    if (revisionIdOf(revision, outcomes) !== revisionId) damaged.push(name);
    else if (!isWhole(revision, outcomes)) partial.push(name);
  };
  const count = eachRow(database, chunks, { table: "pool_revisions", page: (after) => page.all({ after }), look });
  const faults = [
    ...faultOfMany(damaged, "revisions of pools that were changed"),
    ...faultOfMany(partial, "revisions of pools with probabilities that do not sum to 1"),
  ];
  return { count, faults };
}

/** Returns whether the numerators add up to the denominator, `outcomeCount` numerators are above 0, and positions have no gap. */
function isWhole({ denominator, outcomeCount }: RevisionFacts, outcomes: readonly OutcomeFacts[]): boolean {
  const numerators = outcomes.map(({ numerator }) => BigInt(numerator));
  return (
    numerators.reduce((sum, numerator) => sum + numerator, 0n) === BigInt(denominator) &&
    numerators.filter((numerator) => numerator > 0n).length === outcomeCount &&
    outcomes.every(({ position }, index) => position === index)
  );
}

/** Checks that containers have their own revision, and changes are counted. */
function checkForce({ $client: client }: Database): Finding[] {
  const foreign = client
    .prepare(
      `SELECT slug FROM openables WHERE NOT EXISTS (
         SELECT 1 FROM pool_revisions AS r WHERE r.revision_id = openables.revision_id AND r.slug = openables.slug)`,
    )
    .pluck()
    .all() as string[];
  const isCounted = client.prepare("SELECT count(*) FROM openable_changes").pluck().get() === 1;
  return [
    ...(isCounted ? [] : [fault("changes of openables are not counted, so servers keep sending cached lists")]),
    ...faultOfMany(foreign, "openables with another openable's revision"),
  ];
}

function checkCalculations(database: Database, chunks: Chunks): Checked {
  const revisionOf = revisionQuery(database);
  const page = database.$client.prepare<[number], CalculationWithoutChecksum & { rowid: number; checksum: number }>(
    `SELECT rowid, slug, valuation_mode AS valuationMode, methodology_version AS methodologyVersion, revision_id AS revisionId,
         calculated_at AS calculatedAt, price_as_of AS priceAsOf, input_digest AS inputDigest, numbers, ledger, seal AS checksum
       FROM roi_calculations WHERE rowid > ? ORDER BY rowid LIMIT ${pageRows.calculations}`,
  );
  const damaged: string[] = [];
  const foreign: string[] = [];
  const partial: string[] = [];
  const look = ({ rowid: _, checksum, ...row }: NonNullable<ReturnType<typeof page.get>>) => {
    const name = `${row.slug} in ${row.valuationMode} by ${row.methodologyVersion}`;
    const revision = revisionOf.get(row.revisionId);
    if (calculationChecksum(row) !== checksum) damaged.push(name);
    else if (revision?.slug !== row.slug) foreign.push(name);
    else if ((JSON.parse(row.ledger) as unknown[]).length !== revision.outcomes) partial.push(name);
  };
  const count = eachRow(database, chunks, { table: "roi_calculations", page: (after) => page.all(after), look });
  const faults = [
    ...faultOfMany(damaged, "calculations that were changed"),
    ...faultOfMany(foreign, "calculations with a revision of another openable"),
    ...faultOfMany(partial, "calculations with a ledger that differs from their revision's outcomes"),
  ];
  return { count, faults };
}

function checkBuckets(database: Database, chunks: Chunks): Checked {
  const slugOf = database.$client
    .prepare<[string], string>("SELECT slug FROM pool_revisions WHERE revision_id = ?")
    .pluck();
  const key = ["slug", "valuation_mode", "methodology_version", "granularity", "ts"];
  const ranges = new KeyRanges(database.$client, "roi_history", key, pageRows.points);
  const rows = ranges.records<HistoryWithoutChecksum & { checksum: number }>(
    (within) =>
      `SELECT slug, valuation_mode AS valuationMode, methodology_version AS methodologyVersion, granularity, ts,
         recorded_at AS recordedAt, revision_id AS revisionId, cost_cents AS costCents,
         expected_value_cents AS expectedValueCents, expected_profit_cents AS expectedProfitCents, return_pct AS returnPct,
         profit_chance_pct AS profitChancePct, priced_probability_mass_pct AS pricedProbabilityMassPct,
         price_as_of AS priceAsOf, seal AS checksum
       FROM ${within}`,
  );
  const damaged: string[] = [];
  const foreign: string[] = [];
  const look = ({ checksum, ...row }: HistoryWithoutChecksum & { checksum: number }) => {
    const name = `${row.slug} in ${row.valuationMode}, ${row.granularity} ${row.ts}`;
    if (historyChecksum(row) !== checksum) damaged.push(name);
    else if (slugOf.get(row.revisionId) !== row.slug) foreign.push(name);
  };
  let count = 0;
  ranges.each(chunks, (after, upTo) => {
    for (const row of rows(after, upTo)) {
      count += 1;
      look(row);
    }
  });
  const faults = [
    ...faultOfMany(damaged, "points of a history that were changed"),
    ...faultOfMany(foreign, "points of a history with a revision of another openable"),
  ];
  return { count, faults };
}
