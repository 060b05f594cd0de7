import { cs2LibPackage } from "../../import/catalog/read-source.ts";
import { completionsFile, poolCompletions } from "../../import/pool-completions.ts";
import { readCsgoApiPools } from "../../import/pools/csgo-api-pools.ts";
import { type Comparison, type DraftReport, draftPoolInBatches } from "../../import/pools/draft.ts";
import { type PublishOutcome, publishPoolInBatches } from "../../import/pools/publish.ts";
import { type PoolAdapter, readPoolFiles } from "../../import/pools/read-files.ts";
import { retirePool } from "../../import/pools/retire.ts";
import { importing } from "../../import/run-import.ts";
import type { Database } from "../../store/database.ts";
import { databasePath } from "../../store/file/file.ts";
import { type BatchStats, runBatches } from "../../store/write/batches.ts";
import { PoolWriter } from "../../store/write/openables.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { progressOn } from "../../values/progress.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import { systemClock } from "../../values/time/clock.ts";
import { type Call, existing, usageError } from "../command.ts";
import { printJson } from "../print.ts";

/** Keeps the pools of what the call names as drafts. */
export async function draft(call: Call, adapter: PoolAdapter): Promise<number> {
  const english = call.flag("english");
  const operand = call.operands[0]!;
  const path = adapter === "cs2-lib" && operand === cs2LibPackage ? operand : existing(operand);
  const names = english === undefined ? null : existing(english);
  const { drafts, omitted } = await readSource(adapter, path, names);
  const report = await paused(call, (database, progress) => {
    // An item list names many things that a catalog may lack; whoever writes a definition means what it says.
    const parts = { clock: systemClock, progress };
    return draftPoolInBatches(
      database,
      drafts,
      adapter === "pool"
        ? { ...parts, unknown: "refuse" }
        : { ...parts, unknown: "block", completions: poolCompletions() },
    );
  });
  if (call.has("json")) printJson(call, draftJson(report, omitted));
  else for (const line of draftText(report, omitted)) call.out.line(line);
  return exitCodes.ok;
}

/** Reads what PATH names. `omitted`: names of containers that the adapter does not read. */
async function readSource(adapter: PoolAdapter, path: string, english: string | null) {
  if (adapter !== "csgo-api")
    return { drafts: await readPoolFiles(adapter, path, english, process.cwd()), omitted: [] };
  if (english !== null) throw usageError("--english: the lists of csgo-api hold their own names");
  return readCsgoApiPools(path);
}

/** Publishes what the call names. A named pool that is blocked is a failure; one of `--all` is a line of the report. */
export async function publish(call: Call): Promise<number> {
  const all = call.has("all");
  if (all === call.operands.length > 0) throw usageError("name the containers to publish, or give --all");
  const named = [...new Set(call.operands)];
  let retired: string[] = [];
  const outcomes = await paused(call, (database, progress) => {
    const drafted = new PoolWriter(database).draftedSlugs();
    if (all) retired = drafted.retired;
    return publishPoolInBatches(database, all ? drafted.open : named, { clock: systemClock, progress });
  });
  if (call.has("json")) printJson(call, { pools: outcomes.map(outcomeJson), retired_with_draft: retired });
  else for (const line of publishText(outcomes, retired, all)) call.out.line(line);
  const isBlocked = outcomes.some(({ outcome }) => outcome === "blocked");
  return isBlocked && !all ? exitCodes.badData : exitCodes.ok;
}

/** Runs `openables retire`: the container is calculated no more. */
export async function retire(call: Call): Promise<number> {
  const slug = call.operands[0]!;
  const on = call.flag("on");
  const day = on === undefined ? undefined : parseDay(on);
  if (day === null) throw usageError(`--on: takes a day such as 2026-01-31, not \`${on}\``);
  const { wasActive, retiredDay } = await importing(databasePath(call.config.db), (database) =>
    retirePool(database, slug, day === undefined ? { clock: systemClock } : { clock: systemClock, day }),
  );
  const since = retiredDay === null ? null : dayText(retiredDay);
  if (call.has("json")) printJson(call, { slug, active: false, retired_on: since, changed: wasActive });
  else if (wasActive) call.out.line(`${slug} is retired since ${since}; it stays readable`);
  else call.out.line(`${slug} was retired before, since ${since ?? "an unknown day"}`);
  return exitCodes.ok;
}

/** Runs batches on the call's file with a progress bar, so that a server's charges get in between. */
async function paused<T>(
  call: Call,
  begin: (database: Database, progress: ReturnType<typeof progressOn>) => Generator<BatchStats, T>,
): Promise<T> {
  const progress = progressOn(process.stderr, systemClock);
  try {
    const work = (database: Database) => runBatches(begin(database, progress));
    return (await importing(databasePath(call.config.db), work)).value;
  } finally {
    progress.end();
  }
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
    ...(withoutContainer.length === 0
      ? []
      : [
          `  left out  ${withoutContainer.length} whose container is not in the catalog: ${withoutContainer.join("; ")}`,
        ]),
    ...(omitted.length === 0
      ? []
      : [
          `  omitted   ${omitted.length} of which the source does not say whether they need a key: ${nameList(omitted)}`,
        ]),
    ...(completed.length === 0 ? [] : [`  completed ${completed.length} from ${completionsFile}`]),
    ...completed.map(({ slug, added }) => `              ${slug}: ${added.length} added: ${nameList(added)}`),
    ...comparisonText(comparisons),
  ];
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
  const kinds = countBy(blocked.flatMap(({ reasons }) => [...new Set(reasons.map(({ kind }) => kind))]));
  return [
    ...(all ? [`${outcomes.length} pools${counts.length > 0 ? `: ${counts.join(", ")}` : " have a draft"}`] : []),
    ...(all ? [] : outcomes.filter((one) => one.outcome !== "blocked").map(publishedText)),
    ...(all ? kinds.map(([kind, pools]) => `  blocked  ${pools} by ${kind}`) : []),
    ...blocked.flatMap(({ slug, reasons }) =>
      reasons.map(({ kind, reason }) => `${slug} is blocked: ${reason} (${kind})`),
    ),
    ...(retired.length === 0 ? [] : [`  retired  ${retired.join(", ")}: name them to publish them again`]),
  ];
}

function publishedText({ slug, outcome, revisionNumber, revisionId, outcomeCount }: PublishOutcome): string {
  return `${slug} ${outcome}: revision ${revisionNumber} (${revisionId}), ${outcomeCount} outcomes`;
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
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts];
}
