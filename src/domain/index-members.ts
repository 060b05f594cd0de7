import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { IndexesStore, IndexLevelRow, IndexMemberRow, IndexRow } from "../store/read/indexes.ts";
import type { Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";
import { divideHalfEven, fixedText } from "../values/money/decimal.ts";
import { dayText } from "../values/time/calendar.ts";

/**
 * One page of members. `membershipVersion` null: that of the latest level. No level of a day after `weighedUpTo` gives weights,
 * so that the weights of all pages are of one day.
 */
export type MembersQuery = {
  indexId: string;
  membershipVersion: number | null;
  weighedUpTo: number;
  after: number;
  limit: number;
};

const operation = "listIndexMembers";
const limitDefault = 100;
const weightScale = 4;

/**
 * Returns the page of members that the parameters ask for.
 *
 * @throws {Failure} `invalid_parameter` for a version that the index does not have, unless the caller has a Free plan,
 * `invalid_cursor` or `cursor_mismatch`.
 */
export function membersQuery(
  store: IndexesStore,
  { index_id: indexId, membership_version, limit = limitDefault, after }: Params<"listIndexMembers">,
  { cursors, caller }: { cursors: Cursors; caller: Pick<Caller, "plan"> },
): MembersQuery {
  if (after !== undefined) {
    const { key, filters } = cursors.read(after, operation, { index_id: indexId, membership_version });
    const membershipVersion = Number(filters.membership_version);
    return { indexId, membershipVersion, weighedUpTo: Number(filters.weighed_up_to), after: Number(key), limit };
  }
  if (membership_version !== undefined && caller.plan !== "free")
    refuseUnknownVersion(store, indexId, membership_version);
  return {
    indexId,
    membershipVersion: membership_version ?? null,
    weighedUpTo: Number.MAX_SAFE_INTEGER,
    after: 0,
    limit,
  };
}

/** Returns a page of the members of `index` in ascending id, with the weights of the last level of their version that has a value. */
export function indexMembers(
  store: IndexesStore,
  index: IndexRow,
  { membershipVersion: chosen, weighedUpTo, after, limit }: MembersQuery,
  cursors: Cursors,
): { data: Schema<"IndexMember">[]; meta: ReadMeta<"listIndexMembers"> } {
  const { indexId, methodologyVersion, provider } = index;
  const version = { indexId, membershipVersion: chosen ?? index.membershipVersion };
  const level = store.lastValued({ ...version, methodologyVersion, upTo: weighedUpTo });
  const day = level?.day ?? noDay;
  const rows = store.members({ ...version, provider, day, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const filters = { index_id: indexId, membership_version: version.membershipVersion, weighed_up_to: day };
  return {
    data: page.map((row) => memberOf(row, index, level)),
    meta: {
      next_page:
        rows.length > limit && last !== undefined ? cursors.write({ operation, key: last.itemId, filters }) : null,
    },
  };
}

/** Before 1970: no price and no level is of that day. */
const noDay = -1;

function refuseUnknownVersion(store: IndexesStore, indexId: string, membershipVersion: number): void {
  if (store.methodologyOf(indexId) === null || store.hasVersion({ indexId, membershipVersion })) return;
  throw new Failure("invalid_parameter", {
    detail: `query parameter \`membership_version\`: the index has no version ${membershipVersion}`,
  });
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

/** Returns the share of a constituent on the day of `level`; null without a price, or with one that the level cannot have been made from. */
function weightOf({ amount, units }: IndexMemberRow, weighting: IndexRow["weighting"], level: IndexLevelRow) {
  if (amount === null || level.capitalizationCents === null) return null;
  const [part, whole] =
    weighting === "equal"
      ? [1n, BigInt(level.pricedConstituentCount)]
      : [BigInt(amount) * BigInt(units), BigInt(level.capitalizationCents)];
  return part > whole ? null : fixedText(divideHalfEven(part * 100n * 10n ** BigInt(weightScale), whole), weightScale);
}
