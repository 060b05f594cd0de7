import { createHash } from "node:crypto";
import type { Ask } from "../../roi/asks.ts";
import { type CalculationNumbers, type LedgerEntry, roiMethodology } from "../../roi/calculation.ts";
import { calculationNumbers, type PricedOutcome, type PublicationGate, unmetGates } from "../../roi/valuation.ts";
import {
  type CalculationWithoutChecksum,
  calculationChecksum,
  historyChecksum,
} from "../../store/codec/calculation-checksum.ts";
import type { CalculationRow, HistoryRow } from "../../store/write/calculations.ts";
import { dayMs, hourMs } from "../../values/calendar.ts";
import type { RoiInput } from "./read-inputs.ts";

/** The rows of one calculation, ready to be written. `gates`: unmet gates of its point; empty where it is published. */
export type Prepared = {
  calculation: CalculationRow;
  history: readonly HistoryRow[];
  gates: readonly PublicationGate[];
};

/**
 * Calculates one container in one mode and encodes the rows.
 *
 * @throws {OddsError|RangeError} when `calculationNumbers` throws it.
 */
export function prepareCalculation(input: RoiInput & { container: Ask }, calculatedAt: number): Prepared {
  const { pool, valuationMode, container, outcomes } = input;
  const { cents: containerCents, provider, asOf } = container;
  const { keyCents, oddsSource, slug, revisionId } = pool;
  const cost = { containerCents, keyCents, provider, asOf };
  const denominator = BigInt(pool.denominator);
  const { numbers, priceAsOf } = calculationNumbers({ outcomes, denominator, cost, oddsSource, valuationMode });
  const ledger = JSON.stringify(outcomes.map(entryOf));
  const key = { slug, valuationMode, methodologyVersion: roiMethodology, revisionId };
  const causes = JSON.stringify([...Object.values(key), oddsSource, pool.denominator, Object.values(cost)]);
  const inputDigest = createHash("sha256").update(causes).update(ledger).digest();
  const row = { ...key, calculatedAt, priceAsOf, inputDigest, numbers: JSON.stringify(numbers), ledger };
  return {
    calculation: { ...row, checksum: calculationChecksum(row) },
    history: [historyRow("day", dayMs, row, numbers), historyRow("hour", hourMs, row, numbers)],
    gates: unmetGates(outcomes, numbers),
  };
}

function entryOf({ valueCents, valueProvider, valueAsOf, recentHighCents }: PricedOutcome): LedgerEntry | 0 {
  if (valueCents === null && recentHighCents === null) return 0;
  return [valueCents, valueProvider, valueAsOf, recentHighCents];
}

function historyRow(
  granularity: "hour" | "day",
  bucketMs: number,
  { slug, valuationMode, methodologyVersion, revisionId, calculatedAt, priceAsOf }: CalculationWithoutChecksum,
  numbers: CalculationNumbers,
): HistoryRow {
  const row = {
    slug,
    valuationMode,
    methodologyVersion,
    granularity,
    ts: calculatedAt - (calculatedAt % bucketMs),
    recordedAt: calculatedAt,
    revisionId,
    costCents: numbers.cost_cents,
    expectedValueCents: numbers.expected_value_cents,
    expectedProfitCents: numbers.expected_profit_cents,
    returnPct: numbers.return_pct,
    profitChancePct: numbers.profit_chance_pct,
    pricedProbabilityMassPct: numbers.priced_probability_mass_pct,
    priceAsOf,
  };
  return { ...row, checksum: historyChecksum(row) };
}
