import type { DailyAdapterName } from "../../import/daily/adapters.ts";
import type { AdapterName } from "../../import/quotes/adapters.ts";
import type { RateAdapterName } from "../../import/rates/rate-import.ts";
import type { Command } from "../command.ts";

const quoteAdapters = Object.keys({ canonical: 0, steam: 0, buff: 0 } satisfies Record<
  AdapterName,
  0
>) as AdapterName[];
const dailyAdapters = Object.keys({ canonical: 0, "buff-history": 0 } satisfies Record<
  DailyAdapterName,
  0
>) as DailyAdapterName[];
const rateAdapters = Object.keys({ ecb: 0, "per-usd": 0 } satisfies Record<RateAdapterName, 0>) as RateAdapterName[];
/** The adapters whose bodies contain their save time. */
const replayedAdapters: readonly AdapterName[] = ["steam"];
const accept = { value: "GUARD,GUARD", description: "accept a body although it breaks these guards" };
const json = { description: "print the report as JSON" };

export const importCommands: readonly Command[] = [
  {
    name: "import catalog",
    operands: ["PATH..."],
    flags: {
      "accept-shrink": { description: "accept sources that lack more than half of the catalog" },
      accept: {
        value: "unnamed_rows",
        description: "accept a list of names that leaves over 10 % of the rows without one",
      },
      json,
    },
    settings: ["db"],
    description: "update the catalog from its sources: cs2-lib files or package, csgo-api lists, or folders of them",
    examples: [
      ["import catalog @ianlucas/cs2-lib csgo-api/en csgo-api/ru", "items of a package, names of two languages"],
    ],
    run: async (call) => (await import("../import.ts")).importCatalog(call),
  },
  {
    name: "import quotes",
    operands: ["FILE"],
    flags: {
      adapter: {
        value: [...quoteAdapters, "mapped"].join("|"),
        description: "format (default: by shape)",
      },
      mapping: {
        value: "NAME|FILE",
        description: "where the prices stand in a file of the adapter mapped: a ready mapping or a file of your own",
      },
      accept,
      "accept-shrink": { description: "the same as --accept shrink" },
      "dry-run": { description: "read, join and report with examples; write nothing" },
      json,
    },
    settings: ["db"],
    description: "import one file of quotes, publish it as a new generation and record it as the frame of its hour",
    examples: [
      ["import quotes prices.ndjson --dry-run", "read a feed of this program's own format; write nothing"],
      ["import quotes items.json --mapping skinport", "read a file of a provider with a ready mapping"],
    ],
    run: async (call) => (await import("../import.ts")).importQuoteFile(call, [...quoteAdapters, "mapped"]),
  },
  {
    name: "feeds drop",
    operands: ["[FEED...]"],
    flags: {
      "unchecked-for": { value: "HOURS", description: "drop all feeds that were not verified for so long" },
      "dry-run": { description: "report what would be dropped; write nothing" },
      json,
    },
    settings: ["db"],
    description: "publish a generation without the quotes of feeds that died; histories keep what they recorded",
    examples: [["feeds drop --unchecked-for 48 --dry-run", "list the feeds that were not verified for two days"]],
    run: async (call) => (await import("../feeds.ts")).dropQuotes(call),
  },
  {
    name: "import frames",
    operands: ["FILE..."],
    flags: {
      adapter: {
        value: replayedAdapters.join("|"),
        description: "format with the time of saving (default: by shape)",
      },
      accept,
      "accept-shrink": { description: "the same as --accept shrink" },
      json,
    },
    settings: ["db"],
    description:
      "replay saved files as a mirror would have: publish them in turn and record the frame of each UTC hour",
    examples: [["import frames saved/prices-*.json.gz", "replay saved files in the order of their times"]],
    run: async (call) => (await import("../import.ts")).importFrameFiles(call, replayedAdapters),
  },
  {
    name: "import daily",
    operands: ["FILE..."],
    flags: {
      adapter: { value: dailyAdapters.join("|"), description: "format (default: by shape)" },
      replace: {
        description: "replace stored rows that differ, recorded ones too, for good",
      },
      "dry-run": { description: "read, join, compare and report; write nothing" },
      json: { description: "print the reports as JSON, a line for each file" },
    },
    settings: ["db"],
    description: "import files of daily history, one after the other; stored rows stay as they are",
    examples: [["import daily history.ndjson --dry-run", "compare a file of days with what is stored"]],
    run: async (call) => (await import("../import.ts")).importDailyFiles(call, dailyAdapters),
  },
  {
    name: "import rates",
    operands: ["FILE..."],
    flags: {
      adapter: { value: rateAdapters.join("|"), description: "format (default: by shape)" },
      replace: { description: "replace stored rates that differ" },
      "dry-run": { description: "read, compare and report; write nothing" },
      json: { description: "print the report as JSON" },
    },
    settings: ["db"],
    description: "import files of exchange rates: the European Central Bank's history, or rates per US dollar by day",
    examples: [["import rates eurofxref-hist.csv", "rates of the European Central Bank"]],
    run: async (call) => (await import("../import.ts")).importRateFiles(call, rateAdapters),
  },
];
