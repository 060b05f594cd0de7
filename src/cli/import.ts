import type { AdapterName } from "../ingest/feeds/adapters.ts";
import { type Call, type Command, usageError } from "./command.ts";

const adapterNames = Object.keys({ canonical: 0, steam: 0, buff: 0 } satisfies Record<AdapterName, 0>) as AdapterName[];
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
    says: "import one file of quotes and publish it as a new generation",
    run: async (call) => (await import("./import-run.ts")).importQuoteFile(call, adapterOf(call)),
  },
];

function adapterOf(call: Call): AdapterName {
  const adapter = adapterNames.find((name) => name === call.flag("adapter"));
  if (adapter === undefined) throw usageError(`--adapter: takes one of ${adapterNames.join(", ")}`);
  return adapter;
}
