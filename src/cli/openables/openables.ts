import { SourceTally, skipLines } from "../../import/catalog/source-tally.ts";
import { completionsFile, poolCompletions } from "../../import/pool-completions.ts";
import { readCsgoApiPools } from "../../import/pools/csgo-api-pools.ts";
import { type Comparison, type DraftReport, draftPoolInBatches } from "../../import/pools/draft.ts";
import { type PublishOutcome, publishPoolInBatches } from "../../import/pools/publish.ts";
import { blockedByReason, publishDraftedInBatches } from "../../import/pools/publish-all.ts";
import { namedLists, type PoolAdapter, readPoolFiles } from "../../import/pools/read-files.ts";
import { retirePool } from "../../import/pools/retire.ts";
import { importing } from "../../import/run-import.ts";
import { databasePath } from "../../store/file/file.ts";
import type { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { PoolWriter } from "../../store/write/openables.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { plural } from "../../values/text/counted.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayTextOrNull, parseDay } from "../../values/time/calendar.ts";
import { systemClock } from "../../values/time/clock.ts";
import { adapterOf, type Call, existing, usageError } from "../command.ts";
import { inBatches, withProgress } from "../open.ts";
import { printResult } from "../print.ts";

/** Stores the pools of the given sources as drafts, and publishes them with `--publish`. */
export async function draft(call: Call, adapters: readonly PoolAdapter[]): Promise<void> {
  const isNamed = call.flag("adapter") === undefined && call.operands.every((operand) => namedLists.has(operand));
  const adapter = isNamed ? "cs2-lib" : adapterOf(call, adapters);
  const { drafts, omitted, tally } = await readSources(call, adapter);
  // A definition with an unknown item is refused, because its author means each item. An item list may contain items that the catalog
  // lacks.
  const unknown =
    adapter === "pool"
      ? ({ unknown: "refuse" } as const)
      : ({ unknown: "block", completions: poolCompletions() } as const);
  const report = await withProgress((progress) =>
    inBatches(call, (database) => draftPoolInBatches(database, drafts, { clock: systemClock, progress, ...unknown })),
  );
  const record = { ...draftJson(report, omitted), skipped: tally.skips };
  const lines = [...draftText(report, omitted), ...skipLines(tally.skips)];
  if (!call.has("publish")) return printResult(call, record, lines);
  const { outcomes, retired } = await withProgress((progress) =>
    inBatches(call, (database) => publishDraftedInBatches(database, report, { clock: systemClock, progress })),
  );
  printResult(call, { ...record, published: publishJson(outcomes, retired) }, [
    ...lines,
    ...publishText(outcomes, retired, true),
  ]);
}

/** Reads the pools of all operands. */
async function readSources(call: Call, adapter: PoolAdapter) {
  const english = call.flag("english");
  const names = english === undefined ? null : existing(english);
  const tally = new SourceTally();
  const sources: Awaited<ReturnType<typeof readSource>>[] = [];
  for (const operand of call.operands) {
    const path = adapter === "cs2-lib" && namedLists.has(operand) ? operand : existing(operand);
    sources.push(await readSource(adapter, path, names, tally));
  }
  const drafts = (catalog: PoolCatalog) =>
    sources.flatMap(({ drafts }) => (typeof drafts === "function" ? drafts(catalog) : drafts));
  return { drafts, omitted: sources.flatMap((source) => source.omitted), tally };
}

/** Reads the lists of one path. `omitted`: names of unsupported containers. `tally` counts faulty rows and containers. */
async function readSource(adapter: PoolAdapter, path: string, english: string | null, tally: SourceTally) {
  if (adapter !== "csgo-api")
    return { drafts: await readPoolFiles(adapter, path, english, process.cwd(), tally), omitted: [] };
  if (english !== null) throw usageError("--english: the lists of csgo-api have their own names");
  return readCsgoApiPools(path, tally);
}

/** Publishes the pools of the call. A blocked pool is a failure if named, and a line of the report with `--all`. */
export async function publish(call: Call): Promise<number> {
  const all = call.has("all");
  if (all === call.operands.length > 0) throw usageError("name the containers to publish, or give --all");
  const named = [...new Set(call.operands)];
  let retired: string[] = [];
  const outcomes = await withProgress((progress) =>
    inBatches(call, (database) => {
      const drafted = new PoolWriter(database).draftedSlugs();
      if (all) retired = drafted.retired;
      return publishPoolInBatches(database, all ? drafted.open : named, { clock: systemClock, progress });
    }),
  );
  printResult(call, publishJson(outcomes, retired), publishText(outcomes, retired, all));
  const isBlocked = outcomes.some(({ outcome }) => outcome === "blocked");
  return isBlocked && !all ? exitCodes.badData : exitCodes.ok;
}

/** Runs `openables retire`: ends the calculation of the container. */
export async function retire(call: Call): Promise<void> {
  const slug = call.operands[0]!;
  const on = call.flag("on");
  const day = on === undefined ? undefined : parseDay(on);
  if (day === null) throw usageError(`--on: must be a day such as 2026-01-31, not \`${on}\``);
  const { wasActive, retiredDay } = await importing(databasePath(call.config.db), (database) =>
    retirePool(database, slug, { clock: systemClock, ...(day !== undefined && { day }) }),
  );
  const since = dayTextOrNull(retiredDay);
  printResult(call, { slug, active: false, retired_on: since, changed: wasActive }, [
    wasActive
      ? `${slug} is retired since ${since}; it stays readable`
      : `${slug} was retired before, since ${since ?? "an unknown day"}`,
  ]);
}

function draftText(
  { drafted, withoutContainer, completed, comparisons }: DraftReport,
  omitted: readonly string[],
): string[] {
  const count = (outcome: string) => drafted.filter((pool) => pool.outcome === outcome).length;
  const types = countBy(drafted.map(({ type }) => type));
  return [
    `${drafted.length} pools: ${count("new")} new, ${count("changed")} changed, ${count("unchanged")} unchanged`,
    `  types     ${types.map(([type, pools]) => `${type} ${pools}`).join(", ")}`,
    ...lineIfAny("left out ", withoutContainer, `container not in the catalog: ${withoutContainer.join("; ")}`),
    ...lineIfAny("omitted  ", omitted, `incomplete in the source: ${nameList(omitted)}`),
    ...lineIfAny("completed", completed, `from ${completionsFile}`),
    ...completed.map(({ slug, added }) => `              ${slug}: ${added.length} added: ${nameList(added)}`),
    ...comparisonText(comparisons),
  ];
}

function lineIfAny(title: string, list: readonly unknown[], text: string): string[] {
  return list.length === 0 ? [] : [`  ${title} ${list.length} ${text}`];
}

const namesShown = 6;

function nameList(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : "";
  return names.slice(0, namesShown).join(", ") + more;
}

function comparisonText(comparisons: readonly Comparison[]): string[] {
  const sources = [...new Set(comparisons.map(({ source }) => source))];
  const counts = sources.map((source) => {
    const compared = comparisons.filter((one) => one.source === source);
    const agreeing = compared.filter(({ differences }) => differences.length === 0).length;
    return `  compared  ${compared.length} with ${displayText(source)}: ${agreeing} agree, ${compared.length - agreeing} differ`;
  });
  const lines = comparisons.flatMap(({ slug, source, differences }) =>
    differences.map(({ tier, onlyHere, onlyThere }) => {
      const here = onlyHere.length === 0 ? [] : [`only in this source ${nameList(onlyHere)}`];
      const there = onlyThere.length === 0 ? [] : [`only in ${displayText(source)} ${nameList(onlyThere)}`];
      return `              ${slug} ${tier}: ${[...here, ...there].join("; ")}`;
    }),
  );
  return [...counts, ...lines];
}

function draftJson({ drafted, withoutContainer, completed, comparisons }: DraftReport, omitted: readonly string[]) {
  return {
    pools: drafted,
    without_container: withoutContainer,
    omitted,
    completed,
    compared: comparisons.map(({ slug, source, differences }) => {
      return {
        slug,
        source,
        differences: differences.map(({ tier, onlyHere, onlyThere }) => {
          return { tier, only_in_this_source: onlyHere, only_in_other: onlyThere };
        }),
      };
    }),
  };
}

function publishText(outcomes: readonly PublishOutcome[], retired: readonly string[], all: boolean): string[] {
  const counts = countBy(outcomes.map(({ outcome }) => outcome)).map(([outcome, pools]) => `${pools} ${outcome}`);
  const blocked = outcomes.filter(({ outcome }) => outcome === "blocked");
  const summary = `${outcomes.length} pools${counts.length > 0 ? `: ${counts.join(", ")}` : " have a draft"}`;
  const head = all
    ? [summary, ...blockedByReason(outcomes).map(([kind, pools]) => `  blocked  ${pools} by ${kind}`)]
    : outcomes.filter((one) => one.outcome !== "blocked").map(publishedText);
  return [
    ...head,
    ...blocked.flatMap(({ slug, reasons }) =>
      reasons.map(({ kind, reason }) => `${slug} is blocked: ${reason} (${kind})`),
    ),
    ...(retired.length === 0 ? [] : [`  retired  ${retired.join(", ")}: name them to publish them again`]),
  ];
}

function publishedText({ slug, outcome, revisionNumber, revisionId, outcomeCount }: PublishOutcome): string {
  return `${slug} ${outcome}: revision ${revisionNumber} (${revisionId}), ${plural(outcomeCount, "outcome")}`;
}

function publishJson(outcomes: readonly PublishOutcome[], retired: readonly string[]) {
  return { pools: outcomes.map(outcomeJson), retired_with_draft: retired };
}

function outcomeJson({ slug, outcome, revisionId, revisionNumber, outcomeCount, reasons }: PublishOutcome) {
  return {
    slug,
    outcome,
    revision_id: revisionId,
    revision_number: revisionNumber,
    outcome_count: outcomeCount,
    reasons: reasons.map(({ kind, reason }) => ({ kind, says: reason })),
  };
}

function countBy(words: readonly string[]): [word: string, count: number][] {
  return Array.from(
    Map.groupBy(words, (word) => word),
    ([word, same]) => [word, same.length],
  );
}
