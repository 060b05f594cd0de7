import { commandsOf, json, noSettings, urlFlag } from "../command.ts";

export const roiCommands = commandsOf(noSettings, [
  {
    usage: "roi calculate",
    flags: {
      "only SLUG": "this container only",
      json,
    },
    settings: ["db"],
    description: "calculate the returns of published containers",
    example: "roi calculate --only kilowatt-case",
    run: async (call) => (await import("./calculate.ts")).calculate(call),
  },
  {
    usage: "roi recompute SLUG",
    flags: {
      "url BASE": urlFlag,
      "current FILE": "saved answer of getOpenable instead of a server",
      "outcomes FILES": "with --current: saved pages of listOpenableOutcomes, separated by commas",
      "valuation-mode MODE": "steam_gross or cash_ask (default: steam_gross)",
      json,
    },
    description: "check a container's published numbers against the API",
    example: "roi recompute kilowatt-case",
    run: async (call) => (await import("./recompute.ts")).recompute(call),
  },
]);
