import { findingText, verdictWords } from "../import/guards/findings.ts";
import type { Calculation, Correction } from "../jobs/indexes/calculate.ts";
import type { Defined } from "../jobs/indexes/define.ts";
import type { Deviation } from "../jobs/indexes/deviation.ts";
import type { IndexRow } from "../store/read/indexes.ts";
import { displayText } from "../values/text/display-text.ts";
import { dayOf, dayText, dayTextOrNull, parseDay } from "../values/time/calendar.ts";
import { systemClock, toTimestampOrNull } from "../values/time/clock.ts";
import { type Call, commandsOf, existingFile, fileSettings, json, usageError } from "./command.ts";
import { acceptFlag, guardsIn } from "./guards.ts";
import { inBatches, ownFile, reading, withDatabase, withProgress } from "./open.ts";
import { printList, printResult } from "./print.ts";

const listMax = 10_000;
const correctedShownMax = 20;

export const indexCommands = commandsOf(fileSettings, [
  {
    usage: "index define FILE",
    flags: { "accept GUARD,GUARD": acceptFlag, json },
    description: "make or update a price index",
    example: "index define knives.json",
    run: define,
  },
  {
    usage: "index calculate",
    flags: {
      "only INDEX": "calculate this index only",
      "from DAY": "calculate levels again from this day",
      json,
    },
    description: "add and correct the levels of active indexes",
    example: "index calculate --only knives --from 2026-01-31",
    run: calculate,
  },
  {
    usage: "index retire INDEX",
    flags: { json },
    description: "stop calculating an index",
    example: "index retire knives",
    run: retire,
  },
  {
    usage: "index list",
    flags: { json },
    description: "list indexes with their latest level",
    example: "index list",
    run: list,
  },
]);

async function define(call: Call): Promise<void> {
  const { readFeedFile } = await import("../import/feed-file.ts");
  const { defineIndexInBatches } = await import("../jobs/indexes/define.ts");
  const { definitionLookup, readDefinition } = await import("../jobs/indexes/definition.ts");
  const { memberGuardNames } = await import("../jobs/indexes/guard-members.ts");
  const body = await readFeedFile(existingFile(call.operands[0]!));
  const accepted = guardsIn(call, memberGuardNames);
  const defined = await inBatches(call, (database) =>
    defineIndexInBatches(database, readDefinition(body, definitionLookup(database)), { clock: systemClock, accepted }),
  );
  printResult(call, definedJson(defined), definedText(defined));
}

async function calculate(call: Call): Promise<void> {
  const { calculateIndexInBatches } = await import("../jobs/indexes/calculate.ts");
  const only = call.flag("only");
  const order = { only: only === undefined ? undefined : [only], from: firstDayOf(call.flag("from")) };
  const today = dayOf(systemClock.now());
  const calculations = await withProgress((progress) =>
    inBatches(call, (database) => calculateIndexInBatches(database, today, { clock: systemClock, progress }, order)),
  );
  const lines = calculations.flatMap(calculationText);
  const none = ["no active index; `npx itemtape index define` makes one"];
  printResult(call, calculations.map(calculationJson), calculations.length === 0 ? none : lines);
}

function firstDayOf(date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const day = parseDay(date);
  if (day === null) throw usageError(`--from: must be a day such as 2026-01-31, not \`${displayText(date)}\``);
  return day;
}

async function retire(call: Call): Promise<void> {
  const { retireIndex } = await import("../jobs/indexes/define.ts");
  const indexId = call.operands[0]!;
  const { wasActive } = await withDatabase(call, (database) => retireIndex(database, indexId));
  const text = wasActive ? `${indexId} is retired; its levels stay readable` : `${indexId} was retired before`;
  printResult(call, { index_id: indexId, active: false, changed: wasActive }, [text]);
}

async function list(call: Call): Promise<void> {
  const { IndexesStore } = await import("../store/read/indexes.ts");
  const today = dayOf(systemClock.now());
  const found = await reading(await ownFile(call), (database) => new IndexesStore(database).page("", listMax, today));
  const head = ["INDEX", "STATE", "WEIGHTING", "PROVIDER", "MEMBERS", "DAY", "VALUE"];
  const rows = found.map(({ indexId, active, weighting, provider, constituentCount, latest }) => {
    const day = latest === null ? "-" : dayText(latest.day);
    const state = active ? "active" : "retired";
    return [indexId, state, weighting, provider, String(constituentCount), day, latest?.value ?? "-"];
  });
  printList(call, found.map(indexJson), head, rows);
}

function definedText({ indexId, outcome, members, ...defined }: Defined): string[] {
  const { membershipVersion, effectiveDay, added, dropped, changed, findings } = defined;
  const moved = `${added} added, ${dropped} dropped`;
  return [
    `${indexId} ${outcome}`,
    `  members  ${members} in version ${membershipVersion}, from ${dayText(effectiveDay)} on (${moved})`,
    ...(changed.length > 0 ? [`  changed  ${changed.join(", ")}`] : []),
    ...findings.map((finding) => `  ${verdictWords[finding.verdict].padEnd(8)} ${findingText(finding)}`),
  ];
}

function definedJson({ indexId, outcome, membershipVersion, effectiveDay, findings, ...counts }: Defined) {
  return {
    index_id: indexId,
    outcome,
    membership_version: membershipVersion,
    effective_on: dayText(effectiveDay),
    ...counts,
    guards: findings,
  };
}

function calculationText(calculation: Calculation): string[] {
  const { indexId, appended, withoutValue, firstDay, lastDay, baseCarriedOn, waitsFor, waitsForLink } = calculation;
  const window = firstDay === null || lastDay === null ? "" : `, ${dayText(firstDay)} to ${dayText(lastDay)}`;
  return [
    `${indexId}: ${appended} levels appended${window}${withoutValue > 0 ? `, ${withoutValue} of them without a value` : ""}`,
    ...correctedText(calculation.corrected),
    ...(calculation.deviation === null ? [] : deviationText(indexId, calculation.deviation)),
    ...(baseCarriedOn === null ? [] : [`  base     ${dayText(baseCarriedOn)} carries the base value`]),
    ...(waitsFor === null
      ? []
      : [`  waits    for the daily prices of ${dayText(waitsFor)}, which the next import or the mirror derives`]),
    ...(waitsForLink === null ? [] : linkText(waitsForLink)),
  ];
}

function correctedText(corrected: readonly Correction[]): string[] {
  if (corrected.length === 0) return [];
  const more = corrected.length - correctedShownMax;
  return [
    `  prices   changed: ${corrected.length} levels have a new revision, the earlier ones are kept`,
    ...corrected
      .slice(0, correctedShownMax)
      .map(({ day, before, after }) => `  level    ${dayText(day)}  ${before ?? "no value"} -> ${after ?? "no value"}`),
    ...(more > 0 ? [`  level    and ${more} more; \`--json\` lists all`] : []),
  ];
}

function deviationText(indexId: string, { since, day, stored, found }: Deviation): string[] {
  const values = `${stored ?? "no value"} on ${dayText(day)}, and the stored prices give ${found ?? "no value"}`;
  return [
    `  differs  since ${dayText(since)}: an earlier release calculated ${values}`,
    `  fix      \`npx itemtape index calculate --only ${indexId} --from ${dayText(since)}\` calculates these levels again`,
  ];
}

function linkText({ since, lastValueDay }: NonNullable<Calculation["waitsForLink"]>): string[] {
  const last = dayText(lastValueDay);
  return [
    `  waits    for a link since ${dayText(since)}: too few members have an ask then and on ${last}, the last day with a value`,
    `  fix      \`npx itemtape index define\` with members; at least half must have asks on ${last} and now. If that fails, retire the index and define a new one`,
  ];
}

function calculationJson(calculation: Calculation) {
  const { indexId, methodologyVersion, appended, withoutValue, firstDay, lastDay, baseCarriedOn } = calculation;
  const { corrected, deviation, waitsFor, waitsForLink: link } = calculation;
  return {
    index_id: indexId,
    methodology_version: methodologyVersion,
    appended,
    without_value: withoutValue,
    from: dayTextOrNull(firstDay),
    to: dayTextOrNull(lastDay),
    corrected: corrected.map(({ day, before, after }) => ({ date: dayText(day), before, after })),
    differs:
      deviation === null
        ? null
        : {
            since: dayText(deviation.since),
            date: dayText(deviation.day),
            stored: deviation.stored,
            found: deviation.found,
          },
    base_carried_on: dayTextOrNull(baseCarriedOn),
    waits_for: dayTextOrNull(waitsFor),
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
    date: dayTextOrNull(row.latest?.day ?? null),
    value: row.latest?.value ?? null,
    coverage_pct: row.latest?.coveragePct ?? null,
  };
}
