import { hash } from "node:crypto";
import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import { roiMethodology, type ValuationMode, valuationModeDefault } from "../roi/calculation.ts";
import { currentAt, probabilityPct, staleReasons } from "../roi/current.ts";
import {
  type OpenableColumns,
  type OpenableRow,
  type OpenablesStore,
  openableOfColumns,
  type PoolRow,
} from "../store/openables.ts";
import { dayText } from "../values/calendar.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure.ts";
import { TimestampTexts } from "../values/timestamp-texts.ts";
import { openableHistory, type RoiHistoryQuery, roiHistoryQuery } from "./openable-history.ts";
import { type OutcomesQuery, openableOutcomes, outcomesQuery } from "./openable-outcomes.ts";
import type { Reference } from "./reference.ts";

type OpenablesQuery = { valuationMode: ValuationMode; after: string; limit: number };
type OpenableQuery = { slug: string; valuationMode: ValuationMode };

type Context = { reference: Reference; at: number };
type Asked = Context & { caller: Pick<Caller, "plan"> };

const listOperation = "listOpenables";
const listLimitDefault = 50;

/** Containers: what opening one costs and gives by the model, now and before. A draft is like a container that does not exist. */
export class Openables {
  readonly #store: OpenablesStore;
  readonly #timestamps = new TimestampTexts();
  /** The entries of lists that were sent last, by mode and slug. */
  readonly #entries = new Map<string, ListedEntry>();

  constructor(store: OpenablesStore) {
    this.#store = store;
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_cursor` or `cursor_mismatch`.
   */
  prepareList({ valuation_mode, limit, after }: Params<"listOpenables">, { cursors }: Reference): OpenablesQuery {
    const position = after === undefined ? null : cursors.read(after, listOperation, { valuation_mode });
    const valuationMode = valuation_mode ?? (position?.filters.valuation_mode as ValuationMode | undefined);
    return {
      valuationMode: valuationMode ?? valuationModeDefault,
      after: position === null ? "" : String(position.key),
      limit: limit ?? listLimitDefault,
    };
  }

  /** Lists active and retired containers in ascending slug. */
  list(
    { valuationMode, after, limit }: OpenablesQuery,
    { reference, at }: Context,
  ): { data: Encoded; meta: ReadMeta<"listOpenables"> } {
    const key = { valuationMode, methodologyVersion: roiMethodology };
    const rows = this.#store.page({ ...key, after, limit: limit + 1 });
    const entries = rows.slice(0, limit).map((row) => this.#entryOf(row, valuationMode, at));
    const last = rows[entries.length - 1];
    const next =
      rows.length > limit && last !== undefined
        ? { operation: listOperation, key: last[0], filters: { valuation_mode: valuationMode } }
        : null;
    const text = Buffer.concat([listStart, ...entries.flatMap(({ bytes }) => [comma, bytes]).slice(1), listEnd]);
    const digests = entries.map(({ digest }) => digest).join("");
    return {
      data: encoded(text, digests),
      meta: { next_page: next && reference.cursors.write(next), ...timelinessOf(entries.map(({ times }) => times)) },
    };
  }

  /** Returns an entry of a list. It is encoded again where its row differs from the one before, or is stale for another reason. */
  #entryOf(columns: OpenableColumns, valuationMode: ValuationMode, at: number): ListedEntry {
    const key = `${valuationMode} ${columns[0]}`;
    const staleness = stalenessOf(columns, at);
    const kept = this.#entries.get(key);
    if (kept !== undefined && kept.staleness === staleness && isSameRow(kept.columns, columns)) return kept;
    const openable = openableOf(openableOfColumns(columns), valuationMode, at);
    const bytes = Buffer.from(JSON.stringify(openable));
    const times = openable.current && { price_as_of: openable.current.price_as_of, stale: openable.current.stale };
    const entry = { columns, staleness, bytes, digest: hash("sha256", bytes, "base64url"), times };
    if (this.#entries.size === entriesMax) this.#entries.clear();
    this.#entries.set(key, entry);
    return entry;
  }

  prepareOpenable({ slug, valuation_mode = valuationModeDefault }: Params<"getOpenable">): OpenableQuery {
    return { slug, valuationMode: valuation_mode };
  }

  /**
   * Returns one container.
   *
   * @throws {Failure} `openable_not_found`.
   */
  openable(
    { slug, valuationMode }: OpenableQuery,
    at: number,
  ): { data: Schema<"OpenableDetail">; meta: ReadMeta<"getOpenable"> } {
    const row = this.#store.find({ slug, valuationMode, methodologyVersion: roiMethodology });
    if (row === null) throw openableNotFound();
    const entry = openableOf(row, valuationMode, at);
    return { data: { ...entry, pool: poolOf(row) }, meta: timelinessOf([entry.current]) };
  }

  /**
   * A container that does not exist is found missing by the read only, and a Free plan, which is refused afterwards, learns
   * nothing about one.
   *
   * @throws {Failure} `unknown_methodology_version`, `invalid_parameter`, `invalid_range`, `window_too_large`, `invalid_cursor` or
   * `cursor_mismatch`.
   */
  prepareHistory(params: Params<"getOpenableHistory">, { reference, at, caller }: Asked): RoiHistoryQuery {
    return roiHistoryQuery(this.#store, params, { cursors: reference.cursors, at, caller });
  }

  /**
   * Returns the buckets of one mode, methodology and granularity, by time.
   *
   * @throws {Failure} `openable_not_found`.
   */
  history(
    query: RoiHistoryQuery,
    { reference, at }: Context,
  ): { data: Schema<"RoiHistoryRow">[]; meta: ReadMeta<"getOpenableHistory"> } {
    if (!this.#store.isVisible(query.series.slug)) throw openableNotFound();
    return openableHistory(this.#store, query, { cursors: reference.cursors, at, timestamps: this.#timestamps });
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_cursor` or `cursor_mismatch`, the latter also for a page of a pool that is not listed any more.
   */
  prepareOutcomes(params: Params<"listOpenableOutcomes">, { reference, caller }: Asked): OutcomesQuery {
    return outcomesQuery(this.#store, params, { cursors: reference.cursors, caller });
  }

  /**
   * Returns the outcomes in the pool's order, with the values that the calculation in force took.
   *
   * @throws {Failure} `openable_not_found`.
   */
  outcomes(
    query: OutcomesQuery,
    { reference, at }: Context,
  ): { data: Schema<"OpenableOutcome">[]; meta: ReadMeta<"listOpenableOutcomes"> } {
    const ledger = this.#store.ledger({ ...query, methodologyVersion: roiMethodology });
    if (ledger === null) throw openableNotFound();
    return openableOutcomes(this.#store, ledger, query, { cursors: reference.cursors, at });
  }
}

/** An entry of a list as it is sent, and what it was made of; `digest` is one of its bytes. */
type ListedEntry = {
  readonly columns: OpenableColumns;
  readonly staleness: string;
  readonly bytes: Buffer;
  readonly digest: string;
  readonly times: CalculationTimes | null;
};

/** More than there are containers, in both modes. An entry has 2 KB. */
const entriesMax = 4000;
const [listStart, comma, listEnd] = ["[", ",", "]"].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

function isSameRow(one: OpenableColumns, other: OpenableColumns): boolean {
  return one.every((column, index) => column === other[index]);
}

/** Returns all of an entry that depends on the instant at which it is sent. */
function stalenessOf([, , , , , , , , , , , calculatedAt, priceAsOf]: OpenableColumns, at: number): string {
  return calculatedAt === null ? "" : staleReasons(calculatedAt, priceAsOf, at).join();
}

/** Makes one refusal for drafts and for containers that never existed. */
function openableNotFound(): Failure {
  return new Failure("openable_not_found", {
    detail: "path parameter `slug`: there is no such openable; `listOpenables` tells which there are",
  });
}

function openableOf(row: OpenableRow, valuationMode: ValuationMode, at: number): Schema<"Openable"> {
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

/** A calculation of another revision than the pool's says nothing of its tiers. */
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

/** Makes `meta` of the returned calculations: as old as the oldest price of any of them, and stale as soon as one of them is. */
function timelinessOf(
  returned: readonly (CalculationTimes | null)[],
): Pick<ReadMeta<"getOpenable">, "as_of" | "freshness"> {
  const calculations = returned.filter((calculation) => calculation !== null);
  const times = calculations.map(({ price_as_of }) => price_as_of).filter((time) => time !== null);
  if (times.length === 0 || times.length < calculations.length) return { as_of: null, freshness: "unknown" };
  const oldest = times.reduce((one, other) => (one < other ? one : other));
  return { as_of: oldest, freshness: calculations.some(({ stale }) => stale) ? "stale" : "fresh" };
}
