import type { CatalogReport } from "../import/catalog/build-catalog.ts";
import type { CatalogImportReport } from "../import/catalog/catalog-import.ts";
import type { DailyAdapterName } from "../import/daily/adapters.ts";
import { type GuardName, guardNames } from "../import/guards/findings.ts";
import type { guessAdapter } from "../import/guess-adapter.ts";
import type { AdapterName, mappedAdapter as MappedAdapter } from "../import/quotes/adapters.ts";
import type { ImportOptions } from "../import/quotes/quote-import.ts";
import type { RateAdapterName } from "../import/rates/adapters.ts";
import { progressOn } from "../values/progress.ts";
import { plural } from "../values/text/counted.ts";
import { systemClock } from "../values/time/clock.ts";
import { adapterOf, type Call, commandsOf, existingFile, fileSettings, json, usageError, wordsOf } from "./command.ts";
import { acceptFlag, guardsIn } from "./guards.ts";
import { pathOf } from "./open.ts";
import { printResult } from "./print.ts";

const quoteAdapters = wordsOf<AdapterName>({ canonical: 0, steam: 0, buff: 0 });
const mappedAdapter: typeof MappedAdapter = "mapped";
const dailyAdapters = wordsOf<DailyAdapterName>({ canonical: 0, "buff-history": 0 });
const rateAdapters = wordsOf<RateAdapterName>({ ecb: 0, "per-usd": 0, frankfurter: 0, "open-exchange": 0 });
/** The adapters with the save time in their bodies. */
const replayedAdapters: readonly AdapterName[] = ["steam"];

export const importCommands = commandsOf(fileSettings, [
  {
    usage: "import catalog PATH...",
    flags: {
      "accept-shrink": "accept sources without more than half of the catalog",
      "accept unnamed_rows": "accept names for less than 90 % of the rows",
      json,
    },
    description: "update the catalog from `shipped`, cs2-lib or csgo-api",
    example: "import catalog shipped",
    run: importCatalog,
  },
  {
    usage: "import quotes FILE",
    flags: {
      [`adapter ${[...quoteAdapters, mappedAdapter].join("|")}`]: "format (default: by shape)",
      "mapping NAME|FILE": "mapping of the adapter mapped: a ready one or your file",
      "accept GUARD,GUARD": acceptFlag,
      "accept-shrink": "short for --accept shrink",
      "dry-run": "report only; write nothing",
      json,
    },
    description: "publish a file of quotes and record its hour",
    example: "import quotes items.json --mapping skinport",
    run: importQuoteFile,
  },
  {
    usage: "import frames FILE...",
    flags: {
      [`adapter ${replayedAdapters.join("|")}`]: "format (default: by shape)",
      "accept GUARD,GUARD": acceptFlag,
      "accept-shrink": "short for --accept shrink",
      json,
    },
    description: "replay saved files like a mirror",
    example: "import frames saved/prices-*.json.gz",
    run: importFrameFiles,
  },
  {
    usage: "import daily FILE...",
    flags: {
      [`adapter ${dailyAdapters.join("|")}`]: "format (default: by shape)",
      replace: "replace stored rows that differ, permanently",
      "accept GUARD,GUARD": acceptFlag,
      "dry-run": "report only; write nothing",
      json: "print JSON, a line per file",
    },
    description: "import daily history; stored rows stay",
    example: "import daily history.ndjson --dry-run",
    run: importDailyFiles,
  },
  {
    usage: "import rates FILE...",
    flags: {
      [`adapter ${rateAdapters.join("|")}`]: "format (default: by shape)",
      replace: "replace stored rates that differ",
      "accept GUARD,GUARD": acceptFlag,
      "dry-run": "report only; write nothing",
      json,
    },
    description: "import daily exchange rates",
    example: "import rates eurofxref-hist.csv",
    run: importRateFiles,
  },
]);

async function importCatalog(call: Call): Promise<void> {
  const parts = importParts();
  parts.progress.phase("reading");
  const { buildCatalog } = await import("../import/catalog/build-catalog.ts");
  const { importCatalogFile } = await import("../import/catalog/catalog-import.ts");
  const { readCatalogSources } = await import("../import/catalog/read-source.ts");
  const { skipLines } = await import("../import/catalog/source-tally.ts");
  const documents = await readCatalogSources(call.operands, process.cwd());
  const { variants, report } = buildCatalog(documents, acceptsUnnamed(call));
  const acceptShrink = call.has("accept-shrink");
  const done = await importCatalogFile(await pathOf(call), variants, { ...parts, acceptShrink });
  printResult(call, { ...done, source: report }, catalogText(done, report, skipLines(report.skipped)));
}

function importParts() {
  return { clock: systemClock, progress: progressOn(process.stderr, systemClock) };
}

/**
 * Imports the file of the call and prints the result.
 * @throws {OperatorError} when the file is refused, or no adapter is given and none recognizes its shape.
 */
async function importQuoteFile(call: Call): Promise<void> {
  const isMapped = call.flag("adapter") === undefined && call.flag("mapping") !== undefined;
  const adapter = isMapped ? mappedAdapter : await adapterFor(call, [...quoteAdapters, mappedAdapter], "quotes");
  if (adapter !== mappedAdapter && call.flag("mapping") !== undefined) {
    throw usageError(`--mapping: the adapter ${adapter} has none; use --adapter ${mappedAdapter}`);
  }
  const { importQuotes } = await import("../import/quotes/quote-import.ts");
  const { reportJson, reportText } = await import("../import/quotes/report.ts");
  const common = { accepted: acceptedOf(call), dryRun: call.has("dry-run") };
  const options = { ...common, ...(adapter === mappedAdapter ? await mappedBy(call) : { adapter }) };
  const report = await importQuotes(await pathOf(call), existingFile(call.operands[0]!), options, importParts());
  call.out.line(call.has("json") ? reportJson(report) : reportText(report));
}

/** Returns the mapping in `--mapping`, and the command that accepts a body despite guards. */
async function mappedBy(call: Call): Promise<Pick<ImportOptions, "adapter" | "acceptCommand">> {
  const { readMapping, readyMappings } = await import("../import/quotes/mapping.ts");
  const name = call.flag("mapping");
  if (name === undefined) {
    throw usageError(`--mapping is missing; name a file, or one of ${readyMappings().join(", ")}`);
  }
  const command = `npx itemtape import quotes FILE --adapter ${mappedAdapter} --mapping ${name}`;
  const acceptCommand = (guards: readonly GuardName[]) => `${command} --accept ${guards.join(",")}`;
  return { adapter: readMapping(name, process.cwd()), acceptCommand };
}

async function importFrameFiles(call: Call): Promise<void> {
  const { replayFrames } = await import("../import/quotes/replay.ts");
  const { replayJson, replayText } = await import("../import/quotes/replay-report.ts");
  const adapter = await adapterFor(call, replayedAdapters, "quotes");
  const options = { adapter, accepted: acceptedOf(call) };
  const report = await replayFrames(await pathOf(call), call.operands.map(existingFile), options, importParts());
  call.out.line(call.has("json") ? replayJson(report) : replayText(report));
}

async function importDailyFiles(call: Call): Promise<void> {
  const { importDaily } = await import("../import/daily/daily-import.ts");
  const { dailyGuardNames } = await import("../import/guards/daily.ts");
  const { dailyReportJson, dailyReportText } = await import("../import/daily/report.ts");
  const options = {
    adapter: await adapterFor(call, dailyAdapters, "daily"),
    replace: call.has("replace"),
    accepted: guardsIn(call, dailyGuardNames),
    dryRun: call.has("dry-run"),
  };
  for (const path of call.operands.map(existingFile)) {
    const report = await importDaily(await pathOf(call), path, options, importParts());
    call.out.line(call.has("json") ? dailyReportJson(report) : dailyReportText(report));
  }
}

async function importRateFiles(call: Call): Promise<void> {
  const { importRates } = await import("../import/rates/rate-import.ts");
  const { rateReportJson, rateReportText } = await import("../import/rates/rate-report.ts");
  const adapter = await adapterFor(call, rateAdapters, "rates");
  const accepted = await rateAcceptances(call);
  const options = { adapter, replace: call.has("replace"), accepted, dryRun: call.has("dry-run") };
  const report = await importRates(await pathOf(call), call.operands.map(existingFile), options, importParts());
  call.out.line(call.has("json") ? rateReportJson(report) : rateReportText(report));
}

/** @throws {OperatorError} for a word that is not a guard of rates. */
async function rateAcceptances(call: Call): Promise<string[]> {
  const { rateAcceptanceFault } = await import("../import/guards/rates.ts");
  const words = call.flag("accept")?.split(",") ?? [];
  const fault = words.map(rateAcceptanceFault).find((found) => found !== null);
  if (fault !== undefined) throw usageError(`--accept: ${fault}`);
  return words;
}

/**
 * Returns the adapter in `--adapter`, or the adapter that recognizes all files, reported in a note.
 * @throws {OperatorError} when no adapter matches, listing them, or a file does not exist.
 */
async function adapterFor<Name extends string>(
  call: Call,
  names: readonly Name[],
  imported: Parameters<typeof guessAdapter>[1],
): Promise<Name> {
  if (call.flag("adapter") !== undefined) return adapterOf(call, names);
  const { guessAdapter } = await import("../import/guess-adapter.ts");
  const guesses = new Set(call.operands.map((path) => guessAdapter(existingFile(path), imported)));
  const guess = guesses.size === 1 ? names.find((name) => guesses.has(name)) : undefined;
  const isOne = call.operands.length === 1;
  if (guess === undefined) {
    const which = isOne ? "the file does not have the shape of any format" : "the files do not all have one shape";
    throw usageError(`${which}; name it with --adapter ${names.join(" or --adapter ")}`);
  }
  call.out.note(`read by the adapter ${guess}, which fits ${isOne ? "its" : "their"} shape`);
  return guess;
}

/**
 * Returns whether the call accepts rows without names, the only guard of a catalog.
 * @throws {OperatorError} for another guard.
 */
function acceptsUnnamed(call: Call): boolean {
  const accepted = call.flag("accept");
  if (accepted === undefined || accepted === "unnamed_rows") return accepted !== undefined;
  throw usageError(`--accept: \`${accepted}\` is not a guard of catalogs; the guard is unnamed_rows`);
}

/** Returns the guards that the call may violate. `--accept-shrink` is the older form of `--accept shrink`. */
function acceptedOf(call: Call): GuardName[] {
  return [...guardsIn(call, guardNames), ...(call.has("accept-shrink") ? (["shrink"] as const) : [])];
}

const publishedAnew = "a quoted item was removed or restored, so exports of the previous generation end as changed";

function catalogText(
  done: CatalogImportReport,
  { variants, merged, unphased, unknownTypes }: CatalogReport,
  skipped: readonly string[],
): string[] {
  const types = Object.entries(variants).map(([type, count]) => `${type} ${count}`);
  return [
    `${plural(done.items, "item")}: ${done.created} new, ${done.changed} changed, ${done.left} left the catalog, ${done.returned} restored, ${done.unchanged} unchanged`,
    ...(done.generation === null ? [] : [`  published ${done.generation}: ${publishedAnew}`]),
    `  variants  ${types.join(", ")}`,
    `  unphased  ${unphased} identities for sources without phases`,
    ...(merged > 0 ? [`  merged    ${merged} objects that both sources describe`] : []),
    ...skipped,
    ...Object.entries(unknownTypes).map(([type, count]) => `  unknown   ${plural(count, "row")} of type ${type}`),
  ];
}
