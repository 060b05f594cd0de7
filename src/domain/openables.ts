import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import { type LedgerEntry, roiMethodology, type ValuationMode, valuationModeDefault } from "../roi/calculation.ts";
import { currentAt, probabilityPct, staleAfter, staleReasons } from "../roi/current.ts";
import {
  type LedgerRow,
  type OpenableRow,
  type OpenablesStore,
  type OutcomeRow,
  openableOfColumns,
  type PoolRow,
} from "../store/read/openables.ts";
import type { Encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayText } from "../values/time/calendar.ts";
import { toTimestampOrNull } from "../values/time/clock.ts";
import { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { ObservationTimes } from "./observation-times.ts";
import { openableHistory, type ReturnsParts, type RoiHistoryQuery, roiHistoryQuery } from "./openable-history.ts";
import { pageOf, type Read } from "./paging.ts";
import type { Reference } from "./reference.ts";
import { ResponseCache } from "./response-cache.ts";

type OpenablesQuery = { valuationMode: ValuationMode; after: string; limit: number };
type OpenableQuery = { slug: string; valuationMode: ValuationMode };
/** One page from position `from`. `revisionId` is the first page's, null before. */
type OutcomesQuery = OpenableQuery & { revisionId: string | null; from: number; limit: number };

type Context = { reference: Reference; at: number };
type Asked = Context & { caller: Pick<Caller, "plan"> };

const listOperation = "listOpenables";
const outcomesOperation = "listOpenableOutcomes";
const limitDefaults = { list: 50, outcomes: 500 };
const noEntry: LedgerEntry = [null, null, null, null];

/** Reads containers: the cost and the modelled returns of opening one, now and in the past. A draft is treated as unknown. */
export class Openables {
  readonly #store: OpenablesStore;
  readonly #returns: ReturnsParts;
  readonly #timestamps = new TimestampTexts();
  /** Recently sent pages of lists. */
  readonly #pages = new ResponseCache<PageFacts>(pagesBytesMax);

  constructor(parts: ReturnsParts) {
    this.#store = parts.store;
    this.#returns = parts;
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareList(
    { valuation_mode, limit = limitDefaults.list, after }: Params<"listOpenables">,
    { cursors }: Reference,
  ): OpenablesQuery {
    const position = after === undefined ? null : cursors.read(after, listOperation, { valuation_mode });
    const valuationMode = valuation_mode ?? (position?.filters.valuation_mode as ValuationMode | undefined);
    return {
      valuationMode: valuationMode ?? valuationModeDefault,
      after: position === null ? "" : String(position.key),
      limit,
    };
  }

  /** Lists active and retired containers in ascending slug. */
  list(
    { valuationMode, after, limit }: OpenablesQuery,
    { reference, at }: Context,
  ): { data: Encoded; meta: ReadMeta<"listOpenables"> } {
    const asked = `${valuationMode} ${limit} ${after}`;
    let page = this.#pages.get(asked, String(this.#store.changes()));
    // Both bounds are checked, because a clock may have been set back.
    if (page === undefined || at <= page.facts.after || at > page.facts.upTo) {
      const { bytes, facts } = this.#page({ valuationMode, after, limit }, at);
      page = this.#pages.add(asked, bytes, facts);
    }
    const { last, as_of, freshness } = page.facts;
    const next = last && { operation: listOperation, key: last, filters: { valuation_mode: valuationMode } };
    return { data: page.data, meta: { next_page: next && reference.cursors.write(next), as_of, freshness } };
  }

  /** Builds the page of a list for the instant `at` (UTC ms). */
  #page({ valuationMode, after, limit }: OpenablesQuery, at: number): { bytes: Buffer; facts: PageFacts } {
    const rows = this.#store.page({ valuationMode, methodologyVersion: roiMethodology, after, limit: limit + 1 });
    const { page: listed, last } = pageOf(rows, limit);
    const entries = listed.map((columns): Schema<"Openable"> => {
      const row = openableOfColumns(columns);
      return { ...openableOf(row, valuationMode, at), lowest_tier: row.lowestTier };
    });
    const changesAt = listed.flatMap(([, , , , , , , , , , , calculatedAt, priceAsOf]) =>
      calculatedAt === null ? [] : staleAfter(calculatedAt, priceAsOf),
    );
    return {
      bytes: Buffer.from(JSON.stringify(entries)),
      facts: {
        last: last === null ? null : last[0],
        after: Math.max(Number.NEGATIVE_INFINITY, ...changesAt.filter((instant) => instant < at)),
        upTo: Math.min(Number.POSITIVE_INFINITY, ...changesAt.filter((instant) => instant >= at)),
        ...timelinessOf(entries.map(({ current }) => current)),
      },
    };
  }

  prepareOpenable({ slug, valuation_mode = valuationModeDefault }: Params<"getOpenable">): OpenableQuery {
    return { slug, valuationMode: valuation_mode };
  }

  /**
   * Returns one container.
   *
   * @throws {Failure} `openable_not_found`.
   */
  openable({ slug, valuationMode }: OpenableQuery, at: number): Read<"getOpenable"> {
    const row = this.#store.find({ slug, valuationMode, methodologyVersion: roiMethodology });
    if (row === null) throw openableNotFound();
    const entry = openableOf(row, valuationMode, at);
    return { data: { ...entry, pool: poolOf(row) }, meta: timelinessOf([entry.current]) };
  }

  /**
   * Resolves the parameters. An unknown container is reported only by the read, so that a Free plan, which is refused before, learns
   * nothing about it.
   *
   * @throws {Failure} `unknown_methodology_version`, `invalid_parameter`, `invalid_range`, `window_too_large`, `invalid_cursor` or
   * `cursor_mismatch`.
   */
  prepareHistory(params: Params<"getOpenableHistory">, { reference, at, caller }: Asked): RoiHistoryQuery {
    return roiHistoryQuery(this.#returns, params, { reference, at, caller });
  }

  /**
   * Returns the buckets of one mode, methodology and granularity, by time.
   *
   * @throws {Failure} `openable_not_found`.
   */
  history(query: RoiHistoryQuery, { reference, at }: Context): Read<"getOpenableHistory"> {
    const history = openableHistory(this.#returns, query, { reference, at, timestamps: this.#timestamps });
    if (history === null) throw openableNotFound();
    return history;
  }

  /**
   * Resolves the parameters of a request. A cursor is bound to its revision, so a list never mixes two revisions.
   *
   * @throws {Failure} `invalid_cursor`, or `cursor_mismatch`, also for a page of a pool that is no longer listed.
   */
  prepareOutcomes(params: Params<"listOpenableOutcomes">, { reference, caller }: Asked): OutcomesQuery {
    const { slug, valuation_mode, limit = limitDefaults.outcomes, after } = params;
    if (after === undefined)
      return { slug, valuationMode: valuation_mode ?? valuationModeDefault, revisionId: null, from: 0, limit };
    const { key, filters } = reference.cursors.read(after, outcomesOperation, { slug, valuation_mode });
    const valuationMode = filters.valuation_mode as ValuationMode;
    const revisionId = String(filters.revision_id);
    if (caller.plan !== "free") {
      const current = this.#store.currentRevision({ slug, valuationMode, methodologyVersion: roiMethodology });
      if (current !== null && current !== revisionId) throw revisionReplaced();
    }
    return { slug, valuationMode, revisionId, from: Number(key) + 1, limit };
  }

  /**
   * Returns the outcomes in the pool's order, with the values used by the current calculation.
   *
   * @throws {Failure} `openable_not_found`.
   */
  outcomes(query: OutcomesQuery, { reference, at }: Context): Read<"listOpenableOutcomes"> {
    const { slug, valuationMode, from, limit } = query;
    const ledger = this.#store.ledger({ ...query, methodologyVersion: roiMethodology });
    if (ledger === null) throw openableNotFound();
    const { revisionId, calculation, denominator } = ledger;
    const { page, last } = pageOf(this.#store.outcomes({ revisionId, from, limit: limit + 1 }), limit);
    const filters = { slug, valuation_mode: valuationMode, revision_id: revisionId };
    const times = new ObservationTimes();
    const data = page.map((row) => {
      const entry = calculation?.entries[row.position] || noEntry;
      if (entry[0] !== null) times.add(entry[2]);
      return outcomeOf(row, entry, denominator);
    });
    const { as_of } = times.meta(0, at);
    return {
      data,
      meta: {
        next_page: last && reference.cursors.write({ operation: outcomesOperation, key: last.position, filters }),
        as_of,
        freshness: as_of === null ? "unknown" : freshnessOf(calculation!, at),
      },
    };
  }
}

/**
 * Further facts of a list's page. `last`: slug of its last entry if another page follows, else null. No entry's staleness changes after
 * `after` (exclusive) up to `upTo` (UTC ms).
 */
type PageFacts = Pick<ReadMeta<"listOpenables">, "as_of" | "freshness"> & {
  readonly last: string | null;
  readonly after: number;
  readonly upTo: number;
};

/** Enough for about 100 pages of 100 containers. */
const pagesBytesMax = 16 * 1024 * 1024;

/** Builds the same refusal for drafts and for unknown containers. */
function openableNotFound(): Failure {
  return new Failure("openable_not_found", {
    detail: "path parameter `slug`: the openable does not exist; `listOpenables` lists them",
  });
}

function openableOf(row: OpenableRow, valuationMode: ValuationMode, at: number) {
  const { calculation, state } = row;
  const dateOf = (day: number | null) => (day === null ? null : dayText(day));
  return {
    slug: row.slug,
    name: row.name,
    item_id: row.itemId,
    type: row.type,
    image_url: row.imageUrl,
    active: state === "active",
    released_on: dateOf(row.releasedDay),
    retired_on: dateOf(row.retiredDay),
    requires_key: row.requiresKey,
    outcome_count: row.outcomeCount,
    valuation_mode: valuationMode,
    current:
      calculation &&
      currentAt(
        { ...calculation, methodologyVersion: roiMethodology, valuationMode, retired: state === "retired" },
        at,
      ),
  };
}

/** A calculation of another revision has no coverage of this pool's tiers. */
function poolOf({ pool, calculation }: { pool: PoolRow; calculation: OpenableRow["calculation"] }) {
  const coverage = calculation?.revisionId === pool.revisionId ? calculation.numbers.tier_coverage_pct : [];
  const total = BigInt(pool.tiers.reduce((sum, { weight }) => sum + weight, 0));
  return {
    revision_id: pool.revisionId,
    revision_number: pool.revisionNumber,
    odds_source: pool.oddsSource,
    flags: pool.tiers.some(({ addedCount = 0 }) => addedCount > 0) ? ["pool_completed" as const] : [],
    wear_model: pool.wearModel,
    tiers: pool.tiers.map(({ tier, weight, itemCount }, index) => ({
      tier,
      weight,
      probability_pct: probabilityPct(BigInt(weight), total),
      item_count: itemCount,
      priced_probability_mass_pct: coverage[index] ?? null,
    })),
  };
}

type CalculationTimes = Pick<Schema<"RoiCalculation">, "price_as_of" | "stale">;

/** Builds `meta` of the returned calculations. Its age is the oldest price's; it is stale if one calculation is. */
function timelinessOf(
  returned: readonly (CalculationTimes | null)[],
): Pick<ReadMeta<"getOpenable">, "as_of" | "freshness"> {
  const calculations = returned.filter((calculation) => calculation !== null);
  const times = calculations.map(({ price_as_of }) => price_as_of).filter((time) => time !== null);
  if (times.length === 0 || times.length < calculations.length) return { as_of: null, freshness: "unknown" };
  const oldest = times.reduce((one, other) => (one < other ? one : other));
  return { as_of: oldest, freshness: calculations.some(({ stale }) => stale) ? "stale" : "fresh" };
}

function freshnessOf({ calculatedAt, priceAsOf }: NonNullable<LedgerRow["calculation"]>, at: number) {
  return staleReasons(calculatedAt, priceAsOf, at).length > 0 ? "stale" : "fresh";
}

function revisionReplaced(): Failure {
  return new Failure("cursor_mismatch", {
    detail: "query parameter `after`: the pool has changed since the previous page; start again without it",
  });
}

function outcomeOf(
  row: OutcomeRow,
  [valueCents, valueProvider, valueAsOf, recentHighCents, aboveCeilingCents]: LedgerEntry,
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
    above_ceiling_cents: aboveCeilingCents ?? null,
  };
}
