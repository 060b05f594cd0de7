import type { Command } from "./command.ts";
import { urlFlag } from "./get.ts";

/** Its work is loaded when it is called, as is what writes the files. It takes no setting, like `get`. */
export const exportCommands: readonly Command[] = [
  {
    words: "export",
    operands: ["FILE"],
    flags: {
      format: { value: "ndjson|csv|parquet|sqlite", says: "what the file is to be" },
      url: urlFlag,
      force: { says: "replace a file that is there, once the new one is whole" },
      attempts: {
        value: "N",
        says: "exports to begin at most, 1 to 10 (1 when left out), where one is changed, interrupted or truncated; each costs a unit of the month and a start",
      },
      "no-digest": { says: "do not ask for the digest of the generation, which costs a unit of the month" },
      json: { says: "print what was written as JSON" },
    },
    settings: [],
    says: "write the whole market into a file, which is there only if the export was whole",
    explain: async () => (await import("./export/explain.ts")).explain(),
    run: async (call) => (await import("./export/run.ts")).run(call),
  },
];
