import type { AdapterName } from "../import/quotes/adapters.ts";
import { adapterOf, type Command } from "./command.ts";

const adapterNames = Object.keys({ canonical: 0, steam: 0, buff: 0 } satisfies Record<AdapterName, 0>) as AdapterName[];
/** Those whose bodies tell when they were saved. */
const replayedAdapters: readonly AdapterName[] = ["steam"];
const json = { says: "print the report as JSON" };

/** What does the work is loaded when it is called: a server never needs it. */
export const importCommands: readonly Command[] = [
  {
    words: "import catalog",
    operands: ["PATH..."],
    flags: { "accept-shrink": { says: "go on although more than half of the catalog is left out" }, json },
    settings: ["db"],
    says: "bring the catalog to what the sources say: cs2-lib files or package, csgo-api lists, or folders of them",
    run: async (call) => (await import("./import-run.ts")).importCatalog(call),
  },
  {
    words: "import quotes",
    operands: ["FILE"],
    flags: {
      adapter: { value: adapterNames.join("|"), says: "shape of the file" },
      "accept-shrink": { says: "publish although the feed lost more than half of its items" },
      "dry-run": { says: "read, join and report; write nothing" },
      json,
    },
    settings: ["db"],
    says: "import one file of quotes, publish it as a new generation and record it as the frame of this hour",
    run: async (call) => (await import("./import-run.ts")).importQuoteFile(call, adapterOf(call, adapterNames)),
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
    run: async (call) => (await import("./import-run.ts")).importFrameFiles(call, adapterOf(call, replayedAdapters)),
  },
];
