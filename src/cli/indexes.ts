import { readFeedFile } from "../import/feed-file.ts";
import { importing } from "../import/run-import.ts";
import { type Calculation, calculateIndexInBatches } from "../jobs/indexes/calculate.ts";
import { type Defined, defineIndexInBatches, retireIndex } from "../jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../jobs/indexes/definition.ts";
import { closeDatabase, type Database, openReader } from "../store/database.ts";
import { databasePath, refuseUnlessOurs } from "../store/file.ts";
import { IndexesStore, type IndexRow } from "../store/indexes.ts";
import { type BatchStats, runBatches } from "../store/write/batches.ts";
import { dayOf, dayText } from "../values/calendar.ts";
import { systemClock, toTimestampOrNull } from "../values/clock.ts";
import { progressOn } from "../values/progress.ts";
import { type Call, existingFile } from "./command.ts";
import { withDatabase } from "./open.ts";
import { printJson, printTable } from "./print.ts";

const listMax = 10_000;

/** Reads the definition that the call names and makes it true. */
export async function define(call: Call): Promise<number> {
  const body = await readFeedFile(existingFile(call.operands[0]!));
  const defined = await paused(call, (database) =>
    defineIndexInBatches(database, readDefinition(body, definitionLookup(database)), { clock: systemClock }),
  );
  if (call.has("json")) printJson(call, definedJson(defined));
  else for (const line of definedText(defined)) call.out.line(line);
  return 0;
}

/** Appends levels and prints the result of each index. */
export async function calculate(call: Call): Promise<number> {
  const only = call.flag("only");
  const progress = progressOn(process.stderr, systemClock);
  const today = dayOf(systemClock.now());
  const parts = { clock: systemClock, progress };
  const calculations = await paused(call, (database) =>
    calculateIndexInBatches(database, today, parts, only === undefined ? undefined : [only]),
  ).finally(() => progress.end());
  if (call.has("json")) printJson(call, calculations.map(calculationJson));
  else if (calculations.length === 0) call.out.line("no active index; `itemtape index define` makes one");
  else for (const calculation of calculations) for (const line of calculationText(calculation)) call.out.line(line);
  return 0;
}

/** Runs `indexes retire`: no further levels are calculated. */
export function retire(call: Call): number {
  const indexId = call.operands[0]!;
  const { wasActive } = withDatabase(call, (database) => retireIndex(database, indexId));
  if (call.has("json")) printJson(call, { index_id: indexId, active: false, changed: wasActive });
  else call.out.line(wasActive ? `${indexId} is retired; its levels stay readable` : `${indexId} was retired before`);
  return 0;
}

/** Runs `indexes list`: prints a line for each index. */
export function list(call: Call): number {
  const path = databasePath(call.config.db);
  refuseUnlessOurs(path);
  const database = openReader(path);
  try {
    const rows = new IndexesStore(database).page("", listMax, dayOf(systemClock.now()));
    if (call.has("json")) printJson(call, rows.map(indexJson));
    else printTable(call, ["INDEX", "STATE", "WEIGHTING", "PROVIDER", "MEMBERS", "DAY", "VALUE"], rows.map(columnsOf));
    return 0;
  } finally {
    closeDatabase(database);
  }
}

/** Runs batches on the call's file, so that a server's charges get in between. */
async function paused<T>(call: Call, begin: (database: Database) => Generator<BatchStats, T>): Promise<T> {
  const { value } = await importing(databasePath(call.config.db), (database) => runBatches(begin(database)));
  return value;
}

function definedText({ indexId, outcome, members, ...defined }: Defined): string[] {
  const { membershipVersion, effectiveDay, added, dropped, changed } = defined;
  const moved = `${added} added, ${dropped} dropped`;
  return [
    `${indexId} ${outcome}`,
    `  members  ${members} in version ${membershipVersion}, from ${dayText(effectiveDay)} on (${moved})`,
    ...(changed.length > 0 ? [`  changed  ${changed.join(", ")}`] : []),
  ];
}

function definedJson({ indexId, outcome, membershipVersion, effectiveDay, ...counts }: Defined) {
  return {
    index_id: indexId,
    outcome,
    membership_version: membershipVersion,
    effective_on: dayText(effectiveDay),
    ...counts,
  };
}

function calculationText(calculation: Calculation): string[] {
  const { indexId, appended, withoutValue, firstDay, lastDay, baseCarriedOn, waitsFor, waitsForLink } = calculation;
  const window = firstDay === null || lastDay === null ? "" : `, ${dayText(firstDay)} to ${dayText(lastDay)}`;
  return [
    `${indexId}: ${appended} levels appended${window}${withoutValue > 0 ? `, ${withoutValue} of them without a value` : ""}`,
    ...(baseCarriedOn === null ? [] : [`  base     ${dayText(baseCarriedOn)} carries the base value`]),
    ...(waitsFor === null
      ? []
      : [`  waits    for the daily prices of ${dayText(waitsFor)}, which the next import or the mirror derives`]),
    ...(waitsForLink === null ? [] : linkText(waitsForLink)),
  ];
}

function linkText({ since, lastValueDay }: NonNullable<Calculation["waitsForLink"]>): string[] {
  const last = dayText(lastValueDay);
  return [
    `  waits    for a link since ${dayText(since)}: too few members have an ask then and on ${last}, the last day with a value`,
    `  fix      \`itemtape index define\` with members of which half and more have asks on ${last} and now; if there are none, retire the index and define a new one`,
  ];
}

function calculationJson(calculation: Calculation) {
  const { indexId, methodologyVersion, appended, withoutValue, firstDay, lastDay, baseCarriedOn } = calculation;
  const { waitsFor, waitsForLink: link } = calculation;
  return {
    index_id: indexId,
    methodology_version: methodologyVersion,
    appended,
    without_value: withoutValue,
    from: textOrNull(firstDay),
    to: textOrNull(lastDay),
    base_carried_on: textOrNull(baseCarriedOn),
    waits_for: textOrNull(waitsFor),
    waits_for_link: link === null ? null : { since: dayText(link.since), last_value_on: dayText(link.lastValueDay) },
  };
}

function indexJson(row: IndexRow) {
  return {
    index_id: row.indexId,
    name: row.name,
    provider: row.provider,
    weighting: row.weighting,
    base_date: dayText(row.baseDay),
    base_value: row.baseValue,
    methodology_version: row.methodologyVersion,
    membership_version: row.membershipVersion,
    constituent_count: row.constituentCount,
    active: row.active,
    calculated_at: toTimestampOrNull(row.calculatedAt),
    date: textOrNull(row.latest?.day ?? null),
    value: row.latest?.value ?? null,
    coverage_pct: row.latest?.coveragePct ?? null,
  };
}

function columnsOf({ indexId, active, weighting, provider, constituentCount, latest }: IndexRow): string[] {
  const day = textOrNull(latest?.day ?? null) ?? "-";
  const state = active ? "active" : "retired";
  return [indexId, state, weighting, provider, String(constituentCount), day, latest?.value ?? "-"];
}

function textOrNull(day: number | null): string | null {
  return day === null ? null : dayText(day);
}
