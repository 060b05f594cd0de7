import type { Command } from "../command.ts";

const json = { says: "print JSON" };

export const indexCommands: readonly Command[] = [
  {
    words: "index define",
    operands: ["FILE"],
    flags: { json },
    settings: ["db"],
    says: "make a price index from a definition, or bring a known one to what the definition says",
    run: async (call) => (await import("../indexes.ts")).define(call),
  },
  {
    words: "index calculate",
    operands: [],
    flags: { only: { value: "INDEX", says: "calculate this index only" }, json },
    settings: ["db"],
    says: "append the levels of all complete days to the active indexes; stored levels never change",
    run: async (call) => (await import("../indexes.ts")).calculate(call),
  },
  {
    words: "index retire",
    operands: ["INDEX"],
    flags: { json },
    settings: ["db"],
    says: "calculate no further levels of an index; its history stays",
    run: async (call) => (await import("../indexes.ts")).retire(call),
  },
  {
    words: "index list",
    operands: [],
    flags: { json },
    settings: ["db"],
    says: "list the indexes with their latest level",
    run: async (call) => (await import("../indexes.ts")).list(call),
  },
];
