import { type Database, writeTransaction } from "../../store/database.ts";
import { type BatchStats, inShortTransactions } from "../../store/write/batches.ts";
import { DailyPriceWriter } from "../../store/write/daily-prices.ts";
import { type IndexRecord, IndexWriter, type MemberRecord, type Membership } from "../../store/write/indexes.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { dayOf, dayText } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Definition } from "./definition.ts";
import { guardMembers, type MemberFinding, type MemberGuardName, type NearAsks, nearDays } from "./guard-members.ts";

/** The result of a definition. `membershipVersion` and `effectiveDay` (days since 1970) describe its members. */
export type Defined = {
  indexId: string;
  outcome: "created" | "changed" | "unchanged";
  membershipVersion: number;
  effectiveDay: number;
  members: number;
  added: number;
  dropped: number;
  /** Other changed properties of an existing index. */
  changed: string[];
  /** Findings of the guards for changed members. */
  findings: readonly MemberFinding[];
};

type Before = { record: IndexRecord | null; memberships: Membership[]; members: MemberRecord[] };
type Next = VersionedMembers & { record: IndexRecord; effectiveDay: number };
type VersionedMembers = { membershipVersion: number; members: readonly MemberRecord[] };

const daysAheadMax = 366;
const changeable = [
  ["name", "name"],
  ["description", "description"],
  ["methodologyVersion", "methodology_version"],
  ["active", "active"],
] as const;
const fixed = [
  ["baseDay", "base_date"],
  ["baseValue", "base_value"],
  ["weighting", "weighting"],
  ["provider", "provider"],
] as const;

/**
 * Creates an index, or changes an existing index to its definition. Changed members become a new version from their effective day on. That
 * day must not have a level yet. Members are staged in short transactions; the last transaction activates all changes.
 * @throws {OperatorError} when the definition is rejected. The index is then unchanged.
 */
export function* defineIndexInBatches(
  database: Database,
  definition: Definition,
  { clock, accepted = [] }: { clock: Clock; accepted?: readonly MemberGuardName[] },
): Generator<BatchStats, Defined> {
  const rows = new IndexWriter(database);
  const at = clock.now();
  const { indexId } = definition;
  refuseFarDays(definition, at);
  const before = readBefore(rows, indexId);
  const last = before.memberships.at(-1);
  const isSame = last !== undefined && sameMembers(before.members, definition);
  const record = recordOf(definition, before.record, at);
  const effectiveDay = isSame ? last.effectiveDay : effectiveDayOf(rows, definition, last, at);
  const membershipVersion = isSame ? last.membershipVersion : (last?.membershipVersion ?? 0) + 1;
  const findings = isSame
    ? []
    : guardMembers(definition, effectiveDay, nearAsks(database, definition, effectiveDay), accepted);
  const members = isSame ? before.members : versioned(definition, before.members, effectiveDay);
  const next: Next = { record, effectiveDay, membershipVersion, members };
  const defined = { ...outcomeOf(before, next, isSame), findings };
  if (defined.outcome === "unchanged") return defined;
  if (!isSame) yield* stage(database, rows, indexId, next, clock);
  yield activate(database, rows, before, next, { isSame, at, clock });
  return defined;
}

/**
 * Retires an index. Its levels stay readable, and no new levels are calculated.
 * @throws {OperatorError} when the index does not exist.
 */
export function retireIndex(database: Database, indexId: string): { wasActive: boolean } {
  return writeTransaction(database, () => {
    const rows = new IndexWriter(database);
    const { active } = knownIndex(rows, indexId);
    if (active) rows.retire(indexId);
    return { wasActive: active };
  });
}

/**
 * Returns the record of an index.
 * @throws {OperatorError} when the index does not exist.
 */
export function knownIndex(rows: IndexWriter, indexId: string): IndexRecord {
  const record = rows.index(indexId);
  if (record === null) throw new OperatorError(`unknown index \`${indexId}\`; \`npx itemtape index list\` lists them`);
  return record;
}

function nearAsks(database: Database, { provider }: Definition, day: number): NearAsks {
  const store = new DailyPriceWriter(database, day);
  const span = { side: "ask", provider, from: day - nearDays, to: day + nearDays } as const;
  return (itemId) => store.amountsWithin({ itemId, ...span });
}

/** Rejects days far in the future. A mistyped year would lock the members, because only a later version can replace a version. */
function refuseFarDays({ indexId, baseDay, effectiveDay }: Definition, at: number): void {
  const last = dayOf(at) + daysAheadMax;
  for (const [name, day] of [["base_date", baseDay] as const, ["effective_on", effectiveDay] as const]) {
    if (day !== null && (day < 0 || day > last))
      throw new OperatorError(`index ${indexId}: ${name} must be between ${dayText(0)} and ${dayText(last)}`);
  }
}

function readBefore(rows: IndexWriter, indexId: string): Before {
  const memberships = rows.memberships(indexId);
  const membershipVersion = memberships.at(-1)?.membershipVersion ?? 0;
  return { record: rows.index(indexId), memberships, members: rows.members({ indexId, membershipVersion }) };
}

function recordOf(definition: Definition, before: IndexRecord | null, at: number): IndexRecord {
  const { indexId, name, description, provider, weighting, baseDay, baseValue, methodologyVersion } = definition;
  const defined = { indexId, name, description, provider, weighting, baseDay, baseValue, methodologyVersion };
  if (before === null) return { ...defined, active: definition.active ?? true, definedAt: at, calculatedAt: null };
  const moved = fixed.filter(([field]) => defined[field] !== before[field]).map(([, name]) => name);
  if (moved.length > 0) {
    throw new OperatorError(
      `index ${indexId}: ${moved.join(", ")} cannot change once an index is defined; give the new one a new index_id`,
    );
  }
  return { ...before, ...defined, active: definition.active ?? before.active };
}

/**
 * Returns the first day of the defined members, in days since 1970.
 * @throws {OperatorError} when that day would change past levels.
 */
function effectiveDayOf(rows: IndexWriter, definition: Definition, last: Membership | undefined, at: number): number {
  const { indexId, baseDay, effectiveDay } = definition;
  const refuse = (why: string) => new OperatorError(`index ${indexId}: effective_on ${why}`);
  if (last === undefined) {
    if (effectiveDay === null || effectiveDay === baseDay) return baseDay;
    throw refuse(`of the first members must be base_date, ${dayText(baseDay)}; leave it out`);
  }
  const day = effectiveDay ?? dayOf(at);
  const lastLevel = rows.lastLevelDay(indexId);
  if (lastLevel !== null && day <= lastLevel) throw refuse(backwards(lastLevel));
  if (day <= last.effectiveDay) {
    const since = `version ${last.membershipVersion} of the members is effective`;
    throw refuse(`must be after ${dayText(last.effectiveDay)}, when ${since}`);
  }
  return day;
}

function backwards(lastLevel: number): string {
  return `must be after ${dayText(lastLevel)}, the day of the last stored level; members never change backwards`;
}

function sameMembers(before: readonly MemberRecord[], { members }: Definition): boolean {
  return (
    before.length === members.length &&
    before.every(({ itemId, units }, index) => itemId === members[index]?.itemId && units === members[index]?.units)
  );
}

function versioned(
  { members }: Definition,
  before: readonly MemberRecord[],
  effectiveDay: number,
): readonly MemberRecord[] {
  const since = new Map(before.map(({ itemId, addedDay }) => [itemId, addedDay]));
  return members.map(({ itemId, units }) => ({ itemId, units, addedDay: since.get(itemId) ?? effectiveDay }));
}

function outcomeOf(before: Before, { record, membershipVersion, effectiveDay, members }: Next, isSame: boolean) {
  const previous = before.record;
  const old = new Set(before.members.map(({ itemId }) => itemId));
  const added = members.filter(({ itemId }) => !old.has(itemId)).length;
  const changed =
    previous === null ? [] : changeable.filter(([field]) => record[field] !== previous[field]).map(([, name]) => name);
  const outcome = previous === null ? "created" : isSame && changed.length === 0 ? "unchanged" : "changed";
  const dropped = old.size - (members.length - added);
  const counts = { members: members.length, added, dropped };
  return { indexId: record.indexId, outcome, membershipVersion, effectiveDay, ...counts, changed } satisfies Omit<
    Defined,
    "findings"
  >;
}

/** Writes the members under a version that is not in force yet. Readers ignore it until activation. */
function* stage(
  database: Database,
  rows: IndexWriter,
  indexId: string,
  { membershipVersion, members }: VersionedMembers,
  clock: Clock,
): Generator<BatchStats> {
  const orphans = rows.orphanMembers({ indexId, membershipVersion: membershipVersion - 1 });
  yield* inShortTransactions(database, clock, orphans, (key) => rows.removeMember(key));
  yield* inShortTransactions(database, clock, members, (member) =>
    rows.stageMember({ indexId, membershipVersion, ...member }),
  );
}

/** Activates all changes in one transaction. Fails if another command changed the index meanwhile. */
function activate(
  database: Database,
  rows: IndexWriter,
  before: Before,
  { record, membershipVersion, effectiveDay, members }: Next,
  { isSame, at, clock }: { isSame: boolean; at: number; clock: Clock },
): BatchStats {
  const { indexId } = record;
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    const now = rows.index(indexId);
    const staged = rows.stagedMembers({ indexId, membershipVersion });
    const isUntouched =
      changeable.every(([field]) => now?.[field] === before.record?.[field]) &&
      rows.lastVersion(indexId) === (before.memberships.at(-1)?.membershipVersion ?? 0) &&
      staged.length === members.length &&
      staged.every(([itemId, units], index) => itemId === members[index]?.itemId && units === members[index]?.units);
    if (!isUntouched) {
      throw new OperatorError(`index ${indexId}: another command changed it meanwhile; try again`, exitCodes.temporary);
    }
    const lastLevel = isSame ? null : rows.lastLevelDay(indexId);
    if (lastLevel !== null && effectiveDay <= lastLevel) {
      throw new OperatorError(`index ${indexId}: effective_on ${backwards(lastLevel)}`);
    }
    rows.putIndex(record);
    if (!isSame) rows.putMembership({ indexId, membershipVersion, effectiveDay, recordedAt: at });
  });
  return { rows: 1, lockHeldMs: clock.monotonicMs() - startedMs };
}
