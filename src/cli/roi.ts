import type { Command } from "./command.ts";
import { recomputeCommand } from "./roi-recompute-command.ts";

/** What does the work is loaded when it is called: a server never needs it. */
export const roiCommands: readonly Command[] = [
  {
    words: "roi calculate",
    operands: [],
    flags: { only: { value: "SLUG", says: "calculate this openable only" }, json: { says: "print JSON" } },
    settings: ["db"],
    says: "calculate the returns of the published openables from the published prices, as a server does four times a day",
    run: async (call) => (await import("./roi-run.ts")).calculate(call),
  },
  recomputeCommand,
];
