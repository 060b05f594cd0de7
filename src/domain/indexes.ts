import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import type { IndexesStore, IndexLevelRow, IndexMemberRow, IndexRow } from "../store/read/indexes.ts";
import { Failure } from "../values/failure/failure.ts";
import { divideHalfEven, fixedText } from "../values/money/decimal.ts";
import { dayOf, dayText, hourMs } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { type DayWindow, resolveSeriesWindow, windowTexts } from "../values/time/window.ts";
import { knownAtText, resolveKnownAt } from "./known-at.ts";
import { ObservationTimes } from "./observation-times.ts";
import { missingDays, pageOf, type Read, windowIn } from "./paging.ts";
import type { Reference } from "./reference.ts";

type IndexesQuery = { after: string; limit: number };

/** `methodologyVersion` is null for the index's own version, on a first page. `nextDay` is the start of the page. */
type IndexHistoryQuery = {
  indexId: string;
  methodologyVersion: string | null;
  window: DayWindow;
  nextDay: number;
  limit: number;
  /** Instant of the past, UTC ms. Null for the current data. */
  knownAt: number | null;
};

/**
 * One page of members. `membershipVersion` is null for the latest level's. Weights use no level after `weighedUpTo`, so that all pages have
 * the weights of one day.
 */
type MembersQuery = {
  indexId: string;
  membershipVersion: number | null;
  weighedUpTo: number;
  after: number;
  limit: number;
};

type Context = { reference: Reference; at: number };
type Asked = Context & { caller: Pick<Caller, "plan"> };

const listOperation = "listIndexes";
const historyOperation = "getIndexHistory";
const membersOperation = "listIndexMembers";
const limitDefaults = { list: 50, history: 500, members: 100 };
const freshMs = 48 * hourMs;
const weightScale = 4;
/** A day before 1970, which has no prices or levels. */
const noDay = -1;

/** Reads price indexes: their latest level, their levels by UTC day and their members. */
export class Indexes {
  readonly #store: IndexesStore;

  constructor(store: IndexesStore) {
    this.#store = store;
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareList({ limit = limitDefaults.list, after }: Params<"listIndexes">, { cursors }: Reference): IndexesQuery {
    const key = after === undefined ? "" : String(cursors.read(after, listOperation, {}).key);
    return { after: key, limit };
  }

  /** Returns active and retired indexes in ascending id. */
  list({ after, limit }: IndexesQuery, { reference, at }: Context): Read<"listIndexes"> {
    const { page, last } = pageOf(this.#store.page(after, limit + 1, dayOf(at)), limit);
    const next = last && reference.cursors.write({ operation: listOperation, key: last.indexId, filters: {} });
    return { data: page.map(indexOf), meta: { next_page: next } };
  }

  /**
   * Returns one index with its latest level.
   *
   * @throws {Failure} `index_not_found`.
   */
  index(indexId: string, at: number): Read<"getIndex"> {
    const row = this.#find(indexId, at);
    const times = new ObservationTimes();
    if (row.latest !== null) times.add(row.latest.asOf);
    const { as_of, freshness } = times.meta(freshMs, at);
    return { data: indexOf(row), meta: { as_of, freshness } };
  }

  /**
   * Resolves the parameters. An unknown index is reported only by the read, so that a Free plan, which is refused before, learns nothing
   * about it.
   *
   * @throws {Failure} `unknown_methodology_version`, `window_too_large`, `invalid_cursor`, `cursor_mismatch`, or as `resolveKnownAt`.
   */
  prepareHistory(params: Params<"getIndexHistory">, { reference, at, caller }: Asked): IndexHistoryQuery {
    const { index_id: indexId, methodology_version, from, to, limit = limitDefaults.history, after } = params;
    const asked = { caller, at, moments: reference.moments };
    const knownAt = resolveKnownAt(params.known_at, asked);
    if (after !== undefined) {
      const given = { index_id: indexId, methodology_version, from, to, ...knownAtText(knownAt) };
      const { key, filters } = reference.cursors.read(after, historyOperation, given);
      const methodologyVersion = String(filters.methodology_version);
      const position = { methodologyVersion, window: windowIn(filters), nextDay: Number(key) + 1 };
      return { indexId, ...position, limit, knownAt: resolveKnownAt(filters.known_at as string | undefined, asked) };
    }
    if (methodology_version !== undefined && caller.plan !== "free")
      this.#refuseUnknownMethodology(indexId, methodology_version, knownAt ?? undefined);
    const window = resolveSeriesWindow({ from, to }, dayOf(knownAt ?? at));
    return { indexId, methodologyVersion: methodology_version ?? null, window, nextDay: window.from, limit, knownAt };
  }

  /**
   * Returns the levels of one methodology, by day.
   *
   * @throws {Failure} `index_not_found`.
   */
  history(
    { indexId, methodologyVersion: chosen, window, nextDay, limit, knownAt }: IndexHistoryQuery,
    { reference, at }: Context,
  ): Read<"getIndexHistory"> {
    const known = knownAt ?? undefined;
    const own = this.#store.methodologyOf(indexId, known);
    if (own === null) throw indexNotFound(indexId);
    const methodologyVersion = chosen ?? this.#methodologyThen(indexId, known) ?? own;
    const rows = this.#store.levels({ indexId, methodologyVersion, ...window }, known);
    const { page, last } = pageOf(
      rows.filter(({ day }) => day >= nextDay),
      limit,
    );
    const resolved = { ...windowTexts(window), ...knownAtText(knownAt) };
    const filters = { index_id: indexId, methodology_version: methodologyVersion, ...resolved };
    const times = new ObservationTimes();
    for (const row of page) times.add(row.asOf);
    return {
      data: page.map((row) => levelOf(row, methodologyVersion)),
      meta: {
        ...windowTexts(window),
        resolution: "day",
        missing_points: missingDays(
          window,
          rows.map(({ day }) => day),
        ),
        next_page: last && reference.cursors.write({ operation: historyOperation, key: last.day, filters }),
        ...times.meta(freshMs, knownAt ?? at),
        ...knownAtText(knownAt),
      },
    };
  }

  /** Returns the methodology of the last level that was recorded by `known`. Null without one, or for the current data. */
  #methodologyThen(indexId: string, known: number | undefined): string | null {
    return known === undefined ? null : (this.#store.methodologiesOf(indexId, known)[0] ?? null);
  }

  /**
   * Resolves the parameters. A Free plan, which is refused afterwards, does not learn the existing versions.
   *
   * @throws {Failure} `invalid_parameter` for a version that the index does not have, `invalid_cursor` or `cursor_mismatch`.
   */
  prepareMembers(params: Params<"listIndexMembers">, { reference, caller }: Asked): MembersQuery {
    const { index_id: indexId, membership_version: version, limit = limitDefaults.members, after } = params;
    if (after !== undefined) {
      const given = { index_id: indexId, membership_version: version };
      const { key, filters } = reference.cursors.read(after, membersOperation, given);
      const membershipVersion = Number(filters.membership_version);
      return { indexId, membershipVersion, weighedUpTo: Number(filters.weighed_up_to), after: Number(key), limit };
    }
    if (version !== undefined && caller.plan !== "free") this.#refuseUnknownVersion(indexId, version);
    const weighedUpTo = Number.MAX_SAFE_INTEGER;
    return { indexId, membershipVersion: version ?? null, weighedUpTo, after: 0, limit };
  }

  /**
   * Returns the items of one membership version in ascending id, with the weights of its last level that has a value.
   *
   * @throws {Failure} `index_not_found`.
   */
  members(
    { indexId, membershipVersion: chosen, weighedUpTo, after, limit }: MembersQuery,
    { reference, at }: Context,
  ): Read<"listIndexMembers"> {
    const index = this.#find(indexId, at);
    const { methodologyVersion, provider } = index;
    const version = { indexId, membershipVersion: chosen ?? index.membershipVersion };
    const level = this.#store.lastValued({ ...version, methodologyVersion, upTo: weighedUpTo });
    const day = level?.day ?? noDay;
    const rows = this.#store.members({ ...version, provider, day, after, limit: limit + 1 });
    const { page, last } = pageOf(rows, limit);
    const filters = { index_id: indexId, membership_version: version.membershipVersion, weighed_up_to: day };
    const next = last && reference.cursors.write({ operation: membersOperation, key: last.itemId, filters });
    return { data: page.map((row) => memberOf(row, index, level)), meta: { next_page: next } };
  }

  #find(indexId: string, at: number): IndexRow {
    const row = this.#store.find(indexId, dayOf(at));
    if (row === null) throw indexNotFound(indexId);
    return row;
  }

  #refuseUnknownMethodology(indexId: string, methodologyVersion: string, known: number | undefined): void {
    const own = this.#store.methodologyOf(indexId, known);
    if (own === null || own === methodologyVersion) return;
    if (this.#store.methodologiesOf(indexId, known).includes(methodologyVersion)) return;
    throw new Failure("unknown_methodology_version", {
      detail: "query parameter `methodology_version`: no level of this index has this version",
    });
  }

  #refuseUnknownVersion(indexId: string, membershipVersion: number): void {
    if (this.#store.methodologyOf(indexId) === null || this.#store.hasVersion({ indexId, membershipVersion })) return;
    throw new Failure("invalid_parameter", {
      detail: `query parameter \`membership_version\`: the index has no version ${membershipVersion}`,
    });
  }
}

function indexNotFound(indexId: string): Failure {
  return new Failure("index_not_found", {
    detail: `path parameter \`index_id\`: index ${indexId} does not exist; \`listIndexes\` lists them`,
  });
}

function indexOf({ latest, ...row }: IndexRow): Schema<"MarketIndex"> {
  return {
    index_id: row.indexId,
    name: row.name,
    description: row.description,
    base_date: dayText(row.baseDay),
    base_value: row.baseValue,
    value: latest?.value ?? null,
    capitalization_cents: latest?.capitalizationCents ?? null,
    constituent_count: row.constituentCount,
    priced_constituent_count: latest?.pricedConstituentCount ?? null,
    coverage_pct: latest?.coveragePct ?? null,
    provider: row.provider,
    weighting: row.weighting,
    methodology_version: row.methodologyVersion,
    membership_version: row.membershipVersion,
    active: row.active,
    as_of: toTimestampOrNull(latest?.asOf ?? null),
    calculated_at: toTimestampOrNull(row.calculatedAt),
  };
}

function levelOf(row: IndexLevelRow, methodologyVersion: string): Schema<"IndexLevel"> {
  return {
    date: dayText(row.day),
    value: row.value,
    capitalization_cents: row.capitalizationCents,
    constituent_count: row.constituentCount,
    priced_constituent_count: row.pricedConstituentCount,
    coverage_pct: row.coveragePct,
    methodology_version: methodologyVersion,
    membership_version: row.membershipVersion,
    as_of: toTimestampOrNull(row.asOf),
    recorded_at: toTimestamp(row.recordedAt),
    revision: row.revision,
    kind: "index_level",
  };
}

function memberOf(row: IndexMemberRow, { weighting }: IndexRow, level: IndexLevelRow | null): Schema<"IndexMember"> {
  return {
    item_id: row.itemId,
    market_hash_name: row.marketHashName,
    phase: row.phase,
    weight_pct: level === null ? null : weightOf(row, weighting, level),
    added_on: dayText(row.addedDay),
    removed_on: row.removedDay === null ? null : dayText(row.removedDay),
  };
}

/**
 * Returns the share of a constituent on the day of `level`. Returns null without a price, or for a price too high to be part of the level.
 */
function weightOf({ amount, units }: IndexMemberRow, weighting: IndexRow["weighting"], level: IndexLevelRow) {
  if (amount === null || level.capitalizationCents === null) return null;
  const [part, whole] =
    weighting === "equal"
      ? [1n, BigInt(level.pricedConstituentCount)]
      : [BigInt(amount) * BigInt(units), BigInt(level.capitalizationCents)];
  return part > whole ? null : fixedText(divideHalfEven(part * 100n * 10n ** BigInt(weightScale), whole), weightScale);
}
