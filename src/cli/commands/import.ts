import type { DailyAdapterName } from "../../import/daily/adapters.ts";
import type { AdapterName } from "../../import/quotes/adapters.ts";
import type { RateAdapterName } from "../../import/rates/rate-import.ts";
import { adapterOf, type Command } from "../command.ts";

const quoteAdapters = Object.keys({ canonical: 0, steam: 0, buff: 0 } satisfies Record<
  AdapterName,
  0
>) as AdapterName[];
const dailyAdapters = Object.keys({ canonical: 0, "buff-history": 0 } satisfies Record<
  DailyAdapterName,
  0
>) as DailyAdapterName[];
const rateAdapters = Object.keys({ ecb: 0, "per-usd": 0 } satisfies Record<RateAdapterName, 0>) as RateAdapterName[];
/** Those whose bodies tell when they were saved. */
const replayedAdapters: readonly AdapterName[] = ["steam"];
const json = { says: "print the report as JSON" };

export const importCommands: readonly Command[] = [
  {
    words: "import catalog",
    operands: ["PATH..."],
    flags: { "accept-shrink": { says: "go on although more than half of the catalog is left out" }, json },
    settings: ["db"],
    says: "bring the catalog to what the sources say: cs2-lib files or package, csgo-api lists, or folders of them",
    run: async (call) => (await import("../import.ts")).importCatalog(call),
  },
  {
    words: "import quotes",
    operands: ["FILE"],
    flags: {
      adapter: { value: quoteAdapters.join("|"), says: "shape of the file" },
      "accept-shrink": { says: "publish although the feed lost more than half of its items" },
      "dry-run": { says: "read, join and report; write nothing" },
      json,
    },
    settings: ["db"],
    says: "import one file of quotes, publish it as a new generation and record it as the frame of this hour",
    run: async (call) => (await import("../import.ts")).importQuoteFile(call, adapterOf(call, quoteAdapters)),
  },
  {
    words: "import frames",
    operands: ["FILE..."],
    flags: {
      adapter: { value: replayedAdapters.join("|"), says: "shape of the files; it must tell when a file was saved" },
      "accept-shrink": { says: "go on with a file that lost more than half of the items of the one before" },
      json,
    },
    settings: ["db"],
    says: "replay saved files as a mirror would have seen them: publish them in turn and record the frame of each UTC hour",
    run: async (call) => (await import("../import.ts")).importFrameFiles(call, adapterOf(call, replayedAdapters)),
  },
  {
    words: "import daily",
    operands: ["FILE..."],
    flags: {
      adapter: { value: dailyAdapters.join("|"), says: "shape of the files" },
      replace: { says: "put the files' rows in the place of stored ones that differ, recorded ones too, for good" },
      "dry-run": { says: "read, join, compare and report; write nothing" },
      json: { says: "print the reports as JSON, a line for each file" },
    },
    settings: ["db"],
    says: "import files of daily history, one after the other; what is stored already stays as it is",
    run: async (call) => (await import("../import.ts")).importDailyFiles(call, adapterOf(call, dailyAdapters)),
  },
  {
    words: "import rates",
    operands: ["FILE..."],
    flags: {
      adapter: { value: rateAdapters.join("|"), says: "shape of the files" },
      replace: { says: "put the files' rates in the place of stored ones that differ" },
      "dry-run": { says: "read, compare and report; write nothing" },
      json: { says: "print the report as JSON" },
    },
    settings: ["db"],
    says: "import files of exchange rates: the European Central Bank's history, or rates per US dollar by day",
    run: async (call) => (await import("../import.ts")).importRateFiles(call, adapterOf(call, rateAdapters)),
  },
];
