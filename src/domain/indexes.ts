import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { IndexesStore, IndexLevelRow, IndexRow } from "../store/read/indexes.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayOf, dayText, hourMs, parseDay } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { missingPoints } from "../values/time/gaps.ts";
import { type DayWindow, resolveSeriesWindow, windowTexts } from "../values/time/window.ts";
import { indexMembers, type MembersQuery, membersQuery } from "./index-members.ts";
import { ObservationTimes } from "./observation-times.ts";
import type { Reference } from "./reference.ts";

type IndexesQuery = { after: string; limit: number };

/** `methodologyVersion` null: the index's own, which no page before has fixed. `nextDay` is where the page starts. */
type IndexHistoryQuery = {
  indexId: string;
  methodologyVersion: string | null;
  window: DayWindow;
  nextDay: number;
  limit: number;
};

type Context = { reference: Reference; at: number };
type Asked = Context & { caller: Pick<Caller, "plan"> };

const listOperation = "listIndexes";
const historyOperation = "getIndexHistory";
const listLimitDefault = 50;
const historyLimitDefault = 500;
const freshMs = 48 * hourMs;

/** Price indexes: their latest level, their levels by UTC day and their members. */
export class Indexes {
  readonly #store: IndexesStore;

  constructor(store: IndexesStore) {
    this.#store = store;
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_cursor` or `cursor_mismatch`.
   */
  prepareList({ limit, after }: Params<"listIndexes">, { cursors }: Reference): IndexesQuery {
    const key = after === undefined ? "" : String(cursors.read(after, listOperation, {}).key);
    return { after: key, limit: limit ?? listLimitDefault };
  }

  /** Returns active and retired indexes in ascending id. */
  list(
    { after, limit }: IndexesQuery,
    { reference, at }: Context,
  ): { data: Schema<"MarketIndex">[]; meta: ReadMeta<"listIndexes"> } {
    const rows = this.#store.page(after, limit + 1, dayOf(at));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasNext = rows.length > limit && last !== undefined;
    const position = { operation: listOperation, key: last?.indexId ?? "", filters: {} };
    return { data: page.map(indexOf), meta: { next_page: hasNext ? reference.cursors.write(position) : null } };
  }

  /**
   * Returns one index with its latest level.
   *
   * @throws {Failure} `index_not_found`.
   */
  index(indexId: string, at: number): { data: Schema<"MarketIndex">; meta: ReadMeta<"getIndex"> } {
    const row = this.#find(indexId, at);
    const times = new ObservationTimes();
    if (row.latest !== null) times.add(row.latest.asOf);
    const { as_of, freshness } = times.meta(freshMs, at);
    return { data: indexOf(row), meta: { as_of, freshness } };
  }

  /**
   * An index that does not exist is found missing by the read only, and a Free plan, which is refused afterwards, learns nothing
   * about one.
   *
   * @throws {Failure} `unknown_methodology_version`, `invalid_parameter`, `invalid_range`, `window_too_large`, `invalid_cursor` or
   * `cursor_mismatch`.
   */
  prepareHistory(params: Params<"getIndexHistory">, { reference, at, caller }: Asked): IndexHistoryQuery {
    const { index_id: indexId, methodology_version, from, to, limit = historyLimitDefault, after } = params;
    if (after !== undefined) {
      const given = { index_id: indexId, methodology_version, from, to };
      const { key, filters } = reference.cursors.read(after, historyOperation, given);
      const window = { from: parseDay(String(filters.from))!, to: parseDay(String(filters.to))! };
      const methodologyVersion = String(filters.methodology_version);
      return { indexId, methodologyVersion, window, nextDay: Number(key) + 1, limit };
    }
    if (methodology_version !== undefined && caller.plan !== "free")
      this.#refuseUnknownMethodology(indexId, methodology_version);
    const window = resolveSeriesWindow({ from, to }, dayOf(at));
    return { indexId, methodologyVersion: methodology_version ?? null, window, nextDay: window.from, limit };
  }

  /**
   * Levels of one methodology, by day.
   *
   * @throws {Failure} `index_not_found`.
   */
  history(
    { indexId, methodologyVersion: chosen, window, nextDay, limit }: IndexHistoryQuery,
    { reference, at }: Context,
  ): { data: Schema<"IndexLevel">[]; meta: ReadMeta<"getIndexHistory"> } {
    const methodologyVersion = chosen ?? this.#find(indexId, at).methodologyVersion;
    if (chosen !== null && this.#store.methodologyOf(indexId) === null) throw indexNotFound(indexId);
    const series = { indexId, methodologyVersion };
    const rows = this.#store.levels({ ...series, from: nextDay, to: window.to, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const resolved = windowTexts(window);
    const filters = { index_id: indexId, methodology_version: methodologyVersion, ...resolved };
    const times = new ObservationTimes();
    for (const row of page) times.add(row.asOf);
    return {
      data: page.map((row) => levelOf(row, methodologyVersion)),
      meta: {
        ...resolved,
        resolution: "day",
        missing_points: this.#missing(series, window),
        next_page:
          rows.length > limit && last !== undefined
            ? reference.cursors.write({ operation: historyOperation, key: last.day, filters })
            : null,
        ...times.meta(freshMs, at),
      },
    };
  }

  /**
   * A Free plan, which is refused afterwards, does not learn which versions there are.
   *
   * @throws {Failure} `invalid_parameter` for a version that the index does not have, `invalid_cursor` or `cursor_mismatch`.
   */
  prepareMembers(params: Params<"listIndexMembers">, { reference, caller }: Asked): MembersQuery {
    return membersQuery(this.#store, params, { cursors: reference.cursors, caller });
  }

  /**
   * Returns the items of one membership version in ascending id.
   *
   * @throws {Failure} `index_not_found`.
   */
  members(
    query: MembersQuery,
    { reference, at }: Context,
  ): { data: Schema<"IndexMember">[]; meta: ReadMeta<"listIndexMembers"> } {
    return indexMembers(this.#store, this.#find(query.indexId, at), query, reference.cursors);
  }

  #find(indexId: string, at: number): IndexRow {
    const row = this.#store.find(indexId, dayOf(at));
    if (row === null) throw indexNotFound(indexId);
    return row;
  }

  #refuseUnknownMethodology(indexId: string, methodologyVersion: string): void {
    const own = this.#store.methodologyOf(indexId);
    if (own === null || own === methodologyVersion) return;
    if (this.#store.hasLevelsOf({ indexId, methodologyVersion })) return;
    throw new Failure("unknown_methodology_version", {
      detail: "query parameter `methodology_version`: no level of this index has this version",
    });
  }

  /** Returns the days of the window without a row as text; no window goes beyond the day of its request. */
  #missing(series: { indexId: string; methodologyVersion: string }, { from, to }: DayWindow): string {
    const stored = new Set(this.#store.levelDays({ ...series, from, to }));
    const days = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return missingPoints(
      "day",
      days.length,
      days.filter((day) => !stored.has(day)),
    );
  }
}

function indexNotFound(indexId: string): Failure {
  return new Failure("index_not_found", {
    detail: `path parameter \`index_id\`: there is no index ${indexId}; \`listIndexes\` tells which there are`,
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
    kind: "index_level",
  };
}
