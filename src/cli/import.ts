import { buildCatalog, type CatalogReport } from "../import/catalog/build-catalog.ts";
import { type CatalogImportReport, importCatalogFile } from "../import/catalog/catalog-import.ts";
import { readCatalogSources } from "../import/catalog/read-source.ts";
import type { DailyAdapterName } from "../import/daily/adapters.ts";
import { importDaily } from "../import/daily/daily-import.ts";
import { dailyReportJson, dailyReportText } from "../import/daily/report.ts";
import { guessAdapter } from "../import/guess-adapter.ts";
import { type AdapterName, mappedAdapter } from "../import/quotes/adapters.ts";
import type { GuardName } from "../import/quotes/guards.ts";
import { readMapping, readyMappings } from "../import/quotes/mapping.ts";
import { type ImportOptions, importQuotes } from "../import/quotes/quote-import.ts";
import { replayFrames } from "../import/quotes/replay.ts";
import { replayJson, replayText } from "../import/quotes/replay-report.ts";
import { reportJson, reportText } from "../import/quotes/report.ts";
import { importRates, type RateAdapterName } from "../import/rates/rate-import.ts";
import { rateReportJson, rateReportText } from "../import/rates/rate-report.ts";
import { databasePath } from "../store/file.ts";
import { systemClock } from "../values/clock.ts";
import { progressOn } from "../values/progress.ts";
import { adapterOf, type Call, existingFile, usageError } from "./command.ts";
import { guardsOf } from "./guards.ts";
import { printJson } from "./print.ts";

/** Reads the sources that the call names and brings the catalog to what they say. */
export async function importCatalog(call: Call): Promise<number> {
  const progress = progressOn(process.stderr, systemClock);
  progress.phase("reading");
  const documents = await readCatalogSources(call.operands, process.cwd());
  const { variants, report } = buildCatalog(documents, acceptsUnnamed(call));
  const done = await importCatalogFile(databasePath(call.config.db), variants, {
    clock: systemClock,
    progress,
    acceptShrink: call.has("accept-shrink"),
  });
  if (call.has("json")) printJson(call, { ...done, source: report });
  else for (const line of catalogText(done, report)) call.out.line(line);
  return 0;
}

/**
 * Imports the file that the call names and prints what came of it.
 * @throws {OperatorError} when the file is refused, or no adapter is named and its shape is not that of one.
 */
export async function importQuoteFile(
  call: Call,
  names: readonly (AdapterName | typeof mappedAdapter)[],
): Promise<number> {
  const isMapped = call.flag("adapter") === undefined && call.flag("mapping") !== undefined;
  const adapter = isMapped ? mappedAdapter : adapterFor(call, names, "quotes");
  if (adapter !== mappedAdapter && call.flag("mapping") !== undefined) {
    throw usageError(`--mapping: the adapter ${adapter} takes none; --adapter ${mappedAdapter} does`);
  }
  const common = { accepted: acceptedOf(call), dryRun: call.has("dry-run") };
  const options = { ...common, ...(adapter === mappedAdapter ? mappedBy(call) : { adapter }) };
  const parts = { clock: systemClock, progress: progressOn(process.stderr, systemClock) };
  const report = await importQuotes(databasePath(call.config.db), existingFile(call.operands[0]!), options, parts);
  call.out.line(call.has("json") ? reportJson(report) : reportText(report));
  return 0;
}

/** Returns the mapping that `--mapping` names, and the command that accepts a body in spite of guards. */
function mappedBy(call: Call): Pick<ImportOptions, "adapter" | "acceptCommand"> {
  const name = call.flag("mapping");
  if (name === undefined) {
    throw usageError(`--mapping is missing; name a file, or one of ${readyMappings().join(", ")}`);
  }
  const command = `itemtape import quotes FILE --adapter ${mappedAdapter} --mapping ${name}`;
  const acceptCommand = (guards: readonly GuardName[]) => `${command} --accept ${guards.join(",")}`;
  return { adapter: readMapping(name, process.cwd()), acceptCommand };
}

/** Replays the files that the call names and prints what came of it. */
export async function importFrameFiles(call: Call, names: readonly AdapterName[]): Promise<number> {
  const options = { adapter: adapterFor(call, names, "quotes"), accepted: acceptedOf(call) };
  const parts = { clock: systemClock, progress: progressOn(process.stderr, systemClock) };
  const report = await replayFrames(databasePath(call.config.db), call.operands.map(existingFile), options, parts);
  call.out.line(call.has("json") ? replayJson(report) : replayText(report));
  return 0;
}

/** Imports the files of daily history that the call names, one after the other, and prints a report of each. */
export async function importDailyFiles(call: Call, names: readonly DailyAdapterName[]): Promise<number> {
  const options = {
    adapter: adapterFor(call, names, "daily"),
    replace: call.has("replace"),
    dryRun: call.has("dry-run"),
  };
  for (const path of call.operands.map(existingFile)) {
    const parts = { clock: systemClock, progress: progressOn(process.stderr, systemClock) };
    const report = await importDaily(databasePath(call.config.db), path, options, parts);
    call.out.line(call.has("json") ? dailyReportJson(report) : dailyReportText(report));
  }
  return 0;
}

/** Imports the files of exchange rates that the call names and prints one report. */
export async function importRateFiles(call: Call, names: readonly RateAdapterName[]): Promise<number> {
  const adapter = adapterFor(call, names, "rates");
  const report = await importRates(
    databasePath(call.config.db),
    call.operands.map(existingFile),
    { adapter, replace: call.has("replace"), dryRun: call.has("dry-run") },
    { clock: systemClock, progress: progressOn(process.stderr, systemClock) },
  );
  call.out.line(call.has("json") ? rateReportJson(report) : rateReportText(report));
  return 0;
}

/**
 * Returns the adapter that `--adapter` names, else the one whose shape all the files have, which a note tells.
 * @throws {OperatorError} when there is no such one, which lists them, or no such file.
 */
function adapterFor<Name extends string>(
  call: Call,
  names: readonly Name[],
  imported: Parameters<typeof guessAdapter>[1],
): Name {
  if (call.flag("adapter") !== undefined) return adapterOf(call, names);
  const guesses = new Set(call.operands.map((path) => guessAdapter(existingFile(path), imported)));
  const guess = guesses.size === 1 ? names.find((name) => guesses.has(name)) : undefined;
  if (guess === undefined) {
    const which =
      call.operands.length === 1 ? "the file has the shape of none" : "the files do not all have the shape of one";
    throw usageError(`--adapter: takes ${names.length > 1 ? "one of " : ""}${names.join(", ")}; without it ${which}`);
  }
  call.out.note(`read by the adapter ${guess}, whose shape ${call.operands.length === 1 ? "it has" : "they have"}`);
  return guess;
}

/**
 * Returns whether the call accepts rows without names, the one guard of a catalog.
 * @throws {OperatorError} for another guard.
 */
function acceptsUnnamed(call: Call): boolean {
  const accepted = call.flag("accept");
  if (accepted === undefined || accepted === "unnamed_rows") return accepted !== undefined;
  throw usageError(`--accept: \`${accepted}\` is no guard of a catalog; there is unnamed_rows`);
}

/** Returns the guards that the call accepts a breach of; `--accept-shrink` is the older word for `--accept shrink`. */
function acceptedOf(call: Call): GuardName[] {
  return [...guardsOf(call, "accept"), ...(call.has("accept-shrink") ? (["shrink"] as const) : [])];
}

function catalogText(
  done: CatalogImportReport,
  { variants, merged, unphased, skipped, unknownTypes }: CatalogReport,
): string[] {
  const types = Object.entries(variants).map(([type, count]) => `${type} ${count}`);
  return [
    `${done.items} items: ${done.created} new, ${done.changed} changed, ${done.left} left the catalog, ${done.returned} came back, ${done.unchanged} unchanged`,
    ...(done.generation === null
      ? []
      : [
          `  published ${done.generation}: a quoted item left or came back, so exports of the generation before end as changed`,
        ]),
    `  variants  ${types.join(", ")}`,
    `  unphased  ${unphased} identities for sources without phases`,
    ...(merged > 0 ? [`  merged    ${merged} objects that both sources describe`] : []),
    ...skipped.map(({ reason, count, examples }) => `  skipped   ${count} ${reason}, such as ${examples.join("; ")}`),
    ...Object.entries(unknownTypes).map(([type, count]) => `  unknown   ${count} rows of type ${type}`),
  ];
}
