import { commandsOf, json, noSettings, urlFlag } from "../command.ts";

/** The commands of `roi`. */
export const roiCommands = commandsOf(noSettings, [
  {
    usage: "roi calculate",
    flags: {
      "only SLUG": "calculate this openable only",
      json,
    },
    settings: ["db"],
    description:
      "calculate the returns of the published openables from the published prices, as a server does four times a day",
    examples: [["roi calculate --only kilowatt-case", "the returns of one container"]],
    run: async (call) => (await import("./calculate.ts")).calculate(call),
  },
  {
    usage: "roi recompute SLUG",
    flags: {
      "url BASE": urlFlag,
      "current FILE": "a saved answer of getOpenable instead of a server",
      "outcomes FILES": "with --current: all saved pages of listOpenableOutcomes, in order, a comma between",
      "valuation-mode MODE": "steam_gross (when left out) or cash_ask",
      json,
    },
    description: "calculate a container's published numbers again from the API's answers, and compare",
    examples: [["roi recompute kilowatt-case", "compare what a server published with its own inputs"]],
    run: async (call) => (await import("./recompute.ts")).recompute(call),
  },
]);
