import type { Command } from "./command.ts";
import { urlFlag } from "./get.ts";

/** What does the work is loaded when it is called. It takes no setting: it has nothing to do with a database file. */
export const recomputeCommand: Command = {
  words: "roi recompute",
  operands: ["SLUG"],
  flags: {
    url: urlFlag,
    current: { value: "FILE", says: "a saved answer of getOpenable instead of a server" },
    outcomes: {
      value: "FILES",
      says: "with --current: all saved pages of listOpenableOutcomes, in order, a comma between",
    },
    "valuation-mode": { value: "MODE", says: "steam_gross (when left out) or cash_ask" },
    json: { says: "print JSON" },
  },
  settings: [],
  says: "calculate a container's published numbers again from what the API tells of it, and compare",
  run: async (call) => (await import("./roi-recompute.ts")).recompute(call),
};
