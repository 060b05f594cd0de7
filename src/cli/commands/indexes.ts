import type { Command } from "../command.ts";

const json = { description: "print JSON" };

export const indexCommands: readonly Command[] = [
  {
    name: "index define",
    operands: ["FILE"],
    flags: { json },
    settings: ["db"],
    description: "make a price index from a definition, or update a known one",
    examples: [["index define knives.json", "make the index that the file defines"]],
    run: async (call) => (await import("../indexes.ts")).define(call),
  },
  {
    name: "index calculate",
    operands: [],
    flags: { only: { value: "INDEX", description: "calculate this index only" }, json },
    settings: ["db"],
    description: "append the levels of all complete days to the active indexes; stored levels never change",
    examples: [["index calculate", "append the levels of the days that are complete"]],
    run: async (call) => (await import("../indexes.ts")).calculate(call),
  },
  {
    name: "index retire",
    operands: ["INDEX"],
    flags: { json },
    settings: ["db"],
    description: "calculate no further levels of an index; its history stays",
    examples: [["index retire knives", "calculate no further levels"]],
    run: async (call) => (await import("../indexes.ts")).retire(call),
  },
  {
    name: "index list",
    operands: [],
    flags: { json },
    settings: ["db"],
    description: "list the indexes with their latest level",
    examples: [["index list", "each index with its latest level"]],
    run: async (call) => (await import("../indexes.ts")).list(call),
  },
];
