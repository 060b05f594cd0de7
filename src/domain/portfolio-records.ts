import type { Schema } from "../contract/types.ts";
import type { HoldingRow, PortfolioEntry, TransactionRow, ValuationRow } from "../store/read/portfolios.ts";
import { dayText } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";

/** Currency of all amounts, independent of the owner's display currency. */
const money = { currency: "USD", minor_units: 2 } as const;

/** Returns the record of a portfolio's settings. */
export function portfolioOf(row: PortfolioEntry): Schema<"Portfolio"> {
  return {
    portfolio_id: row.portfolioId,
    name: row.name,
    display_currency: row.displayCurrency,
    ...money,
    is_public: row.isPublic,
    price_source: row.priceSource,
    holding_count: row.holdingCount,
    transaction_count: row.transactionCount,
    created_at: toTimestamp(row.createdAt),
    updated_at: toTimestamp(row.updatedAt),
  };
}

/** Returns the record of a lot. Null if the cost is unknown. */
export function holdingOf(row: HoldingRow): Schema<"PortfolioHolding"> {
  return {
    holding_id: row.holdingId,
    item_id: row.itemId,
    market_hash_name: row.marketHashName,
    phase: row.phase,
    quantity: row.quantity,
    unit_cost_cents: row.unitCostCents,
    cost_estimated: row.costEstimated,
    acquired_on: row.acquiredDay === null ? null : dayText(row.acquiredDay),
    origin: row.origin,
    created_at: toTimestamp(row.createdAt),
    updated_at: toTimestamp(row.updatedAt),
    ...money,
  };
}

/** Returns the record of a row in the owner's ledger. */
export function transactionOf(row: TransactionRow): Schema<"PortfolioTransaction"> {
  return {
    transaction_id: row.transactionId,
    holding_id: row.holdingId,
    kind: row.kind,
    item_id: row.itemId,
    market_hash_name: row.marketHashName,
    phase: row.phase,
    quantity: row.quantity,
    unit_amount_cents: row.unitAmountCents,
    fee_cents: row.feeCents,
    total_amount_cents: row.totalAmountCents,
    cost_estimated: row.costEstimated,
    provider: row.provider,
    occurred_on: dayText(row.occurredDay),
    occurred_at: toTimestampOrNull(row.occurredAt),
    recorded_at: toTimestamp(row.recordedAt),
    ...money,
  };
}

/** Returns the record of a stored daily value. A lot without a price is counted but excluded from the value; it never counts as zero. */
export function valuationOf(row: ValuationRow): Schema<"PortfolioValuation"> {
  const unpriced = row.holdingCount - row.pricedHoldingCount;
  return {
    date: dayText(row.day),
    kind: "portfolio_valuation",
    value_cents: row.valueCents,
    cost_basis_cents: row.costBasisCents,
    holding_count: row.holdingCount,
    priced_holding_count: row.pricedHoldingCount,
    unpriced_holding_count: unpriced,
    complete: unpriced === 0,
    compared_holding_count: row.comparedCount,
    compared_value_cents: row.comparedValueCents,
    compared_cost_cents: row.comparedCostCents,
    price_source: row.priceSource,
    price_providers: providersOf(row),
    price_as_of: toTimestampOrNull(row.priceAsOf),
    recorded_at: toTimestamp(row.recordedAt),
    ...money,
  };
}

/** Rows of earlier releases have a single provider. */
function providersOf({ priceSource, priceProviders, pricedHoldingCount }: ValuationRow): string[] | null {
  if (priceSource === null) return null;
  if (pricedHoldingCount === 0) return [];
  return priceProviders?.split(",") ?? [priceSource];
}
