import type { Calculation } from "../jobs/indexes/calculate.ts";
import type { Defined } from "../jobs/indexes/define.ts";
import type { Database } from "../store/database.ts";
import type { IndexRow } from "../store/read/indexes.ts";
import type { BatchStats } from "../store/write/batches.ts";
import { progressOn } from "../values/progress.ts";
import { dayOf, dayText } from "../values/time/calendar.ts";
import { systemClock, toTimestampOrNull } from "../values/time/clock.ts";
import { type Call, commandsOf, existingFile, fileSettings, json } from "./command.ts";
import { ownFile, reading, withDatabase } from "./open.ts";
import { printJson, printTable } from "./print.ts";

const listMax = 10_000;

/** The commands of `index`. */
export const indexCommands = commandsOf(fileSettings, [
  {
    name: "index define",
    operands: ["FILE"],
    flags: { json },
    description: "make a price index from a definition, or update a known one",
    examples: [["index define knives.json", "make the index that the file defines"]],
    run: define,
  },
  {
    name: "index calculate",
    flags: { only: { value: "INDEX", description: "calculate this index only" }, json },
    description: "append the levels of all complete days to the active indexes; stored levels never change",
    examples: [["index calculate", "append the levels of the days that are complete"]],
    run: calculate,
  },
  {
    name: "index retire",
    operands: ["INDEX"],
    flags: { json },
    description: "calculate no further levels of an index; its history stays",
    examples: [["index retire knives", "calculate no further levels"]],
    run: retire,
  },
  {
    name: "index list",
    flags: { json },
    description: "list the indexes with their latest level",
    examples: [["index list", "each index with its latest level"]],
    run: list,
  },
]);

/** Reads the definition that the call names and makes it true. */
async function define(call: Call): Promise<number> {
  const { readFeedFile } = await import("../import/feed-file.ts");
  const { defineIndexInBatches } = await import("../jobs/indexes/define.ts");
  const { definitionLookup, readDefinition } = await import("../jobs/indexes/definition.ts");
  const body = await readFeedFile(existingFile(call.operands[0]!));
  const defined = await paused(call, (database) =>
    defineIndexInBatches(database, readDefinition(body, definitionLookup(database)), { clock: systemClock }),
  );
  if (call.has("json")) printJson(call, definedJson(defined));
  else for (const line of definedText(defined)) call.out.line(line);
  return 0;
}

/** Appends levels and prints the result of each index. */
async function calculate(call: Call): Promise<number> {
  const { calculateIndexInBatches } = await import("../jobs/indexes/calculate.ts");
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

async function retire(call: Call): Promise<number> {
  const { retireIndex } = await import("../jobs/indexes/define.ts");
  const indexId = call.operands[0]!;
  const { wasActive } = await withDatabase(call, (database) => retireIndex(database, indexId));
  if (call.has("json")) printJson(call, { index_id: indexId, active: false, changed: wasActive });
  else call.out.line(wasActive ? `${indexId} is retired; its levels stay readable` : `${indexId} was retired before`);
  return 0;
}

async function list(call: Call): Promise<number> {
  const { IndexesStore } = await import("../store/read/indexes.ts");
  const today = dayOf(systemClock.now());
  const rows = await reading(await ownFile(call), (database) => new IndexesStore(database).page("", listMax, today));
  if (call.has("json")) printJson(call, rows.map(indexJson));
  else printTable(call, ["INDEX", "STATE", "WEIGHTING", "PROVIDER", "MEMBERS", "DAY", "VALUE"], rows.map(columnsOf));
  return 0;
}

/** Runs batches on the call's file, so that a server's charges get in between. */
async function paused<T>(call: Call, begin: (database: Database) => Generator<BatchStats, T>): Promise<T> {
  const { importing } = await import("../import/run-import.ts");
  const { databasePath } = await import("../store/file/file.ts");
  const { runBatches } = await import("../store/write/batches.ts");
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
