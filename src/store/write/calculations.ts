import { and, eq, sql } from "drizzle-orm";
import { openables, roiCalculations, roiRuns } from "../../../db/schema/openables.ts";
import type { CalculationKey } from "../../roi/calculation.ts";
import type { CalculationWithoutChecksum, HistoryWithoutChecksum } from "../codec/calculation-checksum.ts";
import { historyChecksum } from "../codec/calculation-checksum.ts";
import type { Database } from "../database.ts";
import { pastKeeper } from "./past-rows.ts";

export type CalculationRow = CalculationWithoutChecksum & { checksum: number };
export type HistoryRow = HistoryWithoutChecksum & { checksum: number };
type StoredCalculationKey = CalculationKey & { methodologyVersion: string };
export type HistoryKey = Pick<HistoryRow, keyof StoredCalculationKey | "granularity" | "ts">;

/** Writes the results of a run of the model. The caller holds the transaction. */
export class CalculationWriter {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** Returns the revision in force of each active and retired container by slug. The value is null without one. */
  revisionsInForce(): Map<string, string | null> {
    return new Map(this.#statements.revisions.all().map(({ slug, revisionId }) => [slug, revisionId]));
  }

  /**
   * Updates only the time of a stored calculation with the same content. Returns false if the content differs or no calculation is stored.
   */
  touch({ slug, valuationMode, methodologyVersion, ...row }: CalculationRow): boolean {
    const { calculatedAt, checksum, inputDigest, numbers, ledger } = row;
    const key = [slug, valuationMode, methodologyVersion];
    return this.#statements.touch.run(calculatedAt, checksum, ...key, inputDigest, numbers, ledger).changes > 0;
  }

  put(row: CalculationRow): void {
    this.#statements.put.run(row);
  }

  remove(key: StoredCalculationKey): void {
    this.#statements.remove.run(key);
  }

  /** Writes the row of a bucket, replacing the row of an earlier run. The row of an hour becomes a past row. */
  putHistory(row: HistoryRow): void {
    const recordedAt = row.granularity === "hour" ? this.#statements.keep(keyOf(row), row.recordedAt) : row.recordedAt;
    const dated = { ...row, recordedAt };
    this.#statements.putHistory.run({ ...dated, checksum: historyChecksum(dated) });
  }

  /** Returns whether a series has a row of a bucket after `ts`. Also loads the page of the row of `ts` into the cache. */
  hasHistoryAfter(key: HistoryKey): boolean {
    return this.#statements.laterTs.get(...keyOf(key)) !== undefined;
  }

  /** Removes the rows of a series after `key.ts`. Rows of hours become past rows with the instant `at`, UTC ms. */
  removeHistoryAfter(key: HistoryKey, at: number): void {
    if (key.granularity === "hour")
      for (const ts of this.#statements.laterTs.all(...keyOf(key))) this.#statements.keep(keyOf({ ...key, ts }), at);
    this.#statements.removeLater.run(...keyOf(key));
  }

  /** Loads the pages of a stored calculation into the cache. */
  readPages({ slug, valuationMode, methodologyVersion }: StoredCalculationKey): void {
    this.#statements.pages.get(slug, valuationMode, methodologyVersion);
  }

  hasRunsAfter(methodologyVersion: string, at: number): boolean {
    return this.#statements.laterRun.get(methodologyVersion, at) !== undefined;
  }

  removeRunsAfter(methodologyVersion: string, at: number): void {
    this.#statements.removeLaterRuns.run(methodologyVersion, at);
  }

  addRun(run: Omit<typeof roiRuns.$inferInsert, "runId">): void {
    this.#database.insert(roiRuns).values(run).run();
  }
}

function keyOf({ slug, valuationMode, methodologyVersion, granularity, ts }: HistoryKey) {
  return [slug, valuationMode, methodologyVersion, granularity, ts] as const;
}

function prepare(database: Database) {
  const { $client: client } = database;
  const later = "slug = ? AND valuation_mode = ? AND methodology_version = ? AND granularity = ? AND ts > ?";
  const laterRuns = "methodology_version = ? AND calculated_at > ?";
  const ofKey = and(
    eq(roiCalculations.slug, sql.placeholder("slug")),
    eq(roiCalculations.valuationMode, sql.placeholder("valuationMode")),
    eq(roiCalculations.methodologyVersion, sql.placeholder("methodologyVersion")),
  );
  return {
    revisions: database.select({ slug: openables.slug, revisionId: openables.revisionId }).from(openables).prepare(),
    // Executed directly, because the pages of large rows are read while the lock is held.
    touch: database.$client.prepare<unknown[]>(
      `UPDATE roi_calculations SET calculated_at = ?, seal = ?
       WHERE slug = ? AND valuation_mode = ? AND methodology_version = ? AND input_digest = ? AND numbers = ? AND ledger = ?`,
    ),
    put: database.$client.prepare<[CalculationRow]>(
      `INSERT INTO roi_calculations
         (slug, valuation_mode, methodology_version, revision_id, calculated_at, price_as_of, input_digest, numbers, ledger, seal)
       VALUES (@slug, @valuationMode, @methodologyVersion, @revisionId, @calculatedAt, @priceAsOf, @inputDigest, @numbers, @ledger, @checksum)
       ON CONFLICT (slug, valuation_mode, methodology_version) DO UPDATE SET revision_id = excluded.revision_id,
         calculated_at = excluded.calculated_at, price_as_of = excluded.price_as_of, input_digest = excluded.input_digest,
         numbers = excluded.numbers, ledger = excluded.ledger, seal = excluded.seal`,
    ),
    keep: pastKeeper(database, "roi_history"),
    laterTs: client.prepare<unknown[], number>(`SELECT ts FROM roi_history WHERE ${later}`).pluck(),
    removeLater: client.prepare<unknown[]>(`DELETE FROM roi_history WHERE ${later}`),
    laterRun: client.prepare<unknown[]>(`SELECT run_id FROM roi_runs WHERE ${laterRuns} LIMIT 1`),
    removeLaterRuns: client.prepare<unknown[]>(`DELETE FROM roi_runs WHERE ${laterRuns}`),
    // SQLite reads all pages of a text to compute the length.
    pages: client.prepare<unknown[]>(
      `SELECT length(numbers || ledger) FROM roi_calculations
       WHERE slug = ? AND valuation_mode = ? AND methodology_version = ?`,
    ),
    remove: database.delete(roiCalculations).where(ofKey).prepare(),
    putHistory: database.$client.prepare<[HistoryRow]>(
      `INSERT INTO roi_history
         (slug, valuation_mode, methodology_version, granularity, ts, recorded_at, revision_id, cost_cents, expected_value_cents,
          expected_profit_cents, return_pct, profit_chance_pct, priced_probability_mass_pct, price_as_of, seal)
       VALUES (@slug, @valuationMode, @methodologyVersion, @granularity, @ts, @recordedAt, @revisionId, @costCents, @expectedValueCents,
          @expectedProfitCents, @returnPct, @profitChancePct, @pricedProbabilityMassPct, @priceAsOf, @checksum)
       ON CONFLICT (slug, valuation_mode, methodology_version, granularity, ts) DO UPDATE SET recorded_at = excluded.recorded_at,
         revision_id = excluded.revision_id, cost_cents = excluded.cost_cents, expected_value_cents = excluded.expected_value_cents,
         expected_profit_cents = excluded.expected_profit_cents, return_pct = excluded.return_pct,
         profit_chance_pct = excluded.profit_chance_pct, priced_probability_mass_pct = excluded.priced_probability_mass_pct,
         price_as_of = excluded.price_as_of, seal = excluded.seal`,
    ),
  };
}
