import { Openables } from "../../src/domain/openables.ts";
import {
  type CalculationNumbers,
  type LedgerEntry,
  roiMethodology,
  type ValuationMode,
} from "../../src/roi/calculation.ts";
import { calculationChecksum, historyChecksum } from "../../src/store/codec/calculation-checksum.ts";
import type { Database } from "../../src/store/database.ts";
import { KnownReturnsStore } from "../../src/store/read/known-returns.ts";
import { OpenablesStore } from "../../src/store/read/openables.ts";
import { dayMs, hourMs } from "../../src/values/time/calendar.ts";

type Key = { slug: string; valuationMode?: ValuationMode; methodologyVersion?: string; revisionId: string };

export type CalculationFacts = Key & {
  calculatedAt: number;
  priceAsOf?: number | null;
  numbers?: Partial<CalculationNumbers>;
  /** One entry per outcome of the revision. */
  ledger: readonly (LedgerEntry | 0)[];
};

/** `ts` is the start of the bucket, UTC ms. */
export type BucketFacts = Key & {
  granularity: "hour" | "day";
  ts: number;
  priceAsOf?: number | null;
  expectedValueCents?: number | null;
};

/** Results of a calculation of a pool with two tiers. */
export const soundNumbers: CalculationNumbers = {
  cost_cents: 294,
  container_cost_cents: 45,
  key_cost_cents: 249,
  container_cost_provider: "steam",
  container_cost_as_of: null,
  expected_value_cents: 110,
  expected_value_lower_cents: 106,
  expected_value_upper_cents: 118,
  expected_profit_cents: -184,
  return_pct: "37.41",
  profit_roi_pct: "-62.59",
  profit_chance_pct: "4.0921",
  profit_chance_lower_pct: "4.0204",
  profit_chance_upper_pct: "4.0921",
  priced_probability_mass_pct: "99.9283",
  price_coverage: {
    outcome_count: 3,
    priced_outcome_count: 2,
    priced_outcome_pct: "66.6666",
    lowest_tier_coverage_pct: "90.0000",
  },
  quantiles: { p05: 6, p25: 8, p50: 10, p75: 25, p95: 150, p99: 900 },
  confidence: "high",
  flags: ["unpriced_outcomes"],
  tier_coverage_pct: ["100.0000", "90.0000"],
};

/** Returns the reads of containers in a file. */
export function openablesOf(reader: Database): Openables {
  return new Openables({ store: new OpenablesStore(reader), past: new KnownReturnsStore(reader) });
}

/** Replaces the current calculation of a slug, mode and methodology. */
export function putCalculation({ $client }: Database, facts: CalculationFacts): void {
  const { numbers = {}, ledger, valuationMode = "steam_gross", methodologyVersion = roiMethodology } = facts;
  const { slug, revisionId, calculatedAt, priceAsOf = null } = facts;
  const row = {
    slug,
    valuationMode,
    methodologyVersion,
    revisionId,
    calculatedAt,
    priceAsOf,
    inputDigest: Buffer.alloc(32),
    numbers: JSON.stringify({ ...soundNumbers, ...numbers }),
    ledger: JSON.stringify(ledger),
  };
  $client
    .prepare(
      `INSERT OR REPLACE INTO roi_calculations VALUES (@slug, @valuationMode, @methodologyVersion, @revisionId, @calculatedAt,
         @priceAsOf, @inputDigest, @numbers, @ledger, @checksum)`,
    )
    .run({ ...row, checksum: calculationChecksum(row) });
}

/** A bucket of the history. Its cost is the hour or day of `ts`, so that all rows differ. */
export function putBucket({ $client }: Database, facts: BucketFacts): void {
  const { valuationMode = "steam_gross", methodologyVersion = roiMethodology, expectedValueCents = 100 } = facts;
  const { slug, granularity, ts, revisionId, priceAsOf = null } = facts;
  const isKnown = expectedValueCents !== null;
  const row = {
    slug,
    valuationMode,
    methodologyVersion,
    granularity,
    ts,
    recordedAt: ts + 60_000,
    revisionId,
    costCents: ts / (granularity === "day" ? dayMs : hourMs),
    expectedValueCents,
    priceAsOf,
    expectedProfitCents: isKnown ? -5 : null,
    returnPct: isKnown ? "95.24" : null,
    profitChancePct: isKnown ? "4.0921" : null,
    pricedProbabilityMassPct: "99.9283",
  };
  $client
    .prepare(
      `INSERT OR REPLACE INTO roi_history VALUES (@slug, @valuationMode, @methodologyVersion, @granularity, @ts, @recordedAt,
         @revisionId, @costCents, @expectedValueCents, @expectedProfitCents, @returnPct, @profitChancePct,
         @pricedProbabilityMassPct, @priceAsOf, @checksum)`,
    )
    .run({ ...row, checksum: historyChecksum(row) });
}
