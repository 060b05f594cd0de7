import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import { type LedgerEntry, roiMethodology, type ValuationMode, valuationModeDefault } from "../roi/calculation.ts";
import { probabilityPct, staleReasons } from "../roi/current.ts";
import type { LedgerRow, OpenablesStore, OutcomeRow } from "../store/read/openables.ts";
import type { Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";
import { toTimestampOrNull } from "../values/time/clock.ts";
import { ObservationTimes } from "./observation-times.ts";

/** One page from position `from` on. `revisionId` is what the first page has chosen, null before. */
export type OutcomesQuery = {
  slug: string;
  valuationMode: ValuationMode;
  revisionId: string | null;
  from: number;
  limit: number;
};

const operation = "listOpenableOutcomes";
const limitDefault = 500;
const nothing: LedgerEntry = [null, null, null, null];

/**
 * Returns the page of outcomes that the parameters ask for.
 *
 * @throws {Failure} `invalid_cursor` or `cursor_mismatch`: pages of two revisions never make one list.
 */
export function outcomesQuery(
  store: OpenablesStore,
  { slug, valuation_mode, limit = limitDefault, after }: Params<"listOpenableOutcomes">,
  { cursors, caller }: { cursors: Cursors; caller: Pick<Caller, "plan"> },
): OutcomesQuery {
  if (after === undefined)
    return { slug, valuationMode: valuation_mode ?? valuationModeDefault, revisionId: null, from: 0, limit };
  const { key, filters } = cursors.read(after, operation, { slug, valuation_mode });
  const valuationMode = filters.valuation_mode as ValuationMode;
  const revisionId = String(filters.revision_id);
  if (caller.plan !== "free") {
    const current = store.currentRevision({ slug, valuationMode, methodologyVersion: roiMethodology });
    if (current !== null && current !== revisionId) throw revisionReplaced();
  }
  return { slug, valuationMode, revisionId, from: Number(key) + 1, limit };
}

/** Reads a page of the outcomes of one pool revision, in the order of their positions. */
export function openableOutcomes(
  store: OpenablesStore,
  ledger: LedgerRow,
  { slug, valuationMode, from, limit }: OutcomesQuery,
  { cursors, at }: { cursors: Cursors; at: number },
): { data: Schema<"OpenableOutcome">[]; meta: ReadMeta<"listOpenableOutcomes"> } {
  const { revisionId, calculation } = ledger;
  const rows = store.outcomes({ revisionId, from, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  const filters = { slug, valuation_mode: valuationMode, revision_id: revisionId };
  const times = new ObservationTimes();
  const data = page.map((row) => {
    const entry = calculation?.entries[row.position] || nothing;
    if (entry[0] !== null) times.add(entry[2]);
    return outcomeOf(row, entry, ledger.denominator);
  });
  const { as_of } = times.meta(0, at);
  return {
    data,
    meta: {
      next_page: hasNext ? cursors.write({ operation, key: last.position, filters }) : null,
      as_of,
      freshness: as_of === null ? "unknown" : freshnessOf(calculation!, at),
    },
  };
}

function freshnessOf({ calculatedAt, priceAsOf }: NonNullable<LedgerRow["calculation"]>, at: number) {
  return staleReasons(calculatedAt, priceAsOf, at).length > 0 ? "stale" : "fresh";
}

function revisionReplaced(): Failure {
  return new Failure("cursor_mismatch", {
    detail: "query parameter `after`: the pool has another revision since the page before; start again without it",
  });
}

function outcomeOf(
  row: OutcomeRow,
  [valueCents, valueProvider, valueAsOf, recentHighCents]: LedgerEntry,
  denominator: string,
): Schema<"OpenableOutcome"> {
  return {
    item_id: row.itemId,
    market_hash_name: row.marketHashName,
    phase: row.phase,
    tier: row.tier,
    probability_numerator: row.numerator,
    probability_denominator: denominator,
    probability_pct: probabilityPct(BigInt(row.numerator), BigInt(denominator)),
    status: row.numerator === "0" ? "excluded" : valueCents === null ? "unpriced" : "priced",
    value_cents: valueCents,
    value_provider: valueProvider,
    value_as_of: toTimestampOrNull(valueAsOf),
    recent_high_cents: recentHighCents,
  };
}
