import type { Command } from "../command.ts";
import { urlFlag } from "./clients.ts";

export const roiCommands: readonly Command[] = [
  {
    words: "roi calculate",
    operands: [],
    flags: { only: { value: "SLUG", says: "calculate this openable only" }, json: { says: "print JSON" } },
    settings: ["db"],
    says: "calculate the returns of the published openables from the published prices, as a server does four times a day",
    run: async (call) => (await import("../roi-calculate.ts")).calculate(call),
  },
  {
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
    run: async (call) => (await import("../recompute/run.ts")).recompute(call),
  },
];
